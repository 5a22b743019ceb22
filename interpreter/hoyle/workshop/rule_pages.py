"""The rulebook of a draft: as a page whose rules lead to their entries, and the passage about one entry."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import Any

from msgspec.structs import replace

from hoyle.editor.cursor_context import find_context
from hoyle.editor.names.resolution import look_up
from hoyle.reading.tree import Node
from hoyle.rulebook.book import build_book
from hoyle.rulebook.document import Block, Book, Entries, Entry, Heading, Rules, Section, make_anchor, walk_entries
from hoyle.rulebook.formats import render_html
from hoyle.workshop.drafts import Draft, Options
from hoyle.workshop.offsets import Offsets

Json = dict[str, Any]
_ANCHORS = {
    "moves": "move",
    "obligations": "obligation",
    "whenever": "whenever",
    "flow": "phase",
    "options": "option",
    "clauses": "clause",
}
"""Sections of a ruleset whose entries have anchors in the book, and how these begin."""
_CHAPTERS = {
    "title": ("summary", "aim"),
    "flow": ("course",),
    "players": ("players",),
    "pieces": ("material",),
    "tables": ("material",),
    "piles": ("layout",),
    "state": ("layout",),
    "result": ("scoring", "end", "aim"),
    "glossary": ("glossary",),
    "source": ("sources",),
}
"""Other sections, and the sections of the book that say the same, the best first."""
MOST_USES = 4
_WORD = re.compile(r"[^\W\d]\w*")
_BODY = re.compile(r"<body>\s*(.*?)\s*<footer>", re.DOTALL)
_MAIN = re.compile(r"<main>\s*(.*?)\s*</main>", re.DOTALL)


def render_book(draft: Draft, options: Options, lang: str) -> Json:
    """Return the whole book as HTML for the body of a page.

    `data-from` gives the offset of the entry of each rule, `data-section` and `data-entry` name an inherited one.
    """
    book = build_book(draft.load_game(options), lang)
    html, offsets = _extract(_BODY, render_html(book)), Offsets(draft.text)
    own = {(section, name): key.span.start for section, name, key in _list_entries_with_anchors(draft.tree)}
    merged = draft.checked.merged
    for section, name, _ in _list_entries_with_anchors(merged.root if merged is not None else None):
        anchor, start = make_anchor(_ANCHORS[section], name), own.get((section, name))
        place = f'data-section="{section}" data-entry="{escape(name)}"'
        if start is not None:
            place = f'data-from="{offsets.to_units(start)}"'
        html = html.replace(f' id="{anchor}"', f' id="{anchor}" {place}', 1)
    return {"title": book.title, "html": html}


def render_passage(draft: Draft, at: int, lang: str) -> Json:
    """Return what the book says about the entry at an offset; empty if it says nothing, or if the draft has errors."""
    offset = Offsets(draft.text).from_units(at)
    paths = look_up(draft.analysis, draft.file, offset).path, find_context(draft.text, offset).path
    path = max(paths, key=len)
    if not path or draft.checked.ruleset is None:
        return {}
    book = draft.cached(("book", lang), lambda: build_book(draft.load_game({}), lang, pictures=False))
    section = str(path[0])
    found: Section | None = None
    if section in _ANCHORS and len(path) > 1:
        found = _find_passage(book, make_anchor(_ANCHORS[section], str(path[1])))
    if found is None and section == "clauses" and len(path) > 1:
        found = _find_citation(book, str(path[1]))
    if section == "terms" and len(path) > 1:
        found = _find_uses(book, draft, str(path[1]).partition("(")[0].strip())
    if found is None:
        chapters = {part.anchor: part for part in book.sections}
        found = next((chapters[name] for name in _CHAPTERS.get(section, ()) if name in chapters), None)
    if found is None:
        return {}
    page = render_html(replace(book, sections=(found,)))
    return {"title": found.title, "html": _extract(_MAIN, page)}


def _extract(part: re.Pattern[str], page: str) -> str:
    match = part.search(page)
    assert match is not None
    return match[1]


def _list_entries_with_anchors(tree: Node | None) -> Iterator[tuple[str, str, Node]]:
    """Yield section, name and key of each entry that has an anchor in the book."""
    for section in _ANCHORS:
        node = tree.get(section) if tree is not None and tree.kind == "map" else None
        for name, key, _ in node.entries() if node is not None and node.kind == "map" else ():
            yield section, name, key


def _find_passage(book: Book, anchor: str) -> Section | None:
    """Return the blocks about an anchor as a section."""
    for section in book.sections:
        for number, block in enumerate(section.blocks):
            if isinstance(block, Heading) and block.anchor == anchor:
                return Section(section.anchor, block.text, tuple(_list_below(section.blocks[number + 1 :])))
            for entry in _list_entries(block):
                if entry.anchor == anchor:
                    return _make_section(section, block, entry)
    return None


def _find_citation(book: Book, clause: str) -> Section | None:
    """Return the first statement that cites a clause."""
    for section in book.sections:
        for block in section.blocks:
            for entry in _list_entries(block):
                if any(cite.words == clause for cite in entry.cites):
                    return _make_section(section, block, entry)
    return None


def _find_uses(book: Book, draft: Draft, term: str) -> Section | None:
    """Return the passages about the first rules that use a term, also through other terms."""
    root = draft.checked.merged.root if draft.checked.merged is not None else None
    if root is None:
        return None
    terms = {name.partition("(")[0].strip(): _list_words(node) for name, _, node in _list_section(root, "terms")}
    wanted = {term}
    while more := {name for name, words in terms.items() if words & wanted} - wanted:
        wanted |= more
    anchors = (
        make_anchor(_ANCHORS[section], name)
        for section in ("moves", "obligations", "whenever")
        for name, _, node in _list_section(root, section)
        if _list_words(node) & wanted
    )
    passages = [part for anchor in anchors if (part := _find_passage(book, anchor)) is not None][:MOST_USES]
    blocks = tuple(block for part in passages for block in part.blocks)
    return Section(passages[0].anchor, passages[0].title, blocks) if passages else None


def _list_section(root: Node, section: str) -> list[tuple[str, Node, Node]]:
    node = root.get(section)
    return [*node.entries()] if node is not None and node.kind == "map" else []


def _list_words(node: Node) -> set[str]:
    """Return the names in all values of an entry."""
    inner = [*node.items, *(value for _, value in node.pairs.values())]
    return set(_WORD.findall(node.raw)).union(*map(_list_words, inner))


def _list_below(blocks: tuple[Block, ...]) -> Iterator[Block]:
    """Yield the blocks before the next heading."""
    for block in blocks:
        if isinstance(block, Heading):
            return
        yield block


def _list_entries(block: Block) -> Iterator[Entry]:
    for item in block.items if isinstance(block, Entries | Rules) else ():
        yield from walk_entries(item)


def _make_section(section: Section, block: Block, entry: Entry) -> Section:
    """Return a section with one entry, titled by it if it has a heading of its own."""
    if isinstance(block, Rules) and entry.head:
        return Section(section.anchor, entry.head, (Rules((entry,)),))
    return Section(section.anchor, section.title, (Entries((entry,)),))
