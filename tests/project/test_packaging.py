"""What is installed is whole: as a wheel, from a source distribution, editable, and not installed at all. Each in an environment
of its own, and called from an empty folder: inside the checkout a wheel without its rulesets would pass too."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

import interpreter

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
GAME = "grabuge"


def rulesets() -> set[str]:
    return {path.stem for path in (ROOT / "rulesets").glob("*.yaml") if "." not in path.stem}


def test_the_version_is_said_once() -> None:
    assert interpreter.__version__ == PROJECT["version"]


def test_the_changelog_knows_this_version() -> None:
    assert f"\n## {PROJECT['version']} " in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Place:
    """An environment of its own, and an empty folder to call it from."""

    folder: Path
    empty: Path

    @classmethod
    def fresh(cls, tmp_path: Path) -> Place:
        place = cls(tmp_path / "environment", tmp_path / "empty")
        place.empty.mkdir()
        said(sys.executable, "-m", "venv", place.folder)
        return place

    @property
    def programs(self) -> Path:
        return self.folder / ("Scripts" if os.name == "nt" else "bin")

    @property
    def python(self) -> Path:
        return self.programs / "python"

    @property
    def hoyle(self) -> Path:
        return self.programs / "hoyle"

    def install(self, *what: str | Path) -> None:
        self.call(self.python, "-m", "pip", "install", "--quiet", *what)

    def call(self, *words: str | Path, cwd: Path | None = None) -> str:
        return said(*words, cwd=cwd or self.empty)


def said(*words: str | Path, cwd: Path | None = None) -> str:
    """What a command prints, if it ends well."""
    clean = {n: v for n, v in os.environ.items() if not n.startswith(("PYTHON", "VIRTUAL_ENV", "COV_", "PYTEST"))}
    env = {**clean, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1"}
    found = subprocess.run(
        [str(w) for w in words],
        cwd=cwd,
        env=env,
        capture_output=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert found.returncode == 0, f"{words}\n{found.stdout}\n{found.stderr}"
    return found.stdout


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place.fresh(tmp_path)


def prove(place: Place, *hoyle: str | Path, cwd: Path | None = None) -> None:
    """The command finds its rulesets, its grammar and its sentences, and plays."""
    place.call(*hoyle, "validate", *sorted(rulesets()), cwd=cwd)
    listed = place.call(*hoyle, "list", "--json", cwd=cwd)
    assert f'"{GAME}"' in listed
    json.loads(listed)
    assert json.loads(place.call(*hoyle, "schema", cwd=cwd))["$schema"]
    assert "R101" in place.call(*hoyle, "explain", "R101", cwd=cwd)
    assert "jeux" in place.call(*hoyle, "list", "--help", "--lang", "fr", cwd=cwd)
    assert json.loads(place.call(*hoyle, "moves", GAME, "--seed", "1", "--json", cwd=cwd))
    assert json.loads(place.call(*hoyle, "simulate", GAME, "-n", "2", "--seed", "1", "--json", cwd=cwd))


def home(place: Place, *more: str, cwd: Path | None = None) -> tuple[Path, Path]:
    """Where the package is imported from, and where it looks for rulesets."""
    program = "import interpreter, interpreter.resources as r; print(interpreter.__file__); print(r.folder('rulesets'))"
    package, folder = place.call(place.python, *more, "-c", program, cwd=cwd).splitlines()
    return Path(package).parent, Path(folder)


def built(place: Place, kind: str) -> Path:
    """The wheel or the source distribution, built from the checkout."""
    place.install("hatchling")
    out = place.folder / "dist"
    place.call(place.python, "-m", "hatchling", "build", "-t", kind, "-d", out, cwd=ROOT)
    [found] = out.iterdir()
    return found


@pytest.mark.slow
def test_a_wheel(place: Place, tmp_path: Path) -> None:
    wheel = built(place, "wheel")
    names = set(zipfile.ZipFile(wheel).namelist())
    inside = {
        f"interpreter/data/{p.relative_to(ROOT).as_posix()}"
        for folder in ("rulesets", "grammar")
        for p in (ROOT / folder).glob("*.*")
    }
    assert inside <= names
    assert {
        "interpreter/py.typed",
        "interpreter/cli/en.json",
        "interpreter/language/en.json",
        "interpreter/cli/commands/starter.yaml",
        "interpreter/cli/commands/pack/pyproject.toml.txt",
    } <= names
    assert {name.split("/")[0] for name in names} == {"interpreter", f"hoyle-{PROJECT['version']}.dist-info"}
    (tmp_path / "other").mkdir()
    other = Place.fresh(tmp_path / "other")
    other.install(wheel)
    package, folder = home(other)
    assert package.is_relative_to(other.folder)
    assert folder == package / "data" / "rulesets"
    assert other.call(other.hoyle, "--version") == f"hoyle {PROJECT['version']}\n"
    prove(other, other.hoyle)


@pytest.mark.slow
def test_a_source_distribution(place: Place) -> None:
    place.install(built(place, "sdist"))
    package, folder = home(place)
    assert package.is_relative_to(place.folder)
    assert folder == package / "data" / "rulesets"
    prove(place, place.hoyle)


@pytest.mark.slow
def test_the_line_in_the_readme(place: Place) -> None:
    """Installs, and plays until nobody answers any more."""
    [line] = re.findall(r"^pip install \. && hoyle .*$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert line.split()[-1] in place.call("bash", "-c", f'PATH="{place.programs}:$PATH"; {line}', cwd=ROOT).lower()
    prove(place, place.hoyle)


@pytest.mark.slow
def test_editable(place: Place) -> None:
    place.install("--editable", ROOT)
    assert home(place) == (ROOT / "interpreter", ROOT / "rulesets")
    prove(place, place.hoyle)


@pytest.mark.slow
def test_a_checkout_that_is_not_installed(place: Place) -> None:
    place.install(*PROJECT["dependencies"])
    assert home(place, cwd=ROOT) == (ROOT / "interpreter", ROOT / "rulesets")
    prove(place, place.python, "-m", "interpreter", cwd=ROOT)


@pytest.mark.slow
def test_a_pack_of_games(place: Place, tmp_path: Path) -> None:
    """Made, tested and built in one environment, installed in another, where nothing else of it is: its games are there by name."""
    place.install(ROOT, "pytest", "hatchling")
    place.call(place.hoyle, "new", "club-games", "--pack", "--extends", GAME)
    folder = place.empty / "club-games"
    assert "3 passed" in place.call(place.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=folder)[-60:]
    place.call(place.python, "-m", "hatchling", "build", "-t", "wheel", cwd=folder)
    [wheel] = (folder / "dist").iterdir()
    (tmp_path / "other").mkdir()
    other = Place.fresh(tmp_path / "other")
    other.install(ROOT)
    other.install("--no-index", wheel)
    shutil.rmtree(folder)
    [found] = [
        one for one in json.loads(other.call(other.hoyle, "list", "--json"))["games"] if one["name"] == "club-games"
    ]
    assert (found["origin"], found["package"], found["extends"]) == ("package", "club-games 0.1.0", GAME)
    assert Path(found["file"]).is_relative_to(other.folder)
    watched = ("play", "club-games", "--seats", "random", "--watch", "--seed", "1", "--record", "a.jsonl")
    other.call(other.hoyle, *watched)
    assert "club-games" in (other.empty / "a.jsonl").read_text(encoding="utf-8")
    other.call(other.hoyle, "replay", "a.jsonl")
    other.call(other.hoyle, "validate", "club-games")


@pytest.mark.slow
def test_a_pack_that_is_worked_on(place: Place) -> None:
    """Installed editable, a change shows at once."""
    place.install(ROOT)
    place.call(place.hoyle, "new", "club-games", "--pack")
    folder = place.empty / "club-games"
    place.install("--editable", folder)
    place.call(place.hoyle, "test", "club-games")
    rulesets = folder / "club_games" / "rulesets"
    (rulesets / "other.yaml").write_text(
        "ruleset: 1\ngame: other\nextends: club-games\ntitle: Other\n", encoding="utf-8"
    )
    assert "Other  (" in place.call(place.hoyle, "list")
