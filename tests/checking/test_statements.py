"""What options settle in the sentences of a ruleset: what is put in, in which language, and which clauses hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from interpreter import load
from interpreter.checking.build import ruleset
from interpreter.language.model import Ruleset, text_in
from interpreter.reading.tree import Node, as_written

GAME = """\
ruleset: 1
game: stakes
title: Stakes
summary: A game for {stake}.
players: {count: 2..3, seats: [A, B, C]}
options:
  stake:  {range: -5..5000, default: 1, en: points for the game}
  double: {range: 0..9, default: 3, en: "points for all, besides the {stake} of the game"}
  proud:  {kind: bool, default: false, en: whether one bows}
  way:    {choices: [up, any_way], words: {any_way: "either way, for {2 * stake}"}, default: up, en: the way}
constraints:
  enough: {is: stake < 5000, en: "A stake of {stake} is too much.", fr: "Une mise de {stake}, c'est trop."}
tables:
  ranks: {columns: {worth: 0..9}, rows: {ace: {worth: if way is up then 1 else 9}, jack: {worth: 2, en: knave, fr: valet}}}
pieces:
  card: {of: [ranks], from: pack}
piles:
  pack: {face: down}
  heap: {}
state:
  score: {each: player, range: 0..9999}
terms:
  both: stake + double
  highest: if way is up then jack else ace
moves:
  play:
    rule: {at: C1 C2 C3, en: "Of {count(players)} players each pays {stake}."}
    take: pack
    put: heap
    if:
      fits: {is: heap is empty, rule: {at: C2, en: "The {highest} fits."}}
  pass:
    like: play
  bow:
    rule: {at: C3, en: One may bow.}
    take: pack
    put: heap
flow:
  game:
    turns: {turns: turn, from: A, until: pack is empty}
  turn:
    one: {choose: [play, pass, bow], at: C3}
    paid: {score: stake, to: A, as: {en: "{2 * stake} {2 * stake:point|points}"}, at: C2}
result: {best: score of p}
glossary: {ante: "what one pays, {both}"}
clauses:
  C1: "One pays {stake} {stake:point|points}, {both} for all, and {{nothing}} else."
  C2: {en: "One goes {way}{proud:, and bows}; the {highest} is {proud:proud|meek}.", if: stake > 2}
  C3: {en: "The ace is worth {ranks.ace.worth} or {min(stake,
    double)}.", if: way is any_way or proud}
  C4: {en: Never., home: moves, if: false}
"""
FRENCH = """\
words: fr
game: stakes
title: Mises
summary: Un jeu pour {stake}.
options:
  double: points pour tout, outre les {stake} de la partie
  way: {words: le sens, up: vers le haut, any_way: "dans les deux sens, pour {2 * stake}"}
moves:
  play: {rule: "À {count(players)}, chacun paie {stake} ; c'est tout.", fits: {rule: "Le {highest} convient."}}
clauses:
  C1: "On paie {stake} {stake:point|points}, {both} pour tout ; {{rien}} d'autre."
  C2: "On va {way}{proud: en saluant}."
