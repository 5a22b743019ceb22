// How pages reach the program: here by HTTP and WebSocket. A static site has another module with the same functions.

/** True if other people can follow links to this address. */
export const isShared = true;

/** Ask for `path`, with an order to send if there is one. Returns { ok, data, reason }. */
export async function request(path, order) {
  const how = order === undefined ? {} : { method: "POST", body: typeof order === "string" ? order : JSON.stringify(order) };
  const answer = await fetch(path, how);
  const data = answer.ok ? await answer.json() : await answer.json().catch(() => ({}));
  return { ok: answer.ok, data, reason: data.text ?? answer.statusText };
}

/** Set `src` or `href` to the address of a picture or page. */
export function setAddress(node, name, path) {
  node[name] = path;
  return node;
}

/** Open the connection of a seat. Returns an object with `send(text)`, `close()` and `isOpen`. */
export function openSeat({ opened, received, closed }) {
  const address = new URL("api/seat", location.href);
  address.protocol = address.protocol.replace("http", "ws");
  address.hash = "";
  const socket = new WebSocket(address);
  socket.addEventListener("open", opened);
  socket.addEventListener("message", (event) => received(event.data));
  socket.addEventListener("close", (event) => closed(event.code));
  return {
    send: (text) => socket.send(text),
    close: () => socket.close(),
    get isOpen() {
      return socket.readyState === WebSocket.OPEN;
    },
  };
}
