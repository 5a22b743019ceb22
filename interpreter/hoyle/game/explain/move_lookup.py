"""Which move somebody asks about: one that is not legal too, by its id, in its words, by what it is about; or one that cannot be meant here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from hoyle.game.compiled import Compiled
from hoyle.game.explain.refusals import Wanted, places, refusal
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
from hoyle.language.kinds import List, Piece
from hoyle.language.model import Move, Take, Texts
from hoyle.language.sentences import LANGUAGES
from hoyle.running.machine import Point
from hoyle.running.state import Action, Core
from hoyle.running.wording import short_text


def legal_ids(game: Compiled, core: Core) -> dict[str, Action]:
    """The legal moves by their ids."""
    return dict(zip(game.namer.ids(core, core.acts, core.actor), core.acts, strict=True)) if not core.over else {}


def actions_meant(game: Compiled, core: Core, point: Point, text: str) -> list[Action]:
    """What a move could be bound to under this id, in these words, or by what somebody may have said of it."""
    wanted = plain_words(text, game.namer.readings)
    told = (done for done in (to_infinitive(wanted, lang) for lang in LANGUAGES) if done != wanted)
    found = _meant(game, core, point, text) or _said(game, core, point, wanted)
    found = found or next(filter(None, (_meant(game, core, point, done) for done in told)), [])
    return found or _begun(game, core, point, wanted)


def _begun(game: Compiled, core: Core, point: Point, wanted: str) -> list[Action]:
    """Of words that name a move which is not offered here, what the only one that is can only be bound to, if they begin its name."""
    others = [move for move in game.ruleset.moves.values() if move not in point.moves]
    if match_name(point.moves, wanted) or not (match_name(others, wanted) or _beginning(others, wanted)):
        return []
    begun = _beginning(point.moves, wanted)
    found = [*list_actions(game, core, begun[0])] if len(begun) == 1 and len(wanted) > 2 else []
    return found if len(found) == 1 else []


def _beginning(moves: Iterable[Move], wanted: str) -> list[Move]:
    return [move for move in moves if any(name.startswith(wanted) for name in plain_names(move))]


def _meant(game: Compiled, core: Core, point: Point, text: str) -> list[Action]:
    """What a move that is not legal could be bound to under this id or in these words."""
    wanted, folded = plain_words(text, game.namer.readings), " ".join(text.split()).casefold()
    called = [(m, a, words) for m, words in match_name(point.moves, wanted) for a in list_actions(game, core, m)]
    exact = [a for m, a, _ in called if game.namer.move_id(m, a, core.actor).casefold() == folded]
    same = exact or [a for m, a, words in called if matches_arguments(list_arguments(game, m, a, core.actor), words)]
    shown = same or [a for m, a, _ in called if wanted in list_spellings(game, core, m, a)]
    if shown or called:
        return shown if same or len(shown) == 1 else []
    noted = [m for m in point.moves if m.short is not None]
    short = [a for m in noted for a in list_actions(game, core, m) if wanted in list_spellings(game, core, m, a)]
    return short or [
        a for m in point.moves for a in list_actions(game, core, m) if is_about_pieces(game, core, m, a, wanted)
    ]


def _said(game: Compiled, core: Core, point: Point, wanted: str) -> list[Action]:
    """What somebody may have said: a legal move, if one is meant. What begins like an id is one, or what is wrong with it is told."""
    if any(f"{wanted} ".startswith(f"{plain_words(move.name)} ") for move in point.moves):
        return []
    every = [(m, a) for m in point.moves for a in list_actions(game, core, m)]
    found = [a for _, a in match_phrase(game, core, every, wanted) or match_target_first(game, core, every, wanted)]
    return [action for action in found if action in core.acts][:1] or found


def asked_for(game: Compiled, core: Core, point: Point, text: str) -> Wanted | None:
    """The move that a text names, though there is nothing that it could be bound to so."""
    wanted = plain_words(text, game.namer.readings)
    noted = parse_notation(game, core, point.moves, wanted)
    if noted is not None:
        return Wanted(game, core, *noted, text)
    called = match_name((*point.moves, *game.ruleset.moves.values()), wanted) or _of_a_hand(game, point, wanted)
    if not called:
        return None
    move, words = called[0]
    return Wanted(game, core, move, tuple(reorder_to_id(game, core, move, words)), text, tuple(words))


def leading_from_there(asked: Wanted, lang: str) -> list[str]:
    """Where the move leads from what a notation names, in the notation: it does not lead where this says."""
    game, core, move = asked.game, asked.core, asked.move
    place = move.bindings.index(move.origin) + 1 if move.origin is not None else 0
    actions = list_actions(game, core, move) if place else []
    there = [a for a in actions if pile_phrase(game, a[place], core.actor) == asked.words]
    return [short_text(game.namer, move, a, wording_context(game, core, move, a, lang)) for a in there]


def _of_a_hand(game: Compiled, point: Point, wanted: str) -> list[tuple[Move, list[str]]]:
    """A move that might have been about this piece alone: it takes any of those that lie somewhere."""
    signs = {plain_words(sign, game.namer.readings) for sign in game.namer.signs}
    return [(move, [wanted]) for move in point.moves if wanted in signs and any(take.any_piece for take in move.takes)]


class Lying(Struct, frozen=True):
    """Where a piece lies that whoever acts sees: in which pile, at which height, and what on top of it (None: nothing that is seen)."""

    pile: int
    height: int
    above: int
    covered_by: int | None


def piece_named(game: Compiled, wanted: str) -> int | None:
    """The class of piece that plain words name. A number alone is none: it may be anything."""
    signs = enumerate(game.namer.signs)
    match_name = (n for n, sign in signs if plain_words(sign, game.namer.readings) == wanted)
    return None if wanted.isdigit() else next(match_name, None)


def seen_lying(game: Compiled, core: Core, cls: int) -> Iterator[Lying]:
    """Where whoever acts sees such a piece."""
    for number, pile in enumerate(core.piles[: len(game.machine.face)]):
        size = len(pile)
        for height, piece in enumerate(pile):
            if piece >> 1 == cls and can_see(game, number, height, size, piece, core.actor):
                yield Lying(number, height, size - 1 - height, _seen_at(game, core, number, height + 1))


def _seen_at(game: Compiled, core: Core, number: int, height: int) -> int | None:
    pile = core.piles[number]
    there = height < len(pile) and can_see(game, number, height, len(pile), pile[height], core.actor)
    return pile[height] if there else None


def no_move_of(game: Compiled, core: Core, point: Point, cls: int) -> Texts:
    """What stands in the way of the piece that is nearest to being moved."""
    found = [(lies, _takes(game, core, point, lies.pile)) for lies in seen_lying(game, core, cls)]
    if not found:
        return refusal("not_seen", piece=lambda lang: game.namer.shown(lang)[cls])
    lies, takes = min(found, key=lambda one: (not one[1], one[0].above))
    where = places(game, core, [lies.pile])
    if not takes:
        key = "not_alone" if _may_be_among(game, point, lies.pile) else "not_taken_now"
        return refusal(key, piece=lambda lang: game.namer.shown(lang)[cls], pile=where)
    if not lies.above or any(take.any_piece for take in takes):
        return refusal("nowhere", piece=lambda lang: game.namer.shown(lang)[cls])
    return _covered(game, cls, lies.covered_by, core, lies.pile)


def _covered(game: Compiled, cls: int, by: int | None, core: Core, pile: int) -> Texts:
    above = "?" if by is None else None
    return refusal(
        "covered",
        piece=lambda lang: game.namer.shown(lang)[cls],
        above=lambda lang: above or game.namer.piece(by or 0, lang),
        pile=places(game, core, [pile]),
    )


def _takes(game: Compiled, core: Core, point: Point, pile: int) -> list[Take]:
    """By which moves of this decision something is taken from this pile."""
    return [take for move in point.moves for take in move.takes if pile in _sources(game, core, move, take)]


def _may_be_among(game: Compiled, point: Point, pile: int) -> bool:
    """Does a move of this decision name several pieces that may lie there?"""
    family = game.namer.family(pile).name
    items = [var.kind.item for move in point.moves for var, _ in move.withs if isinstance(var.kind, List)]
    return any(isinstance(item, Piece) and family in (item.families or (family,)) for item in items)


def _sources(game: Compiled, core: Core, move: Move, take: Take) -> list[int]:
    return evaluate_piles(take.source, game.setting(core), {move.me: core.actor})
