// The start page of a published file: its game, a new table, and the tables of this browser.

import { $, fetchJson } from "./dom.js";
import { showOwnTables } from "./own_tables.js";
import { initPage, settings, tone } from "./settings.js";
import { NewTableDialog } from "./new_table.js";
import { setAddress } from "./transport.js";

const order = new NewTableDialog();

async function showGame() {
  const [game] = (await fetchJson(`api/games?lang=${settings.lang}`)).games;
  document.title = $("#title").textContent = game.title;
  setAddress($("#picture"), "src", `api/games/${game.name}/picture.svg?lang=${settings.lang}&tone=${tone()}`);
  setAddress($("#rulebook"), "href", `api/games/${game.name}/book?lang=${settings.lang}`);
  showOwnTables();
  order.fill(game, [game]);
}

await initPage(showGame);
await showGame();
