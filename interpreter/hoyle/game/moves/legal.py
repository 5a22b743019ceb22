"""Legal moves of a state, with their ids and words. Typed moves are read by `parsing`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from hoyle.checking.analysis import list_formulas
from hoyle.diagnostics import Diagnostic, LocalizedText, Refused
from hoyle.game.compiled import Compiled
from hoyle.game.pieces import hand_positions
from hoyle.language.evaluate import Names, Setting, evaluate, walk_all
from hoyle.language.ir import ABSENT, Chosen, Expr, Item, Var, WordCall
from hoyle.language.model import Move as Definition
from hoyle.language.model import Rule, Texts, text_in, texts_of
from hoyle.language.sentences import FALLBACK, LANGUAGES, make_message
from hoyle.language.value_types import List, Piece, get_families
from hoyle.running.state import Action, Core
from hoyle.running.wording import Reader, move_text, short_text


class Move(Struct, frozen=True, eq=False):
    """A legal move. `id` is stable and unique in its position; `action` is what the machine carries out.

    Words are rendered when they are asked for, because most moves are never read."""

    id: str
    name: str
    seat: str
    rule: Rule
    fault: str | None
    action: Action
    _languages: tuple[str, ...]
    _render: Callable[[str], str]
    _render_short: Callable[[str], str]
    _list_sets: Callable[[], tuple[tuple[str, ...], ...]] = tuple

    @property
    def sets(self) -> tuple[tuple[str, ...], ...]:
        """Signs of the pieces of each subset that the move is bound to; their order means nothing."""
        return self._list_sets()

    @property
    def texts(self) -> Texts:
        """The move in words, in every language of its ruleset."""
        return texts_of(self._render, self._languages)

    def text(self, lang: str = "en") -> str:
        """Return the move in words."""
        rendered = self._render(lang) if lang in self._languages else ""
        return rendered or text_in(self.texts, lang)

    def short(self, lang: str = "en") -> str:
        """Return the move in the notation of its game, with a language's letters for pieces; empty if there is none."""
        return self._render_short(lang)

    def _key(self) -> tuple[object, ...]:
        return self.id, self.name, self.seat, self.fault, self.action

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Move) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())


def legal_moves(game: Compiled, core: Core) -> list[Move]:
    """Return the legal moves of the seat to act; none after the end. Raises Refused if the state stands at no decision."""
    if core.over:
        return []
    if core.pc not in game.machine.points:
        raise Refused([Diagnostic("R712", make_message("no_place"), help=make_message("write_at"))])
    ids = game.namer.ids(core, core.acts, core.actor)
    known = definitions_here(game, core)
    snapshot = _snapshot(game, core, known.values())
    return [
        _make_move(game, known[action[0]], action, move_id, _broken_obligation(game, core, i), snapshot)
        for i, (move_id, action) in enumerate(zip(ids, core.acts, strict=True))
    ]


def definitions_here(game: Compiled, core: Core) -> dict[int, Definition]:
    """Moves that the current decision offers, by their numbers."""
    point = game.machine.points.get(core.pc)
    return {move.number: move for move in point.moves} if point is not None else {}


def _snapshot(game: Compiled, core: Core, moves: Iterable[Definition]) -> Core:
    """Copy as much of the state as words need: they may be rendered after the state has changed."""
    snapshot, whole = core.lent(), any(game.machine.needs(move.number).lets for move in moves)
    snapshot.piles = [pile[:] if whole else pile[-1:] for pile in core.piles]
    snapshot.actor = core.actor
    return snapshot


def _make_move(
    game: Compiled, move: Definition, action: Action, move_id: str, fault: str | None, snapshot: Core
) -> Move:
    def render(lang: str) -> str:
        return render_move(game, move, action, wording_context(game, snapshot, move, action, lang))

    def render_short(lang: str) -> str:
        return short_text(game.namer, move, action, wording_context(game, snapshot, move, action, lang))

    def list_sets() -> tuple[tuple[str, ...], ...]:
        chosen = (action[place] for place in set_positions(game, move))
        return tuple(tuple(game.namer.signs[piece >> 1] for piece in pieces) for pieces in chosen)

    seat, languages = game.seats[snapshot.actor], tuple(game.ruleset.languages)
    return Move(move_id, move.name, seat, move.rule, fault, action, languages, render, render_short, list_sets)


def _broken_obligation(game: Compiled, core: Core, i: int) -> str | None:
    """Return the obligation that the action with this index would break."""
    number = core.faults[i] if i < len(core.faults) else ABSENT
    if number == ABSENT:
        return None
    return next((o.name for o in game.ruleset.obligations.values() if o.number == number), None)


def automatic_move(game: Compiled, core: Core, moves: Sequence[Move]) -> Move | None:
    """Return the move that displays make without asking here; None if there is none, or if it can be made in several ways."""
    number = game.machine.points[core.pc].unasked
    found = [move for move in moves if move.action[0] == number]
    return found[0] if len(found) == 1 else None


def quote_moves(moves: Sequence[Move]) -> LocalizedText:
    """List moves as one may type them: ids in English, words in other languages."""
    others = {lang: ", ".join(f"`{move.text(lang)}`" for move in moves) for lang in LANGUAGES if lang != FALLBACK}
    return LocalizedText(", ".join(f"`{move.id}`" for move in moves), others)


# ---- words -----------------------------------------------------------------------------------------------------------


