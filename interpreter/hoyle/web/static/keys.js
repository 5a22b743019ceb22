// Keyboard control.

import { $, isTyping } from "./dom.js";

export function bindKeys(game) {
  const panels = game.panels;
  const keys = {
    u: () => game.undo(),
    h: () => panels.askHint(),
    w: () => panels.showWhy(),
    m: () => panels.moves.open(),
    n: () => panels.showNews(),
    r: () => panels.rulebook.open(),
    t: () => game.roving.findNext("ArrowRight")?.focus(),
    "!": () => game.calls.ask(),
    "?": () => $("#keys").showModal(),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || isTyping(event)) return;
    if (document.querySelector("dialog[open]")) return;
    game.goOn();
    if (event.key === "Escape") game.cancel();
    else if (event.key in keys) keys[event.key]();
    else return;
    event.preventDefault();
  });
  game.place.addEventListener("keydown", (event) => moveOnTable(game, event));
}

function moveOnTable(game, event) {
  if (event.key.startsWith("Arrow")) {
    const next = game.roving.findNext(event.key, event.shiftKey);
    if (next) {
      game.noteFocus(next);
      for (const node of game.picture.listButtons()) node.setAttribute("tabindex", node === next ? "0" : "-1");
      next.focus();
    }
  } else if (event.key === "Enter" || event.key === " ") {
    const done = game.selection.findComplete();
    const again = game.selection.picked.length && event.key === "Enter" && done.length === 1 && game.selection.findCandidates().length === 1;
    if (again) game.play(done[0]);
    else game.pressNode(event.target);
  } else return;
  event.preventDefault();
}
