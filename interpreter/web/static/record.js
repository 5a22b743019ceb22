// A record opened: the table after each move, by a slider.

import { $, announce, ask, el, isTyping } from "./dom.js";
import { Picture } from "./picture.js";
import { begin, settings, tone } from "./settings.js";
import { t } from "./words.js";

const picture = new Picture($("#table"));
let opened = null;
let step = 0;
let asking = 0;

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
  await go(0);
}

async function go(to) {
  if (!opened) return;
  step = Math.max(0, Math.min(opened.steps - 1, to));
  const mine = ++asking;
  $("#slider").value = step;
  $("#number").textContent = `${step} / ${opened.steps - 1}`;
  const found = await ask(`/api/records/${opened.id}/${step}?lang=${settings.lang}&tone=${tone()}&four=${settings.four}`);
  if (mine !== asking) return; // somebody was quicker
  picture.show(found, false);
  const told = found.news.items.filter(Boolean).map((item) => item.text);
  const lines = [...told, ...found.result];
  $("#news").replaceChildren(...lines.map((line) => el("li", {}, line)));
  $("#place").textContent = found.place;
  $("#slider").setAttribute("aria-valuetext", `${t("step")} ${step}: ${lines.join(". ")}`);
  if (lines.length) announce(lines.join(". "));
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
await begin(() => go(step));
const carried = sessionStorage.getItem("hoyle.record");
if (carried) await open(carried);
