"""The extension for Visual Studio Code can be packed, agrees with the server, and edits are checked in part."""

import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tiers import in_tiers, sized

from benchmarks.editing import after_edits, forget
from hoyle.editor.analysis import is_hoyle_text
from hoyle.language.syntax import RESERVED
from hoyle.resources import VERSION, shipped

EDITORS = Path(__file__).parents[2] / "editors"
FOLDER = EDITORS / "vscode"


def packed(folder: Path, target: Path) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, str(EDITORS / "pack.py"), str(folder), str(target)]
    return subprocess.run(words, capture_output=True, text=True, check=False)


@pytest.mark.whole
def test_the_extension_is_packed_with_its_modules(tmp_path: Path) -> None:
    folder, target = tmp_path / "vscode", tmp_path / "hoyle.vsix"
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("node_modules"))
    without = packed(folder, target)
    assert (without.returncode, target.exists()) == (1, False)
    assert "npm install" in without.stderr
    (folder / "node_modules" / "vscode-languageclient").mkdir(parents=True)
    (folder / "node_modules" / "vscode-languageclient" / "node.js").write_text("", encoding="utf-8")
    assert packed(folder, target).returncode == 0
    with zipfile.ZipFile(target) as found:
        names = set(found.namelist())
        kinds = ElementTree.fromstring(found.read("[Content_Types].xml"))
        manifest = ElementTree.fromstring(found.read("extension.vsixmanifest"))
    assert {"extension/package.json", "extension/extension.js", "extension/LICENSE"} <= names
    assert "extension/node_modules/vscode-languageclient/node.js" in names
    known = {kind.attrib["Extension"] for kind in kinds}
    assert {Path(name).suffix for name in names} - {""} - {".xml"} <= known
    (identity,) = (part for part in manifest.iter() if part.tag.endswith("Identity"))
    assert identity.attrib["Version"] == VERSION


def test_files_named_by_the_extension_exist() -> None:
    about = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    contributes = about["contributes"]
    named = [about["main"], *(g["path"] for g in contributes["grammars"])]
    named += [one["configuration"] for one in contributes["languages"]]
    assert [name for name in named if not (FOLDER / name).is_file()] == []
    json.loads((FOLDER / "language-configuration.json").read_text(encoding="utf-8"))
    assert about["version"] == VERSION


def test_the_extension_and_the_server_recognise_the_same_files() -> None:
    script = (FOLDER / "extension.js").read_text(encoding="utf-8")
    ours = re.search(r"const OURS = /(.*)/m;", script)
    assert ours is not None
    for path in list(shipped().values())[::9]:
        text = path.read_text(encoding="utf-8")
        assert is_hoyle_text(text)
        assert re.search(ours[1], text, re.MULTILINE)
    assert not is_hoyle_text("on: push\njobs: {}\n")


def test_the_grammar_of_colours_has_all_reserved_words() -> None:
    grammar = json.loads((FOLDER / "hoyle.tmLanguage.json").read_text(encoding="utf-8"))
    words = {w for p in grammar["patterns"] for w in re.findall(r"\w+", p.get("match", ""))}
    assert words >= RESERVED


@pytest.mark.whole
@pytest.mark.parametrize("name", in_tiers(["klondike", "barbu", "garanguet"], whole=["klondike"]))
def test_checks_after_an_edit_take_less_work_than_full_ones(name: str) -> None:
    """Counts function calls: the same on any machine. `benchmarks.editing` measures the time."""
    calls = 0

    def heard(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(heard)
    try:
        anew = [whole for _, whole in after_edits(shipped()[name], 1, forget, lambda: calls)]
        again = [whole for _, whole in after_edits(shipped()[name], sized(1, 4), clock=lambda: calls)]
    finally:
        sys.setprofile(None)
    assert 0 < max(again) < 0.8 * min(anew)
