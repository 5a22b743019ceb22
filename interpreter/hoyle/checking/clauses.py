"""Clauses of the source: where each is carried out, and which the rules and examples name."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from msgspec.structs import replace

from hoyle.checking.world import World, is_removed
from hoyle.diagnostics import Span, replacing, similar
from hoyle.language.model import Clause
from hoyle.language.sentences import in_figures, said
from hoyle.reading.tree import Node, texts_of

MOST_SHOWN = 100
"""Words that an example's `shows` may have."""


def clauses_of(root: Node, without: Collection[str] = ()) -> dict[str, Clause]:
    """Every clause of a merged tree by its id, without those that do not hold."""
    found = {}
    for name, _, node in _entries(root.get("clauses")):
        if name in without:
            continue
        home = node.get("home")
        words = texts_of(node)
        found[name] = Clause(words, home.raw if home is not None else "")
    return found


def out_of_play(root: Node, rows: Mapping[str, Collection[str]]) -> Iterator[str]:
    """The inherited clauses that no entry in play carries out: what cited them was removed, or stands in rows that a table has no more.

    rows    the rows in play of each table
    """
    ids = [name for name, _, _ in _entries(root.get("clauses"))]
    everywhere = {word for word, _ in _cited(root, ids)}
    in_play = {word for word, _ in _cited(_without_rows(root, rows), ids)} | _shown_ids(root)
    notes = root.get("notes")
    for name, key, node in _entries(root.get("clauses")):
        if node.get("home") is None and name not in in_play:
            inherited = not key.span.shares_file(root.span) and (notes is None or name not in notes.pairs)
            if name in everywhere or inherited:
                yield name


def _without_rows(root: Node, rows: Mapping[str, Collection[str]]) -> Node:
    """The tree without the rows of tables that are not in play."""
    tables = dict[str, tuple[Node, Node]]()
    for name, key, table in _entries(root.get("tables")):
        every = table.get("rows")
        if every is not None and every.kind == "map" and name in rows:
            kept = {row: pair for row, pair in every.pairs.items() if row.replace(" ", "_") in rows[name]}
            table = replace(table, pairs={**table.pairs, "rows": (table.key("rows"), replace(every, pairs=kept))})
        tables[name] = (key, table)
    if not tables:
        return root
    return replace(root, pairs={**root.pairs, "tables": (root.key("tables"), replace(root["tables"], pairs=tables))})


def check_clauses(world: World, root: Node) -> None:
    """Homes must exist; once clauses have words, every id that is cited must be one of them and every one must be cited."""
    for name, _, node in _entries(root.get("clauses")):
        home = node.get("home")
        if home is not None:
            _home(world, root, name, home)
    _breadth(world, root)
    known = clauses_of(root)
    if any(clause.words for clause in known.values()):
        cited = {word for word, _ in _cited(root, known)}
        _unknown(world, root, known)
        _unused(world, root, cited | set(_shown_ids(root)))


def _entries(node: Node | None) -> list[tuple[str, Node, Node]]:
    return [e for e in node.entries() if e[2].kind == "map"] if node is not None and node.kind == "map" else []


def _home(world: World, root: Node, name: str, value: Node) -> None:
    here: Node | None = root
    for part in (p.strip() for p in value.raw.split("/")):
        known = {k.split("(")[0]: v for k, _, v in here.entries()} if here is not None and here.kind == "map" else {}
        if part.split("(")[0] not in known:
            close = similar(part, known)
            world.problems.add(
                "R543",
                said("clauses.nowhere", name=name, part=part),
                value.span,
                help=said("similar", close=close) if close else said("clauses.a_path"),
                fixes=replacing(value.span, part, close),
            )
            return
        here = known[part.split("(")[0]]


# ---- what is cited ---------------------------------------------------------------------------------------------------


def _unknown(world: World, root: Node, known: dict[str, Clause]) -> None:
    options = root.get("options")
    allowed = {*known, *(options.pairs if options is not None and options.kind == "map" else ())}
    cited = [*_cited(root, [*known, *world.removed]), *_shown(root)]
    places: dict[str, list[Span]] = {}
    for name, span in cited:
        if name not in allowed:
            places.setdefault(name, []).append(span)
    for name, span in cited:
        if name not in allowed and not is_removed(world, name, *places[name]):
            close = similar(name, known)
            world.problems.add(
                "R548",
                said("clauses.no_clause", name=name),
                span,
                help=said("clauses.similar", close=close) if close else said("clauses.say_what", name=name),
                fixes=replacing(span, name, close),
            )


def _cited(root: Node, ids: Iterable[str]) -> Iterator[tuple[str, Span]]:
    """The words of every `at:` that are ids: they differ from one that is known at most in its number."""
    series = {_series(name) for name in ids} - {""}
    for name, _, node in root.entries():
        if name not in ("examples", "clauses"):
            for at in _sources(node):
                yield from ((word, span) for word, span in _words(at) if _series(word) in series)


def _sources(node: Node) -> Iterator[Node]:
    for name, _, value in node.entries():
        if name == "at" and value.kind == "scalar":
            yield value
        elif value.kind == "map":
            yield from _sources(value)


def _shown(root: Node) -> Iterator[tuple[str, Span]]:
    for shows in _shows(root):
        if len(shows.raw.split()) <= MOST_SHOWN:
            yield from _words(shows)


def _shows(root: Node) -> Iterator[Node]:
    for _, _, example in _entries(root.get("examples")):
        if (shows := example.get("shows")) is not None:
            yield shows


def _breadth(world: World, root: Node) -> None:
    """Nobody learns which clause an example shows if it names all of them."""
    for shows in _shows(root):
        if (count := len(shows.raw.split())) > MOST_SHOWN:
            message = said("clauses.many_shown", count=in_figures(count), most=MOST_SHOWN)
            world.problems.add("R577", message, shows.span, help=said("clauses.those_shown"))


def _shown_ids(root: Node) -> set[str]:
    return {word for word, _ in _shown(root)}


def _words(node: Node) -> Iterator[tuple[str, Span]]:
    """The words of a text, each with its place."""
    for match in re.finditer(r"[^\s,;]+", node.raw):
        yield match[0], node.span_of_slice(*match.span())


def _series(name: str) -> str:
    """What an id has before its number: `G` of `G18`, `C-A` of `C-A3`."""
    found = re.fullmatch(r"(.*?\D)\d+[a-z]?", name)
    return found[1] if found else ""


# ---- what nothing cites ----------------------------------------------------------------------------------------------


def _unused(world: World, root: Node, cited: set[str]) -> None:
    notes = root.get("notes")
    noted = set(notes.pairs) if notes is not None and notes.kind == "map" else set()
    for name, key, node in _entries(root.get("clauses")):
        own = key.span.shares_file(root.span)
        if own and name not in cited | noted and node.get("home") is None:
            world.problems.add(
                "R549",
                said("clauses.not_carried_out", name=name),
                key.span,
                help=said("clauses.name_it", name=name),
            )
