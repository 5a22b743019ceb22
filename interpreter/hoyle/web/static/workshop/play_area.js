// The table beside the text: a temporary table in a frame, which is set up again after each change, with the moves made so far.

import { $, el } from "../dom.js";
import { settings } from "../settings.js";
import { t } from "../translation.js";
import { ask, debounce, LatestRequest } from "./requests.js";

/** Milliseconds after a move, so that several bots can move first. */
const REST = 250;

export class PlayArea {
  /** `host`: `describe()` the ruleset, `moved(moves)`, `seeded(seed)`, `seated(others)`, `dropped(file)`. */
  constructor(host) {
    this.host = host;
    this.frame = $("#table-frame");
    this.seats = [];
    this.tokens = {};
    this.isReady = false;
    this.table = null;
    this.moves = [];
    this.tables = new LatestRequest("table");
    this.fetchLater = debounce(REST, () => this.fetchMoves());
    window.addEventListener("message", (event) => {
      if (event.source === this.frame.contentWindow && event.origin === location.origin) this.hear(event.data);
    });
    $("#who-plays").addEventListener("change", () => {
      host.seated($("#who-plays").value);
      this.setUp();
    });
    $("#deal-again").addEventListener("click", () => this.setUp([]));
    $("#new-deal").addEventListener("click", () => this.host.seeded(null));
    $("#take-back").addEventListener("click", () => this.takeBack());
    $("#seed").addEventListener("change", () => $("#seed").checkValidity() && this.host.seeded($("#seed").valueAsNumber));
  }

  /** Show what belongs to another draft from the start. */
  begin({ moves, others }) {
    this.tables.drop();
    $("#who-plays").value = others;
    this.moves = moves;
    this.table = null;
    this.tokens = {};
    this.showStopped(null);
  }

  noteSeats(seats) {
    this.seats = seats;
    const alone = seats.length < 2;
    $("#who-row").hidden = $("#take-back").hidden = alone;
  }

  listKinds() {
    const others = $("#who-plays").value;
    return Object.fromEntries(this.seats.map(([seat], n) => [seat, n === 0 ? "human" : others]));
  }

  /** Set up the table with these moves, as far as they are legal; by default with those made so far. */
  async setUp(chosen) {
    if (!chosen) await this.fetchMoves(); // the last one may have been made a moment ago
    const moves = chosen ?? this.moves;
    const { seed, ...ruleset } = this.host.describe();
    $("#seed").value = seed;
    $("#table-area").setAttribute("aria-busy", "true");
    try {
      const found = await this.tables.ask({ ...ruleset, seats: this.listKinds(), seed, moves });
      if (!found) return;
      this.tokens = found.tokens;
      this.showStopped(found.stopped, moves.length);
      this.showNote("");
      this.enter(this.tokens[this.table?.acting] ? this.table.acting : Object.keys(this.tokens)[0]);
    } catch (error) {
      this.showNote(error.message);
    } finally {
      $("#table-area").removeAttribute("aria-busy");
    }
  }

  takeBack() {
    if (this.moves.length) this.setUp(this.moves.slice(0, -1));
  }

  /** Say that the table still follows older rules, or nothing. */
  showNote(text) {
    $("#table-note").textContent = text;
    $("#table-note").hidden = !text;
  }

  /** Say where the moves stop being legal, and why. */
  showStopped(stopped, count) {
    $("#stopped").hidden = !stopped;
    if (!stopped) return;
    const head = el("p", {}, el("strong", {}, t("stopped_at", { number: stopped.index + 1, count })));
    const close = el("button", { type: "button", className: "close", "aria-label": t("close") }, "×");
    close.addEventListener("click", () => ($("#stopped").hidden = true));
    $("#stopped").replaceChildren(close, head, ...stopped.lines.map((line) => el("p", {}, line)));
  }

  // ---- the frame ----

  enter(seat) {
    const token = this.tokens[seat];
    if (!token) return;
    this.entered = seat;
    if (this.isReady) this.tell({ t: "enter", token });
    else if (!this.frame.src) this.frame.src = `table.html?lang=${settings.lang}#${token}`;
  }

  tell(message) {
    this.frame.contentWindow.postMessage(message, location.origin);
  }

  hear(message) {
    if (message.t === "ready") {
      this.isReady = true;
      this.tell({ t: "enter", token: this.tokens[this.entered] });
    } else if (message.t === "table") this.note(message);
    else if (message.t === "file") this.host.dropped(message.file);
    else if (message.t === "dead" && message.token === this.tokens[this.entered]) this.setUp();
  }

  /** A table was shown. If another seat of the same person is to move, show what that seat sees. */
  note(table) {
    if (table.token !== this.tokens[this.entered]) return; // of a table that was replaced
    this.table = table;
    if (table.acting && table.acting !== table.seat && this.tokens[table.acting]) this.enter(table.acting);
    this.fetchLater();
  }

  async fetchMoves() {
    const token = this.tokens[this.entered];
    if (!token) return;
    const found = await ask("moves", { token }).catch(() => null); // a dropped table: its moves are known from before
    if (!found || token !== this.tokens[this.entered]) return;
    this.moves = found.moves;
    $("#take-back").disabled = !found.moves.length;
    this.host.moved(found.moves);
  }

  /** Language or colours were changed. */
  refresh() {
    if (this.isReady) this.tell({ t: "settings", lang: settings.lang });
    this.isReady = false; // it loads again
  }
}
