"""`hoyle new --pack`: a Python package of rulesets, so that a club can install its own games."""

from __future__ import annotations

import keyword
import os
import sys
from collections.abc import Callable
from pathlib import Path

from hoyle import packs
from hoyle.cli.catalogue import lang, t
from hoyle.cli.files import comment, make_folder, write_into
from hoyle.cli.output import Trouble, note

_TEMPLATES = Path(__file__).resolve().parent / "pack"


def write_pack(name: str, place: str, title: str, ruleset: Callable[[Path], str]) -> None:
    """Writes the package into a folder that is not there yet. `ruleset`: the first game's text, for the folder that it will stand in.
    Raises Trouble."""
    module = name.replace("-", "_").lower()
    _check(name, module)
    text = ruleset(Path(place, module, packs.FOLDER))
    make_folder(place)
    values = {"name": name, "module": module, "title": title, **_comments()}
    for path, template in _files(module).items():
        folder, file = os.path.split(path)
        filled = (_TEMPLATES / template).read_text(encoding="utf-8").format(**values)
        write_into(os.path.join(place, folder), file, filled)
    write_into(os.path.join(place, module, packs.FOLDER), f"{name}.yaml", text)
    first, local = os.path.join(place, module, packs.FOLDER, f"{name}.yaml"), os.path.join(os.curdir, place)
    note(t("new.pack_written", place=place, local=local, ruleset=first))  # pip takes no bare name for a folder


def _files(module: str) -> dict[str, str]:
    """The files of a package, and the template of each."""
    return {
        "pyproject.toml": "pyproject.toml.txt",
        "README.md": f"README.{lang()}.md",
        os.path.join(module, "__init__.py"): "__init__.py.txt",
        os.path.join("tests", "test_rulesets.py"): "test_rulesets.py.txt",
        os.path.join(".github", "workflows", "rulesets.yml"): "workflow.yml.txt",
        ".pre-commit-config.yaml": "pre-commit.yaml.txt",
    }


def _comments() -> dict[str, str]:
    """What stands at the head of files that are no rulesets."""
    return {part: "\n".join(comment(t(f"new.{part}"))) for part in ("workflow", "hooks")}


def _check(name: str, module: str) -> None:
    """A package is called in a way that Python can import, and hides nothing; its game has a name that is free."""
    if not name.isascii() or keyword.iskeyword(module) or module in {*sys.stdlib_module_names, "hoyle", "tests"}:
        raise Trouble(t("new.bad_pack", name=name[:80]), code=2)
    if (other := packs.named(name)) is not None:
        raise Trouble(t("new.pack_taken", name=name, other=other), code=2)
