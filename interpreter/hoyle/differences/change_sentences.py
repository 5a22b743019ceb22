"""Tell a change in one sentence, for somebody who knows the first ruleset."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from hoyle.differences.changes import Change, Detail, Side
from hoyle.differences.wording import capitalise, join_words, key_word, say
from hoyle.language.model import text_in
from hoyle.language.sentences import join_names
from hoyle.prose.grammar import quote

MOST_FULL = 2
"""Most new rows that are told with their cells."""
LONGEST_BOTH = 60
"""Longest texts told as "A instead of B"."""
_ROW, _CONDITION, _COLUMNS, _SEVERAL = "rows", "if", "columns", ("added", "removed", "moved")
_SHOWN = {
    "options": ("en", "kind", "range"),
    "piles": ("layout",),
    "state": ("layout", "track", "range"),
    "players": ("sides", "seats"),
    "result": ("score", "margin"),
}
"""Keys for names and display, or told elsewhere: no rule depends on them."""


def describe_details(change: Change, lang: str) -> list[str]:
    """Return a phrase for each part that differs. Parts without words are told only if there is nothing else."""
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
    return told or [phrase for d in found if (phrase := _describe_vaguely(d, change, lang))][:1]


def _is_cell(detail: Detail, change: Change) -> bool:
    """Return whether a detail is a changed cell."""
    return (
        change.section == "tables" and detail.kind == "replaced" and detail.path[:1] == (_ROW,) and len(detail.path) > 2
    )


def _describe_vaguely(detail: Detail, change: Change, lang: str) -> str:
    """Tell that a part differs, without saying how."""
    if change.section in ("result", "display", "players", "options"):
        return ""
    key = _detail_name(detail, change, lang)
    return say("detail.otherwise", lang, key=quote(key, lang)) if key else ""


def _rows(kind: str, rows: Sequence[Detail], lang: str) -> str:
    sides = [side for d in rows if (side := d.after or d.before) is not None]
    full = kind == "added" and len(sides) <= MOST_FULL
    names = [_describe_row(side, lang) if full else side.name(lang) for side in sides]
    return (
        say(f"detail.rows.{kind}", lang, names=join_names([name for name in names if name], lang)) if any(names) else ""
    )


def _describe_row(side: Side, lang: str) -> str:
    """Describe a new row with its cells."""
    cells = side.shown(lang)
    return f"{side.name(lang)} ({cells})" if cells else side.name(lang)


def _one(detail: Detail, change: Change, lang: str) -> Iterator[str]:
    before, after = detail.before, detail.after
    if detail.kind == "renamed":
        yield _describe_detail_rename(detail, lang)
    elif detail.path[-1] in ("rule", "en"):
        yield _words(detail, lang)
    elif change.section == "result":
        yield describe_both(detail, lang)
    elif detail.path[:1] == (_CONDITION,) and len(detail.path) <= 3:
        yield _condition(detail, lang)
    elif detail.kind == "replaced" and before is not None and after is not None and (before.items or after.items):
        yield from _describe_items(detail, before, after, lang)
    elif change.section == "tables" and detail.path[:1] == (_COLUMNS,):
        yield _column(detail, lang)
    else:
        yield _describe_part(detail, change, lang)


def _describe_detail_rename(detail: Detail, lang: str) -> str:
    """Tell a rename that people can see."""
    before, after = detail.before, detail.after
    assert before is not None and after is not None
    old, new = before.name(lang), after.name(lang)
    return say("detail.renamed", lang, name=quote(new, lang), before=quote(old, lang)) if old and new != old else ""


def _describe_part(detail: Detail, change: Change, lang: str) -> str:
    """Tell the words of a part on both sides."""
    key, shown = _detail_name(detail, change, lang), both_readings(detail.before, detail.after, lang)
    if detail.kind == "moved":
        return say("detail.moved", lang, key=key) if key else ""
    needed = ("before", "after") if detail.kind == "replaced" else ("after",) if detail.kind == "added" else ("before",)
    if shown["before"] == shown["after"] or not all(shown[side] for side in needed):
        return ""
    kind = "cell" if change.section == "tables" and detail.kind == "replaced" else detail.kind
    long = kind in ("cell", "replaced") and not are_short(*shown.values())
    return say(f"detail.{kind}_long" if long else f"detail.{kind}", lang, key=key, **shown).strip()


def describe_both(detail: Detail, lang: str) -> str:
    """Tell both readings of a part that is a sentence by itself."""
    after, before = (
        _without_full_stop(side.shown(lang)) if side is not None else "" for side in (detail.after, detail.before)
    )
    if after and before and after != before:
        return say("not_now", lang, after=after, before=before)
    if detail.kind == "removed":
        return say("not_so", lang, said=before) if before else ""
    return after if after and not before else ""


def _without_full_stop(text: str) -> str:
    return text.rstrip(".")


def _column(detail: Detail, lang: str) -> str:
    side = detail.after or detail.before
    name = side.name(lang) if side is not None else ""
    return say(f"detail.column.{detail.kind}", lang, name=name) if name and detail.kind in ("added", "removed") else ""


def _words(detail: Detail, lang: str) -> str:
    before, after = (text_in(side.said, lang) if side is not None else "" for side in (detail.before, detail.after))
    if detail.path[-1] == "rule":
        return (
            say("not_now", lang, before=_without_full_stop(before), after=_without_full_stop(after))
            if before and after
            else ""
        )
    return say("detail.renamed", lang, before=quote(before, lang), name=quote(after, lang)) if before and after else ""


def _condition(detail: Detail, lang: str) -> str:
    side = detail.after or detail.before
    shown = both_readings(detail.before, detail.after, lang)
    name = side.name(lang) if side is not None and detail.path[-1] != "is" else ""
    plain = (detail.after is None or shown["after"]) and (detail.before is None or shown["before"])
    if detail.kind in ("added", "removed", "replaced") and plain and shown["before"] != shown["after"]:
        return say(f"detail.condition.{detail.kind}", lang, **shown)
    return say("detail.condition.unsaid", lang, name=quote(name, lang)) if name else ""


def _describe_items(detail: Detail, before: Side, after: Side, lang: str) -> Iterator[str]:
    """Tell additions and removals of a list, or its new order."""
    key, sort = key_word(detail.path[-1], lang), "choices" if detail.path == ("choices",) else "items"
    new = [name for item, name in zip(after.items, after.names(lang), strict=True) if item not in before.items]
    old = [name for item, name in zip(before.items, before.names(lang), strict=True) if item not in after.items]
    for kind, names in (("added", new), ("removed", old)):
        known = [quote(name, lang) for name in names if name]
        if known:
            yield say(f"detail.{sort}.{kind}", lang, key=key, names=join_names(known, lang))
    if not new and not old and all(after.names(lang)):
        names = [quote(name, lang) for name in after.names(lang)]
        yield say("detail.items.moved", lang, key=key, after=join_names(names, lang))


def _detail_name(detail: Detail, change: Change, lang: str) -> str:
    """Return the name of a part: row and column of a cell, else the meaning of its keys."""
    path, side = detail.path, detail.after or detail.before
    assert side is not None
    if change.section == "tables" and path[:1] == (_ROW,):
        return side.name(lang)
    known = [word for name in path if (word := key_word(name, lang))]
    return known[-1] if known else ""


def are_short(*texts: str) -> bool:
    """Return whether texts fit into "A instead of B"."""
    return all(len(text) <= LONGEST_BOTH and ", " not in text for text in texts)


def both_readings(before: Side | None, after: Side | None, lang: str) -> dict[str, str]:
    """Return both readings in words, or nothing."""
    return {
        "before": before.shown(lang) if before is not None else "",
        "after": after.shown(lang) if after is not None else "",
    }


_UNQUOTED = ("terms", "clauses", "constraints", "options", "players", "result")
"""Sections whose names are sentences or ids."""
_BY_NAME = ("options", "constraints")
"""Sections whose names are sentences."""
_TOLD_WHOLE = ("terms", "flow")
"""Sections whose entries are told whole on both sides."""

_SENTENCE = re.compile(r"(?<=[.!?])\s+")
MOST_TOLD = 2
"""Most consequences of a kind that are told with their sentences."""


def describe_change(change: Change, lang: str) -> str:
    """Tell a change: rule and source, both readings, and consequences."""
    said = _describe_change(change, lang)
    parts = [said, *_describe_rest(change, lang), *_explain_terms(change, said, lang)]
    return " ".join(capitalise(_with_full_stop(part)) for part in parts if part)


def _describe_change(change: Change, lang: str) -> str:
    if change.kind == "replaced" and change.section != "display":
        return _replaced(change, lang)
    name = entry_label(change, change.side, lang)
    if change.kind == "renamed":
        return _describe_rename(change, name, lang)
    if change.section == "display":
        return _describe_display(change, name, lang)
    if change.kind == "moved":
        return say("moved" if name else "moved_unnamed", lang, name=name)
    key = f"{change.kind}.{_entry_kind(change)}"
    text = _entry_text(change, change.side, lang)
    if change.section == "flow" and not text and len(change.path) > 1:
        key = f"idle.{change.kind}"
    elif change.section == "clauses":
        return _add_source(
            say(f"{change.kind}.clauses_unnamed", lang) + say("colon", lang) + _bare(text),
            replace(change.side, at=name),
            lang,
        )
    head = say(key if name else f"{key}_unnamed", lang, name=name, value=change.side.shown(lang))
    return _add_source(_about(head, text, lang), change.side, lang)


def _describe_display(change: Change, name: str, lang: str) -> str:
    """Tell a change of display."""
    kind = change.kind if change.kind in ("added", "removed") else "replaced"
    return say(f"{kind}.display" if name else f"{kind}.display_unnamed", lang, name=name)


def _entry_kind(change: Change) -> str:
    """Return the kind of entry for the sentence; phases differ from steps."""
    return "phase" if change.section == "flow" and len(change.path) == 1 else change.section


def _describe_rename(change: Change, name: str, lang: str) -> str:
    """Tell the new name and other differences."""
    assert change.before is not None
    before = entry_label(change, change.before, lang)
    told = say("renamed", lang, name=name, before=before) if name and before and name != before else ""
    others = describe_details(change, lang)
    if not told:
        return _about(name, join_words(others or [say("otherwise", lang)], lang), lang)
    return say("renamed_and", lang, renamed=told, others=join_words(others, lang)) if others else told


def _replaced(change: Change, lang: str) -> str:
    before, after = change.before, change.after
    assert before is not None and after is not None
    name, parts = entry_label(change, after, lang), describe_details(change, lang)
    if change.section in ("options", "players") and after.value:
        return _add_source(_describe_option(name, before, after, parts, lang), after, lang)
    if change.section == "source":
        return _describe_sentences(before, after, lang)
    new, old = text_in(after.said, lang), text_in(before.said, lang)
    if new and old and new != old:
        told = _describe_sentences(before, after, lang)
        return told if change.section == "terms" else _about(name, told, lang)
    if new and not old:
        return _add_source(_about("" if change.section == "terms" else name, new, lang), after, lang)
    same = bool(new_value := after.shown(lang)) and new_value == before.shown(lang) and not change.in_force
    gone = bool(old) and not new
    parts = _describe_readings(change, parts, lang) or (
        [] if gone else [say("same_here" if same else "otherwise", lang)]
    )
    parts += [say("not_so", lang, said=_bare(old))] if gone else []
    return _add_source(_about(name, join_words(parts, lang), lang), after, lang)


def _describe_option(name: str, before: Side, after: Side, parts: list[str], lang: str) -> str:
    """Tell both values of an option, or its new choices."""
    new, old = after.shown(lang), before.shown(lang)
    how = "instead_of_truth" if after.source.endswith((": true", ": false")) else "instead"
    told = say(how, lang, name=name, after=new, before=old) if new != old else ""
    if not told:
        return _about(name, join_words(parts or [say("otherwise_agreed", lang)], lang), lang)
    return join_words([told, *parts], lang)


def _describe_readings(change: Change, parts: list[str], lang: str) -> list[str]:
    """Return both readings of the entry, or of its parts."""
    before, after = change.before, change.after
    assert before is not None and after is not None
    new, old = after.shown(lang), before.shown(lang)
    lists = change.details and all(d.before and d.after and d.before.items for d in change.details)
    if change.section in _TOLD_WHOLE and new and old and new != old and not (lists and parts):
        if are_short(new, old) and (change.section == "terms" or not change.details):
            return [say("instead_of", lang, after=_bare(new), before=_bare(old))]
        return [say("not_now", lang, after=_bare(new), before=_bare(old))]
    return parts


def _describe_sentences(before: Side, after: Side, lang: str) -> str:
    """Tell the sentences of both sides with sources, without common ones unless nothing else is left."""
    new, old = (_SENTENCE.split(text_in(side.said, lang)) for side in (after, before))
    if set(new) - set(old) and set(old) - set(new):
        new, old = [text for text in new if text not in old], [text for text in old if text not in new]
    told = [_add_source(_bare(" ".join(some)), side, lang) for some, side in ((new, after), (old, before))]
    return say("not_now", lang, after=told[0], before=told[1])


def _entry_text(change: Change, side: Side, lang: str) -> str:
    """Return the sentence of an entry; for options and constraints, the name."""
    if change.section in _BY_NAME:
        return ""
    return text_in(side.said, lang) or side.shown(lang)


def _describe_rest(change: Change, lang: str) -> list[str]:
    """Tell entries with the same change, and consequences."""
    names = [name for other in change.also if (name := entry_label(other, other.side, lang))]
    also = [say("also", lang, names=join_names(names, lang))] if names else []
    return [*also, *_describe_consequences(change, lang)]


def _describe_consequences(change: Change, lang: str) -> list[str]:
    """Tell rules that apply or lapse; of many, only the names."""
    found: dict[tuple[str, str], list[Change]] = {}
    for one in change.follows:
        found.setdefault((one.kind, one.section), []).append(one)
    told: list[str] = []
    for (kind, section), some in found.items():
        if kind == "replaced":
            told += list(dict.fromkeys(_describe_new_text(one, lang) for one in some))
        elif len(some) <= MOST_TOLD:
            told += [_describe_change(one, lang) for one in some]
        else:
            known = [name for one in some if (name := entry_label(one, one.side, lang))]
            names = join_names(list(dict.fromkeys(known)), lang)
            told.append(say(f"several.{kind}.{section}", lang, names=names))
    return told


def _describe_new_text(change: Change, lang: str) -> str:
    """Tell the new text of a sentence or clause."""
    side = change.side
    said = next((d.after for d in change.details if d.after is not None), side)
    return _add_source(
        _bare(text_in(said.said, lang)), replace(side, at=side.key if change.section == "clauses" else side.at), lang
    )


def _explain_terms(change: Change, said: str, lang: str) -> list[str]:
    """Explain terms that the sentence names and that only one side has."""
    told, left = list[str](), [one for one in change.helpers if one.kind == "added" and one.side.name(lang)]
    while found := [one for one in left if one.side.name(lang) in " ".join([said, *told])]:
        known = [(one.side.name(lang), one.side.shown(lang)) for one in found]
        told += [say("where", lang, term=term, formula=formula) for term, formula in known if formula]
        left = [one for one in left if one not in found]
    return told


def entry_label(change: Change, side: Side, lang: str) -> str:
    """Return the name of an entry inside a sentence, or an empty text."""
    name = side.name(lang) or dict(side.bears).get(lang, "")
    return name if change.section in _UNQUOTED or not name else quote(name, lang)


def _about(head: str, text: str, lang: str) -> str:
    return say("about", lang, name=head, said=text) if text and head else text or head


def _add_source(text: str, side: Side, lang: str) -> str:
    """Add the places of the source unless the words contain them."""
    names_one = any(not place[:1].islower() for place in side.at.split())  # else it is a remark of the author
    return say("cited", lang, said=_bare(text), at=side.at) if names_one and side.at not in text else text


def _bare(text: str) -> str:
    return text.removesuffix(".")


def _with_full_stop(text: str) -> str:
    return text if text.endswith((".", "?", "!")) else f"{text}."


def describe_changes(changes: Sequence[Change], lang: str) -> list[str]:
    return [describe_change(change, lang) for change in changes]
