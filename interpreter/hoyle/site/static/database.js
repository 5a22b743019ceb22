// The tables of this browser, in its database.

import { scope } from "./files.js";

const [NAME, STORE] = [`${scope}hoyle`, "tables"];

function open() {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(NAME, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
}

const opened = open();

function finish(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** All tables. Without a database there are none, and tables last as long as the page. */
export async function listTables() {
  try {
    const texts = await finish((await opened).transaction(STORE).objectStore(STORE).getAll());
    return texts.map((text) => JSON.parse(text));
  } catch (error) {
    console.warn("tables cannot be kept", error);
    return [];
  }
}

export async function saveTable(ident, text) {
  try {
    await finish((await opened).transaction(STORE, "readwrite").objectStore(STORE).put(text, ident));
  } catch (error) {
    console.warn("a table cannot be kept", error);
  }
}
