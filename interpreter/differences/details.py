"""The parts in which an entry differs, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interpreter.differences.changes import Change, Detail, Side
from interpreter.differences.speech import say, word_for
from interpreter.language.model import text_in
from interpreter.language.sentences import listed

MOST_FULL = 2
"""So many new rows of a table are told with their cells."""
_ROW, _CONDITION, _SEVERAL = "rows", "if", ("added", "removed", "moved")


def details_told(change: Change, lang: str) -> list[str]:
    """One phrase for each part that differs; rows of tables together."""
    columns = {
        d.path[1] for d in change.details if d.path[:1] == ("columns",) and len(d.path) > 1 and d.kind in _SEVERAL
    }
    found = [d for d in change.details if not (d.path[:1] == (_ROW,) and len(d.path) > 2 and d.path[2] in columns)]
    rows = [d for d in found if change.section == "tables" and d.path[:1] == (_ROW,) and len(d.path) == 2]
    told = [_rows(kind, [d for d in rows if d.kind == kind], lang) for kind in _SEVERAL]
    return [
        *(phrase for phrase in told if phrase),
        *(phrase for d in found for phrase in _one(d, d in rows, change, lang)),
    ]


def _rows(kind: str, rows: Sequence[Detail], lang: str) -> str:
    sides = [side for d in rows if (side := d.after or d.before) is not None]
    full = kind == "added" and len(sides) <= MOST_FULL
    names = [_row(side, lang) if full else text_in(side.called, lang) for side in sides]
    return say(f"detail.rows.{kind}", lang, names=listed(names, lang)) if names else ""


def _row(side: Side, lang: str) -> str:
    """A row that is new, with its cells where it has any."""
    name = text_in(side.called, lang)
    return f"{name} ({side.shown(lang)})" if side.source != side.key else name


def _one(detail: Detail, is_row: bool, change: Change, lang: str) -> Iterator[str]:
    before, after = detail.before, detail.after
    if is_row:
        if detail.kind == "renamed" and before is not None and after is not None:
            yield say("detail.row_renamed", lang, name=text_in(after.called, lang), before=text_in(before.called, lang))
    elif detail.path[-1] in ("rule", "en"):
        yield _words(detail, lang)
    elif detail.path[:1] == (_CONDITION,) and len(detail.path) <= 3:
        yield _condition(detail, lang)
    elif detail.kind == "replaced" and before is not None and after is not None and (before.items or after.items):
        yield from _items(detail, before, after, lang)
    else:
        yield say(
            f"detail.{detail.kind}",
            lang,
            key=_key(detail, change, lang),
            **both_shown(before, after, lang),
        )


def _words(detail: Detail, lang: str) -> str:
    before, after = (
        (text_in(side.said, lang) or side.source if side is not None else "") for side in (detail.before, detail.after)
    )
    return say(f"detail.{detail.path[-1]}", lang, before=before.removesuffix("."), after=after)


def _condition(detail: Detail, lang: str) -> str:
    side = detail.after or detail.before
    values = both_shown(detail.before, detail.after, lang)
    old = text_in(detail.before.called, lang) if detail.before is not None else ""
    name = detail.path[1] if detail.path[-1] == "is" or side is None else text_in(side.called, lang)
    return say(f"detail.condition.{detail.kind}", lang, name=name, before_name=old, **values)


def _items(detail: Detail, before: Side, after: Side, lang: str) -> Iterator[str]:
    """Of a list what is in it now, and what is not any more; its order where that alone differs."""
    key = word_for(detail.path[-1], lang)
    new = [name for item, name in zip(after.items, after.names(lang), strict=True) if item not in before.items]
    old = [name for item, name in zip(before.items, before.names(lang), strict=True) if item not in after.items]
    if new:
        yield say("detail.items.added", lang, key=key, names=listed(new, lang))
    if old:
        yield say("detail.items.removed", lang, key=key, names=listed(old, lang))
    if not new and not old:
        yield say("detail.items.moved", lang, key=key, after=listed(after.names(lang), lang))


def _key(detail: Detail, change: Change, lang: str) -> str:
    """The way to a part: a cell by its row and its column, a step of a move by its name."""
    path, side = detail.path, detail.after or detail.before
    assert side is not None
    if change.section == "tables" and path[:1] == (_ROW,):
        return text_in(side.called, lang)
    return " › ".join([*(word_for(name, lang) for name in path[:-1]), word_for(side.key, lang)])


def both_shown(before: Side | None, after: Side | None, lang: str) -> dict[str, str]:
    """Both readings of a part: in words, where both have them and they differ, else as they are written."""
    if before is None or after is None:
        return {"before": before.shown(lang) if before else "", "after": after.shown(lang) if after else ""}
    in_words = {"before": text_in(before.value, lang), "after": text_in(after.value, lang)}
    if all(in_words.values()) and in_words["before"] != in_words["after"]:
        return in_words
    return {"before": f"`{before.source}`", "after": f"`{after.source}`"}
