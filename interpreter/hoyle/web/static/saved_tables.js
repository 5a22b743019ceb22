// The links of tables where this browser has sat, with their progress. They are stored in this browser only.

import { scope } from "./navigation.js";

const KEY = `${scope}hoyle.tables`;
const MOST = 60;

export function listSavedTables() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY));
    return Array.isArray(found) ? found.filter((one) => typeof one?.token === "string") : [];
  } catch {
    return [];
  }
}

const write = (all) => localStorage.setItem(KEY, JSON.stringify(all.slice(0, MOST)));

/** Save a table as the most recent one. */
export function saveTable(token, message) {
  const [others, known] = [listSavedTables().filter((one) => one.token !== token), listSavedTables().find((one) => one.token === token)];
  const [seat, acting] = [message.seats.find((one) => one.seat === message.seat), message.seats.find((one) => one.acts)];
  const at = known?.n === message.n ? known.at : Date.now();
  const alone = message.seats.length < 2;
  const turn = { yours: acting !== undefined && acting === seat, acting: acting?.name ?? "" };
  const own = { token, title: message.title, seat: alone ? "" : (seat?.name ?? ""), over: message.over, n: message.n, moved: message.moved, at, ...turn };
  write([own, ...others]);
}

export function removeTable(token) {
  write(listSavedTables().filter((one) => one.token !== token));
}
