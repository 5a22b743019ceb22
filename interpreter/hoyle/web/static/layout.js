// Where things stand: on a narrow window what is needed rarely is folded into the menu, and what happened is a sheet that comes up from below.

import { $ } from "./dom.js";

const narrow = matchMedia("(max-width: 52rem)");

export const isNarrow = () => narrow.matches;

export function layout() {
  narrow.addEventListener("change", place);
  place();
  const [log, button] = [$("#log"), $("#show-news")];
  button.addEventListener("click", () => sheet(!log.classList.contains("open")));
  log.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !log.classList.contains("open")) return;
    sheet(false);
    button.focus();
    event.stopPropagation();
  });
  document.addEventListener("pointerdown", (event) => log.contains(event.target) || button.contains(event.target) || sheet(false));
  $("#folded").addEventListener("click", () => $(".settings").removeAttribute("open"));
}

function place() {
  const folded = [$("#more-tools"), $("#ways")];
  if (narrow.matches) $("#folded").append(...folded);
  else {
    $("#tools").after(folded[0]);
    $("h1").after(folded[1]);
  }
}

export function sheet(open) {
  $("#log").classList.toggle("open", open);
  $("#show-news").setAttribute("aria-expanded", String(open));
  if (open) $("#news").focus({ preventScroll: true });
  if (open) $("#news").scrollTop = $("#news").scrollHeight;
}
