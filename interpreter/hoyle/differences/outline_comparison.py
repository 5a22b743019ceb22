"""Compare two outlines, and the sentences and clauses beside them, part by part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from hoyle.differences.changes import Change, Kind, Side
from hoyle.differences.compared_ruleset import ComparedRuleset
from hoyle.differences.name_mapping import KeyPath, names_at, rename_in_braces
from hoyle.differences.normal_forms import Meaning
from hoyle.differences.outline import Part
from hoyle.differences.wording import join_words
from hoyle.language.model import Clause, texts_of
from hoyle.language.sentences import FALLBACK, LANGUAGES, typeset
from hoyle.reading.tree import Node, text_nodes, written_text


class Difference(Struct, frozen=True):
    """A part that was added, removed, changed or moved."""

    kind: Kind
    path: KeyPath
    before: Part | None
    after: Part | None


def compare_parts(
    a: Mapping[str, Part],
    b: Mapping[str, Part],
    path: KeyPath = (),
    ordered: bool = False,
    names: Mapping[str, str] = {},
) -> Iterator[Difference]:
    """Yield the differences of two maps of parts in the order of the second, removed parts at their old place.

    `names` maps names of the first to those of the second.
    """
    renamed = _find_renames(a, b, names_at(path, names))
    back = {new: old for old, new in renamed.items()}
    moved = _find_moved([renamed.get(name, name) for name in a], list(b)) if ordered else frozenset()
    for name in _merge_orders(a, b, renamed):
        if name in back:
            yield Difference("renamed", (*path, name), a[back[name]], b[name])
            yield from _of_one(a[back[name]], b[name], (*path, name), names)
        elif name not in b:
            yield Difference("removed", (*path, name), a[name], None)
        elif name not in a:
            yield Difference("added", (*path, name), None, b[name])
        else:
            yield from _of_one(a[name], b[name], (*path, name), names)
        if name in moved:
            yield Difference("moved", (*path, name), a[back.get(name, name)], b[name])


def _of_one(a: Part, b: Part, path: KeyPath, names: Mapping[str, str]) -> Iterator[Difference]:
    if _is_same(a, b):
        return
    if a.node.kind == b.node.kind == "map":
        yield from compare_parts(a.inner, b.inner, path, b.ordered, names)
    else:
        yield Difference("replaced", path, _first_new_item(a, b), _first_new_item(b, a))


def _is_same(a: Part, b: Part) -> bool:
    """Return whether two parts have the same meaning; lists are compared item by item."""
    if a.meaning == b.meaning or (a.lowered is not None and a.lowered == b.lowered):
        return True
    return 0 < len(a.items) == len(b.items) and all(map(_is_same, a.items, b.items))


def _first_new_item(one: Part, other: Part) -> Part:
    """Return the part, or for a list its first item that the other list lacks."""
    new = (item.span for item in one.items if not any(_is_same(item, known) for known in other.items))
    return replace(one, place=next(new, None))


def _find_renames(a: Mapping[str, Part], b: Mapping[str, Part], names: Mapping[str, str]) -> dict[str, str]:
    """Map old names to new ones: known renames, and entries with the same body under one name on each side."""
    known = {old: new for old, new in names.items() if old in a and new in b and old not in b and new not in a}
    a = {name: part for name, part in a.items() if name not in known}
    b = {name: part for name, part in b.items() if name not in known.values()}
    return {**known, **_of_one_body(a, b)}


def _of_one_body(a: Mapping[str, Part], b: Mapping[str, Part]) -> dict[str, str]:
    gone = _by_meaning({name: part for name, part in a.items() if name not in b})
    new = _by_meaning({name: part for name, part in b.items() if name not in a})
    return {
        gone[m][0]: new[m][0]
        for m in gone
        if len(gone[m]) == len(new.get(m, ())) == 1 and _is_recognisable(a[gone[m][0]])
    }


def _by_meaning(parts: Mapping[str, Part]) -> dict[Meaning, list[str]]:
    found: dict[Meaning, list[str]] = {}
    for name, part in parts.items():
        found.setdefault(part.meaning, []).append(name)
    return found


def _is_recognisable(part: Part) -> bool:
    """Return whether a part has enough content to be recognised under another name."""
    return bool(part.inner) or (part.node.kind == "scalar" and len(part.words) > 3)


def _merge_orders(a: Mapping[str, Part], b: Mapping[str, Part], renamed: Mapping[str, str]) -> list[str]:
    """Return all names in the second's order, each removed name behind its old predecessor."""
    found, last = list(b), -1
    for name in a:
        name = renamed.get(name, name)
        if name in b:
            last = found.index(name)
        else:
            last += 1
            found.insert(last, name)
    return found


def _find_moved(a: Sequence[str], b: Sequence[str]) -> frozenset[str]:
    """Return a smallest set of common names whose moving makes both orders equal."""
    old, new = [name for name in a if name in b], [name for name in b if name in a]
    place = {name: n for n, name in enumerate(old)}
    best: list[list[str]] = []
    for name in new:
        longest = max((kept for kept in best if place[kept[-1]] < place[name]), key=len, default=[])
        best.append([*longest, name])
    kept = max(best, key=len, default=[])
    return frozenset(new) - frozenset(kept)


