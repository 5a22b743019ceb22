"""Keep files that were built: find them again if they are whole and the user's own, else make them, in any number of processes."""

import os
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from compilers import own_cache
from platformdirs import user_cache_path

from hoyle import private
from hoyle.diagnostics import Refused
from hoyle.native import cache
from hoyle.native.cache import clear, digest, entries, use_cached
from hoyle.resources import cache_folder

pytestmark = pytest.mark.filterwarnings("ignore::hoyle.native.cache.CacheTrouble")
KEY = digest("a key")


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the cache; `tmp` is the one for temporary files."""
    return own_cache(tmp_path, monkeypatch)


class Maker:
    """Makes files of these bytes, and counts them."""

    def __init__(self, data: bytes = b"made") -> None:
        self.data, self.made = data, 0

    def __call__(self, path: Path) -> None:
        path.write_bytes(self.data)
        self.made += 1

    def kept(self, name: str = "game", key: str = KEY) -> bytes:
        return use_cached(name, key, ".so", self, Path.read_bytes)

    def path(self, name: str = "game", key: str = KEY) -> Path:
        return use_cached(name, key, ".so", self, Path.resolve)


def test_it_is_made_once(place: Path) -> None:
    maker = Maker()
    assert [maker.kept() for _ in range(3)] == [b"made"] * 3
    assert maker.made == 1
    assert maker.kept(key=digest("another")) == b"made"
    assert maker.made == 2
    assert [path.parent for path in place.iterdir()] == [place] * 2


@pytest.mark.skipif(os.name != "posix", reason="elsewhere folders have no modes")
def test_nobody_else_may_look(place: Path) -> None:
    place.mkdir(parents=True)
    place.chmod(0o777)
    path = Maker().path()
    assert [stat.S_IMODE(found.stat().st_mode) for found in (place, path)] == [0o700, 0o600]


def _linked(path: Path) -> None:
    other = path.parent / "other"
    path.rename(other)
    path.symlink_to(other)


DAMAGE: dict[str, Callable[[Path], object]] = {
    "truncated": lambda path: os.truncate(path, 2),
    "empty": lambda path: path.write_bytes(b""),
    "longer": lambda path: path.write_bytes(b"made, and more"),
    "another byte": lambda path: path.write_bytes(b"mode"),
    "written by others": lambda path: path.chmod(0o620),
    "a link": _linked,
    "gone": lambda path: path.unlink(),
}


@pytest.mark.skipif(os.name != "posix", reason="elsewhere files have no modes and links")
def test_a_damaged_file_is_made_again() -> None:
    for damage, do in DAMAGE.items():
        maker, key = Maker(), digest(damage)
        do(maker.path(key=key))
        assert [maker.kept(key=key) for _ in range(2)] == [b"made"] * 2, damage
        assert maker.made == 2, damage


def test_a_file_that_was_made_for_another_key_is_not_taken() -> None:
    maker = Maker()
    path = maker.path(key=digest("another"))
    path.rename(path.with_name(path.name.replace(digest("another"), KEY)))
    maker.kept()
    assert maker.made == 2
    assert len(entries()) == 1


def test_files_of_another_user_are_not_taken(place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    maker = Maker()
    os.utime(maker.path(), (1, 1))
    monkeypatch.setattr(private, "is_own", lambda found: found.st_mtime != 1)
    assert (maker.kept(), maker.made) == (b"made", 2)
    theirs = place.stat().st_ino
    monkeypatch.setattr(private, "is_own", lambda found: found.st_ino != theirs)
    assert maker.path().is_relative_to(tmp_path / "tmp")
    assert maker.made == 3


@pytest.mark.skipif(os.name != "posix", reason="elsewhere folders have no modes")
def test_a_folder_that_others_may_replace_is_not_taken(place: Path, tmp_path: Path) -> None:
    place.parent.mkdir()
    for mode, taken in ((0o755, True), (0o777, False), (0o1777, True), (0o702, False)):
        place.parent.chmod(mode)
        assert Maker().path(key=digest(str(mode))).is_relative_to(place if taken else tmp_path / "tmp"), oct(mode)
        trouble = cache.trouble()
        assert taken == (trouble is None) and (trouble is None or f"write in {place.parent}," in trouble[1])


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere files are reached by their names")
def test_a_folder_that_is_swapped_after_the_check_changes_nothing(place: Path) -> None:
    def use(path: Path) -> bytes:
        place.rename(place.with_name("aside"))
        place.mkdir()
        (place / path.name).write_bytes(b"theirs")
        return path.read_bytes()

    assert use_cached("game", KEY, ".so", Maker(), use) == b"made"


def test_a_cache_that_cannot_be_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then one folder for temporary files is taken, each time the same."""
    damage: dict[str, Callable[[Path], object]] = {
        "a file": lambda place: place.write_bytes(b""),
        "a link": lambda place: place.symlink_to(tmp_path),
        "a dangling link": lambda place: place.symlink_to(tmp_path / "nowhere" / "at all"),
    }
    for name, do in damage.items():
        monkeypatch.setenv("HOYLE_CACHE", str(tmp_path / name))
        (tmp_path / name).mkdir()
        do(tmp_path / name / "native")
        maker, key = Maker(), digest(name)
        path = maker.path(key=key)
        assert path.is_relative_to(tmp_path / "tmp")
        assert (maker.path(key=key), maker.made) == (path, 1)
        assert path in [entry.path for entry in entries()]


