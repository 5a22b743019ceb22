// A table inside another page of this site, such as the workshop. The outer page chooses the seat and is told what happens.

const outer = window.parent === window ? null : window.parent;

export const isEmbedded = outer !== null;

/** Report to the outer page. Does nothing without one. */
export function report(message) {
  outer?.postMessage(message, location.origin);
}

/** Call `handle` with each message of the outer page. */
export function listenToOuterPage(handle) {
  window.addEventListener("message", (event) => {
    if (outer && event.source === outer && event.origin === location.origin) handle(event.data);
  });
}
