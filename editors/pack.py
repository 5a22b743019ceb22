"""Packs the extension for Visual Studio Code: `python editors/pack.py [FOLDER [FILE]]` writes `hoyle-VERSION.vsix`, which is a zip.

The library that speaks with the server must lie in the folder's `node_modules` (`npm install --omit=dev` puts it there).
"""

from __future__ import annotations

import json
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

NEEDED = "vscode-languageclient"
_LEFT_OUT = (".gitignore", "package-lock.json")
_TYPES = {"json": "application/json", "js": "application/javascript", "md": "text/markdown", "vsixmanifest": "text/xml"}


def main(words: list[str]) -> int:
    folder = Path(words[0]) if words else Path(__file__).parent / "vscode"
    about = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    if not (folder / "node_modules" / NEEDED).is_dir():
        print(f"{NEEDED} is not in {folder}/node_modules: `npm install --omit=dev` there", file=sys.stderr)
        return 1
    target = Path(words[1]) if len(words) > 1 else Path(f"{about['name']}-{about['version']}.vsix")
    pack(folder, about, target)
    print(target)
    return 0


def pack(folder: Path, about: dict[str, Any], target: Path) -> None:
    """Writes the extension."""
    files = list(_files(folder))
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("[Content_Types].xml", _content_types(files))
        packed.writestr("extension.vsixmanifest", _manifest(about))
        for path in files:
            packed.write(path, f"extension/{path.relative_to(folder).as_posix()}")


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name not in _LEFT_OUT and path.suffix != ".vsix" and ".bin" not in path.parts:
            yield path


def _content_types(files: list[Path]) -> str:
    endings = sorted({path.suffix.lstrip(".") for path in files if path.suffix} | {"vsixmanifest"})
    kinds = "".join(
        f'<Default Extension={quoteattr("." + e)} ContentType="{_TYPES.get(e, "application/octet-stream")}"/>'
        for e in endings
    )
    space = "http://schemas.openxmlformats.org/package/2006/content-types"
    return f'<?xml version="1.0" encoding="utf-8"?>\n<Types xmlns="{space}">{kinds}</Types>\n'


def _manifest(about: dict[str, Any]) -> str:
    identity = f'Language="en-US" Id={quoteattr(about["name"])} Version={quoteattr(about["version"])} Publisher={quoteattr(about["publisher"])}'
    engine = f'<Property Id="Microsoft.VisualStudio.Code.Engine" Value={quoteattr(about["engines"]["vscode"])}/>'
    return f"""<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity {identity}/>
    <DisplayName>{escape(about["displayName"])}</DisplayName>
    <Description xml:space="preserve">{escape(about["description"])}</Description>
    <Categories>{escape(",".join(about["categories"]))}</Categories>
    <Properties>{engine}</Properties>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/></Assets>
</PackageManifest>
"""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
