"""Packages that bring rulesets, as if they were installed: a folder to import from, with what pip writes beside a package."""

from collections.abc import Mapping
from pathlib import Path

GAME = """\
ruleset: 1
game: {name}
extends: {parent}
title: {title}
"""


def variant(name: str, title: str, parent: str = "klondike") -> str:
    """A ruleset that changes nothing."""
    return GAME.format(name=name, title=title, parent=parent)


def laid(folder: Path, rulesets: Mapping[str, str]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in rulesets.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder


def bring(site: Path, name: str, rulesets: Mapping[str, str], points: str | None = None) -> Path:
    """A package in `site` that brings these rulesets; the folder they lie in. `points`: what its entry points say instead."""
    module = name.replace("-", "_")
    told = site / f"{module}-1.2.dist-info"
    told.mkdir(parents=True)
    (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n", encoding="utf-8")
    said = points if points is not None else f"[hoyle.rulesets]\n{name} = {module}\n"
    (told / "entry_points.txt").write_text(said, encoding="utf-8")
    (site / module).mkdir()
    (site / module / "__init__.py").write_text(
        "raise SystemExit('a package is looked at, not run')\n", encoding="utf-8"
    )
    return laid(site / module / "rulesets", rulesets)
