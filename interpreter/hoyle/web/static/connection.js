// The connection to the server. It reconnects when it breaks; unanswered messages are not repeated.

import { DeltaDecoder } from "./delta.js";
import { describeSettings } from "./settings.js";

const FIRST_WAIT = 300;
const LONGEST_WAIT = 5000;

export class Connection {
  constructor(token, receive, state) {
    this.token = token;
    this.receive = receive;
    this.state = state;
    this.wait = FIRST_WAIT;
    this.room = {};
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.socket = new WebSocket(`${scheme}//${location.host}/api/seat`);
    this.socket.addEventListener("open", () => {
      this.wait = FIRST_WAIT;
      this.send({ t: "sit", token: this.token, ...describeSettings(), ...this.room });
      this.state(true);
    });
    const decoder = new DeltaDecoder();
    this.socket.addEventListener("message", (event) => this.receive(decoder.decodeMessage(JSON.parse(event.data))));
    this.socket.addEventListener("close", (event) => this.closed(event));
  }

  closed(event) {
    const isDead = event.code === 4000; // a dead link
    this.state(false, isDead);
    if (isDead) return;
    setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }

  get isOpen() {
    return this.socket.readyState === WebSocket.OPEN;
  }

  send(message) {
    if (this.isOpen) this.socket.send(JSON.stringify(message));
  }
}
