// How somebody wants to be shown games; kept by the browser.

import { el } from "./dom.js";
import * as words from "./words.js";

const KEY = "hoyle.settings";
const LANGUAGES = { en: "English", fr: "Français" };
const dark = matchMedia("(prefers-color-scheme: dark)");

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

const asked = new URLSearchParams(location.search).get("lang");
const usual = navigator.languages.map((one) => one.slice(0, 2)).find((one) => one in LANGUAGES) ?? "en";
export const settings = { lang: usual, theme: "system", four: false, ...kept() };
if (asked in LANGUAGES) settings.lang = asked;

export const tone = () => (settings.theme === "system" ? (dark.matches ? "dark" : "light") : settings.theme);

/** What the server is told of that. */
export const taste = () => ({ lang: settings.lang, tone: tone(), four: settings.four });

function show() {
  document.documentElement.dataset.tone = tone();
}

/** Brings the page into its language and colours; `changed` is called whenever they become others. */
export async function begin(changed) {
  show();
  equip();
  await words.load(settings.lang);
  words.sayAll();
  const alter = async (what) => {
    const before = settings.lang;
    Object.assign(settings, what);
    localStorage.setItem(KEY, JSON.stringify(settings));
    show();
    if (settings.lang !== before) {
      await words.load(settings.lang);
      words.sayAll();
    }
    changed();
  };
  dark.addEventListener("change", () => alter({}));
  bind(alter);
}

/** What every page lets somebody choose. */
function equip() {
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

function bind(alter) {
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
  lang.addEventListener("change", () => alter({ lang: lang.value }));
  const theme = document.querySelector("#theme");
  theme.value = settings.theme;
  theme.addEventListener("change", () => alter({ theme: theme.value }));
  const four = document.querySelector("#four");
  four.checked = settings.four;
  four.addEventListener("change", () => alter({ four: four.checked }));
}
