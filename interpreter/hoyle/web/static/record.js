// The page of a record: the table after each move, by a slider.

import { $, announce, fetchJson, el, isTyping } from "./dom.js";
import { getToken } from "./navigation.js";
import { Picture } from "./picture.js";
import { initPage, settings, tone } from "./settings.js";
import { t } from "./translation.js";

const picture = new Picture($("#table"));
let opened = null;
let step = 0;
let isAsking = false;
let isLate = false;

async function openRecord(text) {
  $("#told").hidden = true;
  try {
    opened = await fetchJson(`api/records?lang=${settings.lang}`, text);
  } catch (error) {
    $("#told").textContent = error.message;
    $("#told").hidden = false;
    return;
  }
  $("h1").textContent = opened.title;
  $("#slider").max = opened.steps - 1;
  $("#steps").hidden = false;
  await loadEvents();
  await goTo(Number(getToken()) || 0);
}

/** Load all events by the number of the move. */
async function loadEvents() {
  if (!opened) return;
  const { steps } = await fetchJson(`api/records/${opened.id}?lang=${settings.lang}`);
  const rows = steps.map((lines, n) => el("li", {}, lines.length ? createLine(lines, n) : null));
  $("#news").replaceChildren(...rows);
}

function createLine(lines, n) {
  const node = el("button", { type: "button" }, lines.join(" · "));
  node.addEventListener("click", () => goTo(n));
  return node;
}

function markStep() {
  for (const [n, row] of [...$("#news").children].entries()) {
    if (n === step) row.setAttribute("aria-current", "step");
    else row.removeAttribute("aria-current");
  }
  const row = $("#news").children[step];
  if (row) $("#news").scrollTop = row.offsetTop - $("#news").offsetTop - $("#news").clientHeight / 2;
}

async function goTo(to) {
  if (!opened) return;
  step = Math.max(0, Math.min(opened.steps - 1, to));
  $("#slider").value = step;
  $("#number").textContent = `${step} / ${opened.steps - 1}`;
  isLate = isAsking;
  if (isAsking) return; // the running request asks for the latest step when it ends
  isAsking = true;
  try {
    do {
      isLate = false;
      show(await fetchJson(`api/records/${opened.id}/${step}?lang=${settings.lang}&tone=${tone()}&four=${settings.four}&width=${picture.measureRoom().width}`));
    } while (isLate);
  } finally {
    isAsking = false;
  }
}

function show(found) {
  picture.show(found, false);
  const told = found.news.items.filter(Boolean).map((item) => item.text);
  const lines = [...told, ...found.result];
  markStep();
  $("#result").replaceChildren(...found.result.map((text) => el("p", {}, text)));
  $("#place").textContent = found.place;
  $("#slider").setAttribute("aria-valuetext", `${t("step")} ${step}: ${lines.join(" ")}`);
  if (lines.length) announce(lines.join(" "));
}

$("#file").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  if (file) await openRecord(await file.text());
});
$("#slider").addEventListener("input", () => goTo($("#slider").valueAsNumber));
$("#first").addEventListener("click", () => goTo(0));
$("#previous").addEventListener("click", () => goTo(step - 1));
$("#next").addEventListener("click", () => goTo(step + 1));
$("#last").addEventListener("click", () => goTo(Infinity));
document.addEventListener("keydown", (event) => {
  const to = { ArrowLeft: step - 1, ArrowRight: step + 1, Home: 0, End: Infinity }[event.key];
  if (to === undefined || isTyping(event) || event.target === $("#slider")) return;
  goTo(to);
  event.preventDefault();
});
await initPage(async () => {
  await loadEvents();
  await goTo(step);
});
const carried = sessionStorage.getItem("hoyle.record");
if (carried) await openRecord(carried);
