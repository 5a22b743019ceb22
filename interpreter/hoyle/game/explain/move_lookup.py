"""Find the move that a question is about, legal or not, and say why a piece named alone cannot be moved.

`moves.parsing` finds legal moves only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from hoyle.game.compiled import Compiled
from hoyle.game.explain.refusals import Request, name_piles, refusal
from hoyle.game.moves.legal import evaluate_piles, list_actions, wording_context
from hoyle.game.moves.notation import parse_notation
from hoyle.game.moves.parsing import (
    is_about_pieces,
    list_arguments,
    list_spellings,
    match_name,
    matches_arguments,
    plain_names,
)
from hoyle.game.moves.phrases import match_phrase, match_target_first, pile_phrase, reorder_to_id, to_infinitive
from hoyle.game.spelling import plain_words
from hoyle.game.views.view import can_see
from hoyle.language.model import Move, Take, Texts
from hoyle.language.sentences import LANGUAGES
from hoyle.language.value_types import List, Piece
from hoyle.running.machine import Point
from hoyle.running.state import Action, Core
from hoyle.running.wording import short_text


def legal_ids(game: Compiled, core: Core) -> dict[str, Action]:
    """Return the legal actions by id."""
    return dict(zip(game.namer.ids(core, core.acts, core.actor), core.acts, strict=True)) if not core.over else {}


def find_actions(game: Compiled, core: Core, point: Point, text: str) -> list[Action]:
    """Return the actions of a decision that a text may mean, whether legal or not."""
    wanted = plain_words(text, game.namer.readings)
    found = _find_by_spelling(game, core, point, text) or _find_by_phrase(game, core, point, wanted)
    if found:
        return found
    for infinitive in (to_infinitive(wanted, lang) for lang in LANGUAGES):
        if infinitive != wanted and (found := _find_by_spelling(game, core, point, infinitive)):
            return found
    return _find_by_beginning(game, core, point, wanted)


def _find_by_spelling(game: Compiled, core: Core, point: Point, text: str) -> list[Action]:
    """Find actions by their ids, by the words shown, by their notation, or by their pieces."""
    wanted, folded = plain_words(text, game.namer.readings), " ".join(text.split()).casefold()
    named = [(m, a, words) for m, words in match_name(point.moves, wanted) for a in list_actions(game, core, m)]
    exact = [a for m, a, _ in named if game.namer.move_id(m, a, core.actor).casefold() == folded]
    exact = exact or [a for m, a, words in named if matches_arguments(list_arguments(game, m, a, core.actor), words)]
    shown = exact or [a for m, a, _ in named if wanted in list_spellings(game, core, m, a)]
    if shown or named:
        return shown if exact or len(shown) == 1 else []
    noted = [m for m in point.moves if m.short is not None]
    found = [a for m in noted for a in list_actions(game, core, m) if wanted in list_spellings(game, core, m, a)]
    every = ((m, a) for m in point.moves for a in list_actions(game, core, m))
    return found or [a for m, a in every if is_about_pieces(game, core, m, a, wanted)]


def _find_by_phrase(game: Compiled, core: Core, point: Point, wanted: str) -> list[Action]:
    """Find actions by a free phrase; a legal one alone, if there is one. Text that begins like an id is no phrase."""
    if any(f"{wanted} ".startswith(f"{plain_words(move.name)} ") for move in point.moves):
        return []
    every = [(m, a) for m in point.moves for a in list_actions(game, core, m)]
    found = [a for _, a in match_phrase(game, core, every, wanted) or match_target_first(game, core, every, wanted)]
    return [action for action in found if action in core.acts][:1] or found


def _find_by_beginning(game: Compiled, core: Core, point: Point, wanted: str) -> list[Action]:
    """Return the only action of the only offered move whose name begins with `wanted`.

    Returns nothing unless the text also names, or begins, a move that is not offered.
    """
    others = [move for move in game.ruleset.moves.values() if move not in point.moves]
    if match_name(point.moves, wanted) or not (match_name(others, wanted) or _moves_beginning(others, wanted)):
        return []
    begun = _moves_beginning(point.moves, wanted)
    found = [*list_actions(game, core, begun[0])] if len(begun) == 1 and len(wanted) > 2 else []
    return found if len(found) == 1 else []


def _moves_beginning(moves: Iterable[Move], wanted: str) -> list[Move]:
    return [move for move in moves if any(name.startswith(wanted) for name in plain_names(move))]


def find_request(game: Compiled, core: Core, point: Point, text: str) -> Request | None:
    """Return the move that a text names, though it cannot be bound so."""
    wanted = plain_words(text, game.namer.readings)
    noted = parse_notation(game, core, point.moves, wanted)
    if noted is not None:
        return Request(game, core, *noted, text)
    named = match_name((*point.moves, *game.ruleset.moves.values()), wanted)
    if not named and any(plain_words(sign, game.namer.readings) == wanted for sign in game.namer.signs):
        # a piece alone: a move that takes any piece might have been about it
        named = [(move, [wanted]) for move in point.moves if any(take.any_piece for take in move.takes)]
    if not named:
        return None
    move, words = named[0]
    return Request(game, core, move, tuple(reorder_to_id(game, core, move, words)), text, tuple(words))


def list_ways_from(request: Request, lang: str) -> list[str]:
    """Return, in notation, the actions of a move from the pile that a request names."""
    game, core, move = request.game, request.core, request.move
    place = move.bindings.index(move.origin) + 1 if move.origin is not None else 0
    actions = list_actions(game, core, move) if place else []
    there = [a for a in actions if pile_phrase(game, a[place], core.actor) == request.words]
    return [short_text(game.namer, move, a, wording_context(game, core, move, a, lang)) for a in there]


# ---- a piece named alone ---------------------------------------------------------------------------------------------


class Location(Struct, frozen=True):
    """Location of a visible piece. `covered_by`: the piece upon it; None if nothing visible is upon it."""

    pile: int
    height: int
    above: int
    covered_by: int | None


def find_piece(game: Compiled, wanted: str) -> int | None:
    """Return the class of piece that plain words name. A number alone names none, because it may be anything."""
    named = (n for n, sign in enumerate(game.namer.signs) if plain_words(sign, game.namer.readings) == wanted)
    return None if wanted.isdigit() else next(named, None)


def locate_piece(game: Compiled, core: Core, cls: int) -> Iterator[Location]:
    """Yield the locations where the seat that acts sees a piece of this class."""
    for number, pile in enumerate(core.piles[: len(game.machine.face)]):
        size = len(pile)
        seen = [p if can_see(game, number, n, size, p, core.actor) else None for n, p in enumerate(pile)]
        for height, piece in enumerate(seen):
            if piece is not None and piece >> 1 == cls:
                yield Location(number, height, size - 1 - height, [*seen, None][height + 1])


def explain_piece(game: Compiled, core: Core, point: Point, cls: int) -> Texts:
    """Say what prevents a move with the piece of this class that is nearest to being moved."""

    def piece(lang: str) -> str:
        return game.namer.shown(lang)[cls]

    found = [(where, _takes_from(game, core, point, where.pile)) for where in locate_piece(game, core, cls)]
    if not found:
        return refusal("not_seen", piece=piece)
    where, takes = min(found, key=lambda one: (not one[1], one[0].above))
    pile, cover = name_piles(game, core, [where.pile]), where.covered_by
    if not takes:
        key = "not_alone" if _may_be_listed(game, point, where.pile) else "not_taken_now"
        return refusal(key, piece=piece, pile=pile)
    if not where.above or any(take.any_piece for take in takes):
        return refusal("nowhere", piece=piece)
    above = (lambda lang: "?") if cover is None else (lambda lang: game.namer.piece(cover, lang))
    return refusal("covered", piece=piece, above=above, pile=pile)


def _takes_from(game: Compiled, core: Core, point: Point, pile: int) -> list[Take]:
    """Return the `take` entries of moves here that take from this pile."""
    setting = game.setting(core)
    return [
        take
        for move in point.moves
        for take in move.takes
        if pile in evaluate_piles(take.source, setting, {move.me: core.actor})
    ]


def _may_be_listed(game: Compiled, point: Point, pile: int) -> bool:
    """Return whether a move here names several pieces that may lie in this pile."""
    family = game.namer.family(pile).name
    items = [var.type.item for move in point.moves for var, _ in move.withs if isinstance(var.type, List)]
    return any(isinstance(item, Piece) and family in (item.families or (family,)) for item in items)
