// The line to the server: it is taken up again whenever it breaks, and what was asked for and not answered is not asked twice.

import { Parts } from "./parts.js";
import { taste } from "./settings.js";

const FIRST = 300;
const LONGEST = 5000;

export class Wire {
  constructor(token, hear, state) {
    this.token = token;
    this.hear = hear;
    this.state = state;
    this.wait = FIRST;
    this.room = {};
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.socket = new WebSocket(`${scheme}//${location.host}/api/seat`);
    this.socket.addEventListener("open", () => {
      this.wait = FIRST;
      this.say({ t: "sit", token: this.token, ...taste(), ...this.room });
      this.state(true);
    });
    const parts = new Parts();
    this.socket.addEventListener("message", (event) => this.hear(parts.read(JSON.parse(event.data))));
    this.socket.addEventListener("close", (event) => this.closed(event));
  }

  closed(event) {
    const isDead = event.code === 4000; // this link leads nowhere
    this.state(false, isDead);
    if (isDead) return;
    setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(2 * this.wait, LONGEST);
  }

  get isOpen() {
    return this.socket.readyState === WebSocket.OPEN;
  }

  say(message) {
    if (this.isOpen) this.socket.send(JSON.stringify(message));
  }
}