"""
GERMAN = "words: de\ngame: stakes\ntitle: E\nclauses: {C1: 'Man zahlt {stake} {stake:Punkt|Punkte}: {way}.'}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("stakes", GAME), ("stakes.fr", FRENCH), ("stakes.de", GERMAN)):
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    return tmp_path


def told(found: Ruleset, lang: str) -> dict[str, str]:
    """All sentences by what they are said of, spaces plain."""
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


SAID: list[tuple[dict[str, Any], str, dict[str, str | None]]] = [
    ({}, "en", {"C1": "One pays 1 point, 4 for all, and {nothing} else.", "C2": None, "C3": None, "C4": None}),
    ({}, "en", {"play, at": "C1", "play fits, at": "", "play": "Of 2 players each pays 1.", "pass, at": "C1"}),
    ({}, "fr", {"C1": "On paie 1 point, 4 pour tout ; {rien} d'autre.", "play fits": "Le valet convient."}),
    ({}, "de", {"C1": "Man zahlt 1 Punkt: up.", "play": "Of 2 players each pays 1."}),
    ({"stake": 0}, "en", {"C1": "One pays 0 points, 3 for all, and {nothing} else."}),
    (
        {"stake": 0},
        "fr",
        {
            "summary": "Un jeu pour 0.",
            "ante": "what one pays, 3",
            "C1": "On paie 0 point, 3 pour tout ; {rien} d'autre.",
        },
    ),
    ({"stake": -5}, "en", {"double": "points for all, besides the -5 of the game"}),
    ({"stake": 3}, "en", {"C2": "One goes up; the knave is meek.", "play, at": "C1 C2", "play fits, at": "C2"}),
    ({"stake": 3, "proud": True}, "en", {"C2": "One goes up, and bows; the knave is proud."}),
    ({"stake": 3, "proud": True}, "fr", {"C2": "On va vers le haut en saluant."}),
    ({"stake": 3, "way": "any_way"}, "en", {"C2": "One goes either way, for 6; the ace is meek."}),
    (
        {"stake": 3, "way": "any_way"},
        "fr",
        {"C2": "On va dans les deux sens, pour 6.", "pass fits": "Le ace convient."},
    ),
    ({"way": "any_way"}, "en", {"C3": "The ace is worth 9 or 1.", "play, at": "C1 C3"}),
    ({"stake": 4000}, "en", {"way": "either way, for 8000", "enough": "A stake of 4000 is too much."}),
    ({"players": 3}, "en", {"pass": "Of 3 players each pays 1."}),
    ({"players": 3}, "fr", {"pass": "À 3, chacun paie 1 ; c'est tout."}),
]


@pytest.mark.parametrize(("options", "lang", "expected"), SAID)
def test_sentences_say_what_the_options_settle(
    options: dict[str, Any], lang: str, expected: dict[str, str | None], folder: Path
) -> None:
    found = told(ruleset(folder / "stakes.yaml", options)[0], lang)
    assert {name: found.get(name) for name in expected} == expected


def test_what_a_variant_sets_changes_the_sentences_it_inherits(folder: Path) -> None:
    path = folder / "variant.yaml"
    path.write_text("ruleset: 1\ngame: variant\nextends: stakes\ntitle: V\nset: {stake: 3}\nterms: {both: 7}\n")
    assert told(ruleset(path, {})[0], "en")["C1"] == "One pays 3 points, 7 for all, and {nothing} else."
    assert told(ruleset(path, {})[0], "fr")["C1"] == "On paie 3 points, 7 pour tout ; {rien} d'autre."


def test_what_is_put_in_is_told_wherever_the_sentence_is(folder: Path) -> None:
    """In a refusal and its citation, in the words of points, in the tree that others read, which keeps what was written."""
    game = load(folder / "stakes.yaml", {"stake": 3})
    state = game.start(1)
    assert any(event.text("en").endswith("6 points") for event in state.play(state.moves()[0]).events)
    over = game.position({"at": "turn / one", "to_act": "A", "piles": {"heap": "ace", "pack": "jack"}})
    assert over.why("play").summary("en").endswith("The knave fits. [C2]")
    clause = game.compiled.merged.root["clauses"]["C1"]["en"]
    assert isinstance(clause, Node)
    assert (clause.raw[:10], as_written(clause)[:16]) == ("One pays 3", "One pays {stake}")


def test_options_tell_two_games_apart_and_sentences_do_not(folder: Path) -> None:
    before, other = (ruleset(folder / "stakes.yaml", {"stake": n})[0].digest for n in (1, 3))
    (folder / "stakes.fr.yaml").write_text(FRENCH.replace("On paie", "On donne"), encoding="utf-8")
    assert ruleset(folder / "stakes.yaml", {})[0].digest == before != other
