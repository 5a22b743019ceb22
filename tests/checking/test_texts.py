"""Sentences filled in with values of options, in each language, and clauses in force."""

from pathlib import Path
from shutil import copy
from typing import Any

import pytest
from rules import read_cases

from hoyle import load
from hoyle.checking.build import load_ruleset
from hoyle.language.model import Ruleset, text_in
from hoyle.reading.tree import Node, written_text

CASES = read_cases("checking/statements")

GAMES = Path(__file__).parent / "games"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for path in GAMES.glob("stakes*"):
        copy(path, tmp_path)
    return tmp_path


def told(found: Ruleset, lang: str) -> dict[str, str]:
    """Return all sentences by entry, with plain spaces."""
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
def test_sentences_say_what_the_options_settle(
    options: dict[str, Any], lang: str, expected: dict[str, str | None]
) -> None:
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
