"""What the names in formulas stand for, as the checker found it: the rules of `checking.names`, told of symbols."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from functools import cache

from msgspec import Struct

from hoyle.checking.world import Heard, Hearing, World
from hoyle.diagnostics import Span
from hoyle.editor.analysis import Analysis, own_tree
from hoyle.editor.names.symbols import Declared, Symbol, declared
from hoyle.language.ir import Attr, ColumnCall, TermCall
from hoyle.language.kinds import Choice, Kind, Row
from hoyle.language.syntax import Form
from hoyle.language.vocabulary import NAMES, WORDS
from hoyle.reading.shape import Path
from hoyle.reading.tree import Node


class Mention(Struct, frozen=True):
    """A name in a formula: what it stands for, where it stands, and the form that it is in."""

    symbol: Symbol
    span: Span
    heard: Heard


def mentions(hearing: Hearing) -> list[Mention]:
    """Every name in every formula that was checked, each place once for each thing that it may stand for."""
    found: dict[tuple[str, str, int], Mention] = {}
    for heard in hearing.forms if hearing.world is not None else ():
        assert hearing.world is not None
        for symbol, span in _named(heard, hearing.world):
            found.setdefault((symbol.sort, span.source.name, span.start), Mention(symbol, span, heard))
    return list(found.values())


def _named(heard: Heard, world: World) -> Iterator[tuple[Symbol, Span]]:
    form = heard.form
    match form.op:
        case "name":
            symbol = _name(heard, world)
            if symbol is not None:
                yield symbol, form.span
        case "call":
            if form.name in world.terms or form.name in WORDS:
                yield (
                    Symbol("terms" if form.name in world.terms else "words", form.name),
                    _at_name(form.span, form.name),
                )
        case "of" | "at":
            yield from _family(heard, world)
        case "attribute" | "cell":
            yield from _attribute(heard, world)


def _at_name(span: Span, name: str) -> Span:
    """Return the span of a name, without opening parentheses. With escapes it is the span of the whole form."""
    found = span.source.text.find(name, span.start, span.end)
    return Span(span.source, found, found + len(name)) if found >= 0 else span


def _name(heard: Heard, world: World) -> Symbol | None:
    name, scope = heard.form.name, heard.scope
    if name in scope.names:
        return Symbol("locals", name)
    if scope.row is not None and isinstance(scope.row.kind, Row):
        table = world.tables[scope.row.kind.table]
        if name in table.columns:
            return Symbol("columns", name, table.name)
    return _wanted(name, heard.expected, world) or entry(name, world) or builtin(name) or _alone(name, world)


def _wanted(name: str, expected: Kind | None, world: World) -> Symbol | None:
    """A row or a choice of what is expected there, a move or an obligation."""
    kind = expected.of_item if expected is not None and expected.name == "list" else expected
    if isinstance(kind, Row) and name in world.tables[kind.table].rows:
        return Symbol("rows", name, kind.table)
    if isinstance(kind, Choice) and name in world.options[kind.option].choices:
        return Symbol("choices", name, kind.option)
    known = {"move": ("moves", world.moves), "obligation": ("obligations", world.obligations)}.get(
        kind.name if kind is not None else ""
    )
    if known is None:
        return None
    return next((Symbol(known[0], n) for n in known[1] if n.replace(" ", "_") == name), None)


def entry(name: str, world: World) -> Symbol | None:
    """What stands in a section, by the name that formulas have for it."""
    for sort in ("options", "piles", "state", "terms", "tables"):
        if name in getattr(world, sort):
            return Symbol(sort, name)
    return Symbol("seats", name) if name in world.seats or name in world.away else None


def builtin(name: str) -> Symbol | None:
    return Symbol("words", name) if name in NAMES or name in WORDS else None


def _alone(name: str, world: World) -> Symbol | None:
    """A row that only one table has, or a choice that only one option has."""
    tables, options = world.row_owners(name), world.choice_owners(name)
    if len(tables) + len(options) != 1:
        return None
    return Symbol("rows", name, tables[0].name) if tables else Symbol("choices", name, options[0].name)


def _family(heard: Heard, world: World) -> Iterator[tuple[Symbol, Span]]:
    """The pile or the state before `of` or `at`, which is not checked by itself."""
    target = heard.form.part(0)
    while target.op in ("of", "at"):  # of what is `of` several things
        target = target.part(0)
    if target.op != "name" or target.name in heard.scope.names:
        return
    if target.name in ("opponent", "partner"):
        yield Symbol("words", target.name), target.span
    for sort, known in (("piles", world.piles), ("state", world.state)):
        if target.name in known:
            yield Symbol(sort, target.name), target.span


def _attribute(heard: Heard, world: World) -> Iterator[tuple[Symbol, Span]]:
    form, owner = heard.form, heard.form.part(0)
    span = _after_dot(form, owner)
    if owner.op == "name" and owner.name not in heard.scope.names:
        if owner.name in world.tables and form.name in world.tables[owner.name].rows:
            yield Symbol("tables", owner.name), owner.span
            yield Symbol("rows", form.name, owner.name), span
            return
        if owner.name in world.options and form.name in world.options[owner.name].choices:
            yield Symbol("options", owner.name), owner.span
            yield Symbol("choices", form.name, owner.name), span
            return
    table = _table_of(heard)
    if table in world.tables and form.name in world.tables[table].columns:
        yield Symbol("columns", form.name, table), span
    elif table in world.pieces:
        yield Symbol("attributes", form.name, table), span
    elif form.name == "order":
        yield Symbol("words", "order"), span


def _table_of(heard: Heard) -> str:
    """Whose column or attribute was looked up."""
    match heard.found:
        case Attr(table=table):
            return table.rpartition(".")[0]
        case ColumnCall(instances=instances):
            return instances[0].name.split(".")[0]
        case TermCall(instance=instance):
            return instance.name.split(".")[0]
    return ""


def _after_dot(form: Form, owner: Form) -> Span:
    """The name behind the point."""
    text = form.span.source.text
    found = _dotted(form.name).search(text, owner.span.end)
    return Span(form.span.source, found.start(1), found.end(1)) if found else form.span


@cache
def _dotted(name: str) -> re.Pattern[str]:
    return re.compile(rf"\.\s*({re.escape(name)})")


class Spot(Struct, frozen=True):
    """A place: the name or entry there, if one is, and the innermost formula's parts around it.

    path    the keys that lead to the value or the key that the place is in
    heard   the smallest form around it, once for each sort of arguments that it was checked with
    """

    symbol: Symbol | None
    span: Span | None
    path: Path
    node: Node | None
    on_key: bool
    heard: tuple[Heard, ...] = ()


def spot(analysis: Analysis, file: str, offset: int) -> Spot:
    """What stands there, in a file that the analysis is made of."""
    tree = own_tree(file, analysis.texts)
    path, node, on_key = _at(tree, offset) if tree is not None else ((), None, False)
    mention = _smallest(_over(mentions(analysis.hearing), file, offset))
    entry = _declared(tree, offset) if tree is not None else None
    if mention is not None:
        return Spot(mention.symbol, mention.span, path, node, on_key, _same(analysis, mention.heard))
    heard = _around(analysis, file, offset)
    if entry is not None:
        return Spot(entry.symbol, entry.name, path, node, on_key, heard)
    return Spot(None, None, path, node, on_key, heard)


def stands_in(span: Span, file: str) -> bool:
    """Is the stretch in this file, however it is named?"""
    return os.path.realpath(span.source.name) == file


def _over(found: Iterable[Mention], file: str, offset: int) -> list[Mention]:
    return [m for m in found if m.span.start <= offset <= m.span.end and stands_in(m.span, file)]


def _smallest(found: list[Mention]) -> Mention | None:
    return min(found, key=lambda m: (m.span.end - m.span.start, -m.span.start), default=None)


def _declared(tree: Node, offset: int) -> Declared | None:
    return next((d for d in declared(tree) if d.name.start <= offset <= d.name.end), None)


def _around(analysis: Analysis, file: str, offset: int) -> tuple[Heard, ...]:
    """The smallest form that the place is in."""
    forms = [h for h in analysis.hearing.forms if h.form.span.start <= offset < h.form.span.end]
    inside = [h for h in forms if stands_in(h.form.span, file)]
    first = min(inside, key=lambda h: h.form.span.end - h.form.span.start, default=None)
    return _same(analysis, first) if first is not None else ()


def _same(analysis: Analysis, heard: Heard) -> tuple[Heard, ...]:
    """The same form, each time that it was checked."""
    span, op = heard.form.span, heard.form.op
    return tuple(h for h in analysis.hearing.forms if h.form.span == span and h.form.op == op)


def _at(node: Node, offset: int) -> tuple[Path, Node | None, bool]:
    """The path of the innermost key or value around a place, its node, and whether it is the key."""
    for name, key, value in node.entries() if node.kind == "map" else ():
        if key.span.start <= offset <= key.span.end:
            return (name,), key, True
        if value.span.start <= offset <= value.span.end:
            path, inner, on_key = _at(value, offset)
            return (name, *path), inner if inner is not None else value, on_key
    for number, item in enumerate(node.items):
        if item.span.start <= offset <= item.span.end:
            path, inner, on_key = _at(item, offset)
            return (number, *path), inner if inner is not None else item, on_key
    return (), None, False
