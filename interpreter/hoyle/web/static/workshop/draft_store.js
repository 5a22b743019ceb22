// The drafts of this browser, each under its own key, so that two windows never overwrite each other's drafts.

const PREFIX = "hoyle.draft.";
const CURRENT = "hoyle.currentDraft";
const MOST = 40;

/** A new draft. `before` is the text that changes are compared with. */
export function createDraft(text, { options = {}, seed = chooseSeed() } = {}) {
  const id = crypto.getRandomValues(new Uint32Array(2)).join("-");
  return { id, text, before: text, beforeOptions: { ...options }, options, seed, moves: [], others: "human", title: "", changed: Date.now() };
}

export const chooseSeed = () => 1 + (crypto.getRandomValues(new Uint32Array(1))[0] % 999_999);

/** The name of the ruleset in a text, which is also the name of its file. */
export const findName = (text) => text.match(/^game:[ \t]*["']?([\w-]+)/m)?.[1] ?? "draft";

/** Save a draft as the current one. Returns false if the browser has no room. */
export function saveDraft(draft) {
  try {
    localStorage.setItem(PREFIX + draft.id, JSON.stringify(draft));
    localStorage.setItem(CURRENT, draft.id);
    sessionStorage.setItem(CURRENT, draft.id);
    return true;
  } catch {
    return false;
  }
}

/** The draft of this window, else the last one of this browser; null if there is none. */
export function loadCurrentDraft() {
  const id = sessionStorage.getItem(CURRENT) ?? localStorage.getItem(CURRENT);
  return id === null ? null : loadDraft(id);
}

export function loadDraft(id) {
  try {
    const found = JSON.parse(localStorage.getItem(PREFIX + id));
    return typeof found?.text === "string" ? { ...createDraft(found.text), ...found } : null;
  } catch {
    return null;
  }
}

/** All drafts, the last changed first. */
export function listDrafts() {
  const ids = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX)).map((key) => key.slice(PREFIX.length));
  return ids.map(loadDraft).filter(Boolean).sort((one, other) => other.changed - one.changed);
}

export function removeDraft(id) {
  localStorage.removeItem(PREFIX + id);
}

/** Remove the oldest drafts that were never changed, if there are many. */
export function removeUnchangedDrafts(keep) {
  for (const draft of listDrafts().slice(MOST)) if (draft.text === draft.before && draft.id !== keep) removeDraft(draft.id);
}
