"""Files of words to begin with: they say what is said already, and name all that can be said where it can be said."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from games import FEW
from tiers import in_tiers

from interpreter.checking.build import checked, joined
from interpreter.checking.untold import sayable
from interpreter.checking.wordlist import wordlist
from interpreter.diagnostics import Problems, Source
from interpreter.language.sentences import FALLBACK, LANGUAGES
from interpreter.reading.merge import Merged, merge
from interpreter.reading.translation import translated, words_of_file
from interpreter.reading.tree import Node, texts_of
from interpreter.reading.yaml_tree import load, read
from interpreter.resources import shipped


def said(merged: Merged, lang: str) -> dict[tuple[str, ...], str]:
    items = [item for item in sayable(merged.root) if item.node.kind == "map"]
    return {item.path: texts_of(item.node)[lang] for item in items if lang in texts_of(item.node)}


@pytest.mark.parametrize("name", in_tiers(shipped(), quick=FEW[:1], whole=FEW[::3]))
@pytest.mark.parametrize("lang", [lang for lang in LANGUAGES if lang != FALLBACK])
def test_what_is_said_already_stands_there(name: str, lang: str) -> None:
    path = shipped()[name]
    found, _ = checked(path, Problems())
    before = joined(path)
    text = wordlist(found, before, lang)

    def again(place: Path) -> Node:
        return load(Source(str(place), text)) if place == path.with_suffix(f".{lang}.yaml") else words_of_file(place)

    after = merge(path, lambda p: load(read(p)), translator=partial(translated, reader=again))
    assert [d for d in after.problems if d.code in ("R615", "R616", "R617")] == []
    assert said(after, lang) == said(before, lang)


GAME = """\
ruleset: 1
game: small
title: A small game
players: {count: 2, seats: [white, black]}
options: {way: {choices: [up, any_way], words: {up: "upwards: yes"}, default: up, en: the way}}
tables: {suits: {columns: {sign: text, worth: 1..9}, rows: {hearts: {sign: H, worth: 1}, stars: {sign: 2, worth: 2}}}}
pieces: {card: {of: [suits], from: pack}}
piles: {pack: {face: up}, heap: {}}
moves:
  lay:
    rule: {at: §1, en: A card is laid.}
    take: cards(pack)
    put: heap
    en: lay {card}
    if: {if: way is up, then: {is: way is up or top(heap) is none, en: first}}
    then: {then: {when: way is up, say: {en: done}}}
flow: {game: {both: {turns: turn, from: white, rounds: 1}}, turn: {one: {choose: [lay]}}}
result: {best: count(heap)}
examples: {nothing lies yet: {given: {at: turn, to_act: white}}}
"""
WORDS = """\
words: de
game: small
# A small game
title:

players:
  white:
  black:

options:
  way:
    # the way
    words:
    # upwards: yes
    up:
    # any way
    any_way:

tables:
  suits:
    words:
    hearts:
      words:
      symbol:
    stars:

pieces:
  card:

piles:
  pack:
  heap:

moves:
  lay:
    # lay {card}
    words: lege {card}
    # A card is laid.
    rule: "Eine Karte: gelegt."
    if:
      if:
      # first
      then:
    then:
      then:
        # done
        say:

flow:
  game:
  turn:
    words:
    one:

in_words:
  suits.worth:

examples:
  nothing lies yet:
"""


def test_everything_is_named_where_it_can_be_said(tmp_path: Path) -> None:
    path = tmp_path / "small.yaml"
    path.write_text(GAME, encoding="utf-8")
    (tmp_path / "small.de.yaml").write_text(
        'words: de\ngame: small\nmoves: {lay: {words: "lege {card}", rule: "Eine Karte: gelegt."}}\n', encoding="utf-8"
    )
    found, _ = checked(path, Problems())
    assert wordlist(found, joined(path), "de") == WORDS


def test_sections_stand_in_the_order_of_a_ruleset_whatever_it_uses(tmp_path: Path) -> None:
    path = tmp_path / "small.yaml"
    path.write_text(GAME.replace("players:", "use: [french]\nplayers:", 1), encoding="utf-8")
    lines = wordlist(checked(path, Problems())[0], joined(path), "de").splitlines()
    heads = [line.partition(":")[0] for line in lines if line[:1].isalpha()]
    assert heads == [
        "words",
        "game",
        "title",
        "players",
        "options",
        "tables",
        "pieces",
        "piles",
        "moves",
        "flow",
        "in_words",
        "examples",
    ]


def test_who_is_called_by_one_letter_is_named_where_he_has_words(tmp_path: Path) -> None:
    """`N` is `N` in any language, unless people call it North."""
    path = tmp_path / "small.yaml"
    seats = GAME.replace("[white, black]", "[N, S], words: {N: North}").replace("white", "N")
    path.write_text(seats, encoding="utf-8")
    (tmp_path / "small.de.yaml").write_text("words: de\ngame: small\n", encoding="utf-8")
    problems = Problems()
    found, _ = checked(path, problems)
    assert "players:\n  # North\n  N:\n\noptions" in wordlist(found, joined(path), "de")
    (missing,) = [d for d in problems if d.code == "R567"]
    assert "players: `N`" in missing.notes
