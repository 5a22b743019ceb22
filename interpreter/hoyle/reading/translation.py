"""Translations of rulesets: files that mirror a ruleset's tree with words in another language, applied to the merged tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from hoyle.diagnostics import (
    NO_TEXT,
    Diagnostic,
    LocalizedText,
    Refused,
    Source,
    Span,
    build_replacement,
    find_close_name,
    verbatim,
)
from hoyle.language.sentences import FALLBACK, make_message
from hoyle.reading.grammar import Branch, Schema, branches, grammar, has_text, may_hold_text
from hoyle.reading.merge import Translation
from hoyle.reading.sources import read, words_of
from hoyle.reading.tree import Node, text_key
from hoyle.reading.yaml_tree import load
from hoyle.resources import language_of

WordsReader = Callable[[Path], Node]
OWN = "words"
"""The key of an entry's own words, beside the entries below it."""
_NAMES = ("game", "library")
_NOTHING = "R006"
"""Diagnostic code for an empty text."""


def read_translation(path: Path) -> Node:
    """Return the tree of a translation. Raises Refused."""
    return _load_cached(read(path))


@lru_cache(maxsize=128)
def _load_cached(source: Source) -> Node:
    """Parse a translation. Trees are cached by text, so they are never stale. An empty file is an empty map."""
    try:
        return load(source)
    except Refused as refused:
        if {d.code for d in refused.diagnostics} != {_NOTHING}:
            raise
        return Node("map", Span(source, 0, 0))


def apply_translations(root: Node, path: Path, reader: WordsReader = read_translation) -> Translation:
    """Apply the translations beside the ruleset at `path` to its merged tree. Raises Refused for invalid YAML."""
    found = Translation(wrap_plain_texts(root))
    for place in words_of(path):
        words, lang = reader(place), language_of(place)
        wrong = _wrong_head(words, lang, root, path)
        if wrong is not None:
            found.problems.append(wrong)
            continue
        found.languages[lang] = words[OWN].span
        body = replace(words, pairs={k: v for k, v in words.pairs.items() if k not in (OWN, *_NAMES)})
        found.root = _Laying(lang, found.problems).over(found.root, grammar(), body)
    return found


def wrap_plain_texts(root: Node) -> Node:
    """Replace each plain text by a map with that text in English, where a ruleset may use the short form."""
    pairs = {name: (key, value) for name, (key, value) in root.pairs.items()}
    for name, below in (
        ("title", ()),
        ("summary", ()),
        ("clauses", ("",)),
        ("in_words", ("",)),
        ("glossary", ("",)),
        ("players", ("words", "")),
        ("options", ("", "words", "")),
        ("tables", ("", "rows", "", "symbol")),
        ("tables", ("", "rows", "", "letter")),
    ):
        if name in pairs:
            pairs[name] = (pairs[name][0], _with_texts(pairs[name][1], below))
    return replace(root, pairs=_with_columns(pairs))


def _with_columns(pairs: dict[str, tuple[Node, Node]]) -> dict[str, tuple[Node, Node]]:
    """Add entries for the words of table columns that the ruleset does not have."""
    unsaid = {f"{table}.{name}": key for table, name, key in _columns(pairs.get("tables")) if name != "sign"}
    where, words = pairs.get("in_words") or (next(iter(unsaid.values()), None), None)
    if where is None or (words is not None and words.kind != "map"):
        return pairs
    said = words.pairs if words is not None else {}
    new = {name: (key, Node("map", key.span)) for name, key in unsaid.items() if name not in said}
    section = replace(words, pairs={**said, **new}) if words is not None else Node("map", where.span, pairs=new)
    return {**pairs, "in_words": (where, section)} if new else pairs


def _columns(tables: tuple[Node, Node] | None) -> Iterator[tuple[str, str, Node]]:
    """Yield each column as (table, name, key)."""
    for table, _, node in tables[1].entries() if tables is not None else ():
        columns = node.get("columns") if node.kind == "map" else None
        for name, key, _ in columns.entries() if columns is not None else ():
            yield table, name.partition("(")[0].strip(), key


def _with_texts(node: Node, below: tuple[str, ...]) -> Node:
    """Wrap the texts at a path of keys; an empty key stands for every entry."""
    if not below:
        alone = node.kind == "scalar" and not node.is_null
        return Node("map", node.span, pairs={FALLBACK: (node, node)}) if alone else node
    pairs = {
        name: (key, _with_texts(value, below[1:]) if below[0] in ("", name) else value)
        for name, (key, value) in node.pairs.items()
    }
    return replace(node, pairs=pairs) if pairs else node


def _wrong_head(words: Node, lang: str, root: Node, path: Path) -> Diagnostic | None:
    """Return the problem in the head of a translation, which must name its language and ruleset."""
    own = next((name for name in _NAMES if root.get(name) is not None), "game")
    name = root.raw_of(own, path.stem)
    if words.kind == "map" and not words.pairs:
        empty = words.span.source.name
        help = make_message("words.fill", name=path, lang=lang, file=empty)
        return Diagnostic("R618", make_message("words.empty", name=empty), words.span, help=help)
    written, of = (words.get(OWN), words.get(own)) if words.kind == "map" else (None, None)
    if written is None or of is None:
        missing = f"`{OWN}`" if written is None else f"`{own}`"
        start = Span(words.span.source, words.span.start, words.span.start)
        return Diagnostic("R615", make_message("words.lacks", missing=missing), start, help=_asked(lang, own, name))
    if written.raw != lang:
        message = make_message("words.other_language", said=written.raw, lang=lang)
        return Diagnostic("R615", message, written.span, help=make_message("words.name_it_so"))
    if of.raw != name:
        return Diagnostic(
            "R615", make_message("words.other_ruleset", of=of.raw, name=name), of.span, help=_asked(lang, own, name)
        )
    return None


