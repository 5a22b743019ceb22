"""Merging of files: what is replaced, merged, removed and placed, and the errors."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from rules import find_rules, read_cases

from hoyle.diagnostics import Refused
from hoyle.reading.merge import Merged, copy_likes, merge
from hoyle.reading.sources import read
from hoyle.reading.yaml_tree import load

CASES = read_cases("reading/merge")

PARENT = find_rules("reading/parent").read_text(encoding="utf-8")
LIBRARY = "library: lib\ntitle: {en: Library}\nsource: {text: elsewhere}\nneeds: {piles: [hand]}\npiles: {hand: {}, heap: {face: up}}\n"


def merged(folder: Path, **files: str) -> Merged:
    """The file `game` on top of the others."""
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    found = merge(folder / "game.yaml", lambda path: load(read(path)))
    copy_likes(found)
    return found


def part(tree: Any, path: str) -> Any:
    for name in path.split(" / "):
        tree = tree[name]
    return tree


VARIANTS = yaml.safe_load((Path(__file__).parent / "variants.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("over", "path", "expected"),
    [pytest.param(*case, id=rule) for rule, cases in VARIANTS.items() for case in cases],
)
def test_a_variant(over: str, path: str, expected: Any, tmp_path: Path) -> None:
    found = part(merged(tmp_path, parent=PARENT, game=f"extends: parent\n{over}").root.plain(), path)
    assert found == expected if isinstance(found, type(expected)) else list(found) == expected


def test_a_move_and_an_obligation_may_have_one_name(tmp_path: Path) -> None:
    parent = "moves: {lay: {}}\nobligations: {lay: {}}\nflow: {game: {it: {play: [lay], obey: [lay]}}}\n"
    found = merged(tmp_path, parent=parent, game="extends: parent\nobligations: {lay: ~}\n").root.plain()
    assert found["flow"]["game"]["it"] == {"play": ["lay"], "obey": []}


def test_what_was_removed_may_be_declared_again(tmp_path: Path) -> None:
    again = "extends: between\nmoves: {pass: {put: box}}\nflow: {game: {play: {play: [pass]}}}\n"
    found = merged(tmp_path, parent=PARENT, between="extends: parent\nmoves: {pass: ~}\n", game=again).root.plain()
    assert found["flow"]["game"]["play"]["play"] == ["pass"]
    assert found["obligations"]["first"] == {"prefer": ["lay"]}


def test_libraries_lie_under_the_parent(tmp_path: Path) -> None:
    found = merged(
        tmp_path,
        low="library: low\npiles: {hand: {face: down}, box: {}}\n",
        lib=LIBRARY.replace("needs", "use: [low]\nneeds"),
        other="library: other\nuse: [low]\npiles: {box: {face: up}}\n",
        parent=f"{PARENT}use: [lib]\npiles: {{heap: {{face: down}}}}\n",
        game="use: [other]\nextends: parent\ntitle: {fr: Jeu}\nexamples: {one: {}}\n",
    )
    assert [path.stem for path in found.files] == ["low", "other", "lib", "parent", "game"]
    tree = found.root.plain()
    assert tree["title"] == {"en": "Parent", "fr": "Jeu"}
    assert "source" not in tree
    assert "needs" not in tree
    assert tree["examples"] == {"one": {}}
    assert tree["piles"] == {"hand": {"face": "down"}, "box": {"face": "up"}, "heap": {"face": "down"}}
    assert [needs.plain() for needs in found.needs] == [{"piles": ["hand"]}]


def test_every_part_keeps_its_place(tmp_path: Path) -> None:
    found = merged(tmp_path, parent=PARENT, game="extends: parent\nmoves: {lay: {put: box}}\n").root
    move = found.pairs["moves"][1].pairs["lay"]
    places = {name: Path(value.span.source.name).stem for name, _, value in move[1].entries()}
    assert places == {"take": "parent", "put": "game", "if": "parent"}
    assert Path(move[0].span.source.name).stem == "parent", "an entry is where it is first told"


def test_moves_that_others_are_like_are_templates(tmp_path: Path) -> None:
    likes = "moves: {slip: {like: slide}, slide: {like: lay}}"
    assert merged(tmp_path, parent=PARENT, game=f"extends: parent\n{likes}").templates == {"slide", "lay"}


@pytest.mark.parametrize(("over", "code", "text"), CASES["what cannot be laid"])
def test_what_cannot_be_laid(over: str, code: str, text: str, tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        merged(tmp_path, parent=PARENT, game=f"extends: parent\n{over}")
    first = refused.value.diagnostics[0]
    assert first.code == code
    assert first.span is not None
    assert first.span.text.strip("~") in (text, "lie", "")
    assert f"`{text}`" in first.message


@pytest.mark.parametrize(("over", "told"), CASES["what is told and left out"])
def test_what_is_told_and_left_out(over: str, told: list[list[str]], tmp_path: Path) -> None:
    found = merged(tmp_path, parent=PARENT, game=f"extends: parent\n{over}")
    assert [(d.code, d.span.text if d.span else "") for d in found.problems] == [*map(tuple, told)]
    above = merged(tmp_path, parent=PARENT, middle=f"extends: parent\n{over}", game="extends: middle")
    assert [d.code for d in above.problems] == [d.code for d in found.problems]


def test_entries_of_one_file_stand_where_they_say(tmp_path: Path) -> None:
    found = merged(tmp_path, game="flow: {game: {last: {}, first: {before: last, do: {b: {}, a: {before: b}}}}}").root
    steps = found.pairs["flow"][1].pairs["game"][1]
    assert list(steps.pairs) == ["first", "last"]
    assert list(steps.pairs["first"][1].pairs["do"][1].pairs) == ["a", "b"]


def test_a_library_may_stand_beside_what_its_users_bring(tmp_path: Path) -> None:
    shelf = "library: shelf\nflow: {game: {more: {after: own}}}"
    alone = merged(tmp_path, game=shelf)
    used = merged(tmp_path, shelf=shelf, game="use: [shelf]\nflow: {game: {own: {}, end: {}}}")
    assert alone.problems == used.problems == []
    assert list(used.root.pairs["flow"][1].pairs["game"][1].pairs) == ["own", "more", "end"]


@pytest.mark.parametrize(("over", "suspects"), CASES["like inherited"])
def test_a_new_name_very_like_an_inherited_one(over: str, suspects: list[str], tmp_path: Path) -> None:
    found = merged(tmp_path, parent=PARENT, game=f"extends: parent\n{over}")
    assert [(w.code, w.span.text if w.span else "") for w in found.problems] == [("R608", s) for s in suspects]