def test_where_nothing_can_be_written(place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place.parent.write_bytes(b"")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "cache"))
    with pytest.raises(Refused) as refused:
        Maker().kept()
    [found] = refused.value.diagnostics
    assert found.code == "R911" and len(found.notes) == 2 and str(place) in found.notes[0]
    assert cache.place() is None and entries() == clear() == []


def test_a_disk_that_is_full_or_from_which_nothing_can_be_loaded(place: Path, tmp_path: Path) -> None:
    """The system may forbid it. A file in the other folder is found there the next time."""
    maker = Maker()

    def use(path: Path) -> Path:
        if path.resolve().is_relative_to(place):
            raise OSError("not permitted")
        return path.resolve()

    def make(path: Path) -> None:
        maker(use(path))

    paths = [use_cached("game", KEY, ".so", maker, use) for _ in range(3)]
    assert len(set(paths)) == 1 and paths[0].is_relative_to(tmp_path / "tmp")
    assert maker.made == 2
    assert use_cached("full", KEY, ".so", make, Path.resolve).is_relative_to(tmp_path / "tmp")
    assert list(place.iterdir()) == []


def test_a_file_that_cannot_be_used_is_made_again() -> None:
    """As a library of another machine, or bytes that are no library."""
    maker = Maker(b"old")
    maker.kept()
    maker.data = b"new"

    def use(path: Path) -> bytes:
        if path.read_bytes() == b"old":
            raise OSError("not for this machine")
        return path.read_bytes()

    assert [use_cached("game", KEY, ".so", maker, use) for _ in range(2)] == [b"new"] * 2
    assert maker.made == 2
    assert [entry.path.read_bytes() for entry in entries()] == [b"new"]


@pytest.mark.parametrize("removed", [True, False])
def test_a_file_that_was_removed_meanwhile_is_made_again(removed: bool, place: Path) -> None:
    """Unless another process has made it again before that is noticed."""
    maker, tried = Maker(), list[Path]()

    def use(path: Path) -> bytes:
        tried.append(path)
        if len(tried) == 1:
            if removed:
                path.unlink()
            raise OSError("it is not there")  # what a loader of libraries says
        return path.read_bytes()

    assert use_cached("game", KEY, ".so", maker, use) == b"made"
    assert maker.made == 1 + removed and [entry.path.parent for entry in entries()] == [place]


def test_a_file_that_can_never_be_used() -> None:
    def use(path: Path) -> None:
        raise OSError("not for this machine")

    with pytest.raises(Refused) as refused:
        use_cached("game", KEY, ".so", Maker(), use)
    assert [d.code for d in refused.value.diagnostics] == ["R911"]
    assert all("not for this machine" in note for note in refused.value.cause.notes)
    assert entries() == []


def test_no_name_leads_elsewhere(place: Path) -> None:
    for name in ("../../up", "-o", "", "a b\n", "é" * 100, "x" * 300, "/etc/passwd", "nul\0"):
        path = Maker().path(name)
        assert path.parent == place, name
        assert not path.name.startswith("-"), name


