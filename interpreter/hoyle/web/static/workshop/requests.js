// Requests of the workshop to the server.

import { fetchJson } from "../dom.js";
import { settings } from "../settings.js";

export const ask = (path, order) => fetchJson(`api/workshop/${path}?lang=${settings.lang}`, order);

/** Sends one request at a time. Of several that wait, only the newest is sent. */
export class LatestRequest {
  constructor(path) {
    this.path = path;
    this.waiting = null;
    this.isRunning = false;
  }

  /** Resolves to the answer, or to null if a newer request has replaced this one. */
  ask(order) {
    this.drop();
    return new Promise((resolve, reject) => {
      this.waiting = { order, resolve, reject };
      if (!this.isRunning) this.run();
    });
  }

  /** Forget the request that waits. The answer to a running one still arrives. */
  drop() {
    this.waiting?.resolve(null);
    this.waiting = null;
  }

  async run() {
    this.isRunning = true;
    while (this.waiting) {
      const { order, resolve, reject } = this.waiting;
      this.waiting = null;
      try {
        const answer = await ask(this.path, order);
        resolve(this.waiting ? null : answer);
      } catch (error) {
        if (this.waiting) resolve(null);
        else reject(error);
      }
    }
    this.isRunning = false;
  }
}

/** Call a function when it has not been asked for during some milliseconds. */
export function debounce(milliseconds, work) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, milliseconds);
  };
}
