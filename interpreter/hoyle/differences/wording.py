"""Sentences that say something else of the same rule, and clauses of the source that no rule carries out alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from hoyle.differences.changes import Change, Kind, Side
from hoyle.differences.comparing import Difference
from hoyle.differences.edition import Edition
from hoyle.differences.names import at, in_texts
from hoyle.differences.outline import Part
from hoyle.differences.speech import together
from hoyle.language.model import Clause, texts_of
from hoyle.language.sentences import FALLBACK, LANGUAGES, typeset
from hoyle.reading.tree import Node, as_written, text_nodes

Paths = tuple[str, ...]


def worded(
    old: Mapping[str, Part], new: Mapping[str, Part], path: Paths, names: Mapping[str, str]
) -> Iterator[Difference]:
    """The `rule` of what both have, where it says something else. `names`: what the first has under other names."""
    for name, known in [
        *((n, n) for n in new if n in old),
        *((n, o) for o, n in at(path, names).items() if o in old and n in new),
    ]:
        if known in old:
            for key in ("rule", "en"):
                before, after = _text(old[known].node, key), _text(new[name].node, key)
                if before is not None and after is not None and in_texts(_words(before), names) != _words(after):
                    yield Difference("replaced", (*path, name, key), _part(key, before), _part(key, after))
            yield from worded(old[known].inner, new[name].inner, (*path, name), names)


def _text(node: Node, key: str) -> Node | None:
    found = node.get(key) if node.kind == "map" else None
    if found is None:
        return None
    return found if (found.get(FALLBACK) if found.kind == "map" else key == FALLBACK) else None


def rule_written(part: Part) -> str | None:
    """The sentence of an entry as its author wrote it."""
    found = _text(part.node, "rule")
    return _words(found) if found is not None else None


def _words(node: Node) -> str:
    """Options that put something else into a sentence are told as such."""
    return as_written(node[FALLBACK] if node.kind == "map" else node)


def _part(key: str, node: Node) -> Part:
    own = node[FALLBACK] if node.kind == "map" else node
    return Part(key, own, node, ("text", own.raw))


def clauses_told(found: Iterable[Change], a: Edition, b: Edition) -> Iterator[Change]:
    """The clauses that say something else, where that was not said with a rule."""
    told = {text for change in found for text in _sayings(change)}
    cited = {name for change in found for name in _cited(change)}
    old, new = a.rules.clauses, b.rules.clauses
    both = {clause.words.get(FALLBACK, "") for clause in old.values()} & {
        c.words.get(FALLBACK, "") for c in new.values()
    }
    for name in [*new, *(n for n in old if n not in new)]:
        before, after = old.get(name), new.get(name)
        words = [clause.words.get(FALLBACK, "") for clause in (before, after) if clause is not None]
        if set(words) <= both and (len(set(words)) < 2 or before is None or after is None):
            continue  # both sources say it, wherever
        if clause_written(a, name) == clause_written(b, name):
            continue
        if name not in cited and any(word and not any(word in text for text in told) for word in words):
            kind: Kind = "added" if before is None else "removed" if after is None else "replaced"
            yield Change(kind, "clauses", (name,), _clause(a, name, before), _clause(b, name, after))


def clause_written(edition: Edition, name: str) -> object:
    """A clause as its author wrote it, in the names of the other side, and when it holds; None if there is none."""
    clauses = edition.root.get("clauses")
    node = clauses.get(name) if clauses is not None and clauses.kind == "map" else None
    if node is None or node.kind != "map":
        return None
    written = as_written(node[FALLBACK]) if FALLBACK in node.pairs else ""
    return in_texts(written, edition.names), node.raw_of("if")


def source_told(a: Edition, b: Edition) -> Iterator[Change]:
    """Where the rules come from, if that is another source."""
    before, after = (_source(edition) for edition in (a, b))
    if before.said and after.said and dict(before.said)[FALLBACK] != dict(after.said)[FALLBACK]:
        yield Change("replaced", "source", (), before, after)


def _source(edition: Edition) -> Side:
    """Where its rules come from; in the words of a language, where these have any."""
    found = edition.rules.source
    plain = list(dict.fromkeys(text.removesuffix(".") for key, text in found.items() if key not in LANGUAGES))
    if not plain:
        return Side()
    said = tuple((lang, typeset(found.get(lang) or together(plain, lang), lang)) for lang in LANGUAGES)
    node = edition.root["source"]
    return Side(key="source", source="source", said=said, span=(node.get("text") or edition.root.key("source")).span)


def _sayings(change: Change) -> Iterator[str]:
    sides = [change.before, change.after, *(s for d in change.details for s in (d.before, d.after))]
    for side in sides:
        yield from dict(side.said).values() if side is not None else ()
    for other in (*change.follows, *change.helpers):
        yield from _sayings(other)


def _cited(change: Change) -> list[str]:
    """The clauses of a rule that was told by its own sentence."""
    return [
        name for side in (change.before, change.after) if side is not None and side.said for name in side.at.split()
    ]


def _clause(edition: Edition, name: str, clause: Clause | None) -> Side | None:
    if clause is None:
        return None
    node = edition.root["clauses"][name]
    own = text_nodes(node).get(FALLBACK, node) if node.kind == "map" else node
    span = own.span if own.kind == "scalar" else edition.root["clauses"].key(name).span
    return Side(name, texts_of(lambda lang: name), source=name, said=tuple(clause.words.items()), span=span)
