// The editor of the ruleset: CodeMirror if it was built for this site, else a plain text field. Both have the same methods.

import { PlainEditor } from "./plain_editor.js";

/** Create an editor. `host` has the functions `changed()`, `moved()`, `complete(at)` and `hover(at)`. */
export async function createEditor(place, host) {
  try {
    const parts = await import("../vendor/codemirror.js");
    const { CodeEditor } = await import("./code_editor.js");
    return new CodeEditor(place, host, parts);
  } catch (error) {
    console.info("plain text field:", error.message);
    return new PlainEditor(place, host);
  }
}
