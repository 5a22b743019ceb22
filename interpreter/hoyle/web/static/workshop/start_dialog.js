// The dialog at the start: a variant of a game, a game's whole text, a new game, an empty text, or a draft.

import { $, $$, el, normalize } from "../dom.js";
import { settings } from "../settings.js";
import { t } from "../translation.js";
import { listDrafts, removeDraft } from "./draft_store.js";
import { ask } from "./requests.js";

export class StartDialog {
  /** `host`: `start(text)`, `resume(draft)`. */
  constructor(host) {
    this.host = host;
    this.told = "";
    this.dialog = $("#begin-dialog");
    $("#begin-search").addEventListener("input", () => this.search());
    $("#begin-empty").addEventListener("click", () => this.begin(() => EMPTY()));
  }

  /** `current`: the draft that is open. `told`: what is to be said first. */
  open(current, told = "") {
    [this.current, this.told] = [current, told];
    $("#begin-told").textContent = told;
    this.showDrafts();
    this.dialog.showModal();
    if (!$("#begin-games").children.length) this.load();
  }

  async load() {
    $("#begin-told").textContent = this.told || t("connecting");
    try {
      this.shelf = await ask("games");
      $("#begin-told").textContent = this.told;
    } catch (error) {
      $("#begin-told").textContent = error.message;
      return;
    }
    const byTitle = (one, other) => one.title.localeCompare(other.title, settings.lang);
    $("#begin-games").replaceChildren(...this.shelf.games.sort(byTitle).map((game) => this.createGame(game)));
    $("#begin-new").replaceChildren(...this.shelf.skeletons.map((one) => this.createSkeleton(one)), $("#begin-empty"));
    this.search();
  }

  /** True if a ruleset of this name can be extended. */
  isShipped(name) {
    return this.shelf?.games.some((game) => game.name === name) ?? false;
  }

  createGame({ name, title }) {
    const variant = el("button", { type: "button", "aria-label": t("variant_of", { title }) }, t("make_variant"));
    variant.addEventListener("click", () => this.begin(() => fetchVariant(name)));
    const copy = el("button", { type: "button", "aria-label": t("copy_of_game", { title }) }, t("make_copy"));
    copy.addEventListener("click", () => this.begin(() => fetchText(`source/${name}`)));
    const row = el("li", {}, el("span", {}, title), variant, copy);
    row.dataset.game = name;
    return row;
  }

  createSkeleton({ name, title }) {
    const button = el("button", { type: "button" }, title);
    button.addEventListener("click", () => this.begin(() => fetchText(`skeleton/${name}`)));
    return button;
  }

  showDrafts() {
    const drafts = listDrafts().filter((draft) => draft.id !== this.current);
    $("#begin-own").hidden = !drafts.length;
    $("#begin-drafts").replaceChildren(...drafts.map((draft) => this.createDraftRow(draft)));
  }

  createDraftRow(draft) {
    const when = new Intl.DateTimeFormat(settings.lang, { dateStyle: "medium", timeStyle: "short" }).format(draft.changed);
    const name = draft.title || t("untitled");
    const open = el("button", { type: "button", className: "draft" }, el("strong", {}, name), el("span", { className: "faint" }, ` ${when}`));
    open.addEventListener("click", () => {
      this.dialog.close();
      this.host.resume(draft);
    });
    const remove = el("button", { type: "button", "aria-label": t("delete_draft", { name }), title: t("forget") }, "×");
    remove.addEventListener("click", () => {
      removeDraft(draft.id);
      this.showDrafts();
      $("#begin-drafts button, #begin-search").focus();
    });
    return el("li", {}, open, remove);
  }

  async begin(getText) {
    try {
      const text = await getText();
      this.dialog.close();
      this.host.start(text);
    } catch (error) {
      $("#begin-told").textContent = error.message;
    }
  }

  search() {
    const words = normalize($("#begin-search").value).split(/\s+/).filter(Boolean);
    for (const row of $$("#begin-games li")) row.hidden = !words.every((word) => normalize(`${row.textContent} ${row.dataset.game}`).includes(word));
  }
}

/** A variant that changes nothing yet. Its comments list the options, which have a panel of their own here. */
export async function fetchVariant(name) {
  const text = await fetchText(`skeleton/${name}`);
  return `${text.replace(/^[ \t]*#.*$/gm, "").trim()}\n`;
}

async function fetchText(path) {
  const found = await ask(path);
  return found.text.replace(/^# yaml-language-server:.*\n/, ""); // it names a file beside the shipped one
}

/** The text of a game that has nothing yet. */
const EMPTY = () => `ruleset: 1\ngame: my-game\ntitle: ${t("my_game")}\n`;
