"""Which piles lie in an order that some rule looks at. All others are heaps: only what is in them counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hoyle.checking.reads import all_formulas, roots
from hoyle.language import ir
from hoyle.language.evaluate import everything
from hoyle.language.ir import Expr
from hoyle.language.kinds import List, Pile, families_of
from hoyle.language.model import Ruleset
from hoyle.language.steps import Deal, Loop, MovePieces, MovePile, Step, Turn, every_step
from hoyle.language.vocabulary import WORDS

Families = frozenset[str]


def heaps(ruleset: Ruleset) -> tuple[int, ...]:
    """The piles, by number, whose order neither a formula nor a move nor a verb looks at."""
    ordered = _by_moves(ruleset) | _by_steps(ruleset)
    ordered |= ordered_by(all_formulas(ruleset), frozenset(ruleset.piles))
    loose = [f for f in ruleset.piles.values() if f.name not in ordered and f.face in ("up", "down", "owner")]
    return tuple(n for f in loose for n in range(f.base, f.base + f.members * f.columns))


def ordered_by(formulas: Iterable[Expr], families: Families) -> Families:
    """Those of the families whose order bears on the value of some of these formulas (on a list: on which items it has)."""
    parts = (part for formula in formulas for part in everything(formula))
    return frozenset(name for part in parts for items in _in_order(part) for name in _behind(items, families))


def _in_order(part: Expr) -> tuple[Expr, ...]:
    """The operands whose order bears on the value of a part."""
    match part:
        case ir.Item(items=items) | ir.Chosen(items=items):
            return (items,)
        case ir.WordCall(word=word, args=args) if WORDS[word].ordered:
            return args
        case ir.Same(left=left) | ir.Differs(left=left) | ir.In(left=left) if left.kind.name == "list":
            return part.args
    return ()


def _behind(items: Expr, families: Families) -> Families:
    """The families that a list may be made of."""
    found: set[str] = set()
    for part in everything(items):
        if isinstance(part, ir.Pile | ir.Piles):
            found.add(part.ref.family)
        elif isinstance(part, ir.Local) and isinstance(part.kind, List | Pile):
            found |= families_of(part.kind) or families
    return frozenset(found)


# ---- what moves and verbs look at ------------------------------------------------------------------------------------


def _by_moves(ruleset: Ruleset) -> Families:
    """Only what lies on top can be taken, unless the move takes any piece."""
    takes = (take for move in ruleset.moves.values() for take in move.takes if not take.any_piece)
    return frozenset(name for take in takes for name in _known(take.source, ruleset))


def _by_steps(ruleset: Ruleset) -> Families:
    """Verbs that take from the top, that lay several pieces in the order in which they lay, and loops over pieces."""
    found: set[str] = set()
    for step in _steps(ruleset):
        match step.verb:
            case MovePile(pile) | Turn(pile) | Deal(pile):
                found |= _known(pile, ruleset)
            case MovePieces(pieces) if pieces.kind.name == "list":
                found |= _behind(pieces, frozenset(ruleset.piles))
    for loop in _loops(ruleset):
        if loop.var.kind.name != "pile":
            found |= _behind(loop.items, frozenset(ruleset.piles))
    return frozenset(found)


def _known(piles: Expr, ruleset: Ruleset) -> Families:
    return families_of(piles.kind) or frozenset(ruleset.piles)


def _steps(ruleset: Ruleset) -> Iterator[Step]:
    for steps in roots(ruleset):
        yield from every_step(steps)


def _loops(ruleset: Ruleset) -> Iterator[Loop]:
    found = [step.loop for step in _steps(ruleset)] + [entry.loop for entry in ruleset.whenever.values()]
    yield from (loop for loop in found if loop is not None)
