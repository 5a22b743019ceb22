"""What an author may have meant where something cannot stand: the help of its diagnostic."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.checking.facts import fact_of
from interpreter.checking.world import World
from interpreter.language import ir
from interpreter.language.ir import Attr, Concat, Const, Expr, TermCall, WordCall, walk
from interpreter.language.kinds import BOOL, Kind, List, Piece, Pile, Row, item_of
from interpreter.language.model import Table
from interpreter.language.syntax import Form
from interpreter.language.vocabulary import WORDS

COMPARE = "compare it: `is`, `<`, `in` …; there are no numbers or cards that count as true"


def instead(world: World, found: Expr, wanted: Kind) -> str:
    """Of something of another kind than is wanted: what there is of it that is of this kind."""
    several = isinstance(found.kind, List) and isinstance(found.kind.item, Pile)
    match found.kind.name, wanted.name:
        case "list", "pile" if several:
            return "name one of them: by its number (`… at 3`), of whom (`… of p`), or all in turn (`for:`)"
        case "player", "pile":
            return "name his pile: `… of p`"
        case "pile", "player" | "row":
            return "name who it is: `me`, a seat, or a name bound to a player"
        case "pile", "piece":
            return "name the piece: `top(pile)`"
        case "number" | "row" | "player" | "choice" | "piece" | "pile", "bool":
            return COMPARE
        case "bool", "number":
            return "`if … then 1 else 0` is a number"
        case "row", "number":
            return _number_of(world, found)
        case "list" | "pile", "number":
            return "`count(…)` is how many they are"
    return ""


def compared(world: World, left: Expr, right: Expr) -> str:
    """Of two things of different kinds: how they are compared."""
    kinds = {left.kind.name, right.kind.name}
    if kinds in ({"row", "number"}, {"row", "player"}):
        row, other = (left, right) if left.kind.name == "row" else (right, left)
        named = row_called(_table(world, row.kind), other.span.text) if isinstance(other, Const) else ""
        place = "a row's place in its table is `.order`" if "number" in kinds else ""
        return f"the row is called `{named}`" if named else place
    if kinds == {"piece", "row"}:
        return "compare an attribute of the piece: `card.rank`, `card.suit`"
    return ""


def row_called(table: Table, written: str) -> str:
    """The row with this sign, or that people call so, in whichever language; empty if there is none."""
    signs = dict(zip(table.signs or (), table.rows, strict=False))
    said = [(text, row) for texts in (table.symbols, table.words) for row, by in texts.items() for text in by.values()]
    words = {text.casefold(): row for text, row in reversed(said)}
    return signs.get(written) or words.get(written.casefold(), "")


_YES_NO = {"yes": "true", "on": "true", "no": "false", "off": "false"}
"""What else people write for what always holds, or never does."""


def named(world: World, written: str, expected: Kind | None) -> str:
    """What a name that is not known may have meant: a row by its sign or its words. Where a row is expected, one of its table."""
    kind = item_of(expected) if isinstance(expected, List) else expected
    if kind == BOOL and written.casefold() in _YES_NO:
        return f"write `{_YES_NO[written.casefold()]}`"
    tables = [_table(world, kind)] if isinstance(kind, Row) else world.tables.values()
    rows = [(table, row) for table in tables if (row := row_called(table, written))]
    if len(rows) != 1:
        return _piece_called(world, written)
    table, row = rows[0]
    alone = isinstance(kind, Row) or len(world.row_owners(row)) == 1
    return f"the row is called `{row if alone else f'{table.name}.{row}'}`"


def _piece_called(world: World, written: str) -> str:
    """How a formula tells a piece that is written by its sign."""
    for kind in world.pieces.values():
        tables = {name: _table(world, of) for name, of in kind.attributes.items() if isinstance(of, Row)}
        for has in kind.classes if tables and all(table.signs for table in tables.values()) else ():
            if "".join((table.signs or ())[has[name]] for name, table in tables.items()) == written:
                parts = (f"{kind.name}.{name} is {table.rows[has[name]]}" for name, table in tables.items())
                return f"a piece is told by what it has: `{' and '.join(parts)}`"
    return ""


def of_attribute(world: World, attributes: dict[str, Kind], owner: Form, name: str) -> str:
    """Where an attribute that a piece lacks is to be found: it is a column of one that the piece has."""
    has = [own for own, kind in attributes.items() if isinstance(kind, Row) and _has(_table(world, kind), name)]
    return _or(f"`{owner.span.text}.{own}.{name}`" for own in has)


def of_another_table(world: World, row: Expr, form: Form) -> str:
    """Of `card.rank.colour`, where it is the suit that has one."""
    owner = form.part(0) if form.parts else None
    if not isinstance(row, Attr) or row.value.kind.name != "piece" or owner is None or owner.op != "attribute":
        return ""
    kind = world.pieces.get(row.table.partition(".")[0])
    return of_attribute(world, kind.attributes, owner.part(0), form.name) if kind is not None else ""


def has_no_attributes(world: World, owner: Expr, name: str) -> str:
    """What has none, and what could be meant by one."""
    text = owner.span.text
    match owner.kind.name:
        case "pile":
            return f"a piece of it has them: `top({text}).{name}`"
        case "list":
            return f"each of them has them: `(x.{name} for x in {text})`"
        case "player" if name in world.piles or name in world.state:
            return f"what a player has is `{name} of {text}`"
    return ""


def out_of(pieces: Expr) -> str:
    """How to say out of which piles these pieces are moved."""
    parts, body = _summands(pieces), pieces.instance.body if isinstance(pieces, TermCall) and not pieces.args else None
    if isinstance(body, WordCall) and WORDS[body.word].pieces:
        return f"write `{body.span.text}` here, or add `from: PILES`"
    if len(parts) > 1 and all(isinstance(part, WordCall) and WORDS[part.word].pieces for part in parts):
        piles = f"piles({', '.join(map(_inside, parts))})"
        every = all(isinstance(part, WordCall) and WORDS[part.word].pieces == "all" for part in parts)
        return f"write `cards({piles})`" if every else f"add `from: {piles}`"
    piece = item_of(pieces.kind) if isinstance(pieces.kind, List) else pieces.kind
    lie = piece.families if isinstance(piece, Piece) else frozenset()
    named = {p.span.text for p in walk(pieces) if isinstance(p, ir.Pile | ir.Piles) and p.ref.family in lie}
    return f"add `from: {named.pop()}`" if len(named) == 1 else "add `from: PILE`"


def _summands(found: Expr) -> list[Expr]:
    return [part for arg in found.args for part in _summands(arg)] if isinstance(found, Concat) else [found]


def _inside(call: Expr) -> str:
    """What stands in the parentheses of `cards(…)`, as one of several arguments."""
    text = call.span.text.partition("(")[2].rpartition(")")[0].strip()
    return f"({text})" if " for " in text else text


def whose(world: World, name: str) -> str:
    """Of what is one for each player, where nobody acts: how to say whose is meant."""
    if name in world.piles or name in world.state:
        return f"say of whom: `{name} of p`, or `by:` who acts; those of all are `({name} of p for p in players)`"
    return "say of whom: `… of p`, or `by:` who acts"


def perhaps_absent(found: Expr, what: str) -> str:
    """What to say instead of a value that may be absent: another, or nothing where it has been tested."""
    text = found.span.text
    if fact_of(found) is None:
        return "say what then: `… otherwise …`"
    if what == "`by`":
        return f"say who then: `{text} otherwise …`; or nobody: `for: p in players where p is {text}` with `by: p`"
    return f"say what then: `{text} otherwise …`; or nothing: `when: {text} is not none` beside it, or `if` around it"


def choices_named(left: Form, others: Iterable[Form], negated: bool) -> str:
    """`x is a or b`, as it is written."""
    word = "not in" if negated else "in"
    return f"write `{left.span.text} {word} ({', '.join(form.span.text for form in others)})`"


def _number_of(world: World, found: Expr) -> str:
    """The number that a row is called by, or where a row has numbers."""
    table = _table(world, found.kind)
    sign = table.signs[found.value] if isinstance(found, Const) and table.signs else ""
    return f"a number is written in digits: `{sign}`" if sign.isdigit() else "a row's place in its table is `.order`"


def _table(world: World, kind: Kind) -> Table:
    assert isinstance(kind, Row)
    return world.tables[kind.table]


def _has(table: Table, name: str) -> bool:
    return name == "order" or name in table.columns


def _or(items: Iterable[str]) -> str:
    found = list(items)
    return f"write {' or '.join(found)}" if found else ""
