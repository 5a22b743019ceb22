// A record opened: the table after each move, by a slider.

import { $, announce, ask, el, isTyping } from "./dom.js";
import { Picture } from "./picture.js";
import { begin, settings, tone } from "./settings.js";
import { t } from "./words.js";

const picture = new Picture($("#table"));
let opened = null;
let step = 0;
let isAsking = false;
let isLate = false;

async function open(text) {
  $("#told").hidden = true;
  try {
    opened = await ask(`/api/records?lang=${settings.lang}`, text);
  } catch (error) {
    $("#told").textContent = error.message;
    $("#told").hidden = false;
    return;
  }
  $("h1").textContent = opened.title;
  $("#slider").max = opened.steps - 1;
  $("#steps").hidden = false;
  await log();
  await go(Number(location.hash.slice(1)) || 0);
}

/** All that happened, by the number of the move. */
async function log() {
  if (!opened) return;
  const { steps } = await ask(`/api/records/${opened.id}?lang=${settings.lang}`);
  const rows = steps.map((lines, n) => el("li", {}, lines.length ? line(lines, n) : null));
  $("#news").replaceChildren(...rows);
}

function line(lines, n) {
  const node = el("button", { type: "button" }, lines.join(" · "));
  node.addEventListener("click", () => go(n));
  return node;
}

function present() {
  for (const [n, row] of [...$("#news").children].entries()) {
    if (n === step) row.setAttribute("aria-current", "step");
    else row.removeAttribute("aria-current");
  }
  const row = $("#news").children[step];
  if (row) $("#news").scrollTop = row.offsetTop - $("#news").offsetTop - $("#news").clientHeight / 2;
}

async function go(to) {
  if (!opened) return;
  step = Math.max(0, Math.min(opened.steps - 1, to));
  $("#slider").value = step;
  $("#number").textContent = `${step} / ${opened.steps - 1}`;
  isLate = isAsking;
  if (isAsking) return; // it is asked for after the answer
  isAsking = true;
  try {
    do {
      isLate = false;
      show(await ask(`/api/records/${opened.id}/${step}?lang=${settings.lang}&tone=${tone()}&four=${settings.four}&width=${picture.room().width}`));
    } while (isLate);
  } finally {
    isAsking = false;
  }
}

function show(found) {
  picture.show(found, false);
  const told = found.news.items.filter(Boolean).map((item) => item.text);
  const lines = [...told, ...found.result];
  present();
  $("#result").replaceChildren(...found.result.map((text) => el("p", {}, text)));
  $("#place").textContent = found.place;
  $("#slider").setAttribute("aria-valuetext", `${t("step")} ${step}: ${lines.join(" ")}`);
  if (lines.length) announce(lines.join(" "));
}

$("#file").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  if (file) await open(await file.text());
});
$("#slider").addEventListener("input", () => go($("#slider").valueAsNumber));
$("#first").addEventListener("click", () => go(0));
$("#previous").addEventListener("click", () => go(step - 1));
$("#next").addEventListener("click", () => go(step + 1));
$("#last").addEventListener("click", () => go(Infinity));
document.addEventListener("keydown", (event) => {
  const to = { ArrowLeft: step - 1, ArrowRight: step + 1, Home: 0, End: Infinity }[event.key];
  if (to === undefined || isTyping(event) || event.target === $("#slider")) return;
  go(to);
  event.preventDefault();
});
await begin(async () => {
  await log();
  await go(step);
});
const carried = sessionStorage.getItem("hoyle.record");
if (carried) await open(carried);
