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

export function remember(token, message, title) {
  const seat = message.seats.find((one) => one.seat === message.seat)?.name ?? "";
  const others = mine().filter((one) => one.token !== token);
  const own = { token, title, seat: message.seats.length > 1 ? seat : "", over: message.over };
  localStorage.setItem(KEY, JSON.stringify([own, ...others].slice(0, MOST)));
}
