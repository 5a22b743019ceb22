"""From a text to a tree with places: the only module that knows YAML.

`read` gets a text from a file or from standard input, `load` makes its `Node` tree. Scalars mean what the YAML 1.2 core
schema says, so `no` and `1:30` are text. Whatever is wrong is raised as one `Refused`, with as many findings as one
reading can give.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from typing import Any

import yaml
from msgspec import Struct

from hoyle.diagnostics import Problems, Refused, Said, Source, Span, replacing
from hoyle.language.sentences import said
from hoyle.printable import UNPRINTABLE
from hoyle.reading.sources import normalized, refusal, refuse_large
from hoyle.reading.tree import Node, Scalar
from hoyle.reading.yaml_errors import line_end, mend_list, mend_map, syntax_error

MAX_NODES = 10_000
MAX_DEPTH = 60

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
UNWANTED = re.compile(rf"(?![\t\n])(?:{UNPRINTABLE.pattern}|[\ufffe\uffff])")
_BRACKET = re.compile(r" *[{\[]")
_PROPERTY = re.compile(r"[&!]\S*(?:\s|#.*)*")
_SPECIAL = frozenset(["", *"~+-.0123456789nNtTfF"])
"""How plain scalars begin that may be more than text."""
_NULL = re.compile(r"null|Null|NULL|~|")
_BOOL = re.compile(r"true|True|TRUE|false|False|FALSE")
_INT = re.compile(r"[-+]?[0-9]{1,18}|0o[0-7]{1,18}|0x[0-9a-fA-F]{1,15}")
_FLOAT = re.compile(
    r"[-+]?(\.[0-9]+|[0-9]+\.[0-9]*|[0-9]+(?=[eE]))([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"
)


def load(source: Source, only: Container[str] | None = None) -> Node:
    """The tree of the one document in a source, or of its sections of these names alone. Its spans point into the source as
    `read` gives it."""
    source = normalized(source)
    # A character is at least a byte, so this spares encoding a text that is too long anyway.
    refuse_large(source.name, len(source.text))
    problems = Problems()
    _check_characters(source, problems)
    problems.stop_on_errors()
    root = _compose(source, problems, only)
    problems.stop_on_errors()
    assert root is not None
    return root


def _check_characters(source: Source, problems: Problems) -> None:
    for found in UNWANTED.finditer(source.text):
        _not_allowed(found[0], Span(source, found.start(), found.end()), said("yaml.unseen"), problems)
        if len(problems) >= 20:
            return


def _not_allowed(character: str, span: Span, label: Said, problems: Problems) -> None:
    problems.add(
        "R005", said("yaml.no_character", number=f"{ord(character):04X}"), span, label=label, help=said("yaml.remove")
    )


def _compose(source: Source, problems: Problems, only: Container[str] | None) -> Node | None:
    """The root of the document. Only None, or partly wrong, if it added to `problems`."""
    builder = _Builder(source, problems)
    events = yaml.parse(source.text, _LOADER)
    try:
        for event in events if only is None else _sections(events, only):
            builder.take(event)
    except yaml.YAMLError as error:
        problems.extend([syntax_error(source, error)])
    except Refused as refused:
        problems.extend(refused.diagnostics)
    if not problems.errors and (builder.root is None or builder.root.is_null):
        problems.add("R006", said("says_nothing", name=source.name), Span(source, 0, 0), help=said("new_file"))
    return builder.root


def _sections(events: Iterable[yaml.Event], only: Container[str]) -> Iterator[yaml.Event]:
    """The events without those of other sections: of entries of the outermost map with other names."""
    depth, is_key, wanted = 0, True, True
    for event in events:
        begins, ends = isinstance(event, yaml.CollectionStartEvent), isinstance(event, yaml.CollectionEndEvent)
        depth -= ends
        if depth == 1 and is_key and not ends:
            wanted = isinstance(event, yaml.ScalarEvent) and event.value in only
        if wanted or depth == 0:
            yield event
        if depth == 1 and not begins:
            is_key = not is_key
        depth += begins


class _Tall(Struct):
    """A node with how much it holds: values with aliases followed, and levels of nesting."""

    node: Node
    nodes: int = 1
    levels: int = 0


class _Open(Struct):
    """A list or map that has begun: its parts so far (keys and values in turn for a map)."""

    whole: _Tall
    anchor: str | None
    parts: list[Node] = []

    @property
    def awaits_key(self) -> bool:
        return self.whole.node.kind == "map" and len(self.parts) % 2 == 0

    def add(self, part: _Tall) -> None:
        if not self.awaits_key:
            self.whole.nodes += part.nodes
        self.parts.append(part.node)
        self.whole.levels = max(self.whole.levels, part.levels + 1)


class _Builder:
    """Builds the tree from YAML's events with its own stack, so that no nesting can exhaust Python's."""

    def __init__(self, source: Source, problems: Problems) -> None:
        self.source = source
        self.problems = problems
        self.root: Node | None = None
        self._stack: list[_Open] = []
        self._anchors: dict[str, _Tall] = {}
        self._nodes = 0
        self._documents = 0

    def take(self, event: yaml.Event) -> None:
        rule = _EVENTS.get(type(event))
        if rule is not None:
            rule(self, event)

    def _take_scalar(self, event: Any) -> None:
        if event.tag is not None:
            self._refuse_tag(event)
        node = self._scalar(event)
        if event.anchor or not self._stack:
            self._finish(_Tall(node), event.anchor, new_nodes=1)
            return
        opened = self._stack[
            -1
        ]  # as `_finish` does, but most nodes are plain scalars, and this is the quick way for them
        if not opened.awaits_key:
            self._nodes += 1
            if self._nodes > MAX_NODES:
                raise self._too_many(node)
            opened.whole.nodes += 1
        opened.parts.append(node)

    def _span(self, event: Any) -> Span:
        return Span(self.source, event.start_mark.index, event.end_mark.index)

    def _document(self, event: Any) -> None:
        self._documents += 1
        if self._documents > 1:
            start = event.start_mark.index
            span = Span(self.source, start, line_end(self.source, start))
            raise refusal("R007", said("yaml.second_document"), span, help=said("yaml.one_each"))

    def _refuse_tag(self, event: Any) -> None:
        start = self.source.text.index("!", event.start_mark.index)
        end = _after_word(self.source.text, start)
        help = said("yaml.tag_or_quote")
        span = Span(self.source, start, end)
        self.problems.add("R023", said("yaml.not_used", written=span.text), span, label=said("yaml.a_tag"), help=help)

    def _scalar(self, event: Any) -> Node:
        start, end, style = event.start_mark.index, event.end_mark.index, event.style or ""
        if self.source.text[start : start + 1] in ("&", "!"):
            start = min(_after_properties(self.source.text, start), end)
        if end - start != len(event.value):
            end = start + len(self.source.text[start:end].rstrip())
        if style == '"' and (found := UNWANTED.search(event.value)):
            _not_allowed(found[0], Span(self.source, start, end), said("yaml.an_escape"), self.problems)
        value = value_of(event.value) if style == "" and not event.tag else event.value
        return Node("scalar", Span(self.source, start, end), value, event.value, style)

    def _begin(self, event: Any) -> None:
        if event.tag is not None:
            self._refuse_tag(event)
        kind = "map" if isinstance(event, yaml.MappingStartEvent) else "list"
        start = _after_properties(self.source.text, event.start_mark.index)
        style = "flow" if event.flow_style else "block"
        node = Node(kind, Span(self.source, start, start), style=style)
        if len(self._stack) >= MAX_DEPTH:
            raise self._too_deep(node.span)
        self._stack.append(_Open(_Tall(node), event.anchor))

    def _end(self, event: Any) -> None:
        opened = self._stack.pop()
        node = opened.whole.node
        node.span = Span(self.source, node.span.start, self._end_of(opened, event))
        if node.kind == "map":
            self._fill(node, opened.parts)
        else:
            node.items = mend_list(opened.parts, self.problems) if node.style == "flow" else opened.parts
        self._finish(opened.whole, opened.anchor, new_nodes=1)

    def _end_of(self, opened: _Open, event: Any) -> int:
        """A block ends with its last part: YAML's own mark is where the next thing begins."""
        start = opened.whole.node.span.start
        if opened.whole.node.style == "flow":
            return max(start, int(event.end_mark.index))
        return max([start, *(part.span.end for part in opened.parts[-2:])])

    def _fill(self, node: Node, parts: list[Node]) -> None:
        pairs = list(zip(parts[::2], parts[1::2], strict=True))
        if node.style == "flow":
            pairs = mend_map(pairs, self.problems)
        for key, value in pairs:
            if self._is_name(key):
                self._add_pair(node, key, value)

    def _is_name(self, key: Node) -> bool:
        if key.kind != "scalar":
            self.problems.add("R021", said("yaml.name_a_text"), key.span, label=said("yaml.as_a_name"))
        elif key.raw == "":
            self.problems.add("R021", said("yaml.name_missing"), key.span)
        elif key.raw == "<<" and key.style == "":
            help = said("yaml.take_over")
            self.problems.add("R022", said("yaml.no_merge"), key.span, help=help)
        elif key.style == "" and (bracket := _BRACKET.search(key.raw)):
            word = key.raw[: bracket.start()]
            help = said("yaml.colon_after", word=word)
            fixes = replacing(key.span, key.raw, f"{word}: {key.raw[bracket.end() - 1 :]}")
            message, label = said("yaml.colon_missing", word=word), said("yaml.taken_for_name")
            self.problems.add("R012", message, key.span, label=label, help=help, fixes=fixes)
        else:
            return True
        return False

    def _add_pair(self, node: Node, key: Node, value: Node) -> None:
        first = node.pairs.setdefault(key.raw, (key, value))[0]
        if first is not key:
            related = [(first.span, said("shape.first_here"))]
            help = said("yaml.different_names")
            if value.kind == "map" and node.pairs[key.raw][1].kind == "map":
                help = said("yaml.both_or_different" if self._stack else "yaml.both_under_first")
            if self._is_example():
                help = said("yaml.after_a_move")
            self.problems.add(
                "R020",
                said("yaml.stands_twice", name=key.raw),
                key.span,
                label=said("shape.again"),
                help=help,
                related=related,
            )

    def _is_example(self) -> bool:
        """Is the map that ends here an example, or what it says under `after`?"""
        above = [opened.parts[-1].raw if opened.parts else "" for opened in self._stack]
        return above[:1] == ["examples"] and (len(above) == 2 or above[-2:-1] == ["after"])

    def _alias(self, event: Any) -> None:
        known = self._anchors.get(event.anchor)
        if known is not None:
            self._finish(known, None, new_nodes=known.nodes)
        elif any(opened.anchor == event.anchor for opened in self._stack):
            raise refusal("R024", said("yaml.inside_itself", anchor=event.anchor), self._span(event))
        else:
            raise refusal(
                "R024",
                said("yaml.repeats_nothing", anchor=event.anchor),
                self._span(event),
                help=said("yaml.quote_star"),
            )

    def _finish(self, whole: _Tall, anchor: str | None, new_nodes: int) -> None:
        """A node is complete: remember its anchor, check the limits, put it where it belongs."""
        if anchor:
            self._anchors[anchor] = whole
        if not self._stack:
            self.root = whole.node
            return
        self._check_limits(whole, 0 if self._stack[-1].awaits_key else new_nodes)
        self._stack[-1].add(whole)

    def _check_limits(self, whole: _Tall, new_nodes: int) -> None:
        self._nodes += new_nodes
        if self._nodes > MAX_NODES:
            raise self._too_many(whole.node)
        if len(self._stack) + whole.levels > MAX_DEPTH:
            raise self._too_deep(whole.node.span)

    def _too_many(self, node: Node) -> Refused:
        span = Span(self.source, node.span.start, node.span.end)
        return refusal("R025", said("yaml.too_many", most=MAX_NODES), span)

    def _too_deep(self, span: Span) -> Refused:
        return refusal("R026", said("yaml.too_deep", most=MAX_DEPTH), Span(self.source, span.start, span.start + 1))


