"""Reads clauses and checks references that are no formulas: citations, homes of clauses, phases of `renewed`, `in_words`, `needs`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from msgspec.structs import replace

from hoyle.checking.formulas.symbols import SymbolTable, report_removed, report_unknown
from hoyle.checking.sections.reader import list_entries, list_pairs
from hoyle.diagnostics import Span, build_replacement, find_close_name
from hoyle.language.model import Clause
from hoyle.language.sentences import localize_integer, make_message
from hoyle.reading.merge import Merged
from hoyle.reading.tree import Node, list_items, text_nodes, texts_of

MOST_SHOWN = 100
"""Greatest number of words in `shows` of an example."""


def read_clauses(root: Node, without: Collection[str] = ()) -> dict[str, Clause]:
    """Read the clauses of a merged tree by id, without those that are not in force."""
    entries = [entry for entry in list_entries(root, "clauses") if entry[0] not in without]
    return {name: Clause(texts_of(node), node.raw_of("home")) for name, _, node in entries}


def find_clauses_out_of_play(root: Node, rows: Mapping[str, Collection[str]]) -> Iterator[str]:
    """Find inherited clauses that no entry in play carries out, because what cited them was removed.

    rows: the rows in play of each table
    """
    clauses = list_entries(root, "clauses")
    ids = [name for name, _, _ in clauses]
    everywhere = {word for word, _ in _list_cited(root, ids)}
    in_play = {word for word, _ in _list_cited(_drop_rows(root, rows), ids)} | _list_shown_ids(root)
    notes = root.get("notes")
    for name, key, node in clauses:
        if node.get("home") is None and name not in in_play:
            is_inherited = not key.span.shares_file(root.span) and (notes is None or name not in notes.pairs)
            if name in everywhere or is_inherited:
                yield name


def _drop_rows(root: Node, rows: Mapping[str, Collection[str]]) -> Node:
    """Return the tree without the rows of tables that are not in play."""
    tables = dict[str, tuple[Node, Node]]()
    for name, key, table in list_entries(root, "tables"):
        every = table.get("rows")
        if every is not None and every.kind == "map" and name in rows:
            kept = {row: pair for row, pair in every.pairs.items() if row.replace(" ", "_") in rows[name]}
            table = replace(table, pairs={**table.pairs, "rows": (table.key("rows"), replace(every, pairs=kept))})
        tables[name] = (key, table)
    if not tables:
        return root
    return replace(root, pairs={**root.pairs, "tables": (root.key("tables"), replace(root["tables"], pairs=tables))})


def check_references(symbols: SymbolTable, root: Node, merged: Merged) -> None:
    """Report references to what does not exist, and clauses of the file itself that nothing cites."""
    for needs in merged.needs:
        _check_needs(symbols, root, needs)
    needed = {phase for needs in merged.needs if needs.get("flow") for phase in needs["flow"].plain()}
    _check_renewals(symbols, root, needed)
    for name, _, node in list_entries(root, "clauses"):
        if node.get("home") is not None:
            _check_home(symbols, root, name, node["home"])
    for shows in _list_shows(root):
        count = len(shows.raw.split())
        if count > MOST_SHOWN:
            shown = localize_integer(count)
            help = "clauses.those_shown"
            symbols.report("R577", "clauses.many_shown", shows.span, count=shown, most=MOST_SHOWN, help=help)
    clauses = read_clauses(root)
    if any(clause.words for clause in clauses.values()):
        cited = {word for word, _ in _list_cited(root, clauses)}
        _check_cited(symbols, root, clauses)
        _check_uncited(symbols, root, cited | _list_shown_ids(root))
    _check_wordings(symbols, root)


# ---- clauses ---------------------------------------------------------------------------------------------------------


def _check_home(symbols: SymbolTable, root: Node, name: str, value: Node) -> None:
    """Check the path in a clause to the entry that implements it."""
    here: Node | None = root
    for part in (part.strip() for part in value.raw.split("/")):
        known = {key.split("(")[0]: inner for key, _, inner in list_pairs(here)}
        here = known.get(part.split("(")[0])
        if here is None:
            close = find_close_name(part, known)
            help = make_message("similar", close=close) if close else make_message("clauses.a_path")
            fixes = build_replacement(value.span, part, close)
            symbols.report("R543", "clauses.nowhere", value.span, name=name, part=part, help=help, fixes=fixes)
            return


def _check_cited(symbols: SymbolTable, root: Node, clauses: dict[str, Clause]) -> None:
    allowed = {*clauses, *(name for name, _, _ in list_pairs(root.get("options")))}
    cited = [*_list_cited(root, [*clauses, *symbols.removed]), *_list_shown(root)]
    places: dict[str, list[Span]] = {}
    for name, span in cited:
        if name not in allowed:
            places.setdefault(name, []).append(span)
    for name, span in cited:
        if name not in allowed and not report_removed(symbols, name, *places[name]):
            close = find_close_name(name, clauses)
            help = (
                make_message("clauses.similar", close=close) if close else make_message("clauses.say_what", name=name)
            )
            fixes = build_replacement(span, name, close)
            symbols.report("R548", "clauses.no_clause", span, name=name, help=help, fixes=fixes)


def _check_uncited(symbols: SymbolTable, root: Node, cited: set[str]) -> None:
    known = cited | {name for name, _, _ in list_pairs(root.get("notes"))}
    for name, key, node in list_entries(root, "clauses"):
        if key.span.shares_file(root.span) and name not in known and node.get("home") is None:
            symbols.report("R549", "clauses.not_carried_out", key.span, name=name, help="clauses.name_it")


def _list_cited(root: Node, ids: Iterable[str]) -> Iterator[tuple[str, Span]]:
    """List the words of every `at:` that are ids: equal to a known id up to its number."""
    prefixes = {_id_prefix(name) for name in ids} - {""}
    for name, _, node in root.entries():
        if name not in ("examples", "clauses"):
            for at in _list_citations(node):
                yield from ((word, span) for word, span in _list_words(at) if _id_prefix(word) in prefixes)


def _list_citations(node: Node) -> Iterator[Node]:
    for name, _, value in node.entries():
        if name == "at" and value.kind == "scalar":
            yield value
        elif value.kind == "map":
            yield from _list_citations(value)


def _list_shown(root: Node) -> Iterator[tuple[str, Span]]:
    for shows in _list_shows(root):
        if len(shows.raw.split()) <= MOST_SHOWN:
            yield from _list_words(shows)


def _list_shows(root: Node) -> Iterator[Node]:
    return (example["shows"] for _, _, example in list_entries(root, "examples") if example.get("shows") is not None)


def _list_shown_ids(root: Node) -> set[str]:
    return {word for word, _ in _list_shown(root)}


def _list_words(node: Node) -> Iterator[tuple[str, Span]]:
    for match in re.finditer(r"[^\s,;]+", node.raw):
        yield match[0], node.span_of_slice(*match.span())


def _id_prefix(name: str) -> str:
    """Return what an id has before its number: `G` of `G18`, `C-A` of `C-A3`; empty if it has no number."""
    match = re.fullmatch(r"(.*?\D)\d+[a-z]?", name)
    return match[1] if match else ""


# ---- other references ------------------------------------------------------------------------------------------------


def _check_renewals(symbols: SymbolTable, root: Node, needed: set[str]) -> None:
    """Check the phases that renew state. `needed`: phases that a library expects of its users."""
    for name, _, node in list_entries(root, "state"):
        for phase in list_items(node.get("renewed")):
            if phase.raw in symbols.phases or phase.raw in needed or report_removed(symbols, phase.raw, phase.span):
                continue
            close = find_close_name(phase.raw, symbols.phases)
            phases = ", ".join(f"`{p}`" for p in symbols.phases)
            symbols.report(
                "R546",
                "references.never_renewed",
                phase.span,
                name=name,
                phase=phase.raw,
                notes=[] if close else [make_message("references.phases", phases=phases)],
                help=make_message("similar", close=close) if close else "",
                fixes=build_replacement(phase.span, phase.raw, close),
            )


def _check_wordings(symbols: SymbolTable, root: Node) -> None:
    """Check that entries of `in_words` are terms or columns, and that their texts use only the parameters."""
    terms = dict.fromkeys(name.partition("(")[0].strip() for name, _, _ in list_pairs(root.get("terms")))
    columns = [f"{table.name}.{column}" for table in symbols.tables.values() for column in table.columns]
    for name, key, node in list_pairs(root.get("in_words")):
        called = name.partition("(")[0].strip()
        if node.kind == "map" and not node.pairs:
            continue  # a column without a wording
        if called not in terms and called not in columns:
            report_unknown(symbols, "R301", "term_or_column", called, [*terms, *columns], key.span)
            continue
        parameters = re.findall(r"\w+", name.partition("(")[2])
        for text in text_nodes(node).values() if node.kind == "map" else ():
            for place in re.findall(r"\{(.*?)\}", text.raw):
                if place not in parameters:
                    report_unknown(symbols, "R301", "place", place, parameters, text.span)


def _check_needs(symbols: SymbolTable, root: Node, needs: Node) -> None:
    """Check that a game has the entries that a library expects of it."""
    for section, _, value in list_pairs(needs):
        node = root.get(section)
        there = {name.split("(")[0] for name in node.pairs} if node is not None else set()
        for item in list_items(value):
            name = item.raw.split("(")[0]
            if name not in there and not report_removed(symbols, name, item.span):
                note = make_message("references.must_bring", file=item.span.source.name)
                help = "references.add"
                symbols.report(
                    "R607", "references.needed", item.span, name=item.raw, section=section, note=note, help=help
                )
