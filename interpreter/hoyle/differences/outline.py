"""A merged tree as parts with meanings: without places, words for people and names of variables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

from hoyle.diagnostics import Refused, Span
from hoyle.differences.name_mapping import names_of_key, rename_in_braces
from hoyle.differences.normal_forms import Meaning, Names, count_bound, normalise, owned_key, parse_node
from hoyle.language.syntax import Form, is_identifier
from hoyle.reading import parse
from hoyle.reading.shape import Path, formulas
from hoyle.reading.tree import STEPS_INSIDE, Node, is_text_key, text_nodes

SECTIONS = (
    "players",
    "options",
    "constraints",
    "tables",
    "pieces",
    "piles",
    "state",
    "flow",
    "moves",
    "obligations",
    "whenever",
    "terms",
    "result",
    "display",
)
"""Compared sections, in the order in which they are told."""
_SAID = ("at", "rule", "short", "symbol", "letter", "words", "before", "after", "like", "unasked", "one")
"""Keys that are only for people, or for the place of an entry."""
_SORTS = ("face", "layout", "secret", "shape")
"""Keys whose values are words of the language."""
_PHASE = 2
_WORD = re.compile(r"[^\W\d]\w*")


Lowered = frozenset[Meaning]
"""Keys of a formula for all kinds it is used with."""
Lower = Callable[[Form, Names], Lowered | None]
"""Returns the keys of a formula, given the names bound around it; None if it is never used."""


class Part(Struct):
    """An entry, a key of one, or an item of a list.

    name     name among its siblings; of a term, without parameters
    meaning  equal for parts that say the same
    inner    parts of a map; `ordered` if their order matters
    lowered  of a used formula, equal for equal values
    words    names mentioned by its formulas and lists
    items    of a list
    place    a more exact place, if there is one
    """

    name: str
    key: Node
    node: Node
    meaning: Meaning
    inner: dict[str, Part] = {}
    ordered: bool = False
    words: frozenset[str] = frozenset()
    items: tuple[Part, ...] = ()
    place: Span | None = None
    lowered: Lowered | None = None

    @property
    def span(self) -> Span:
        """Place of the value if it is a scalar, else of the key."""
        if self.place is not None:
            return self.place
        return self.node.span if self.node.kind != "map" and self.node.span.text.strip() else self.key.span

    @property
    def formula(self) -> Span:
        """Place of its formula, or of its only condition."""
        return self.inner["is"].node.span if set(self.inner) == {"is"} else self.node.span

    @property
    def written(self) -> str:
        """Its text in one line, without words for people."""
        if self.inner:
            inner = {part.key.raw: part.written for part in self.inner.values()}
            return inner["is"] if set(inner) == {"is"} else "; ".join(f"{key}: {text}" for key, text in inner.items())
        if self.node.kind == "map":
            return next((text.raw for text in text_nodes(self.node).values()), self.key.raw)
        found = self.node.raw if self.node.kind == "scalar" else ", ".join(item.raw for item in self.node.items)
        return " ".join(found.split()) or self.key.raw

    def walk(self, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Part]]:
        yield path, self
        for name, part in self.inner.items():
            yield from part.walk((*path, name))


def outline(root: Node, rows: Mapping[str, tuple[str, ...]], names: Names, lower: Lower) -> dict[str, Part]:
    """Return the sections of a merged tree. `rows` are the rows of each table in order."""
    maker = _Maker(root, rows, lower)
    return {name: maker.part(name, root.key(name), root[name], (name,), names) for name in SECTIONS if root.get(name)}


class _Maker:
    def __init__(self, root: Node, rows: Mapping[str, tuple[str, ...]], lower: Lower) -> None:
        found = formulas(root)
        self.kinds: dict[Path, str] = {place.path: place.kind for place in found if not place.is_key}
        self.keys: dict[Path, str] = {place.path: place.kind for place in found if place.is_key}
        self.rows, self.lower = rows, lower

    def part(self, name: str, key: Node, node: Node, path: Path, names: Names) -> Part:
        if node.kind == "map":
            return self._map(name, key, node, path, names)
        if node.kind == "list":
            named = _of_items(path, names)
            items = tuple(self.part("", item, item, (*path, n), named) for n, item in enumerate(node.items))
            words = frozenset[str]().union(*(item.words for item in items))
            return Part(name, key, node, ("list", *(item.meaning for item in items)), words=words, items=items)
        return self._scalar(name, key, node, path, names)

    def _scalar(self, name: str, key: Node, node: Node, path: Path, names: Names) -> Part:
        kind = self.kinds.get(path)
        form = parse_node(node, kind) if kind is not None else None
        known = names_of_key(_key_of(path), names) if path[-1] not in _SORTS else {}
        text = ("text", rename_in_braces(known.get(node.raw, " ".join(node.raw.split())), names))
        meaning: Meaning = normalise(form, names) if form is not None else text
        words = {node.raw, *_WORD.findall(node.raw)}
        lowered = self.lower(form, names) if form is not None else None
        return Part(name, key, node, meaning, words=frozenset(words), lowered=lowered)

    def _map(self, name: str, key: Node, node: Node, path: Path, names: Names) -> Part:
        names = {**names, **_bound(node, count_bound(names))}
        inner: dict[str, Part] = {}
        for raw, own, value in self._entries(node, path):
            called, known, words = self._key(raw, own, (*path, raw), names)
            made = self.part(called, own, value, (*path, raw), known)
            made.words |= words
            inner[called] = made
        ordered = is_ordered(tuple(str(p) for p in path))
        meanings = [(n, part.meaning) for n, part in inner.items()]
        meaning: Meaning = ("map", *(meanings if ordered else sorted(meanings, key=lambda pair: pair[0])))
        words = frozenset[str]().union(*(part.words for part in inner.values()))
        alone = inner["is"] if set(inner) == {"is"} else None  # a condition that is a formula alone
        if alone is not None:
            meaning = alone.meaning
        lowered = alone.lowered if alone is not None else None
        return Part(name, key, node, meaning, inner, ordered, words, lowered=lowered)

    def _entries(self, node: Node, path: Path) -> Iterator[tuple[str, Node, Node]]:
        """Yield the entries that are no words for people; of a table, the rows that exist."""
        kept = [(name, *node.pairs[name]) for name in node.pairs if not is_told(name, path)]
        if len(path) == 3 and path[0] == "tables" and path[2] == "rows":
            spaced = {raw.replace(" ", "_"): (raw, key, value) for raw, key, value in kept}
            kept = [spaced[row] for row in self.rows.get(str(path[1]), ()) if row in spaced]
        yield from kept

    def _key(self, raw: str, key: Node, path: Path, names: Names) -> tuple[str, Names, frozenset[str]]:
        """Return the name of a key, the names its value may mention, and the names it mentions."""
        kind = self.keys.get(path)
        if path[-2] in ("with", "let") and raw in names:
            return names[raw], names, frozenset()
        if kind is None or is_identifier(raw):
            return raw if kind in (None, "signature") else names.get(raw, raw), names, frozenset()
        try:
            if kind == "signature":
                found = parse.signature(key)
                own = {p: f"#{count_bound(names) + n}" for n, p in enumerate(found.parameters)}
                return found.name, {**names, **own}, frozenset()
            return _known_by(normalise(parse.formula(key), names)), names, frozenset(_WORD.findall(raw))
        except Refused:
            return raw, names, frozenset()


def _key_of(path: Path) -> str:
    """Return the key around a path, also for an item of a list."""
    return next(name for name in reversed(path) if isinstance(name, str))


def _of_items(path: Path, names: Names) -> Names:
    """Return the renames of choices of an option, or of seats."""
    if path[0] == "players":
        prefix = owned_key("players", "")
    elif path[0] == "options" and len(path) > 2:
        prefix = owned_key(str(path[1]), "")
    else:
        return names
    return {old.removeprefix(prefix): new for old, new in names.items() if old.startswith(prefix)}


def _known_by(meaning: Meaning) -> str:
    return repr(meaning)


def _bound(node: Node, known: int) -> dict[str, str]:
    """Return the names bound by `for`, `with` and `let` beside a node."""
    found = [_loop_of(node)] if _loop_of(node) else []
    for key in ("with", "let"):
        given = node.get(key)
        found += list(given.pairs) if given is not None and given.kind == "map" else []
    return {name: f"#{known + number}" for number, name in enumerate(found)}


def _loop_of(node: Node) -> str:
    """Return the name bound by `for`, or an empty text."""
    loop = node.get("for")
    if loop is None or loop.kind != "scalar":
        return ""  # or a step of that name
    try:
        return parse.generator(loop).name
    except Refused:
        return ""  # the checker tells


def is_told(name: str, path: Path) -> bool:
    """Return whether a key is for people only, or compared elsewhere."""
    if len(path) == 1 or (len(path) == 2 and path[0] == "flow"):
        return (
            is_text_key(name)
            or (path[0] in ("players", "result") and name in _SAID)
            or (path[0] == "flow" and name == "at")
        )
    if path[0] == "options" and name == "default":
        return True  # what is in force says it
    if path[0] == "tables" and len(path) == 2 and name == "order":
        return True  # the order of the rows does
    return is_text_key(name) or name in _SAID


def is_ordered(path: tuple[str, ...]) -> bool:
    """Return whether the order of the entries at a path matters."""
    if path[0] == "flow":
        return len(path) == _PHASE or path[-1] in STEPS_INSIDE
    if path[0] in ("moves", "whenever"):
        return path[-1] in STEPS_INSIDE or path == ("whenever",)
    return path[0] == "tables" and path[-1] == "rows"