def _asked(lang: str, own: str, name: str) -> LocalizedText:
    """Return a help text with an example of the head."""
    return make_message("words.for_example", own=OWN, lang=lang, sort=own, name=name)


class _Laying(Struct):
    """Adds the words of one language to a tree."""

    lang: str
    problems: list[Diagnostic]

    def over(self, node: Node, schema: Schema, words: Node, called: str = "") -> Node:
        """Return the entry with its words and those of inner entries. Null means not translated yet.

        `called` is the name of the entry.
        """
        if words.is_null:
            return node
        if words.kind == "scalar":
            return self._translate(node, schema, words, called)
        if words.kind == "list" or node.kind != "map":
            self._misplaced(words, called, node)
            return node
        inside = list(branches(schema, node))
        for name, key, value in words.entries():
            if name == OWN and value.kind == "scalar" and has_text(schema):
                node = self.over(node, schema, value, called)
                continue
            way = self._way(inside, name, key, schema, called)
            if way is not None:
                below = self.over(_at(node, way.keys, key.span), way.schema, value, name)
                node = _with(node, way.keys, below, key)
        return node

    def _translate(self, node: Node, schema: Schema, words: Node, called: str) -> Node:
        if not has_text(schema) or (node.kind == "scalar" and "is" not in schema["properties"]):
            self._misplaced(words, called, node)
            return node
        if node.kind == "scalar":  # a condition that is a formula alone
            node = Node("map", node.span, pairs={"is": (Node("scalar", node.span, "is", "is"), node)})
        key = Node("scalar", words.span, self.lang, self.lang)
        return replace(node, pairs={**node.pairs, text_key(self.lang): (key, words)})

    def _way(self, inside: list[Branch], name: str, key: Node, schema: Schema, called: str) -> Branch | None:
        """Return the branch for a name in a translation. Reports unknown and ambiguous names."""
        found = [way for way in inside if way.keys == (name,)] or [way for way in inside if way.name == name]
        if len(found) == 1:
            return found[0]
        close = None
        if found:
            places = ", ".join(f"`{way.keys[0]}`" for way in found)
            message, help = (
                make_message("words.several_times", name=name, called=_quote_name(called)),
                make_message("words.say_which", places=places),
            )
        else:
            close = find_close_name(name, [way.name for way in inside] + ([OWN] if has_text(schema) else []))
            message = make_message("words.nothing_called", called=_quote_name(called), name=name)
            help = make_message("similar", close=close) if close else NO_TEXT
        known = ", ".join(f"`{way.name}`" for way in inside[:12] if way.name != OWN)
        notes = (make_message("words.may_be_said", known=known),) if known and not help else ()
        if not found and schema is grammar() and name in schema["properties"] and not may_hold_text(name):
            self.problems.append(_wordless(name, key))
            return None
        self.problems.append(
            Diagnostic(
                "R616", message, key.span, help=help, notes=notes, fixes=build_replacement(key.span, name, close)
            )
        )
        return None

    def _misplaced(self, words: Node, called: str, node: Node) -> None:
        if words.kind == "list":
            message, help = make_message("words.a_list"), make_message("words.in_quotes")
        elif words.kind == "map":
            message, help = (
                make_message("words.nothing_inside", called=_quote_name(called)),
                make_message("words.one_text"),
            )
        elif node.kind == "scalar":
            message, help = make_message("words.a_formula", called=_quote_name(called)), NO_TEXT
        else:
            message, help = make_message("words.no_words", called=_quote_name(called)), make_message("words.of_inside")
        self.problems.append(Diagnostic("R617", message, words.span, help=help))


def _wordless(section: str, key: Node) -> Diagnostic:
    """Return the problem of a section that cannot be translated."""
    help = make_message("words.in_words") if section == "terms" else NO_TEXT
    return Diagnostic("R617", make_message("words.no_section", name=section), key.span, help=help)


def _quote_name(name: str) -> LocalizedText:
    return verbatim(f"`{name}`") if name else make_message("words.this_ruleset")


def _at(node: Node, keys: tuple[str, ...], span: Span) -> Node:
    """Return the node at a path of keys, or an empty map."""
    for key in keys:
        node = node.pairs[key][1] if key in node.pairs else Node("map", span)
    return node


def _with(node: Node, keys: tuple[str, ...], below: Node, key: Node) -> Node:
    if not keys:
        return below
    old = node.pairs.get(keys[0])
    inner = _with(old[1] if old is not None else Node("map", key.span), keys[1:], below, key)
    return replace(node, pairs={**node.pairs, keys[0]: (old[0] if old is not None else key, inner)})
