// The tables that this browser has sat at: their links, kept here and nowhere else, with how far each was when it was seen last.

const KEY = "hoyle.tables";
const MOST = 60;

export function mine() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY));
    return Array.isArray(found) ? found.filter((one) => typeof one?.token === "string") : [];
  } catch {
    return [];
  }
}

const write = (all) => localStorage.setItem(KEY, JSON.stringify(all.slice(0, MOST)));

/** A game that has moved on is the first of them. */
export function remember(token, message) {
  const [others, known] = [mine().filter((one) => one.token !== token), mine().find((one) => one.token === token)];
  const [seat, acting] = [message.seats.find((one) => one.seat === message.seat), message.seats.find((one) => one.acts)];
  const at = known?.n === message.n ? known.at : Date.now();
  const alone = message.seats.length < 2;
  const turn = { yours: acting !== undefined && acting === seat, acting: acting?.name ?? "" };
  const own = { token, title: message.title, seat: alone ? "" : (seat?.name ?? ""), over: message.over, n: message.n, moved: message.moved, at, ...turn };
  write([own, ...others]);
}

export function forget(token) {
  write(mine().filter((one) => one.token !== token));
}
