// Keeps the files of the site, so that it works without a network. FILES and VERSION are written by `hoyle site`.

const VERSION = "@VERSION@";
const FIRST = ["@FIRST@"];
const LATER = ["@LATER@"];
const NAME = `hoyle-${VERSION}`;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(FIRST)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(removeOld().then(() => self.clients.claim()));
  keepLater();
});

async function removeOld() {
  for (const name of await caches.keys()) if (/^hoyle-/.test(name) && name !== NAME) await caches.delete(name);
}

/** Fetch the other files one after the other, without delaying what the player asks for. */
async function keepLater() {
  const cache = await caches.open(NAME);
  for (const file of LATER) {
    if (await cache.match(file)) continue;
    const answer = await fetch(file).catch(() => null);
    if (!answer?.ok) return;
    await cache.put(file, answer);
  }
}

self.addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && new URL(event.request.url).origin === location.origin) event.respondWith(answer(event.request));
});

async function answer(request) {
  const cache = await caches.open(NAME);
  const address = new URL(request.url);
  const kept = await cache.match(address.pathname.endsWith("/") ? new URL("index.html", address) : request, { ignoreSearch: true });
  if (kept) return kept;
  const fresh = await fetch(request);
  if (fresh.ok && fresh.status === 200 && address.pathname.startsWith(new URL(self.registration.scope).pathname)) await cache.put(request, fresh.clone());
  return fresh;
}
