"""What lies where, pile by pile, in words: of a position as it is written, and of what a seat sees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interpreter.diagnostics import Problems
from interpreter.game.arranging import UNKNOWN, Arranger
from interpreter.game.compiled import Compiled
from interpreter.game.game import State
from interpreter.language.kinds import bounds
from interpreter.language.model import StateFamily
from interpreter.language.sentences import Sentence
from interpreter.prose.speech import sentence
from interpreter.reading.tree import Node
from interpreter.rulebook.telling import Telling, say

Rows = list[tuple[str, str]]
_EMPTY = Sentence("value.no_pieces")


def given_rows(given: Node, told: Telling) -> Rows:
    """What a position says, in its order."""
    return [*_piles(given.get("piles"), told), *_state(given.get("state"), told)]


def _piles(node: Node | None, told: Telling) -> Iterator[tuple[str, str]]:
    if node is None or node.kind != "map":
        return
    game = told.game.compiled
    arranger = Arranger(game, Problems())
    piles: list[list[int]] = [[] for _ in game.machine.face]
    numbers = [(n, value) for name, key, inner in node.entries() for n, value in arranger.places(name, key, inner)]
    for number, value in numbers:
        arranger.lay(piles, number, value)
    for number in dict.fromkeys(n for n, _ in numbers):
        yield sentence(game.namer.pile(number, told.lang)), _pieces(game, piles[number], told.lang)


def _pieces(game: Compiled, pieces: Sequence[int], lang: str) -> str:
    shown = game.namer.shown(lang)
    words = [say("positions.unknown", lang) if piece == UNKNOWN else shown[piece >> 1] for piece in pieces]
    if len(set(words)) == 1 and len(words) > 3:
        return say("positions.times", lang, count=len(words), piece=words[0])
    return " ".join(words) or _EMPTY[lang]


def _state(node: Node | None, told: Telling) -> Iterator[tuple[str, str]]:
    if node is None or node.kind != "map":
        return
    game = told.game.compiled
    for _, family, index, _, value in Arranger(game, Problems()).values(node):
        yield _label(family, index, told), game.namer.value(value, family.kind, told.lang)


def _label(family: StateFamily, index: int, told: Telling) -> str:
    label = sentence(told.voice.label("state", family.name))
    members, inner, member = [], family.size, index - family.base
    for key in family.keys:
        inner //= told.game.compiled.count_of(key)
        which, member = divmod(member, inner)
        members.append(told.game.compiled.namer.value(which + bounds(key)[0], key, told.lang))
    return f"{label} ({', '.join(members)})" if members else label


def seen_rows(state: State, lang: str) -> Rows:
    """What a seat sees, without piles in which nothing lies."""
    game = state.game.compiled
    rows: Rows = []
    for number, pile in enumerate(state.view(state.to_act).piles):
        if pile.count and pile.layout != "hidden":
            signs = [piece.sign for piece in pile.pieces]
            rows.append((sentence(game.namer.pile(number, lang)), _seen(game, signs, pile.count, lang)))
    return rows


def _seen(game: Compiled, signs: Sequence[str | None], count: int, lang: str) -> str:
    shown = dict(zip(game.namer.signs, game.namer.shown(lang), strict=True))
    if all(sign is None for sign in signs):
        return say("positions.backs", lang, count=count)
    words = [shown.get(sign, sign) if sign is not None else say("positions.unknown", lang) for sign in signs]
    if len(set(words)) == 1 and len(words) > 3:
        return say("positions.times", lang, count=count, piece=words[0])
    return " ".join(words)
