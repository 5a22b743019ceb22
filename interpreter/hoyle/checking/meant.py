"""What an author may have meant where something cannot stand: the help of its diagnostic."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from hoyle.checking.facts import fact_of
from hoyle.checking.world import NOTHING_MEANT, Called, Meant, World
from hoyle.diagnostics import UNSAID, Fix, Said, Span, replacing
from hoyle.language import ir
from hoyle.language.ir import Attr, Concat, Const, Expr, TermCall, WordCall, walk
from hoyle.language.kinds import BOOL, Kind, List, Piece, Pile, Row, item_of
from hoyle.language.model import Table
from hoyle.language.sentences import either_of, said
from hoyle.language.syntax import Form
from hoyle.language.vocabulary import WORDS


def instead(world: World, found: Expr, wanted: Kind) -> Said:
    """Of something of another kind than is wanted: what there is of it that is of this kind."""
    several = isinstance(found.kind, List) and isinstance(found.kind.item, Pile)
    match found.kind.name, wanted.name:
        case "list", "pile" if several:
            return said("instead.one_of_them")
        case "player", "pile":
            return said("instead.his_pile")
        case "pile", "player" | "row":
            return said("instead.who_it_is")
        case "pile", "piece":
            return said("instead.the_piece")
        case "number" | "row" | "player" | "choice" | "piece" | "pile", "bool":
            return said("instead.compare")
        case "bool", "number":
            return said("instead.truth_number")
        case "row", "number":
            return _number_of(world, found)
        case "list" | "pile", "number":
            return said("instead.how_many")
    return UNSAID


def compared(world: World, left: Expr, right: Expr) -> Meant:
    """Of two things of different kinds: how they are compared."""
    kinds = {left.kind.name, right.kind.name}
    if kinds in ({"row", "number"}, {"row", "player"}):
        row, other = (left, right) if left.kind.name == "row" else (right, left)
        named = row_called(_table(world, row.kind), other.span.text) if isinstance(other, Const) else ""
        place = said("instead.row_order") if "number" in kinds else UNSAID
        return _row_meant(named, other.span) if named else Meant(place)
    if kinds == {"piece", "row"}:
        return Meant(said("instead.an_attribute"))
    return NOTHING_MEANT


def _row_meant(row: str, span: Span) -> Meant:
    return Meant(said("instead.row_called", row=row), (Fix(span, row),))


def row_called(table: Table, written: str) -> str:
    """The row with this sign, or that people call so, in whichever language; empty if there is none."""
    signs = dict(zip(table.signs or (), table.rows, strict=False))
    said = [(text, row) for texts in (table.symbols, table.words) for row, by in texts.items() for text in by.values()]
    words = {text.casefold(): row for text, row in reversed(said)}
    return signs.get(written) or words.get(written.casefold(), "")


_YES_NO = {"yes": "true", "on": "true", "no": "false", "off": "false"}
"""What else people write for what always holds, or never does."""


def named(world: World, form: Form, expected: Kind | None) -> Meant:
    """What a name that is not known may have meant: a row by its sign or its words. Where a row is expected, one of its table."""
    written = form.name
    kind = item_of(expected) if isinstance(expected, List) else expected
    if kind == BOOL and written.casefold() in _YES_NO:
        code = _YES_NO[written.casefold()]
        return Meant(said("formula.write", code=code), replacing(form.span, written, code))
    tables = [_table(world, kind)] if isinstance(kind, Row) else world.tables.values()
    rows = [(table, row) for table in tables if (row := row_called(table, written))]
    if len(rows) != 1:
        return Meant(_piece_called(world, written))
    table, row = rows[0]
    alone = isinstance(kind, Row) or len(world.row_owners(row)) == 1
    return _row_meant(row if alone else f"{table.name}.{row}", form.span)


def _piece_called(world: World, written: str) -> Said:
    """How a formula tells a piece that is written by its sign."""
    for kind in world.pieces.values():
        tables = {name: _table(world, of) for name, of in kind.attributes.items() if isinstance(of, Row)}
        for has in kind.classes if tables and all(table.signs for table in tables.values()) else ():
            if "".join((table.signs or ())[has[name]] for name, table in tables.items()) == written:
                parts = (f"{kind.name}.{name} is {table.rows[has[name]]}" for name, table in tables.items())
                return said("instead.piece_by", parts=" and ".join(parts))
    return UNSAID


def of_attribute(world: World, attributes: dict[str, Kind], form: Form) -> Meant:
    """Where an attribute that a piece lacks is to be found: it is a column of one that the piece has."""
    owner, name = form.part(0), form.name
    has = [own for own, kind in attributes.items() if isinstance(kind, Row) and _has(_table(world, kind), name)]
    found = [f"{owner.span.text}.{own}.{name}" for own in has]
    help = said("instead.write_one", names=either_of(f"`{text}`" for text in found)) if found else UNSAID
    return Meant(help, tuple(Fix(form.span, text) for text in found))


def of_another_table(world: World, row: Expr, form: Form) -> Meant:
    """Of `card.rank.colour`, where it is the suit that has one."""
    owner = form.part(0) if form.parts else None
    if not isinstance(row, Attr) or row.value.kind.name != "piece" or owner is None or owner.op != "attribute":
        return NOTHING_MEANT
    kind = world.pieces.get(row.table.partition(".")[0])
    whole = replace(form, parts=(owner.part(0),))
    return of_attribute(world, kind.attributes, whole) if kind is not None else NOTHING_MEANT


def has_no_attributes(world: World, owner: Expr, form: Form) -> Meant:
    """What has none, and what could be meant by one."""
    text, name = owner.span.text, form.name
    match owner.kind.name:
        case "pile":
            return Meant(said("instead.of_top", text=text, name=name))
        case "list":
            return Meant(said("instead.of_each", name=name, text=text))
        case "player" if name in world.piles or name in world.state:
            fix = Fix(form.span, f"{name} of {form.part(0).written}")
            return Meant(said("instead.of_player", name=name, text=text), (fix,))
    return NOTHING_MEANT


def out_of(pieces: Expr) -> Meant:
    """How to say out of which piles these pieces are moved."""
    parts, body = _summands(pieces), pieces.instance.body if isinstance(pieces, TermCall) and not pieces.args else None
    if isinstance(body, WordCall) and WORDS[body.word].pieces:
        text = body.span.text
        return Meant(said("instead.here_or_from", text=text), (Fix(pieces.span, text),))
    if len(parts) > 1 and all(isinstance(part, WordCall) and WORDS[part.word].pieces for part in parts):
        piles = f"piles({', '.join(map(_inside, parts))})"
        every = all(isinstance(part, WordCall) and WORDS[part.word].pieces == "all" for part in parts)
        if every:
            return Meant(said("instead.write_cards", piles=piles), (Fix(pieces.span, f"cards({piles})"),))
        return Meant(said("instead.add_from", piles=piles))
    piece = item_of(pieces.kind) if isinstance(pieces.kind, List) else pieces.kind
    lie = piece.families if isinstance(piece, Piece) else frozenset()
    named = {p.span.text for p in walk(pieces) if isinstance(p, ir.Pile | ir.Piles) and p.ref.family in lie}
    return Meant(said("instead.add_from", piles=named.pop()) if len(named) == 1 else said("instead.add_from_pile"))


def _summands(found: Expr) -> list[Expr]:
    return [part for arg in found.args for part in _summands(arg)] if isinstance(found, Concat) else [found]


def _inside(call: Expr) -> str:
    """What stands in the parentheses of `cards(…)`, as one of several arguments."""
    text = call.span.text.partition("(")[2].rpartition(")")[0].strip()
    return f"({text})" if " for " in text else text


def whose(world: World, name: str) -> Said:
    """Of what is one for each player, where nobody acts: how to say whose is meant."""
    if name in world.piles or name in world.state:
        return said("instead.of_whom", name=name)
    return said("instead.of_whom_plain")


def perhaps_absent(found: Expr, what: Called) -> Said:
    """What to say instead of a value that may be absent: another, or nothing where it has been tested."""
    text = found.span.text
    if fact_of(found) is None:
        return said("instead.what_then")
    if what == "`by`":
        return said("instead.who_then", text=text)
    return said("instead.then_or_nothing", text=text)


def choices_named(left: Form, others: Iterable[Form], negated: bool) -> tuple[Said, str]:
    """`x is a or b`, as it is written, and that alone."""
    text, word, items = left.written, "not in" if negated else "in", ", ".join(form.written for form in others)
    return said("instead.write_in", text=text, word=word, items=items), f"{text} {word} ({items})"


def _number_of(world: World, found: Expr) -> Said:
    """The number that a row is called by, or where a row has numbers."""
    table = _table(world, found.kind)
    sign = table.signs[found.value] if isinstance(found, Const) and table.signs else ""
    return said("instead.digits", sign=sign) if sign.isdigit() else said("instead.row_order")


def _table(world: World, kind: Kind) -> Table:
    assert isinstance(kind, Row)
    return world.tables[kind.table]


def _has(table: Table, name: str) -> bool:
    return name == "order" or name in table.columns
