// Starts the worker of a published file. From disk no worker can be a module itself, so this script imports the module.

/** Pyodide tries this function to find out if modules can be imported. */
self.importScripts = () => {
  throw new TypeError("this worker imports modules only");
};

/** Workers have no import map, so modules name each other by address here. Only addresses that were made here can be imported. */
function locateModule(path, known = new Map()) {
  if (!known.has(path)) {
    const text = new TextDecoder().decode(self.files.get(path));
    const linked = text.replace(/from "(static\/[^"]+)"/g, (_, other) => `from "${locateModule(other, known)}"`);
    known.set(path, URL.createObjectURL(new Blob([linked], { type: "text/javascript" })));
  }
  return known.get(path);
}

/** The first message has the files. Later ones wait for the module. */
self.onmessage = ({ data }) => {
  const early = [];
  self.files = data;
  self.onmessage = (event) => early.push(event);
  import(locateModule("static/worker.js")).then(
    () => early.forEach((event) => self.onmessage(event)),
    (error) => setTimeout(() => { throw error; }),
  );
};