def compare_rules(
    old: Mapping[str, Part], new: Mapping[str, Part], path: KeyPath, names: Mapping[str, str]
) -> Iterator[Difference]:
    """Yield entries of both sides whose `rule` has another sentence."""
    for name, known in [
        *((n, n) for n in new if n in old),
        *((n, o) for o, n in names_at(path, names).items() if o in old and n in new),
    ]:
        if known in old:
            for key in ("rule", "en"):
                before, after = _text(old[known].node, key), _text(new[name].node, key)
                if (
                    before is not None
                    and after is not None
                    and rename_in_braces(_unfilled_words(before), names) != _unfilled_words(after)
                ):
                    yield Difference("replaced", (*path, name, key), _part(key, before), _part(key, after))
            yield from compare_rules(old[known].inner, new[name].inner, (*path, name), names)


def _text(node: Node, key: str) -> Node | None:
    found = node.get(key) if node.kind == "map" else None
    if found is None:
        return None
    return found if (found.get(FALLBACK) if found.kind == "map" else key == FALLBACK) else None


def written_rule(part: Part) -> str | None:
    """Return the rule's sentence as the author wrote it."""
    found = _text(part.node, "rule")
    return _unfilled_words(found) if found is not None else None


def _unfilled_words(node: Node) -> str:
    """Return a sentence with its braces, so that another option value is not another sentence."""
    return written_text(node[FALLBACK] if node.kind == "map" else node)


def _part(key: str, node: Node) -> Part:
    own = node[FALLBACK] if node.kind == "map" else node
    return Part(key, own, node, ("text", own.raw))


def compare_clauses(found: Iterable[Change], a: ComparedRuleset, b: ComparedRuleset) -> Iterator[Change]:
    """Yield the clauses with another text that no rule's change has told."""
    told = {text for change in found for text in _sayings(change)}
    cited = {name for change in found for name in _clauses_told_by_rule(change)}
    old, new = a.rules.clauses, b.rules.clauses
    both = {clause.words.get(FALLBACK, "") for clause in old.values()} & {
        c.words.get(FALLBACK, "") for c in new.values()
    }
    for name in [*new, *(n for n in old if n not in new)]:
        before, after = old.get(name), new.get(name)
        words = [clause.words.get(FALLBACK, "") for clause in (before, after) if clause is not None]
        if set(words) <= both and (len(set(words)) < 2 or before is None or after is None):
            continue  # both sources say it, wherever
        if written_clause(a, name) == written_clause(b, name):
            continue
        if name not in cited and any(word and not any(word in text for text in told) for word in words):
            kind: Kind = "added" if before is None else "removed" if after is None else "replaced"
            yield Change(kind, "clauses", (name,), _clause(a, name, before), _clause(b, name, after))


def written_clause(edition: ComparedRuleset, name: str) -> object:
    """Return a clause as written, in the other side's names, with its condition; None if there is none."""
    clauses = edition.root.get("clauses")
    node = clauses.get(name) if clauses is not None and clauses.kind == "map" else None
    if node is None or node.kind != "map":
        return None
    written = written_text(node[FALLBACK]) if FALLBACK in node.pairs else ""
    return rename_in_braces(written, edition.names), node.raw_of("if")


def compare_sources(a: ComparedRuleset, b: ComparedRuleset) -> Iterator[Change]:
    """Yield the change of the source, if there is one."""
    before, after = (_describe_source(edition) for edition in (a, b))
    if before.said and after.said and dict(before.said)[FALLBACK] != dict(after.said)[FALLBACK]:
        yield Change("replaced", "source", (), before, after)


def _describe_source(edition: ComparedRuleset) -> Side:
    found = edition.rules.source
    plain = list(dict.fromkeys(text.removesuffix(".") for key, text in found.items() if key not in LANGUAGES))
    if not plain:
        return Side()
    said = tuple((lang, typeset(found.get(lang) or join_words(plain, lang), lang)) for lang in LANGUAGES)
    node = edition.root["source"]
    return Side(key="source", source="source", said=said, span=(node.get("text") or edition.root.key("source")).span)


def _sayings(change: Change) -> Iterator[str]:
    sides = [change.before, change.after, *(s for d in change.details for s in (d.before, d.after))]
    for side in sides:
        yield from dict(side.said).values() if side is not None else ()
    for other in (*change.follows, *change.helpers):
        yield from _sayings(other)


def _clauses_told_by_rule(change: Change) -> list[str]:
    """Return the clauses of a rule that was told by its own sentence."""
    return [
        name for side in (change.before, change.after) if side is not None and side.said for name in side.at.split()
    ]


def _clause(edition: ComparedRuleset, name: str, clause: Clause | None) -> Side | None:
    if clause is None:
        return None
    node = edition.root["clauses"][name]
    own = text_nodes(node).get(FALLBACK, node) if node.kind == "map" else node
    span = own.span if own.kind == "scalar" else edition.root["clauses"].key(name).span
    return Side(name, texts_of(lambda lang: name), source=name, said=tuple(clause.words.items()), span=span)
