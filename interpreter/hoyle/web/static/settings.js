// Language and colours, kept by the browser.

import { el } from "./dom.js";
import * as translation from "./translation.js";

const KEY = "hoyle.settings";
const LANGUAGES = { en: "English", fr: "Français" };
const dark = matchMedia("(prefers-color-scheme: dark)");

function loadSettings() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

const asked = new URLSearchParams(location.search).get("lang");
const usual = navigator.languages.map((one) => one.slice(0, 2)).find((one) => one in LANGUAGES) ?? "en";
export const settings = { lang: usual, theme: "system", four: false, ...loadSettings() };
if (asked in LANGUAGES) settings.lang = asked;

export const tone = () => (settings.theme === "system" ? (dark.matches ? "dark" : "light") : settings.theme);

/** The settings that the server needs. */
export const describeSettings = () => ({ lang: settings.lang, tone: tone(), four: settings.four });

function applyTone() {
  document.documentElement.dataset.tone = tone();
}

/** Translate the page and apply its colours. `changed` is called whenever the settings change. */
export async function initPage(changed) {
  applyTone();
  addControls();
  await translation.loadTexts(settings.lang);
  translation.translatePage();
  const change = async (what) => {
    const before = settings.lang;
    Object.assign(settings, what);
    localStorage.setItem(KEY, JSON.stringify(settings));
    applyTone();
    if (settings.lang !== before) {
      await translation.loadTexts(settings.lang);
      translation.translatePage();
    }
    changed();
  };
  dark.addEventListener("change", () => change({}));
  bindControls(change);
}

/** Add the controls that every page has. */
function addControls() {
  const tones = [
    el("option", { value: "system", "data-t": "system" }),
    el("option", { value: "light", "data-t": "light" }),
    el("option", { value: "dark", "data-t": "dark" }),
  ];
  document.querySelector(".settings > div").append(
    el("label", {}, el("span", { "data-t": "language" }), " ", el("select", { id: "lang" })),
    el("label", {}, el("span", { "data-t": "theme" }), " ", el("select", { id: "theme" }, ...tones)),
    el("label", {}, el("input", { type: "checkbox", id: "four" }), " ", el("span", { "data-t": "four" })),
  );
}

function bindControls(change) {
  const box = document.querySelector(".settings");
  document.addEventListener("pointerdown", (event) => box.contains(event.target) || box.removeAttribute("open"));
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    box.removeAttribute("open");
    box.querySelector("summary").focus();
  });
  const lang = document.querySelector("#lang");
  for (const [key, name] of Object.entries(LANGUAGES)) {
    const option = new Option(name, key, false, key === settings.lang);
    option.lang = key;
    lang.append(option);
  }
  lang.addEventListener("change", () => change({ lang: lang.value }));
  const theme = document.querySelector("#theme");
  theme.value = settings.theme;
  theme.addEventListener("change", () => change({ theme: theme.value }));
  const four = document.querySelector("#four");
  four.checked = settings.four;
  four.addEventListener("change", () => change({ four: four.checked }));
}
