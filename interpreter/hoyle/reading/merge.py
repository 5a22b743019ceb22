"""Merge a ruleset with its parents and libraries into one tree, by name. Spans still point into each file."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Container, Iterable
from functools import lru_cache
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from hoyle.diagnostics import NO_TEXT, Diagnostic, Refused, Source, Span, build_replacement, find_close_name
from hoyle.language.sentences import FALLBACK, make_message
from hoyle.reading import sources
from hoyle.reading.tree import Node, is_text_key

Reader = Callable[[Path], Node]
_NAMED = ("moves", "whenever")
_NAMING = {**dict.fromkeys(("choose", "play", "prefer", "over", "until"), "moves"), "obey": "obligations"}
"""Keys of lists of names, and the section of these names."""
MOST_FILES_DEEP = 40
_WHOLE = ("source",)
"""Sections that a variant replaces as a whole: it does not credit others with its rules."""
_MAY_BE_EMPTY = ("examples", "tables", "notes", "unaffected", "clauses", "in_words", "glossary", "source")
"""Sections in which null is a value."""
_OWN = ("examples", "extends", "use", "needs", "library")


class Merged(Struct):
    """A merged tree and where it comes from.

    files      its files, parents first
    removed    (section, name) → where it was removed; for tables also rows and columns
    needs      the `needs` of each library
    problems   warnings and errors of the merge
    templates  moves that others are `like`
    languages  the languages of the file's own translations, with their places
    spoken     the languages of all translations, those of parents too
    complete   the source of the file itself; None for a library, which may name things of its users
    """

    root: Node
    files: list[Path] = []
    removed: dict[tuple[str, str], Span] = {}
    needs: list[Node] = []
    problems: list[Diagnostic] = []
    templates: set[str] = set()
    languages: dict[str, Span] = {}
    spoken: set[str] = set()
    complete: Source | None = None


class Translation(Struct):
    """A translated tree, the languages of its translations with their places, and the problems in them."""

    root: Node
    languages: dict[str, Span] = {}
    problems: list[Diagnostic] = []


Translator = Callable[[Node, Path], Translation]
"""Applies the translations of a ruleset to its merged tree."""


class _Files(Struct):
    """How files are read and translated, and the results for files that several others extend or use."""

    reader: Reader
    translator: Translator
    known: dict[Path, Merged] = {}


def merge(
    path: Path, reader: Reader, *, root: Node | None = None, translator: Translator = lambda root, _: Translation(root)
) -> Merged:
    """Merge the ruleset at `path` on top of everything it extends and uses, each translated. Raises Refused."""
    return _merge(path, _Files(reader, translator), root if root is not None else reader(path), ())


def _merge(path: Path, files: _Files, own: Node, chain: tuple[Path, ...]) -> Merged:
    merged = Merged(Node("map", own.span), complete=own.span.source if own.get("library") is None else None)
    here = (*chain, path)
    for name in sources.dependency_names(own):
        found = sources.find_dependency(name, path)
        if found.resolve() in [p.resolve() for p in here]:
            raise Refused(
                [
                    Diagnostic(
                        "R603",
                        make_message("files.on_itself", name=name.raw),
                        name.span,
                        help=make_message("files.not_itself"),
                    )
                ]
            )
        if len(here) >= MOST_FILES_DEEP:
            raise Refused([_too_deep(name)])
        if found not in files.known:
            files.known[found] = _merge(found, files, files.reader(found), here)
        below = files.known[found]
        unsaid = ("title", "source") if below.root.get("library") is not None else ()
        _lay(merged, replace(below.root, pairs={k: v for k, v in below.root.pairs.items() if k not in unsaid}))
        merged.removed.update(below.removed)
        merged.spoken |= below.spoken
        merged.files += [f for f in below.files if f not in merged.files]
        merged.problems += [d for d in below.problems if d.severity == "error"]
        merged.needs += [needs for needs in below.needs if needs not in merged.needs]
    if own.get("needs"):
        merged.needs.append(own["needs"])
    _lay(merged, own, keep=True)
    merged.files.append(path)
    merged.problems += sources.shadowing_warnings(own, path)
    _prune(merged)
    _translate(merged, files.translator(merged.root, path))
    return merged


def _translate(merged: Merged, found: Translation) -> None:
    merged.root, merged.languages = found.root, found.languages
    merged.spoken |= set(found.languages)
    merged.problems += found.problems


def _too_deep(name: Node) -> Diagnostic:
    return Diagnostic(
        "R609", make_message("files.too_deep", most=MOST_FILES_DEEP), name.span, help=make_message("files.further_down")
    )


def copy_likes(merged: Merged) -> None:
    """Copy the keys of other moves into the moves that are `like` them, except their texts. Raises Refused."""
    found = merged.root.pairs.get("moves")
    if found is None or found[1].kind != "map":
        return
    moves = replace(found[1], pairs=dict(found[1].pairs))  # what was read of a file stays as it was read
    merged.root.pairs["moves"] = (found[0], moves)
    for name in moves.pairs:
        for one, like in reversed(_likes(moves, name).items()):
            _copy_like(merged, moves, one, like)


def _likes(moves: Node, name: str) -> dict[str, str]:
    """Each move of a chain of `like`, with the move it is like. No recursion: a chain may have thousands."""
    chain: dict[str, str] = {}
    while (like := _like_of(moves, name, chain)) is not None:
        chain[name] = like
        name = like
    return chain


def _like_of(moves: Node, name: str, chain: Container[str]) -> str | None:
    move = moves.pairs[name][1]
    like = move.get("like") if move.kind == "map" else None
    if like is None:
        return None
    if like.raw not in moves.pairs or like.raw in chain or like.raw == name:
        close = find_close_name(like.raw, [m for m in moves.pairs if m != name])
        raise Refused(
            [
                Diagnostic(
                    "R307",
                    make_message("files.unknown_move", name=like.raw),
                    like.span,
                    help=make_message("similar", close=close) if close else NO_TEXT,
                    fixes=build_replacement(like.span, like.raw, close),
                )
            ]
        )
    return like.raw


def _copy_like(merged: Merged, moves: Node, name: str, like: str) -> None:
    merged.templates.add(like)
    key, move = moves.pairs[name]
    own = replace(move, pairs={k: v for k, v in move.pairs.items() if k != "like"})
    other = moves[like]
    unnamed = replace(other, pairs={k: v for k, v in other.pairs.items() if k != "short" and not is_text_key(k)})
    moves.pairs[name] = (key, _over(unnamed, own, ("moves", name), merged))


def _lay(merged: Merged, over: Node, keep: bool = False) -> None:
    pairs = {k: v for k, v in over.pairs.items() if keep or k not in _OWN}
    for key in (*_OWN, *(key for key in _WHOLE if key in pairs)):
        merged.root.pairs.pop(key, None)
    merged.root = _over(merged.root, replace(over, pairs=pairs), (), merged)


def _over(base: Node, over: Node, path: tuple[str, ...], merged: Merged) -> Node:
    """Lay `over` on `base`: maps merge, everything else replaces, `~` removes."""
    if base.kind != "map" or over.kind != "map":
        _choices_taken_out(base, over, path, merged)
        return over
    pairs = _still_said(base, over)
    for name, key, value in over.entries():
        if name not in pairs and (path == ("terms",) or (path[:1] == ("tables",) and path[2:] == ("columns",))):
            _rename(pairs, name, over)
        old = pairs.get(name)
        if value.is_null and path:
            _remove(pairs, name, key, path, merged)
        elif old is None:
            _suspect(base.pairs, name, key, path, merged)
            pairs[name] = (key, _new(value, (*path, name), merged))
        else:
            pairs[name] = (_newer(old, key, value), _over(old[1], value, (*path, name), merged))
    gone = {
        **base.gone,
        **{name: key.span for name, key, value in over.entries() if value.is_null and name in base.pairs},
    }
    return replace(over, span=over.span, pairs=_placed(pairs, over, path, merged), gone=gone)


def _choices_taken_out(base: Node, over: Node, path: tuple[str, ...], merged: Merged) -> None:
    """Note the choices that a new list of choices removes."""
    if path[:1] == ("options",) and path[2:] == ("choices",) and base.kind == over.kind == "list":
        left = {item.raw for item in over.items}
        merged.removed.update({("choices", item.raw): over.span for item in base.items if item.raw not in left})


def _still_said(base: Node, over: Node) -> dict[str, tuple[Node, Node]]:
    """The pairs to keep of an entry. Where its English text changes, its translations no longer apply."""
    said, old = over.get(FALLBACK), base.get(FALLBACK)
    if said is None or said.is_null or (old is not None and said.raw == old.raw):
        return dict(base.pairs)
    return {name: pair for name, pair in base.pairs.items() if name == FALLBACK or not is_text_key(name)}


def _new(value: Node, path: tuple[str, ...], merged: Merged) -> Node:
    """A new entry: it has nothing to remove, and its own entries may be ordered by `before` and `after`."""
    if merged.files and path[0] not in _MAY_BE_EMPTY:
        value = _removing_nothing(value, merged)
    return _arranged(value, path, merged) if _says_places(value.span.source) else value


@lru_cache(maxsize=64)
def _says_places(source: Source) -> bool:
    return re.search(r"\b(before|after)\b", source.text) is not None


def _arranged(new: Node, path: tuple[str, ...], merged: Merged) -> Node:
    if new.kind != "map" or path[0] == "examples":
        return new
    inner = {name: (key, _arranged(value, (*path, name), merged)) for name, key, value in new.entries()}
    new = replace(new, pairs=inner)
    return replace(new, pairs=_placed(inner, new, path, merged))


def _removing_nothing(new: Node, merged: Merged) -> Node:
    """A new entry without `~`, each of which is reported. An entry that is `like` another may remove things."""
    if new.kind != "map" or new.get("like") is not None:
        return new
    merged.problems += [_nothing_there(name, key, []) for name, key, value in new.entries() if value.is_null]
    kept = [(name, key, value) for name, key, value in new.entries() if not value.is_null]
    return replace(new, pairs={name: (key, _removing_nothing(value, merged)) for name, key, value in kept})


def _rename(pairs: dict[str, tuple[Node, Node]], name: str, over: Node) -> None:
    """Keep the place of a term or column whose parameters are renamed: `fits(a,b)` replaces `fits(card, to)`."""
    start = name.split("(")[0].strip()
    same = [k for k in pairs if k.startswith(start) and k.split("(")[0].strip() == start and k not in over.pairs]
    if same:
        items = [(name if k == same[0] else k, pair) for k, pair in pairs.items()]
        pairs.clear()
        pairs.update(items)


def _suspect(pairs: dict[str, tuple[Node, Node]], name: str, key: Node, path: tuple[str, ...], merged: Merged) -> None:
    """Warn (R608) about a new name inside a rule that is very like an inherited one: probably it is misspelt."""
    close = difflib.get_close_matches(name, pairs, n=1, cutoff=0.85) if len(path) > 2 and path[0] in _NAMED else []
    if close and len(name) > 4 and re.sub(r"[\d\W]", "", close[0]) != re.sub(r"[\d\W]", "", name):
        merged.problems.append(
            Diagnostic(
                "R608",
                make_message("files.very_like", name=name, close=close[0]),
                key.span,
                help=make_message("files.to_change", close=close[0]),
                fixes=build_replacement(key.span, name, close[0]),
            )
        )


def _newer(old: tuple[Node, Node], key: Node, value: Node) -> Node:
    """The key whose place is shown: the first one while maps merge, else the new one."""
    return old[0] if old[1].kind == "map" and value.kind == "map" else key


def _remove(pairs: dict[str, tuple[Node, Node]], name: str, key: Node, path: tuple[str, ...], merged: Merged) -> None:
    if name not in pairs:
        merged.problems.append(_nothing_there(name, key, pairs))
        return
    del pairs[name]
    if len(path) == 1 or (path[0] == "tables" and path[2:] in (("rows",), ("columns",))):
        merged.removed[(path[-1], name)] = key.span


def _nothing_there(name: str, key: Node, known: Iterable[str]) -> Diagnostic:
    close = find_close_name(name, known)
    message = make_message("files.not_inherited", name=name)
    untold = make_message("files.not_translated", name=name) if is_text_key(name) else NO_TEXT
    help = make_message("similar", close=close) if close else untold
    return Diagnostic("R601", message, key.span, help=help, fixes=build_replacement(key.span, name, close))


def _placed(
    pairs: dict[str, tuple[Node, Node]], over: Node, path: tuple[str, ...], merged: Merged
) -> dict[str, tuple[Node, Node]]:
    """Move entries to where `before` and `after` say. Sections have no order."""
    order = list(pairs)
    for name, (_, value) in pairs.items() if path else ():
        for word in ("before", "after"):
            where = value.get(word) if value.kind == "map" else None
            if where is None or where.kind != "scalar":  # a step may have that name
                continue
            if name == "set" and (len(pairs) == 1 or any(other.kind == "scalar" for _, other in pairs.values())):
                continue  # no entry, but the places that a step stores into
            if where.raw not in pairs and name in over.pairs and where.span.source is merged.complete:
                merged.problems.append(_no_sibling(where, word, [p for p in pairs if p != name]))
            if where.raw not in pairs or where.raw == name:
                continue
            order.remove(name)
            order.insert(order.index(where.raw) + (word == "after"), name)
    return {name: pairs[name] for name in order}


def _no_sibling(where: Node, word: str, known: list[str]) -> Diagnostic:
    close = find_close_name(where.raw, known)
    return Diagnostic(
        "R606",
        make_message(f"files.nothing_{word}", name=where.raw),
        where.span,
        notes=()
        if close or not known
        else (make_message("files.here_are", known=", ".join(f"`{k}`" for k in known[:12])),),
        help=make_message("similar", close=close) if close else NO_TEXT,
        fixes=build_replacement(where.span, where.raw, close),
    )


def _prune(merged: Merged) -> None:
    """Remove the names of removed moves and obligations from lists."""
    sections = {name: merged.root.get(name) for name in ("moves", "obligations")}
    there = {(name, entry) for name, node in sections.items() if node is not None for entry in node.pairs}
    gone = {place for place in merged.removed if place[0] in sections} - there
    if gone:
        merged.root = _pruned(merged.root, gone)


def _pruned(node: Node, gone: set[tuple[str, str]]) -> Node:
    """The node without these names in lists of moves or obligations."""
    pairs = dict(node.pairs)
    for name, key, value in node.entries():
        section = _NAMING.get(name)
        if value.kind == "list":
            pairs[name] = (key, replace(value, items=[i for i in value.items if (section, i.raw) not in gone]))
        elif value.kind == "map":
            pairs[name] = (key, _pruned(value, gone))
    return replace(node, pairs=pairs)
