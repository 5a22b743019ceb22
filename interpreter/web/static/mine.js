// The tables that this browser has sat at: their links, kept here and nowhere else.

const KEY = "hoyle.tables";
const MOST = 12;

export function mine() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY));
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

export function keep(own) {
  const others = mine().filter((one) => one.token !== own.token);
  localStorage.setItem(KEY, JSON.stringify([own, ...others].slice(0, MOST)));
}

export function remember(token, message, title) {
  const seat = message.seats.find((one) => one.seat === message.seat)?.name ?? "";
  keep({ token, title, seat: message.seats.length > 1 ? seat : "", over: message.over, links: linksOf(token) });
}

/** Those of the others at a table that was begun here. */
export const linksOf = (token) => mine().find((one) => one.token === token)?.links ?? [];
