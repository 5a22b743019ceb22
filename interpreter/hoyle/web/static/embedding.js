// A table inside the workshop. The outer page chooses the seat and is told what happens.

/** The name of the frame. A page may be in another frame, too, without being part of a page. */
const NAME = "workshop-table";
const outer = window.name === NAME && window.parent !== window ? window.parent : null;

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

/** Pass on files that are dropped here. */
export function forwardFiles() {
  const hasFiles = (event) => outer && event.dataTransfer?.types.includes("Files");
  window.addEventListener("dragover", (event) => hasFiles(event) && event.preventDefault());
  window.addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    report({ t: "file", file: event.dataTransfer.files[0] });
  });
}
