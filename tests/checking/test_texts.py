"""Sentences filled in with values of options, clauses in force, and files of words for translators."""

import os
from functools import partial
from pathlib import Path
from shutil import copy
from typing import Any

import pytest
from games import FEW
from rules import read_cases
from tiers import some_now

from hoyle import load
from hoyle.checking.build import check_file, load_ruleset, merge_files
from hoyle.checking.translations import list_translatable, write_word_file
from hoyle.diagnostics import Problems, Source
from hoyle.language.model import Ruleset, text_in
from hoyle.language.sentences import FALLBACK, LANGUAGES
from hoyle.reading.merge import Merged, merge
from hoyle.reading.sources import read
from hoyle.reading.translation import apply_translations, read_translation
from hoyle.reading.tree import Node, texts_of, written_text
from hoyle.reading.yaml_tree import load as load_tree
from hoyle.resources import shipped

CASES = read_cases("checking/statements")

GAMES = Path(__file__).parent / "games"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for path in GAMES.glob("stakes*"):
        copy(path, tmp_path)
    return tmp_path


def told(found: Ruleset, lang: str) -> dict[str, str]:
    texts = {name: text_in(tuple(clause.words.items()), lang) for name, clause in found.clauses.items()}
    for name, move in found.moves.items():
        texts |= {name: move.rule.text(lang), f"{name}, at": move.rule.at}
        fits = move.conditions[0].rule if move.conditions else None
        texts |= {f"{name} fits": fits.text(lang), f"{name} fits, at": fits.at} if fits is not None else {}
    texts |= {"summary": text_in(tuple(found.summary.items()), lang)}
    texts |= {"ante": text_in(tuple(found.glossary["ante"].items()), lang)}
    options = found.options
    texts |= {"double": text_in(tuple(options["double"].words.items()), lang)}
    texts |= {"way": text_in(tuple(options["way"].choice_words[1].items()), lang)}
    texts |= {"enough": text_in(tuple(found.constraints["enough"].texts.items()), lang)}
    return {name: text.replace("\u202f", " ").replace("\u00a0", " ") for name, text in texts.items()}


SAID: list[tuple[dict[str, Any], str, dict[str, str | None]]] = CASES["said"]


@pytest.mark.parametrize(("options", "lang", "expected"), SAID)
def test_sentences_say_what_options_settle(options: dict[str, Any], lang: str, expected: dict[str, str | None]) -> None:
    found = told(load_ruleset(GAMES / "stakes.yaml", options)[0], lang)
    assert {name: found.get(name) for name in expected} == expected


def test_what_a_variant_sets_changes_the_sentences_it_inherits(folder: Path) -> None:
    path = folder / "variant.yaml"
    path.write_text("ruleset: 1\ngame: variant\nextends: stakes\ntitle: V\nset: {stake: 3}\nterms: {both: 7}\n")
    assert told(load_ruleset(path, {})[0], "en")["C1"] == "One pays 3 points, 7 for all, and {nothing} else."
    assert told(load_ruleset(path, {})[0], "fr")["C1"] == "On paie 3 points, 7 pour tout ; {rien} d'autre."


def test_values_are_filled_in_wherever_the_sentence_stands() -> None:
    """Check refusals, citations and words of points. The tree keeps the texts as they were written."""
    game = load(GAMES / "stakes.yaml", {"stake": 3})
    state = game.start(1)
    assert any(event.text("en").endswith("6 points") for event in state.play(state.moves()[0]).events)
    over = game.position({"at": "turn / one", "to_act": "A", "piles": {"heap": "ace", "pack": "jack"}})
    assert over.why("play").summary("en").endswith("The knave fits. [C2]")
    clause = game.compiled.merged.root["clauses"]["C1"]["en"]
    assert isinstance(clause, Node)
    assert (clause.raw[:10], written_text(clause)[:16]) == ("One pays 3", "One pays {stake}")


def test_digests_depend_on_options_and_not_on_sentences(folder: Path) -> None:
    before, other = (load_ruleset(GAMES / "stakes.yaml", {"stake": n})[0].digest for n in (1, 3))
    french = folder / "stakes.fr.yaml"
    french.write_text(french.read_text(encoding="utf-8").replace("On paie", "On donne"), encoding="utf-8")
    assert load_ruleset(folder / "stakes.yaml", {})[0].digest == before != other


def said(merged: Merged, lang: str) -> dict[tuple[str, ...], str]:
    items = [item for item in list_translatable(merged.root) if item.node.kind == "map"]
    return {item.path: texts_of(item.node)[lang] for item in items if lang in texts_of(item.node)}


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(FEW, 1))
@pytest.mark.parametrize("lang", [lang for lang in LANGUAGES if lang != FALLBACK])
def test_a_file_of_words_keeps_the_words_there_are(name: str, lang: str) -> None:
    path = shipped()[name]
    found, _ = check_file(path, Problems())
    before = merge_files(path)
    text = write_word_file(found, before, lang)

    def again(place: Path) -> Node:
        return (
            load_tree(Source(str(place), text))
            if place == path.with_suffix(f".{lang}.yaml")
            else read_translation(place)
        )

    after = merge(path, lambda p: load_tree(read(p)), translator=partial(apply_translations, reader=again))
    assert [d for d in after.problems if d.code in ("R615", "R616", "R617")] == []
    assert said(after, lang) == said(before, lang)


GAME = GAMES / "small.yaml"


def test_everything_that_can_have_words_is_listed(tmp_path: Path) -> None:
    path = tmp_path / "small.yaml"
    copy(GAME, path)
    (tmp_path / "small.de.yaml").write_text(
        'words: de\ngame: small\nmoves: {lay: {words: "lege {card}", rule: "Eine Karte: gelegt."}}\n', encoding="utf-8"
    )
    found, _ = check_file(path, Problems())
    words, expected = write_word_file(found, merge_files(path), "de"), GAMES / "small.words.out"
    if os.environ.get("UPDATE_GOLDEN"):
        expected.write_text(words, encoding="utf-8")
    assert words == expected.read_text(encoding="utf-8")
