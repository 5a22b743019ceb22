// The start page: games by family, what may be chosen in each, and who plays.

import { $, ask, closing, el, plain } from "./dom.js";
import { showMine } from "./owned.js";
import { begin, settings, tone } from "./settings.js";
import { Order } from "./order.js";
import { t } from "./words.js";

let games = [];
const order = new Order();

async function fetchGames() {
  games = (await ask(`/api/games?lang=${settings.lang}`)).games;
  show();
  showMine();
}

/** A game and what varies it, however far. */
function variants(name) {
  const own = games.filter((game) => game.extends === name);
  return own.flatMap((game) => [game, ...variants(game.name)]);
}

/** Nothing is called so: what is called nearly so. */
async function near(text) {
  const found = await ask(`/api/near?lang=${settings.lang}&text=${encodeURIComponent(text)}`);
  if (found.games.length && text === $("#search").value) show(found.games);
}

function show(meant = []) {
  const words = plain($("#search").value).split(/\s+/).filter(Boolean);
  const found = games
    .filter((game) => !game.extends)
    .map((game) => ({ game, all: [game, ...variants(game.name)] }))
    .filter(({ all }) => all.some((one) => meant.includes(one.name) || words.every((word) => plain(`${one.title} ${one.words}`).includes(word))));
  if (!found.length && !meant.length) near($("#search").value);
  const families = Map.groupBy ? Map.groupBy(found, ({ game }) => game.family) : grouped(found);
  const sections = [...families].map(([family, list]) => [title(family, list), family, list]).sort(byTitle);
  $("#games").replaceChildren(...sections.map(([name, family, list]) => section(name, family, list)));
  $("#count").textContent = t("found", { count: found.length });
}

function grouped(found) {
  const families = new Map();
  for (const one of found) families.set(one.game.family, [...(families.get(one.game.family) ?? []), one]);
  return families;
}

function title(family, list) {
  if (family === "alone") return t("alone");
  return list[0].game.family_title || t("others");
}

const byTitle = (one, other) => (one[1] === "") - (other[1] === "") || one[0].localeCompare(other[0], settings.lang);

function section(name, family, list) {
  const sorted = list.sort((one, other) => one.game.title.localeCompare(other.game.title, settings.lang));
  const id = `family-${family || "others"}`;
  const heading = el("h2", { id }, name);
  return el("section", { "aria-labelledby": id }, heading, el("ul", { className: "shelf" }, ...sorted.map(({ game, all }) => card(game, all))));
}

function card(game, all) {
  const picture = el("img", { src: `/api/games/${game.name}/picture.svg?lang=${settings.lang}&tone=${tone()}`, alt: "", loading: "lazy" });
  const players = el("span", { className: "players" }, t("players", { count: game.players }));
  const button = el("button", { type: "button", className: "game" }, picture, el("strong", {}, game.title), players);
  button.dataset.game = game.name;
  button.addEventListener("click", () => order.open(game, all));
  return el("li", {}, button);
}

$("#search").addEventListener("input", () => show());
$("#search").addEventListener("keydown", (event) => {
  const hits = document.querySelectorAll("#games button.game");
  if (event.key === "Enter" && hits.length === 1) hits[0].click();
});
for (const dialog of document.querySelectorAll("dialog")) closing(dialog);
await begin(fetchGames);
await fetchGames();
