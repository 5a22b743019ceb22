"""List the contents of piles and cells in words: of positions in examples and of views of a seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec.structs import replace

from hoyle.diagnostics import Problems
from hoyle.game.compiled import Compiled
from hoyle.game.game import State
from hoyle.game.position_entries import UNKNOWN, EntryReader
from hoyle.game.views.view import View, make_open_view
from hoyle.language.ir import ABSENT
from hoyle.language.model import StateFamily
from hoyle.language.value_types import get_bounds
from hoyle.prose.grammar import capitalize
from hoyle.reading.tree import Node
from hoyle.rulebook.context import RulebookContext, say
from hoyle.view_data import BACK, PileView

Rows = list[tuple[str, str]]
MANY_ALIKE = 3
"""Most unknown pieces in a run that are listed one by one; longer runs are counted."""
MANY = 8
"""Most cells that are listed one by one; of more, the most common value is told once."""
_CLOSED = ("down", "owner")
"""Faces of piles in which every piece lies face down."""


def list_position(given: Node, state: State, context: RulebookContext) -> Rows:
    """Return the contents of a position in its order: piles, then cells that are visible or mentioned."""
    return [*list_piles(given, state, context), *_list_state(given.get("state"), context)]


def list_facts(given: Node, context: RulebookContext) -> str:
    """Return the true statements of a position as sentences: `Nobody wanted the upcard.`"""
    found = [family for family, _, value in _read_values(given.get("state"), context) if _is_fact(family) and value]
    labels = dict.fromkeys(context.voice.label("state", family.name) for family in found)
    return " ".join(f"{capitalize(label)}." for label in labels)


def _is_fact(family: StateFamily) -> bool:
    return family.type.name == "bool" and not family.keys


def open_hands(given: Node, state: State) -> View:
    """Return a view with every hand open; pieces that the position does not fix are face down."""
    game = state.game.compiled
    laid = _read_piles(given.get("piles"), game)
    seen = make_open_view(game, state.core, state.to_act)
    return replace(seen, piles=tuple(_hide_unknown(pile, laid.get(n, ())) for n, pile in enumerate(seen.piles)))


def _hide_unknown(pile: PileView, written: Sequence[int]) -> PileView:
    """Return the pile with a back in place of each piece that the position leaves unknown."""
    pieces = [BACK if piece == UNKNOWN else seen for piece, seen in zip(written, pile.pieces, strict=False)]
    return replace(pile, pieces=(*pieces, *pile.pieces[len(pieces) :]))


def _read_piles(node: Node | None, game: Compiled) -> dict[int, list[int]]:
    """Return the piles of a position: pile numbers with the pieces that it names."""
    if node is None or node.kind != "map":
        return {}
    arranger = EntryReader(game, Problems())
    piles: list[list[int]] = [[] for _ in game.machine.face]
    numbers = [(n, value) for name, key, inner in node.entries() for n, value in arranger.places(name, key, inner)]
    for number, value in numbers:
        arranger.lay(piles, number, value)
    return {number: piles[number] for number, _ in numbers}


def list_piles(node: Node, state: State, context: RulebookContext, before: State | None = None) -> Rows:
    """Return rows for the visible piles of a position, without those unchanged since `before`."""
    game, rows = context.game.compiled, Rows()
    for number, pieces in _read_piles(node.get("piles"), game).items():
        family = game.namer.family(number)
        same = before is not None and before.core.piles[number] == state.core.piles[number]
        if family.layout != "hidden" and not same:
            rows.append(
                (_name_pile(number, state, context.lang), _describe_pile(game, pieces, family.face, context.lang))
            )
    return rows


def _describe_pile(game: Compiled, pieces: Sequence[int], face: str, lang: str) -> str:
    """Return the pieces from bottom to top; tell face up from face down if the pile has both."""
    down = [piece != UNKNOWN and not piece & 1 for piece in pieces]
    if face in _CLOSED or not any(down):
        return _describe_pieces(game, pieces, lang)
    runs = ([piece for piece, _ in run] for _, run in groupby(zip(pieces, down, strict=True), key=lambda one: one[1]))
    said = [(run, _describe_pieces(game, run, lang)) for run in runs]
    keys = ["positions.up" if run[0] & 1 else "positions.down" for run, _ in said]
    parts = [say(key, lang, pieces=words) for key, (_, words) in zip(keys, said, strict=True)]
    return say("examples.between", lang).join(parts)


def _name_pile(pile: int, state: State, lang: str) -> str:
    """Return the name of a pile as the player to act calls it, or else the first player."""
    namer, seats = state.game.compiled.namer, state.game.seats
    actor = seats.index(state.to_act) if state.to_act in seats else 0
    return capitalize(namer.pile(pile, lang, actor if (pile, actor) in namer.numbers else ABSENT))


def _describe_pieces(game: Compiled, pieces: Sequence[int], lang: str) -> str:
    shown = game.namer.shown(lang)
    words = [say("positions.unknown", lang) if piece == UNKNOWN else shown[piece >> 1] for piece in pieces]
    if len(set(words)) == 1 and len(words) > MANY_ALIKE and not words[0].isdigit():
        key = "positions.any" if pieces[0] == UNKNOWN else "positions.times"
        return say(key, lang, count=len(words), piece=words[0])
    return " ".join(words) or say("positions.empty", lang)


def _read_values(node: Node | None, context: RulebookContext) -> list[tuple[StateFamily, int, int]]:
    """Return family, cell and value for each cell of a position that is visible or mentioned.

    The last value of a cell counts.
    """
    if node is None or node.kind != "map":
        return []
    found = {
        index: (family, index, value)
        for _, family, index, _, value in EntryReader(context.game.compiled, Problems()).values(node)
    }
    kept = (one for one in found.values() if one[0].layout != "hidden" or context.mentions(one[0].name))
    return [*kept]


def _list_state(node: Node | None, context: RulebookContext) -> Iterator[tuple[str, str]]:
    """Yield a row for each name of the state with the values of all its cells: `A 93, B 80`."""
    values = [one for one in _read_values(node, context) if not _is_fact(one[0])]
    for _, group in groupby(values, key=lambda one: one[0].name):
        cells = [*group]
        yield capitalize(context.voice.label("state", cells[0][0].name)), _describe_cells(cells, context)


def _describe_cells(cells: Sequence[tuple[StateFamily, int, int]], context: RulebookContext) -> str:
    """Return the values of cells: of many, only the exceptions; of truths, only the true ones."""
    name = context.game.compiled.namer.value
    said = [
        (_name_keys(family, index, context), name(value, family.type, context.lang), value)
        for family, index, value in cells
    ]
    if len(said) > MANY:
        usual = Counter(words for _, words, _ in said).most_common(1)[0][0]
        others = [(members, words) for members, words, _ in said if words != usual]
        return context.say("positions.mostly", usual=usual, others=_group_by_keys(others, context)) if others else usual
    if cells[0][0].type.name == "bool":
        return _group_by_keys([(members, "") for members, _, value in said if value], context)
    return _group_by_keys([(members, words) for members, words, _ in said], context)


def _group_by_keys(found: Sequence[tuple[Sequence[str], str]], context: RulebookContext) -> str:
    """Group values with several keys by all keys but the last: `A: no tricks, no queens; B: trumps`."""
    if any(len(members) < 2 for members, _ in found):
        return _join_pairs([(" ".join(members), value) for members, value in found])
    parts = []
    for first, group in groupby(found, key=lambda one: one[0][:-1]):
        what = _join_pairs([(members[-1], value) for members, value in group])
        parts.append(context.say("positions.whose", whose=", ".join(first), what=what))
    return context.say("examples.between").join(parts)


def _join_pairs(said: Sequence[tuple[str, str]]) -> str:
    return ", ".join(f"{whose} {value}".strip() for whose, value in said)


def _name_keys(family: StateFamily, index: int, context: RulebookContext) -> list[str]:
    """Return the names of the keys of a cell."""
    members, inner, member = [], family.size, index - family.base
    for key in family.keys:
        inner //= context.game.compiled.count_of(key)
        which, member = divmod(member, inner)
        members.append(context.game.compiled.namer.value(which + get_bounds(key)[0], key, context.lang))
    return members


def list_view(state: State, lang: str) -> Rows:
    """Return rows for the piles that the player to act sees, without empty ones."""
    game = state.game.compiled
    rows: Rows = []
    for number, pile in enumerate(state.view(state.to_act).piles):
        if pile.count and pile.layout != "hidden":
            signs = [piece.sign for piece in pile.pieces]
            rows.append((_name_pile(number, state, lang), _describe_seen(game, signs, pile.count, lang)))
    return rows


def _describe_seen(game: Compiled, signs: Sequence[str | None], count: int, lang: str) -> str:
    shown = dict(zip(game.namer.signs, game.namer.shown(lang), strict=True))
    if all(sign is None for sign in signs):
        return say("positions.backs", lang, count=count)
    words = [shown.get(sign, sign) if sign is not None else say("positions.unknown", lang) for sign in signs]
    if len(set(words)) == 1 and len(words) > MANY_ALIKE and not words[0].isdigit():
        return say("positions.times", lang, count=len(words), piece=words[0])
    return " ".join(_count_runs(words, lang))


def _count_runs(words: Sequence[str], lang: str) -> Iterator[str]:
    """Yield the words; long runs of unknown pieces are replaced by their number."""
    unknown = say("positions.unknown", lang)
    for word, run in groupby(words):
        some = [*run]
        if word == unknown and len(some) > MANY_ALIKE:
            yield say("positions.times", lang, count=len(some), piece=word)
        else:
            yield from some
