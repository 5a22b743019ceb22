// The connection to the server. It reconnects when it breaks; unanswered messages are not repeated.

import { DeltaDecoder } from "./delta.js";
import { describeSettings } from "./settings.js";
import { openSeat } from "./transport.js";

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
    const decoder = new DeltaDecoder();
    this.seat = openSeat({
      opened: () => {
        if (this.isLeft) {
          this.seat.close();
          return;
        }
        this.wait = FIRST_WAIT;
        this.send({ t: "sit", token: this.token, ...describeSettings(), ...this.room });
        this.state(true);
      },
      received: (text) => this.receive(decoder.decodeMessage(JSON.parse(text))),
      closed: (code) => this.closed(code),
    });
  }

  /** Close it for good; if it is being opened, as soon as it is open. */
  leave() {
    this.isLeft = true;
    if (this.isOpen) this.seat.close();
  }

  closed(code) {
    if (this.isLeft) return;
    const isDead = code === 4000; // a dead link
    this.state(false, isDead);
    if (isDead) return;
    setTimeout(() => this.isLeft || this.open(), this.wait);
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }

  get isOpen() {
    return this.seat.isOpen;
  }

  send(message) {
    if (this.isOpen) this.seat.send(JSON.stringify(message));
  }
}