def test_the_least_recently_used_file_is_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST", 300)
    maker = Maker(b"x" * 100)
    paths = {n: maker.path(key=digest(str(n))) for n in range(3)}
    for age, path in enumerate(paths.values()):
        os.utime(path, (age, age))
    maker.kept(key=digest("0"))  # is used, so that 1 is the least recently used
    paths[3] = maker.path(key=digest("3"))
    assert [n for n, path in paths.items() if path.exists()] == [0, 2, 3]
    maker.data = b"x" * 1000
    large = maker.path(key=digest("large"))
    assert [entry.path for entry in entries()] == [large]


def test_folders_that_killed_processes_left_are_removed(place: Path) -> None:
    for name, age in (("old", 86_400), ("new", 0)):
        folder = place / f"{cache._MAKING}{name}"
        folder.mkdir(parents=True)
        (folder / "half").write_bytes(b"ha")
        os.utime(folder, (time.time() - age,) * 2)
    Maker().kept()
    assert [path.name for path in place.iterdir() if path.is_dir()] == [f"{cache._MAKING}new"]


@pytest.mark.parametrize("there", [True, False])
def test_a_file_in_use_that_cannot_be_replaced(there: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows, if another process has made it meanwhile and uses it; it has the same bytes."""
    replace = os.replace

    def refuse(made: Path, path: Path) -> None:
        if there:
            replace(made, path)
        raise PermissionError("in use")

    monkeypatch.setattr(os, "replace", refuse)
    maker = Maker()
    if there:
        assert maker.kept() == b"made"
    else:
        with pytest.raises(Refused):
            maker.kept()


def test_clear_removes_only_files_of_the_cache(place: Path) -> None:
    maker = Maker()
    maker.kept()
    (place / "notes.txt").write_text("mine", encoding="utf-8")
    assert len(clear()) == 1
    assert [path.name for path in place.iterdir()] == ["notes.txt"]


@pytest.mark.skipif(sys.platform != "linux", reason="each system has a place of its own for caches")
def test_the_usual_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOYLE_CACHE")
    monkeypatch.setenv("HOME", str(tmp_path))
    for given, folder in ((str(tmp_path / "own"), tmp_path / "own"), ("", tmp_path / ".cache")):
        monkeypatch.setenv("XDG_CACHE_HOME", given)
        assert cache_folder() == user_cache_path("hoyle", appauthor=False) == folder / "hoyle"
    monkeypatch.setenv("XDG_CACHE_HOME", "beside/the/game")  # means nothing
    assert cache.place() == tmp_path / ".cache" / "hoyle" / "native"
    monkeypatch.setenv("HOME", "nowhere")
    assert cache_folder() is None
    assert cache.place() == tmp_path / "tmp" / f"hoyle-{os.geteuid()}"


def _program(body: str) -> list[str]:
    head = "import sys, time\nfrom pathlib import Path\nfrom hoyle.native.cache import clear, digest, use_cached\n"
    return [sys.executable, "-c", head + body]


@pytest.mark.whole
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are killed")
def test_a_process_that_is_killed_leaves_no_half_of_a_file() -> None:
    body = (
        "def make(path):\n"
        "    path.write_bytes(b'ha')\n"
        "    print('half', flush=True)\n"
        "    time.sleep(60)\n"
        f"use_cached('game', {KEY!r}, '.so', make, Path.read_bytes)\n"
    )
    with subprocess.Popen(_program(body), stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None and program.stdout.readline() == "half\n"
        program.kill()
    assert entries() == []
    maker = Maker()
    assert maker.kept() == b"made" and len(entries()) == 1


@pytest.mark.slow
def test_several_processes_at_once(place: Path, tmp_path: Path) -> None:
    """Each makes and uses the same twenty files, while one removes them all; each always reads the right bytes."""
    worker = (
        "def make(path):\n"
        "    path.write_bytes(path.stem.encode() * 5_000)\n"
        "for n in range(40):\n"
        "    name = f'game{n % 20}'\n"
        "    assert use_cached(name, digest(name), '.so', make, Path.read_bytes) == name.encode() * 5_000\n"
    )
    cleaner = "for _ in range(40):\n    clear()\n    time.sleep(0.005)\n"
    bodies = (worker, worker, worker, cleaner)
    programs = [subprocess.Popen(_program(body), stderr=subprocess.PIPE, text=True) for body in bodies]
    told = [program.communicate()[1] for program in programs]
    assert [program.returncode for program in programs] == [0, 0, 0, 0], told
    assert all(path.is_file() for path in place.iterdir())
    assert not list((tmp_path / "tmp").iterdir())
    assert len(entries()) <= 20
