"""The legal moves of a state, as people name them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from interpreter.diagnostics import Diagnostic, Refused
from interpreter.game.compiled import Compiled
from interpreter.language.ir import ABSENT
from interpreter.language.kinds import List
from interpreter.language.model import Move as Definition
from interpreter.language.model import Rule, Texts, text_in, texts_of
from interpreter.running.naming import slug
from interpreter.running.state import Action, Core


class Move(Struct, frozen=True):
    """A legal move. `id` is stable and unique in its position; `action` is what the machine carries out."""

    id: str
    name: str
    seat: str
    rule: Rule
    fault: str | None
    action: Action
    texts: Texts

    def text(self, lang: str = "en") -> str:
        """The move in words."""
        return text_in(self.texts, lang)


def legal_moves(game: Compiled, core: Core) -> list[Move]:
    """The legal moves of whoever acts; none when the game is over. Raises Refused where nobody decides."""
    if core.over:
        return []
    if core.pc not in game.machine.points:
        help = "write `at:` with a decision, a step or a phase"
        raise Refused([Diagnostic("R712", "the position does not say where the game stands", help=help)])
    ids = game.namer.ids(core, core.acts, core.actor)
    return [_move(game, core, i, ident) for i, ident in enumerate(ids)]


def _move(game: Compiled, core: Core, i: int, ident: str) -> Move:
    action = core.acts[i]
    move = next(m for m in game.machine.points[core.pc].moves if m.number == action[0])
    words = texts_of(lambda lang: game.namer.move_text(move, action, core.actor, lang, core.piles))
    return Move(ident, move.name, game.seats[core.actor], move.rule, _fault(game, core, i), action, words)


def names_it(game: Compiled, core: Core, move: Definition, action: Action, words: Sequence[str]) -> bool:
    """Do these words, a move's name and what it is bound to, name this action? The pieces of a list may stand in any order."""
    name, *rest = [word.casefold() for word in words] or [""]
    values = dict(zip(move.bindings, action[1:], strict=True))
    for var, text in game.namer.bound(move, action, core.actor):
        part = text.casefold().split()
        given, rest = rest[: len(part)], rest[len(part) :]
        a_word_each = isinstance(var.kind, List) and len(values[var]) == len(part)
        if given != part and not (a_word_each and sorted(given) == sorted(part)):
            return False
    return name == slug(move.name).casefold() and not rest


def meant(game: Compiled, core: Core, moves: Sequence[Move], text: str) -> list[Move]:
    """The legal moves that a text may mean: the one of that id, or with a list in another order, or all whose ids begin so."""
    wanted = " ".join(text.split()).casefold()
    exact = [m for m in moves if m.id.casefold() == wanted]
    if exact or not wanted:
        return exact[:1]
    known = {m.number: m for m in game.machine.points[core.pc].moves}
    same = [m for m in moves if names_it(game, core, known[m.action[0]], m.action, wanted.split())]
    return same if len(same) == 1 else [m for m in moves if m.id.casefold().startswith(wanted)]


def _fault(game: Compiled, core: Core, i: int) -> str | None:
    """The obligation that this action would break."""
    number = core.faults[i] if i < len(core.faults) else ABSENT
    return next((o.name for o in game.ruleset.obligations.values() if o.number == number), None)
