"""The package works as a wheel made of its source distribution, editable, and not installed at all.

Commands run in an empty folder: inside the checkout a wheel without its rulesets would pass too."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import hoyle

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
GAME = "grabuge"


def rulesets() -> set[str]:
    return {path.stem for path in (ROOT / "rulesets").glob("*.yaml") if "." not in path.stem}


def test_the_version_is_said_once() -> None:
    assert hoyle.__version__ == PROJECT["version"]


def test_the_changelog_knows_this_version() -> None:
    assert f"\n## {PROJECT['version']} " in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


class Place(NamedTuple):
    """An environment with the wheel in it, and an empty folder to call it from."""

    folder: Path
    empty: Path
    wheel: Path

    @property
    def programs(self) -> Path:
        return self.folder / ("Scripts" if os.name == "nt" else "bin")

    @property
    def python(self) -> Path:
        return self.programs / "python"

    @property
    def hoyle(self) -> Path:
        return self.programs / "hoyle"

    def pip(self, *words: str | Path) -> None:
        self.call(self.python, "-m", "pip", *words, "--quiet")

    def build(self, kind: str, source: Path, out: Path) -> Path:
        """Build the wheel or the source distribution of a folder."""
        self.call(self.python, "-m", "hatchling", "build", "-t", kind, "-d", out, cwd=source)
        [found] = out.iterdir()
        return found

    def call(self, *words: str | Path, cwd: Path | None = None) -> str:
        """Return the output of a command that succeeds."""
        clean = {n: v for n, v in os.environ.items() if not n.startswith(("PYTHON", "VIRTUAL_ENV", "COV_", "PYTEST"))}
        env = {**clean, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1"}
        found = subprocess.run(
            [str(w) for w in words],
            cwd=cwd or self.empty,
            env=env,
            capture_output=True,
            encoding="utf-8",
            stdin=subprocess.DEVNULL,
            check=False,
        )
        assert found.returncode == 0, f"{words}\n{found.stdout}\n{found.stderr}"
        return found.stdout


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """One environment for all tests, with what they need and the wheel, which is built from the source distribution."""
    folder = tmp_path_factory.mktemp("packaging")
    (folder / "empty").mkdir()
    place = Place(folder / "environment", folder / "empty", folder)
    place.call(sys.executable, "-m", "venv", place.folder)
    place.pip("install", "hatchling", "pytest", *PROJECT["dependencies"])
    source = place.build("sdist", ROOT, folder / "source")
    shutil.unpack_archive(source, folder / "unpacked")
    [unpacked] = (folder / "unpacked").iterdir()
    return place._replace(wheel=place.build("wheel", unpacked, folder / "wheel"))


@pytest.fixture
def place(made: Place, tmp_path: Path) -> Iterator[Place]:
    """The same with nothing but the wheel installed, and another empty folder."""
    made.pip("install", "--force-reinstall", "--no-deps", made.wheel)
    yield made._replace(empty=tmp_path)
    made.pip("uninstall", "--yes", "hoyle", "club-games")


def prove(place: Place, *hoyle: str | Path, cwd: Path | None = None) -> None:
    """The command finds its rulesets, its grammar and its sentences, and plays."""
    place.call(*hoyle, "validate", *sorted(rulesets()), cwd=cwd)
    assert GAME in {one["name"] for one in json.loads(place.call(*hoyle, "list", "--json", cwd=cwd))["games"]}
    assert json.loads(place.call(*hoyle, "schema", cwd=cwd))["$schema"]
    assert "R101" in place.call(*hoyle, "explain", "R101", cwd=cwd)
    assert "jeux" in place.call(*hoyle, "list", "--help", "--lang", "fr", cwd=cwd)
    assert json.loads(place.call(*hoyle, "moves", GAME, "--seed", "1", "--json", cwd=cwd))
    assert json.loads(place.call(*hoyle, "simulate", GAME, "-n", "2", "--seed", "1", "--json", cwd=cwd))


def home(place: Place, cwd: Path | None = None) -> tuple[Path, Path]:
    """Return the folder of the imported package, and the folder of its rulesets."""
    program = "import hoyle, hoyle.resources as r; print(hoyle.__file__); print(r.folder('rulesets'))"
    package, folder = place.call(place.python, "-c", program, cwd=cwd).splitlines()
    return Path(package).parent, Path(folder)


@pytest.mark.slow
def test_a_wheel(place: Place) -> None:
    names = set(zipfile.ZipFile(place.wheel).namelist())
    inside = {
        f"hoyle/data/{p.relative_to(ROOT).as_posix()}"
        for folder in ("rulesets", "grammar")
        for p in (ROOT / folder).glob("*.*")
    }
    own = ("py.typed", "presentation/en.json", "language/en.json", "presentation/starter.yaml")
    assert inside | {f"hoyle/{name}" for name in (*own, "cli/commands/pack/pyproject.toml.txt")} <= names
    assert {name.split("/")[0] for name in names} == {"hoyle", f"hoyle-{PROJECT['version']}.dist-info"}
    package, folder = home(place)
    assert package.is_relative_to(place.folder)
    assert folder == package / "data" / "rulesets"
    assert place.call(place.hoyle, "--version") == f"hoyle {PROJECT['version']}\n"
    prove(place, place.hoyle)


@pytest.mark.slow
def test_the_line_in_the_readme(place: Place) -> None:
    """It installs, and plays until the input ends."""
    [line] = re.findall(r"^pip install \. && hoyle .*$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert line.split()[-1] in place.call("bash", "-c", f'PATH="{place.programs}:$PATH"; {line}', cwd=ROOT).lower()


@pytest.mark.slow
def test_editable(place: Place) -> None:
    place.pip("install", "--editable", ROOT)
    assert home(place) == (ROOT / "interpreter" / "hoyle", ROOT / "rulesets")
    prove(place, place.hoyle)


@pytest.mark.slow
def test_a_checkout_that_is_not_installed(place: Place) -> None:
    place.pip("uninstall", "--yes", "hoyle")
    assert home(place, cwd=ROOT / "interpreter") == (ROOT / "interpreter" / "hoyle", ROOT / "rulesets")
    prove(place, place.python, "-m", "hoyle", cwd=ROOT / "interpreter")


@pytest.mark.slow
def test_a_pack_of_games(place: Place) -> None:
    """Once its wheel is installed, its games are there by name, without its folder."""
    place.call(place.hoyle, "new", "club-games", "--pack", "--extends", GAME)
    folder = place.empty / "club-games"
    place.pip("install", "--no-deps", "--editable", folder)
    assert "3 passed" in place.call(place.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=folder)[-60:]
    other = folder / "club_games" / "rulesets" / "other.yaml"
    other.write_text("ruleset: 1\ngame: other\nextends: club-games\ntitle: Other\n", encoding="utf-8")
    assert "Other  (" in place.call(place.hoyle, "list")  # editable: a change shows at once
    place.call(place.hoyle, "test", "club-games")
    place.pip("install", "--no-index", "--force-reinstall", "--no-deps", place.build("wheel", folder, folder / "dist"))
    shutil.rmtree(folder)
    listed = json.loads(place.call(place.hoyle, "list", "--json"))["games"]
    [found] = [one for one in listed if one["name"] == "club-games"]
    assert (found["origin"], found["package"], found["extends"]) == ("package", "club-games 0.1.0", GAME)
    assert Path(found["file"]).is_relative_to(place.folder)
    watched = ("play", "club-games", "--seats", "random", "--watch", "--seed", "1", "--record", "a.jsonl")
    place.call(place.hoyle, *watched)
    assert "club-games" in (place.empty / "a.jsonl").read_text(encoding="utf-8")
    place.call(place.hoyle, "replay", "a.jsonl")
    place.call(place.hoyle, "validate", "club-games")
