"""A merged tree as its parts, each with what it means: no places, no words for people, no names of variables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

from hoyle.diagnostics import Refused, Span
from hoyle.differences.forms import Meaning, Names, depth, inside, meaning_of, read
from hoyle.differences.names import in_texts, of_key
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
"""What is compared, in the order in which it is told."""
_SAID = ("at", "rule", "short", "symbol", "letter", "words", "before", "after", "like", "unasked", "one")
"""Keys that only say something to people, or where an entry stands, which its place says."""
_SORTS = ("face", "layout", "secret", "shape")
"""Keys whose values are words of the language, whatever an author calls things."""
_PHASE = 2
_WORD = re.compile(r"[^\W\d]\w*")


Lowered = frozenset[Meaning]
"""What a formula means, for all kinds of what it is given."""
Lower = Callable[[Form, Names], Lowered | None]
"""What a formula means, with the names that are bound around it; None of one that is never used."""


class Part(Struct):
    """An entry, a key of one, or an item of a list.

    name     what it is known by among its like: a term without its parameters
    meaning  equal for parts that say the same
    inner    the parts of a map, in order; `ordered`: does their order matter?
    lowered  of a formula that is used: equal for those that are worth the same, however they are spelt
    words    whatever names its formulas and lists mention
    items    of a list
    place    where to look, if not at the whole
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
        """A value that can be pointed at, else its key."""
        if self.place is not None:
            return self.place
        return self.node.span if self.node.kind != "map" and self.node.span.text.strip() else self.key.span

    @property
    def formula(self) -> Span:
        """Where its formula stands, if it is one, or a condition that has nothing else."""
        return self.inner["is"].node.span if set(self.inner) == {"is"} else self.node.span

    @property
    def written(self) -> str:
        """As it is written, in one line, without what only says something to people."""
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
    """The sections of a merged tree; `rows`: which rows of each table there are, in order; `names`: what things are to be taken for."""
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
        form = read(node, kind) if kind is not None else None
        known = of_key(_key_of(path), names) if path[-1] not in _SORTS else {}
        text = ("text", in_texts(known.get(node.raw, " ".join(node.raw.split())), names))
        meaning: Meaning = meaning_of(form, names) if form is not None else text
        words = {node.raw, *_WORD.findall(node.raw)}
        lowered = self.lower(form, names) if form is not None else None
        return Part(name, key, node, meaning, words=frozenset(words), lowered=lowered)

    def _map(self, name: str, key: Node, node: Node, path: Path, names: Names) -> Part:
        names = {**names, **_bound(node, depth(names))}
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
        """What is no text for people; of a table the rows that it has."""
        kept = [(name, *node.pairs[name]) for name in node.pairs if not is_told(name, path)]
        if len(path) == 3 and path[0] == "tables" and path[2] == "rows":
            spaced = {raw.replace(" ", "_"): (raw, key, value) for raw, key, value in kept}
            kept = [spaced[row] for row in self.rows.get(str(path[1]), ()) if row in spaced]
        yield from kept

    def _key(self, raw: str, key: Node, path: Path, names: Names) -> tuple[str, Names, frozenset[str]]:
        """What a key is known by, the names that what stands there may mention, and the names that it mentions itself."""
        kind = self.keys.get(path)
        if path[-2] in ("with", "let") and raw in names:
            return names[raw], names, frozenset()
        if kind is None or is_identifier(raw):
            return raw if kind in (None, "signature") else names.get(raw, raw), names, frozenset()
        try:
            if kind == "signature":
                found = parse.signature(key)
                own = {p: f"#{depth(names) + n}" for n, p in enumerate(found.parameters)}
                return found.name, {**names, **own}, frozenset()
            return _known_by(meaning_of(parse.formula(key), names)), names, frozenset(_WORD.findall(raw))
        except Refused:
            return raw, names, frozenset()


def _key_of(path: Path) -> str:
    """The key at which something stands, also as an item of a list."""
    return next(name for name in reversed(path) if isinstance(name, str))


def _of_items(path: Path, names: Names) -> Names:
    """Of the choices of an option and of seats, what each is to be taken for."""
    if path[0] == "players":
        prefix = inside("players", "")
    elif path[0] == "options" and len(path) > 2:
        prefix = inside(str(path[1]), "")
    else:
        return names
    return {old.removeprefix(prefix): new for old, new in names.items() if old.startswith(prefix)}


def _known_by(meaning: Meaning) -> str:
    return repr(meaning)


def _bound(node: Node, known: int) -> dict[str, str]:
    """The names that a step's `for`, a move's `with` and `let` give to what stands beside them."""
    found = [_loop_of(node)] if _loop_of(node) else []
    for key in ("with", "let"):
        given = node.get(key)
        found += list(given.pairs) if given is not None and given.kind == "map" else []
    return {name: f"#{known + number}" for number, name in enumerate(found)}


def _loop_of(node: Node) -> str:
    """The name that `for` gives; empty where there is no loop."""
    loop = node.get("for")
    if loop is None or loop.kind != "scalar":
        return ""  # or a step of that name
    try:
        return parse.generator(loop).name
    except Refused:
        return ""  # the checker tells


def is_told(name: str, path: Path) -> bool:
    """Does this key only say something to people, or something that is compared elsewhere?"""
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
    """Are the entries there done, tried or counted in their order?"""
    if path[0] == "flow":
        return len(path) == _PHASE or path[-1] in STEPS_INSIDE
    if path[0] in ("moves", "whenever"):
        return path[-1] in STEPS_INSIDE or path == ("whenever",)
    return path[0] == "tables" and path[-1] == "rows"