def wording_context(game: Compiled, core: Core, move: Definition, action: Action, lang: str) -> Reader:
    """Context in which an action is worded for the seat that acts."""
    return Reader(core.actor, lang, core.piles, lets=game.machine.needs(move.number).given(core, action))


def render_move(game: Compiled, move: Definition, action: Sequence[Any], context: Reader) -> str:
    """Render a move as text. Pieces of a set are sorted as in a hand."""
    text, shown = move_text(game.namer, move, tuple(action), context), game.namer.shown(context.lang)
    places = hand_positions(game)
    for position in set_positions(game, move):
        pieces = action[position]
        in_hand = sorted(pieces, key=lambda piece: places[piece >> 1])
        written, sorted_ = (" ".join(shown[piece >> 1] for piece in some) for some in (pieces, in_hand))
        text = text.replace(written, sorted_)
    return text


def set_positions(game: Compiled, move: Definition) -> tuple[int, ...]:
    """Indices, in actions of a move, of subsets of pieces and of lists out of a hand: their order means nothing."""
    return game.cached(("sets", move.number), lambda: tuple(_set_positions(game, move)))


def _set_positions(game: Compiled, move: Definition) -> Iterator[int]:
    for var, items in move.withs:
        if not isinstance(var.type, List) or not isinstance(piece := var.type.item, Piece):
            continue
        is_subset = isinstance(items, WordCall) and items.word == "subsets"
        held = piece.families and all(game.ruleset.piles[name].face == "owner" for name in piece.families)
        if is_subset or held:
            yield 1 + move.bindings.index(var)


# ---- bindings --------------------------------------------------------------------------------------------------------


def list_actions(game: Compiled, core: Core, move: Definition) -> Iterator[Action]:
    """Yield every binding of a move as an action of the seat to act, even if its conditions fail."""
    setting = game.setting(core)
    for names in _bind(core, move, setting, {move.me: core.actor}):
        values = (names[var] for var in move.bindings)
        yield (move.number, *(tuple(value) if isinstance(value, list) else value for value in values))


def bound_names(move: Definition, action: Action, actor: int) -> Names:
    """Return the variables that the formulas of a move see."""
    return {move.me: actor, **dict(zip(move.bindings, action[1:], strict=True))}


def source_piles(game: Compiled, core: Core, move: Definition) -> list[int]:
    """Return the piles that a move takes from."""
    setting, names = game.setting(core), {move.me: core.actor}
    return list(dict.fromkeys(n for take in move.takes for n in evaluate_piles(take.source, setting, names)))


def evaluate_piles(expr: Expr, setting: Setting, names: Names) -> list[int]:
    """Evaluate a formula to the piles it names, one or several, without absent ones."""
    value = evaluate(expr, setting, names)
    return [n for n in ([value] if expr.type.name == "pile" else value) if n >= 0]


def _bind(core: Core, move: Definition, setting: Setting, names: Names) -> Iterator[Names]:
    for taken in _bind_taken(core, move, setting, names):
        for chosen in _bind_withs(move.withs, setting, taken):
            if move.put is None or move.target is None:
                yield chosen
            else:
                yield from ({**chosen, move.target: n} for n in evaluate_piles(move.put, setting, chosen))


def _bind_taken(core: Core, move: Definition, setting: Setting, names: Names) -> Iterator[Names]:
    if move.taken is None:
        yield names
        return
    origin, card = move.taken
    for take in move.takes:
        for pile in evaluate_piles(take.source, setting, names):
            pieces = core.piles[pile]
            for piece in dict.fromkeys(pieces if take.any_piece else pieces[-1:]):
                yield {**names, origin: pile, card: piece}


def _bind_withs(withs: list[tuple[Var, Expr]], setting: Setting, names: Names) -> Iterator[Names]:
    if not withs:
        yield names
        return
    var, items = withs[0]
    for item in evaluate(items, setting, names):
        yield from _bind_withs(withs[1:], setting, {**names, var: item})


# ---- equivalent moves ------------------------------------------------------------------------------------------------


def merge_equivalent(game: Compiled, core: Core, moves: Sequence[Move]) -> list[Move]:
    """Keep the first of moves that differ only in which of several equal empty columns they put on."""
    kept: dict[object, Move] = {}
    for move in moves:
        kept.setdefault(_equivalence_key(game, core, move), move)
    return list(kept.values())


def _equivalence_key(game: Compiled, core: Core, move: Move) -> object:
    definition, action = game.ruleset.moves[move.name], move.action
    if definition.target is None:
        return action
    at = len(definition.bindings)
    family = game.namer.family(action[at])
    distinguished = game.cached(("distinguished",), lambda: frozenset(_distinguished_families(game)))
    if core.piles[action[at]] or not family.has_columns or family.name in distinguished:
        return action
    return (*action[:at], None, *action[at + 1 :]), family.name, game.namer.member(action[at])


def _distinguished_families(game: Compiled) -> Iterator[str]:
    """Families of which some formula picks a column by its number, or asks for the number."""
    for part in (part for formula in list_formulas(game.ruleset) for part in walk_all(formula)):
        # a word other than `vacant` picks one of several by its place
        picks = isinstance(part, Item | Chosen) or (isinstance(part, WordCall) and part.word != "vacant")
        if part.type.name == "pile" and picks:
            yield from get_families(part.type)
        elif isinstance(part, WordCall) and part.word == "index":
            yield from get_families(part.args[0].type)
