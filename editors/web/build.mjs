// Bundles CodeMirror for the workshop: `npm ci && npm run build`. The licences of all bundled packages stand at its head.

import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "../../interpreter/hoyle/web/static/vendor/codemirror.js");
const options = { absWorkingDir: here, entryPoints: ["codemirror.js"], bundle: true, format: "esm", target: "es2022", minify: true };

/** The folders of the packages that a bundle contains. */
function listPackages(metafile) {
  const found = Object.keys(metafile.inputs).map((path) => path.match(/^node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0]);
  return [...new Set(found.filter(Boolean))].sort();
}

function readLicence(folder) {
  const name = readdirSync(join(here, folder)).find((file) => /^licen[cs]e/i.test(file));
  if (!name) throw new Error(`${folder} has no licence`);
  const { version } = JSON.parse(readFileSync(join(here, folder, "package.json"), "utf8"));
  return `${relative("node_modules", folder)} ${version}\n\n${readFileSync(join(here, folder, name), "utf8").trim()}`;
}

const { metafile } = await build({ ...options, metafile: true, write: false });
const licences = listPackages(metafile).map(readLicence).join("\n\n----\n\n").replaceAll("*/", "* /");
await build({ ...options, outfile: out, banner: { js: `/*!\n${licences}\n*/` } });
