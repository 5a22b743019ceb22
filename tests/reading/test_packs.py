"""Rulesets that are found by name: where, in which order, and what is never found."""

import os
import sys
from pathlib import Path

import pytest
from packed import bring, laid, variant
from rules import read_cases

from hoyle import load, packs, validate
from hoyle.diagnostics import Refused
from hoyle.resources import shipped

CASES = read_cases("reading/packs")

MINE, YOURS, BROUGHT = (variant("club", title) for title in ("Mine", "Yours", "Brought"))


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to be in, with folders beside it from which packages are imported and where a user's data are."""
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "site")])
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("HOYLE_PATH", raising=False)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path


def looked_in(monkeypatch: pytest.MonkeyPatch, *folders: Path) -> None:
    monkeypatch.setenv("HOYLE_PATH", os.pathsep.join(map(str, folders)))


@pytest.mark.whole
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the folder of a user's data is no variable's")
def test_each_place_hides_those_behind_it(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bring(place / "site", "club-games", {"club": BROUGHT})
    assert load("club").title("en") == "Brought"
    laid(place / "data" / "hoyle" / "rulesets", {"club": MINE})
    assert load("club").title("en") == "Mine"
    looked_in(monkeypatch, laid(place / "one", {"other": MINE}), laid(place / "two", {"club": YOURS}))
    assert load("club").title("en") == "Yours"
    Path("club.yaml").write_text(variant("club", "Here"), encoding="utf-8")
    assert (load("club.yaml").title("en"), load("club").title("en")) == ("Here", "Yours")
    assert [found.place.origin for found in packs.candidates("club")] == ["path", "user", "package"]
    assert [found.path for found in packs.list_all()["club"]] == [found.path for found in packs.candidates("club")]
    assert packs.list_known()["club"] == place / "two" / "club.yaml"


@pytest.mark.whole
def test_two_rulesets_of_one_name_are_never_taken_for_each_other(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = laid(place / "one", {"club": MINE + "set: {draw: 1}\n"})
    two = laid(place / "two", {"club": MINE + "set: {draw: 3}\n"})
    looked_in(monkeypatch, one, two)
    first = load("club")
    looked_in(monkeypatch, two, one)
    second = load("club")
    assert (first.options["draw"], second.options["draw"]) == (1, 3)
    assert first.digest != second.digest
    assert first.merged.files[-1] == one / "club.yaml"


@pytest.mark.whole
def test_own_folders_change_shipped_names_and_packages_do_not(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bring(place / "site", "club-games", {"klondike": variant("klondike", "Stolen", "yukon"), "french": MINE})
    assert packs.find("klondike") == shipped()["klondike"]
    assert load("klondike").title("en") != "Stolen"
    assert [found.place.origin for found in packs.list_all()["klondike"]] == ["shipped", "package"]
    looked_in(monkeypatch, laid(place / "own", {"klondike": variant("klondike", "My own", "yukon")}))
    assert load("klondike").title("en") == "My own"


@pytest.mark.whole
def test_what_is_shipped_is_built_on_what_is_shipped(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = load("klondike").digest
    looked_in(monkeypatch, laid(place / "own", {"french": "ruleset: 1\nlibrary: french\n"}))
    assert load("klondike").digest == before


@pytest.mark.whole
def test_a_pack_builds_on_its_own_and_on_what_is_shipped(place: Path) -> None:
    names = {"base": variant("base", "Base"), "open": variant("open", "Open", "base")}
    bring(place / "site", "club-games", {**names, "klondike-club": variant("klondike-club", "Far", "open")})
    bring(place / "site", "others", {"base": variant("base", "Other", "yukon"), "far": variant("far", "Far", "open")})
    found = load("far")
    assert [path.parent.parent.name for path in found.merged.files[-3:]] == ["club_games", "club_games", "others"]
    assert validate(["far", "klondike-club"]) == []


@pytest.mark.whole
def test_a_file_that_takes_a_name_may_build_on_whose_it_was(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = ({"klondike": variant("klondike", title) + "set: {draw: 3}\n"} for title in ("One", "Two"))
    looked_in(monkeypatch, laid(place / "one", one), laid(place / "two", two))
    found = load("klondike")
    assert (found.title("en"), found.options["draw"]) == ("One", 3)
    files = [place / "two" / "klondike.yaml", place / "one" / "klondike.yaml"]
    assert found.merged.files[-3:] == [shipped()["klondike"], *files]
    laid(Path(), {"klondike": variant("klondike", "Here")})
    assert load("klondike.yaml").merged.files[-2] == place / "one" / "klondike.yaml"
    laid(Path(), {"nowhere-else": variant("nowhere-else", "Here", "nowhere-else")})
    assert [d.code for d in validate(["nowhere-else.yaml"])] == ["R603"]


def test_what_is_not_found_names_what_is_near(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bring(place / "site", "club-games", {"rombolo": BROUGHT})
    looked_in(monkeypatch, laid(place / "own", {"tarabisco": MINE}))
    for wrong, meant in (("rombola", "rombolo"), ("tarabiscot", "tarabisco")):
        with pytest.raises(Refused) as refused:
            load(wrong)
        assert meant in str(refused.value.diagnostics[0].help)
        Path("built.yaml").write_text(variant("built", "Built", wrong), encoding="utf-8")
        [found] = validate(["built.yaml"])
        assert found.code == "R604" and meant in str(found.help)


LEADING_OUT = ["../secret", "folder/secret", "link", "circle", "pipe", "dir", ".hidden", "", "club.fr"]


@pytest.mark.parametrize("name", LEADING_OUT)
def test_names_lead_out_of_no_folder(place: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    own, brought = laid(place / "own", {"club": MINE}), bring(place / "site", "club-games", {"club": MINE})
    (place / "secret.yaml").write_text(MINE, encoding="utf-8")
    for folder in (own, brought):
        (folder / "link.yaml").symlink_to(place / "secret.yaml")
        (folder / "folder").symlink_to(place)
        (folder / "circle.yaml").symlink_to("circle.yaml")
        (folder / "dir.yaml").mkdir()
        for called in (".hidden.yaml", "club.fr.yaml"):
            (folder / called).write_text(MINE, encoding="utf-8")
        os.mkfifo(folder / "pipe.yaml")
    looked_in(monkeypatch, own)
    assert packs.find(name) is None and name not in packs.list_all()
    left_out = [path.name for found in packs.list_places() for path in found.left_out()]
    assert left_out == ["circle.yaml", "dir.yaml", "link.yaml", "pipe.yaml"] * 2


def test_a_folder_that_is_a_link_is_the_user_s_own_wish(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    laid(place / "far", {"club": MINE})
    (place / "own").symlink_to(place / "far")
    looked_in(monkeypatch, place / "own", place / "far", shipped()["klondike"].parent)
    assert [found.place.folder for found in packs.candidates("club")] == [place / "own"], "a folder counts once"
    assert [found.place.origin for found in packs.candidates("klondike")] == ["shipped"]


BROKEN = dict(CASES["broken"])


@pytest.mark.whole
@pytest.mark.parametrize("points", BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_package_keeps_nobody_else_from_being_found(place: Path, points: str) -> None:
    bring(place / "site", "broken", {"club": MINE}, points)
    bring(place / "site", "whole", {"fine": variant("fine", "Fine")})
    assert load("fine").title("en") == "Fine" and packs.find("club") is None
    troubles = [found.trouble for found in packs.package_places() if found.package.startswith("broken")]
    assert troubles == [] if points == BROKEN["no text"] else troubles[0] in ("gone", "broken")


def test_what_cannot_be_read_at_all_brings_nothing(place: Path) -> None:
    bring(place / "site", "whole", {"fine": variant("fine", "Fine")})
    told = place / "site" / "torn-1.dist-info"
    told.mkdir()
    (told / "entry_points.txt").write_bytes(b"[hoyle.rulesets]\nclub = \xff\xfe")
    assert [found.package for found in packs.package_places()] == ["whole 1.2"]


def test_one_package_may_bring_several_folders(place: Path) -> None:
    points = "[console_scripts]\nclub = club:main\n[hoyle.rulesets]\na = club_games\nb = club_games.more\n"
    bring(place / "site", "club-games", {"one": MINE}, points)
    laid(place / "site" / "club_games" / "more" / "rulesets", {"two": YOURS})
    assert [[*found.rulesets()] for found in packs.package_places()] == [["one"], ["two"]]


@pytest.mark.parametrize("what", ["", "no such folder", "a file", "~nobody-of-that-name/x"])
def test_folders_that_are_none(place: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    Path("a file").write_text("", encoding="utf-8")
    monkeypatch.setenv("HOYLE_PATH", f"{what}{os.pathsep}{laid(place / 'own', {'club': MINE})}")
    assert packs.find("club") == place / "own" / "club.yaml"
    assert [found.trouble for found in packs.list_places() if found.origin == "path"] == (
        ["absent", ""] if what else [""]
    )


def test_a_folder_that_may_not_be_read_is_told(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = laid(place / "own", {"club": MINE})
    looked_in(monkeypatch, own)

    def closed(path: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "scandir", closed)
    assert packs.find("klondike") == shipped()["klondike"] and packs.find("club") is None
    assert next(packs.list_places()).trouble == "closed"


def test_a_file_that_comes_later_is_found(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = laid(place / "own", {})
    looked_in(monkeypatch, own)
    assert packs.find("club") is None
    laid(own, {"club": MINE})
    os.utime(own, ns=(1, 1))
    assert packs.find("club") == own / "club.yaml"
