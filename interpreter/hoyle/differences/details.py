"""The parts in which an entry differs, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hoyle.differences.changes import Change, Detail, Side
from hoyle.differences.speech import quoted, say, word_for
from hoyle.language.model import text_in
from hoyle.language.sentences import listed

MOST_FULL = 2
"""So many new rows of a table are told with their cells."""
LONGEST_BOTH = 60
"""Of readings that are no longer one stands instead of the other in a sentence."""
_ROW, _CONDITION, _COLUMNS, _SEVERAL = "rows", "if", "columns", ("added", "removed", "moved")
_SHOWN = {
    "options": ("en", "kind", "range"),
    "piles": ("layout",),
    "state": ("layout", "track", "range"),
    "players": ("sides", "seats"),
    "result": ("score", "margin"),
}
"""Keys that say how something is called or shown, how far it may go, or what is told otherwise: no rule differs by them."""


def details_told(change: Change, lang: str) -> list[str]:
    """One phrase for each part that differs; rows of tables together. What has no words is told only where nothing else is."""
    columns = {d.path[1] for d in change.details if d.path[:1] == (_COLUMNS,) and len(d.path) > 1}
    found = [d for d in change.details if not (d.path[:1] == (_ROW,) and len(d.path) > 2 and d.path[2] in columns)]
    plain = [d for d in found if d.path[-1] not in _SHOWN.get(change.section, ())]
    rows = [d for d in found if change.section == "tables" and d.path[:1] == (_ROW,) and len(d.path) == 2]
    told = [_rows(kind, [d for d in rows if d.kind == kind], lang) for kind in _SEVERAL]
    others = [d for d in plain if d not in rows or d.kind == "renamed"]
    said = [[phrase for phrase in _one(d, change, lang) if phrase] for d in others]
    told = [phrase for phrase in dict.fromkeys([*told, *(phrase for phrases in said for phrase in phrases)]) if phrase]
    if told and any(_is_cell(d, change) and not phrases for d, phrases in zip(others, said, strict=True)):
        told.append(say("detail.more", lang))
    return told or [phrase for d in found if (phrase := _vaguely(d, change, lang))][:1]


def _is_cell(detail: Detail, change: Change) -> bool:
    """Is it a cell of a table that says something else?"""
    return (
        change.section == "tables" and detail.kind == "replaced" and detail.path[:1] == (_ROW,) and len(detail.path) > 2
    )


def _vaguely(detail: Detail, change: Change, lang: str) -> str:
    """That a part is otherwise, where there are no words for how."""
    if change.section in ("result", "display", "players", "options"):
        return ""
    key = _key(detail, change, lang)
    return say("detail.otherwise", lang, key=quoted(key, lang)) if key else ""


def _rows(kind: str, rows: Sequence[Detail], lang: str) -> str:
    sides = [side for d in rows if (side := d.after or d.before) is not None]
    full = kind == "added" and len(sides) <= MOST_FULL
    names = [_row(side, lang) if full else side.name(lang) for side in sides]
    return say(f"detail.rows.{kind}", lang, names=listed([name for name in names if name], lang)) if any(names) else ""


def _row(side: Side, lang: str) -> str:
    """A row that is new, with its cells where it has any that can be told."""
    cells = side.shown(lang)
    return f"{side.name(lang)} ({cells})" if cells else side.name(lang)


def _one(detail: Detail, change: Change, lang: str) -> Iterator[str]:
    before, after = detail.before, detail.after
    if detail.kind == "renamed":
        yield _renamed(detail, lang)
    elif detail.path[-1] in ("rule", "en"):
        yield _words(detail, lang)
    elif change.section == "result":
        yield both(detail, lang)
    elif detail.path[:1] == (_CONDITION,) and len(detail.path) <= 3:
        yield _condition(detail, lang)
    elif detail.kind == "replaced" and before is not None and after is not None and (before.items or after.items):
        yield from _items(detail, before, after, lang)
    elif change.section == "tables" and detail.path[:1] == (_COLUMNS,):
        yield _column(detail, lang)
    else:
        yield _plain(detail, change, lang)


def _renamed(detail: Detail, lang: str) -> str:
    """Another name, where people see one."""
    before, after = detail.before, detail.after
    assert before is not None and after is not None
    old, new = before.name(lang), after.name(lang)
    return say("detail.renamed", lang, name=quoted(new, lang), before=quoted(old, lang)) if old and new != old else ""


def _plain(detail: Detail, change: Change, lang: str) -> str:
    """A part with what it says on both sides, as far as that has words that differ."""
    key, shown = _key(detail, change, lang), both_shown(detail.before, detail.after, lang)
    if detail.kind == "moved":
        return say("detail.moved", lang, key=key) if key else ""
    needed = ("before", "after") if detail.kind == "replaced" else ("after",) if detail.kind == "added" else ("before",)
    if shown["before"] == shown["after"] or not all(shown[side] for side in needed):
        return ""
    kind = "cell" if change.section == "tables" and detail.kind == "replaced" else detail.kind
    long = kind in ("cell", "replaced") and not are_short(*shown.values())
    return say(f"detail.{kind}_long" if long else f"detail.{kind}", lang, key=key, **shown).strip()


def both(detail: Detail, lang: str) -> str:
    """A part that is a sentence by itself."""
    after, before = (_ended(side.shown(lang)) if side is not None else "" for side in (detail.after, detail.before))
    if after and before and after != before:
        return say("not_now", lang, after=after, before=before)
    if detail.kind == "removed":
        return say("not_so", lang, said=before) if before else ""
    return after if after and not before else ""


def _ended(text: str) -> str:
    return text.rstrip(".")


def _column(detail: Detail, lang: str) -> str:
    side = detail.after or detail.before
    name = side.name(lang) if side is not None else ""
    return say(f"detail.column.{detail.kind}", lang, name=name) if name and detail.kind in ("added", "removed") else ""


def _words(detail: Detail, lang: str) -> str:
    before, after = (text_in(side.said, lang) if side is not None else "" for side in (detail.before, detail.after))
    if detail.path[-1] == "rule":
        return say("not_now", lang, before=_ended(before), after=_ended(after)) if before and after else ""
    return (
        say("detail.renamed", lang, before=quoted(before, lang), name=quoted(after, lang)) if before and after else ""
    )


def _condition(detail: Detail, lang: str) -> str:
    side = detail.after or detail.before
    shown = both_shown(detail.before, detail.after, lang)
    name = side.name(lang) if side is not None and detail.path[-1] != "is" else ""
    plain = (detail.after is None or shown["after"]) and (detail.before is None or shown["before"])
    if detail.kind in ("added", "removed", "replaced") and plain and shown["before"] != shown["after"]:
        return say(f"detail.condition.{detail.kind}", lang, **shown)
    return say("detail.condition.unsaid", lang, name=quoted(name, lang)) if name else ""


def _items(detail: Detail, before: Side, after: Side, lang: str) -> Iterator[str]:
    """Of a list what is in it now, and what is not any more; its order where that alone differs."""
    key, sort = word_for(detail.path[-1], lang), "choices" if detail.path == ("choices",) else "items"
    new = [name for item, name in zip(after.items, after.names(lang), strict=True) if item not in before.items]
    old = [name for item, name in zip(before.items, before.names(lang), strict=True) if item not in after.items]
    for kind, names in (("added", new), ("removed", old)):
        known = [quoted(name, lang) for name in names if name]
        if known:
            yield say(f"detail.{sort}.{kind}", lang, key=key, names=listed(known, lang))
    if not new and not old and all(after.names(lang)):
        names = [quoted(name, lang) for name in after.names(lang)]
        yield say("detail.items.moved", lang, key=key, after=listed(names, lang))


def _key(detail: Detail, change: Change, lang: str) -> str:
    """The way to a part: a cell by its row and its column, others by what their keys mean."""
    path, side = detail.path, detail.after or detail.before
    assert side is not None
    if change.section == "tables" and path[:1] == (_ROW,):
        return side.name(lang)
    known = [word for name in path if (word := word_for(name, lang))]
    return known[-1] if known else ""


def are_short(*texts: str) -> bool:
    """May one stand instead of the other in a sentence?"""
    return all(len(text) <= LONGEST_BOTH and ", " not in text for text in texts)


def both_shown(before: Side | None, after: Side | None, lang: str) -> dict[str, str]:
    """Both readings of a part in words; nothing where there are none."""
    return {
        "before": before.shown(lang) if before is not None else "",
        "after": after.shown(lang) if after is not None else "",
    }
