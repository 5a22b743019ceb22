"""YAML text → `Node` tree with places, by the YAML 1.2 core schema: `no` and `1:30` are text. The only module that imports PyYAML.

`load` raises `Refused` with all errors that one parse finds.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from typing import Any

import yaml
from msgspec import Struct

from hoyle.diagnostics import LocalizedText, Problems, Refused, Source, Span, build_replacement
from hoyle.language.sentences import make_message
from hoyle.printable import UNPRINTABLE
from hoyle.reading.sources import normalize, refusal, refuse_large
from hoyle.reading.tree import Node, Scalar
from hoyle.reading.yaml_errors import line_end, repair_list, repair_map, syntax_error

MAX_NODES = 10_000
MAX_DEPTH = 60

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
UNWANTED = re.compile(rf"(?![\t\n])(?:{UNPRINTABLE.pattern}|[\ufffe\uffff])")
_BRACKET = re.compile(r" *[{\[]")
_PROPERTY = re.compile(r"[&!]\S*(?:\s|#.*)*")
_SPECIAL = frozenset(["", *"~+-.0123456789nNtTfF"])
"""First characters of plain scalars that may be no text."""
_NULL = re.compile(r"null|Null|NULL|~|")
_BOOL = re.compile(r"true|True|TRUE|false|False|FALSE")
_INT = re.compile(r"[-+]?[0-9]{1,18}|0o[0-7]{1,18}|0x[0-9a-fA-F]{1,15}")
_FLOAT = re.compile(
    r"[-+]?(\.[0-9]+|[0-9]+\.[0-9]*|[0-9]+(?=[eE]))([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"
)


def load(source: Source, only: Container[str] | None = None) -> Node:
    """Parse the one document of a source, or its sections of these names only. Spans point into the normalized source."""
    source = normalize(source)
    refuse_large(source.name, len(source.text))  # a character is at least a byte
    problems = Problems()
    for match in UNWANTED.finditer(source.text):
        _refuse_character(match[0], Span(source, match.start(), match.end()), make_message("yaml.unseen"), problems)
        if len(problems) >= 20:
            break
    problems.stop_on_errors()
    builder = _Builder(source, problems)
    events = yaml.parse(source.text, _LOADER)
    try:
        for event in events if only is None else _select_sections(events, only):
            builder.take(event)
    except yaml.YAMLError as error:
        problems.extend([syntax_error(source, error)])
    except Refused as refused:
        problems.extend(refused.diagnostics)
    root = builder.root
    if not problems.errors and (root is None or root.is_null):
        problems.add(
            "R006", make_message("says_nothing", name=source.name), Span(source, 0, 0), help=make_message("new_file")
        )
    problems.stop_on_errors()
    assert root is not None
    return root


def _refuse_character(character: str, span: Span, label: LocalizedText, problems: Problems) -> None:
    message = make_message("yaml.no_character", number=f"{ord(character):04X}")
    problems.add("R005", message, span, label=label, help=make_message("yaml.remove"))


def _select_sections(events: Iterable[yaml.Event], only: Container[str]) -> Iterator[yaml.Event]:
    """Leave out the events of the other entries of the outermost map."""
    depth, is_key, is_wanted = 0, True, True
    for event in events:
        begins, ends = isinstance(event, yaml.CollectionStartEvent), isinstance(event, yaml.CollectionEndEvent)
        depth -= ends
        if depth == 1 and is_key and not ends:
            is_wanted = isinstance(event, yaml.ScalarEvent) and event.value in only
        if is_wanted or depth == 0:
            yield event
        if depth == 1 and not begins:
            is_key = not is_key
        depth += begins


class _Sized(Struct):
    """A node with its size: the number of values with aliases followed, and the levels of nesting."""

    node: Node
    nodes: int = 1
    levels: int = 0


class _Open(Struct):
    """A list or map that has begun, with its parts so far (keys and values in turn for a map)."""

    whole: _Sized
    anchor: str | None
    parts: list[Node] = []

    @property
    def awaits_key(self) -> bool:
        return self.whole.node.kind == "map" and len(self.parts) % 2 == 0

    def add(self, part: _Sized) -> None:
        if not self.awaits_key:
            self.whole.nodes += part.nodes
        self.parts.append(part.node)
        self.whole.levels = max(self.whole.levels, part.levels + 1)


class _Builder:
    """Builds the tree from YAML events with a stack of its own, so that no nesting exhausts Python's."""

    def __init__(self, source: Source, problems: Problems) -> None:
        self.source = source
        self.problems = problems
        self.root: Node | None = None
        self._stack: list[_Open] = []
        self._anchors: dict[str, _Sized] = {}
        self._nodes = 0
        self._documents = 0

    def take(self, event: yaml.Event) -> None:
        handler = _HANDLERS.get(type(event))
        if handler is not None:
            handler(self, event)

    def _span(self, event: Any) -> Span:
        return Span(self.source, event.start_mark.index, event.end_mark.index)

    def _begin_document(self, event: Any) -> None:
        self._documents += 1
        if self._documents > 1:
            start = event.start_mark.index
            span = Span(self.source, start, line_end(self.source, start))
            raise refusal("R007", make_message("yaml.second_document"), span, help=make_message("yaml.one_each"))

    def _refuse_tag(self, event: Any) -> None:
        start = self.source.text.index("!", event.start_mark.index)
        word = re.compile(r"\S*").match(self.source.text, start)
        span = Span(self.source, start, word.end() if word else start)
        message, help = make_message("yaml.not_used", written=span.text), make_message("yaml.tag_or_quote")
        self.problems.add("R023", message, span, label=make_message("yaml.a_tag"), help=help)

    def _add_scalar(self, event: Any) -> None:
        if event.tag is not None:
            self._refuse_tag(event)
        node = self._scalar(event)
        if event.anchor or not self._stack:
            self._finish(_Sized(node), event.anchor, new_nodes=1)
            return
        opened = self._stack[-1]  # a short cut of `_finish`: most nodes are scalars without anchor
        if not opened.awaits_key:
            self._nodes += 1
            if self._nodes > MAX_NODES:
                raise self._too_many(node)
            opened.whole.nodes += 1
        opened.parts.append(node)

    def _scalar(self, event: Any) -> Node:
        start, end, style = event.start_mark.index, event.end_mark.index, event.style or ""
        if self.source.text[start : start + 1] in ("&", "!"):
            start = min(_skip_properties(self.source.text, start), end)
        if end - start != len(event.value):
            end = start + len(self.source.text[start:end].rstrip())
        span = Span(self.source, start, end)
        if style == '"' and (match := UNWANTED.search(event.value)):
            _refuse_character(match[0], span, make_message("yaml.an_escape"), self.problems)
        value = value_of(event.value) if style == "" and not event.tag else event.value
        return Node("scalar", span, value, event.value, style)

    def _begin(self, event: Any) -> None:
        if event.tag is not None:
            self._refuse_tag(event)
        kind = "map" if isinstance(event, yaml.MappingStartEvent) else "list"
        start = _skip_properties(self.source.text, event.start_mark.index)
        node = Node(kind, Span(self.source, start, start), style="flow" if event.flow_style else "block")
        if len(self._stack) >= MAX_DEPTH:
            raise self._too_deep(node.span)
        self._stack.append(_Open(_Sized(node), event.anchor))

    def _end(self, event: Any) -> None:
        opened = self._stack.pop()
        node, parts = opened.whole.node, opened.parts
        start, is_flow = node.span.start, node.style == "flow"
        # a block ends with its last part: YAML's own mark is where the next thing begins
        ends = [int(event.end_mark.index)] if is_flow else [part.span.end for part in parts[-2:]]
        node.span = Span(self.source, start, max([start, *ends]))
        if node.kind == "map":
            pairs = list(zip(parts[::2], parts[1::2], strict=True))
            for key, value in repair_map(pairs, self.problems) if is_flow else pairs:
                if self._is_name(key):
                    self._add_pair(node, key, value)
        else:
            node.items = repair_list(parts, self.problems) if is_flow else parts
        self._finish(opened.whole, opened.anchor, new_nodes=1)

    def _is_name(self, key: Node) -> bool:
        """Report a key that is no name."""
        if key.kind != "scalar":
            self.problems.add("R021", make_message("yaml.name_a_text"), key.span, label=make_message("yaml.as_a_name"))
        elif key.raw == "":
            self.problems.add("R021", make_message("yaml.name_missing"), key.span)
        elif key.raw == "<<" and key.style == "":
            self.problems.add("R022", make_message("yaml.no_merge"), key.span, help=make_message("yaml.take_over"))
        elif key.style == "" and (bracket := _BRACKET.search(key.raw)):
            word = key.raw[: bracket.start()]
            fixes = build_replacement(key.span, key.raw, f"{word}: {key.raw[bracket.end() - 1 :]}")
            message, label = make_message("yaml.colon_missing", word=word), make_message("yaml.taken_for_name")
            help = make_message("yaml.colon_after", word=word)
            self.problems.add("R012", message, key.span, label=label, help=help, fixes=fixes)
        else:
            return True
        return False

    def _add_pair(self, node: Node, key: Node, value: Node) -> None:
        first = node.pairs.setdefault(key.raw, (key, value))[0]
        if first is key:
            return
        help = make_message("yaml.different_names")
        if value.kind == "map" and node.pairs[key.raw][1].kind == "map":
            help = make_message("yaml.both_or_different" if self._stack else "yaml.both_under_first")
        above = [opened.parts[-1].raw if opened.parts else "" for opened in self._stack]
        if above[:1] == ["examples"] and (len(above) == 2 or above[-2:-1] == ["after"]):
            help = make_message("yaml.after_a_move")
        message, related = (
            make_message("yaml.stands_twice", name=key.raw),
            [(first.span, make_message("shape.first_here"))],
        )
        self.problems.add("R020", message, key.span, label=make_message("shape.again"), help=help, related=related)

    def _add_alias(self, event: Any) -> None:
        known, span = self._anchors.get(event.anchor), self._span(event)
        if known is not None:
            self._finish(known, None, new_nodes=known.nodes)
        elif any(opened.anchor == event.anchor for opened in self._stack):
            raise refusal("R024", make_message("yaml.inside_itself", anchor=event.anchor), span)
        else:
            message = make_message("yaml.repeats_nothing", anchor=event.anchor)
            raise refusal("R024", message, span, help=make_message("yaml.quote_star"))

    def _finish(self, whole: _Sized, anchor: str | None, new_nodes: int) -> None:
        """Remember the anchor of a complete node, check the limits, and add the node to the collection that holds it."""
        if anchor:
            self._anchors[anchor] = whole
        if not self._stack:
            self.root = whole.node
            return
        self._nodes += 0 if self._stack[-1].awaits_key else new_nodes
        if self._nodes > MAX_NODES:
            raise self._too_many(whole.node)
        if len(self._stack) + whole.levels > MAX_DEPTH:
            raise self._too_deep(whole.node.span)
        self._stack[-1].add(whole)

    def _too_many(self, node: Node) -> Refused:
        span = Span(self.source, node.span.start, node.span.end)
        return refusal("R025", make_message("yaml.too_many", most=MAX_NODES), span)

    def _too_deep(self, span: Span) -> Refused:
        return refusal(
            "R026", make_message("yaml.too_deep", most=MAX_DEPTH), Span(self.source, span.start, span.start + 1)
        )


_HANDLERS: dict[type[Any], Any] = {
    yaml.ScalarEvent: _Builder._add_scalar,
    yaml.MappingStartEvent: _Builder._begin,
    yaml.SequenceStartEvent: _Builder._begin,
    yaml.MappingEndEvent: _Builder._end,
    yaml.SequenceEndEvent: _Builder._end,
    yaml.AliasEvent: _Builder._add_alias,
    yaml.DocumentStartEvent: _Builder._begin_document,
}


def _skip_properties(text: str, start: int) -> int:
    """Skip anchors, tags, and the blanks and comments after them."""
    while match := _PROPERTY.match(text, start):
        start = match.end()
    return start


def value_of(text: str) -> Scalar:
    """The value of a plain scalar by the YAML 1.2 core schema."""
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