_EVENTS: dict[type[Any], Any] = {
    yaml.ScalarEvent: _Builder._take_scalar,
    yaml.MappingStartEvent: _Builder._begin,
    yaml.SequenceStartEvent: _Builder._begin,
    yaml.MappingEndEvent: _Builder._end,
    yaml.SequenceEndEvent: _Builder._end,
    yaml.AliasEvent: _Builder._alias,
    yaml.DocumentStartEvent: _Builder._document,
}


def _after_word(text: str, start: int) -> int:
    found = re.compile(r"\S*").match(text, start)
    return found.end() if found else start


def _after_properties(text: str, start: int) -> int:
    """Where a value begins when anchors, tags, and the blanks and comments after them are left out."""
    while found := _PROPERTY.match(text, start):
        start = found.end()
    return start


def value_of(text: str) -> Scalar:
    """What a plain scalar means by the core schema of YAML 1.2."""
    if text[:1] not in _SPECIAL:
        return text
    if _NULL.fullmatch(text):
        return None
    if _BOOL.fullmatch(text):
        return text.lower() == "true"
    if _INT.fullmatch(text):
        return int(text, 0) if text.startswith(("0o", "0x")) else int(text)
    if _FLOAT.fullmatch(text):
        return float(text.lower().replace(".inf", "inf").replace(".nan", "nan"))
    return text
