"""Suggests what an author may have meant: the help and fixes of diagnostics about formulas."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from hoyle.checking.formulas.presence import identify_value
from hoyle.checking.formulas.symbols import NO_SUGGESTION, Subject, Suggestion, SymbolTable
from hoyle.diagnostics import NO_TEXT, Fix, LocalizedText, Span, build_replacement
from hoyle.language import ir
from hoyle.language.ir import Attr, Concat, Const, Expr, TermCall, WordCall, walk
from hoyle.language.model import Table
from hoyle.language.sentences import join_alternatives, make_message
from hoyle.language.syntax import Form
from hoyle.language.value_types import BOOL, List, Piece, Pile, Row, ValueType, get_item_type
from hoyle.language.vocabulary import WORDS


def suggest_instead(symbols: SymbolTable, found: Expr, wanted: ValueType) -> LocalizedText:
    """Suggest how to get a value of the wanted type from one of another type."""
    several = isinstance(found.type, List) and isinstance(found.type.item, Pile)
    match found.type.name, wanted.name:
        case "list", "pile" if several:
            return make_message("instead.one_of_them")
        case "player", "pile":
            return make_message("instead.his_pile")
        case "pile", "player" | "row":
            return make_message("instead.who_it_is")
        case "pile", "piece":
            return make_message("instead.the_piece")
        case "number" | "row" | "player" | "choice" | "piece" | "pile", "bool":
            return make_message("instead.compare")
        case "bool", "number":
            return make_message("instead.truth_number")
        case "row", "number":
            return _suggest_number(symbols, found)
        case "list" | "pile", "number":
            return make_message("instead.how_many")
    return NO_TEXT


def suggest_comparison(symbols: SymbolTable, left: Expr, right: Expr) -> Suggestion:
    """Suggest how to compare two values of different types."""
    type_names = {left.type.name, right.type.name}
    if type_names in ({"row", "number"}, {"row", "player"}):
        row, other = (left, right) if left.type.name == "row" else (right, left)
        named = find_row(symbols.table_of(row.type), other.span.text) if isinstance(other, Const) else ""
        place = make_message("instead.row_order") if "number" in type_names else NO_TEXT
        return _suggest_row(named, other.span) if named else Suggestion(place)
    if type_names == {"piece", "row"}:
        return Suggestion(make_message("instead.an_attribute"))
    return NO_SUGGESTION


def _suggest_row(row: str, span: Span) -> Suggestion:
    return Suggestion(make_message("instead.row_called", row=row), (Fix(span, row),))


def find_row(table: Table, written: str) -> str:
    """Return the row with this sign, symbol or name, in any language; empty if there is none."""
    signs = dict(zip(table.signs or (), table.rows, strict=False))
    said = [(text, row) for texts in (table.symbols, table.words) for row, by in texts.items() for text in by.values()]
    words = {text.casefold(): row for text, row in reversed(said)}
    return signs.get(written) or words.get(written.casefold(), "")


_YES_NO = {"yes": "true", "on": "true", "no": "false", "off": "false"}
"""Other words that people write for true and false."""


def suggest_name(symbols: SymbolTable, form: Form, expected: ValueType | None) -> Suggestion:
    """Suggest a row or truth value for an unknown name. An expected row must be in its table."""
    written = form.name
    value_type = get_item_type(expected) if isinstance(expected, List) else expected
    if value_type == BOOL and written.casefold() in _YES_NO:
        code = _YES_NO[written.casefold()]
        return Suggestion(make_message("formula.write", code=code), build_replacement(form.span, written, code))
    tables = [symbols.table_of(value_type)] if isinstance(value_type, Row) else symbols.tables.values()
    rows = [(table, row) for table in tables if (row := find_row(table, written))]
    if len(rows) != 1:
        return Suggestion(_suggest_piece(symbols, written))
    table, row = rows[0]
    alone = isinstance(value_type, Row) or len(symbols.row_owners(row)) == 1
    return _suggest_row(row if alone else f"{table.name}.{row}", form.span)


def _suggest_piece(symbols: SymbolTable, written: str) -> LocalizedText:
    """Suggest the attributes of a piece that is written by its signs."""
    for kind in symbols.pieces.values():
        tables = {name: symbols.table_of(of) for name, of in kind.attributes.items() if isinstance(of, Row)}
        for has in kind.classes if tables and all(table.signs for table in tables.values()) else ():
            if "".join((table.signs or ())[has[name]] for name, table in tables.items()) == written:
                parts = (f"{kind.name}.{name} is {table.rows[has[name]]}" for name, table in tables.items())
                return make_message("instead.piece_by", parts=" and ".join(parts))
    return NO_TEXT


def suggest_attribute(symbols: SymbolTable, attributes: dict[str, ValueType], form: Form) -> Suggestion:
    """Suggest the attribute of a piece whose table has the missing column."""
    owner, name = form.part(0), form.name
    has = [
        own
        for own, value_type in attributes.items()
        if isinstance(value_type, Row) and _has_column(symbols.table_of(value_type), name)
    ]
    found = [f"{owner.span.text}.{own}.{name}" for own in has]
    help = (
        make_message("instead.write_one", names=join_alternatives(f"`{text}`" for text in found)) if found else NO_TEXT
    )
    return Suggestion(help, tuple(Fix(form.span, text) for text in found))


def suggest_other_column(symbols: SymbolTable, row: Expr, form: Form) -> Suggestion:
    """Suggest the right table for `card.rank.colour`, if suits have colours."""
    owner = form.part(0) if form.parts else None
    if not isinstance(row, Attr) or row.value.type.name != "piece" or owner is None or owner.op != "attribute":
        return NO_SUGGESTION
    kind = symbols.pieces.get(row.table.partition(".")[0])
    whole = replace(form, parts=(owner.part(0),))
    return suggest_attribute(symbols, kind.attributes, whole) if kind is not None else NO_SUGGESTION


def suggest_owner(symbols: SymbolTable, owner: Expr, form: Form) -> Suggestion:
    """Suggest what has the attribute, where the value itself can have none."""
    text, name = owner.span.text, form.name
    match owner.type.name:
        case "pile":
            return Suggestion(make_message("instead.of_top", text=text, name=name))
        case "list":
            return Suggestion(make_message("instead.of_each", name=name, text=text))
        case "player" if name in symbols.piles or name in symbols.state:
            fix = Fix(form.span, f"{name} of {form.part(0).written}")
            return Suggestion(make_message("instead.of_player", name=name, text=text), (fix,))
    return NO_SUGGESTION


def suggest_source(pieces: Expr) -> Suggestion:
    """Suggest how to say out of which piles pieces are moved."""
    parts, body = (
        _flatten_sum(pieces),
        pieces.instance.body if isinstance(pieces, TermCall) and not pieces.args else None,
    )
    if isinstance(body, WordCall) and WORDS[body.word].pieces:
        text = body.span.text
        return Suggestion(make_message("instead.here_or_from", text=text), (Fix(pieces.span, text),))
    if len(parts) > 1 and all(isinstance(part, WordCall) and WORDS[part.word].pieces for part in parts):
        piles = f"piles({', '.join(map(_call_argument, parts))})"
        every = all(isinstance(part, WordCall) and WORDS[part.word].pieces == "all" for part in parts)
        if every:
            return Suggestion(make_message("instead.write_cards", piles=piles), (Fix(pieces.span, f"cards({piles})"),))
        return Suggestion(make_message("instead.add_from", piles=piles))
    piece = get_item_type(pieces.type) if isinstance(pieces.type, List) else pieces.type
    lie = piece.families if isinstance(piece, Piece) else frozenset()
    named = {p.span.text for p in walk(pieces) if isinstance(p, ir.Pile | ir.Piles) and p.ref.family in lie}
    return Suggestion(
        make_message("instead.add_from", piles=named.pop())
        if len(named) == 1
        else make_message("instead.add_from_pile")
    )


def _flatten_sum(found: Expr) -> list[Expr]:
    return [part for arg in found.args for part in _flatten_sum(arg)] if isinstance(found, Concat) else [found]


def _call_argument(call: Expr) -> str:
    """Return the argument of `cards(…)`, as one of several arguments."""
    text = call.span.text.partition("(")[2].rpartition(")")[0].strip()
    return f"({text})" if " for " in text else text


def suggest_whose(symbols: SymbolTable, name: str) -> LocalizedText:
    """Suggest how to name a player where nobody acts."""
    if name in symbols.piles or name in symbols.state:
        return make_message("instead.of_whom", name=name)
    return make_message("instead.of_whom_plain")


def suggest_for_absent(found: Expr, what: Subject) -> LocalizedText:
    """Suggest another value for one that may be absent, or a test before it."""
    text = found.span.text
    if identify_value(found) is None:
        return make_message("instead.what_then")
    if what == "`by`":
        return make_message("instead.who_then", text=text)
    return make_message("instead.then_or_nothing", text=text)


def suggest_in(left: Form, others: Iterable[Form], negated: bool) -> tuple[LocalizedText, str]:
    """Suggest `x in (a, b)` for `x is a or b`; returns the help and the code alone."""
    text, word, items = left.written, "not in" if negated else "in", ", ".join(form.written for form in others)
    return make_message("instead.write_in", text=text, word=word, items=items), f"{text} {word} ({items})"


def _suggest_number(symbols: SymbolTable, found: Expr) -> LocalizedText:
    """Suggest the number that a row is called by, or its place in the table."""
    table = symbols.table_of(found.type)
    sign = table.signs[found.value] if isinstance(found, Const) and table.signs else ""
    return make_message("instead.digits", sign=sign) if sign.isdigit() else make_message("instead.row_order")


def _has_column(table: Table, name: str) -> bool:
    return name == "order" or name in table.columns
