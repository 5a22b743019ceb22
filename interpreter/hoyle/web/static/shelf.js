// The start page: games by family, and the dialog for a new table.

import { $, fetchJson, bindCloseButtons, el, normalize } from "./dom.js";
import { showOwnTables } from "./own_tables.js";
import { initPage, settings, tone } from "./settings.js";
import { NewTableDialog } from "./new_table.js";
import { t } from "./translation.js";
import { setAddress } from "./transport.js";

let games = [];
const order = new NewTableDialog();

async function fetchGames() {
  games = (await fetchJson(`api/games?lang=${settings.lang}`)).games;
  showGames();
  showOwnTables();
}

/** All variants of a game, also indirect ones. */
function listVariants(name) {
  const own = games.filter((game) => game.extends === name);
  return own.flatMap((game) => [game, ...listVariants(game.name)]);
}

/** Nothing has this name: search similar names. */
async function searchSimilar(text) {
  const found = await fetchJson(`api/near?lang=${settings.lang}&text=${encodeURIComponent(text)}`);
  if (found.games.length && text === $("#search").value) showGames(found.games);
}

function showGames(meant = []) {
  const words = normalize($("#search").value).split(/\s+/).filter(Boolean);
  const found = games
    .filter((game) => !game.extends)
    .map((game) => ({ game, all: [game, ...listVariants(game.name)] }))
    .filter(({ all }) => all.some((one) => meant.includes(one.name) || words.every((word) => normalize(`${one.title} ${one.words}`).includes(word))));
  if (!found.length && !meant.length) searchSimilar($("#search").value);
  const families = Map.groupBy ? Map.groupBy(found, ({ game }) => game.family) : groupByFamily(found);
  const sections = [...families].map(([family, list]) => [nameFamily(family, list), family, list]).sort(byTitle);
  $("#games").replaceChildren(...sections.map(([name, family, list]) => createSection(name, family, list)));
  $("#count").textContent = t("found", { count: found.length });
}

function groupByFamily(found) {
  const families = new Map();
  for (const one of found) families.set(one.game.family, [...(families.get(one.game.family) ?? []), one]);
  return families;
}

function nameFamily(family, list) {
  if (family === "alone") return t("alone");
  return list[0].game.family_title || t("others");
}

const byTitle = (one, other) => (one[1] === "") - (other[1] === "") || one[0].localeCompare(other[0], settings.lang);

function createSection(name, family, list) {
  const sorted = list.sort((one, other) => one.game.title.localeCompare(other.game.title, settings.lang));
  const id = `family-${family || "others"}`;
  const heading = el("h2", { id }, name);
  return el("section", { "aria-labelledby": id }, heading, el("ul", { className: "shelf" }, ...sorted.map(({ game, all }) => createCard(game, all))));
}

function createCard(game, all) {
  const picture = el("img", { alt: "", loading: "lazy" });
  setAddress(picture, "src", `api/games/${game.name}/picture.svg?lang=${settings.lang}&tone=${tone()}`);
  const players = el("span", { className: "players" }, t("players", { count: game.players }));
  const button = el("button", { type: "button", className: "game" }, picture, el("strong", {}, game.title), players);
  button.dataset.game = game.name;
  button.addEventListener("click", () => order.open(game, all));
  return el("li", {}, button);
}

$("#search").addEventListener("input", () => showGames());
$("#search").addEventListener("keydown", (event) => {
  const hits = document.querySelectorAll("#games button.game");
  if (event.key === "Enter" && hits.length === 1) hits[0].click();
});
for (const dialog of document.querySelectorAll("dialog")) bindCloseButtons(dialog);
await initPage(fetchGames);
await fetchGames();
