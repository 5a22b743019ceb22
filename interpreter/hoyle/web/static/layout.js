// The layout of the page. In a narrow window, rare tools fold into the menu, and the events slide up from below.

import { $ } from "./dom.js";

const narrow = matchMedia("(max-width: 52rem)");

export const isNarrow = () => narrow.matches;

export function initLayout() {
  narrow.addEventListener("change", arrange);
  arrange();
  const [log, button] = [$("#log"), $("#show-news")];
  button.addEventListener("click", () => openEvents(!log.classList.contains("open")));
  log.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !log.classList.contains("open")) return;
    openEvents(false);
    button.focus();
    event.stopPropagation();
  });
  document.addEventListener("pointerdown", (event) => log.contains(event.target) || button.contains(event.target) || openEvents(false));
  $("#folded").addEventListener("click", () => $(".settings").removeAttribute("open"));
}

function arrange() {
  const folded = [$("#more-tools"), $("#ways")];
  if (narrow.matches) $("#folded").append(...folded);
  else {
    $("#tools").after(folded[0]);
    $("h1").after(folded[1]);
  }
}

export function openEvents(open) {
  $("#log").classList.toggle("open", open);
  $("#show-news").setAttribute("aria-expanded", String(open));
  if (open) $("#news").focus({ preventScroll: true });
  if (open) $("#news").scrollTop = $("#news").scrollHeight;
}
