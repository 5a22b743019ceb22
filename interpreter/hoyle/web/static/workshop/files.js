// Rulesets as files: save, open, and drop into the window.

import { el } from "../dom.js";

export function saveFile(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/yaml" }));
  const link = el("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** Read a file as text with line feeds only. */
export async function readFile(file) {
  const text = await file.text();
  return text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
}

/** Call `opened(file)` for a file that is chosen in a field or dropped into the window. */
export function bindFiles(field, opened) {
  field.addEventListener("change", () => {
    const [file] = field.files;
    field.value = ""; // so that the same file can be opened again
    if (file) opened(file);
  });
  const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
  window.addEventListener("dragover", (event) => hasFiles(event) && event.preventDefault());
  window.addEventListener(
    "drop",
    (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      event.stopPropagation();
      const [file] = event.dataTransfer.files;
      if (file) opened(file);
    },
    { capture: true }, // before the text editor, which would insert the file's text
  );
}
