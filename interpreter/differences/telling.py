"""A change in words: one sentence, in a language, for somebody who knows the first of two rulesets."""

from __future__ import annotations

import re
from collections.abc import Sequence

from interpreter.differences.changes import Change, Side
from interpreter.differences.details import both_shown, details_told
from interpreter.differences.speech import quoted, say, together, upper
from interpreter.language.model import text_in
from interpreter.language.sentences import listed

_NAMED_AS_WRITTEN = ("terms", "clauses", "constraints", "options", "players", "result")
"""Sections whose entries have names that are no labels: sentences, ids, formulas."""

MOST_TOLD = 2
"""So many rules of a sort that follow from one change are told with their sentences."""
_WRITTEN = ("pieces", "piles", "flow", "terms", "result", "display")
"""Sections whose entries are told as they are written where nothing is said of them."""


def sentence(change: Change, lang: str) -> str:
    """What there is to be told of a change: the rule with its source, both readings where it was replaced, and what comes of it."""
    said = _said(change, lang)
    parts = [said, *_tail(change, lang), *_helpers(change, said, lang)]
    return " ".join(upper(_ended(part)) for part in parts if part)


def _said(change: Change, lang: str) -> str:
    if change.kind == "replaced":
        return _replaced(change, lang)
    name = name_of(change, change.side, lang)
    if change.kind == "renamed":
        assert change.before is not None
        return say("renamed", lang, name=name, before=name_of(change, change.before, lang))
    if change.kind == "moved":
        return say("moved", lang, name=name)
    head = say(f"{change.kind}.{change.section}", lang, name=name, value=text_in(change.side.value, lang))
    return _cited(_about(head, _text(change, change.side, lang), lang), change.side, lang)


def _replaced(change: Change, lang: str) -> str:
    before, after = change.before, change.after
    assert before is not None and after is not None
    name = name_of(change, after, lang)
    if change.section in ("options", "players") and after.value:
        values = {"after": text_in(after.value, lang), "before": text_in(before.value, lang)}
        how = "instead_of_truth" if after.source.endswith((": true", ": false")) else "instead"
        told = say(how, lang, name=name, **values) if values["after"] != values["before"] else ""
        return _cited(together([told, *details_told(change, lang)], lang), after, lang)
    if change.section == "source":
        return _not_now(before, after, lang)
    new, old = text_in(after.said, lang), text_in(before.said, lang)
    if new and old and new != old:
        told = _not_now(before, after, lang)
        return told if change.section == "terms" else say("about", lang, name=name, said=told)
    if new and not old:
        return _cited(say("about", lang, name=name, said=new), after, lang)
    if len(change.details) > 1 and before.value and after.value and before.value != after.value:
        told = say("not_now", lang, after=_bare(text_in(after.value, lang)), before=_bare(text_in(before.value, lang)))
        return _cited(say("about", lang, name=name, said=told), after, lang)
    parts = details_told(change, lang) or [say("instead_of", lang, **both_shown(before, after, lang))]
    parts += [say("not_so", lang, said=_bare(old))] if old and not new else []
    return _cited(say("about", lang, name=name, said=together(parts, lang)), after, lang)


def _not_now(before: Side, after: Side, lang: str) -> str:
    """What is said of an entry in both rulesets, each with its source."""
    sides = [_cited(_bare(text_in(side.said, lang)), side, lang) for side in (after, before)]
    return say("not_now", lang, after=sides[0], before=sides[1])


def _text(change: Change, side: Side, lang: str) -> str:
    """The sentence of an entry, or how it is written; of an option and a constraint the name is the sentence."""
    if change.section in ("options", "constraints"):
        return ""
    found = text_in(side.said, lang)
    return side.shown(lang) if not found and change.section in _WRITTEN and side.source != side.key else found


def _tail(change: Change, lang: str) -> list[str]:
    """Of what else it is true, and what comes of it."""
    others = listed([name_of(other, other.side, lang) for other in change.also], lang)
    also = [say("also", lang, names=others)] if others else []
    return [*also, *_following(change, lang)]


def _following(change: Change, lang: str) -> list[str]:
    """What applies or lapses: each with its rule, of many of a sort only the names."""
    found: dict[tuple[str, str], list[Change]] = {}
    for one in change.follows:
        found.setdefault((one.kind, one.section), []).append(one)
    told: list[str] = []
    for (kind, section), some in found.items():
        if len(some) <= MOST_TOLD:
            told += [_said(one, lang) for one in some]
        else:
            names = listed([name_of(one, one.side, lang) for one in some], lang)
            told.append(say(f"several.{kind}.{section}", lang, names=names))
    return told


def _helpers(change: Change, said: str, lang: str) -> list[str]:
    """What the further terms mean that its formulas name, and those that these name."""
    told, left = list[str](), [one for one in change.helpers if one.kind == "added"]
    while found := [one for one in left if re.search(rf"\b{one.path[0]}\b", " ".join([said, *told]))]:
        told += [say("where", lang, term=text_in(one.side.called, lang), formula=one.side.shown(lang)) for one in found]
        left = [one for one in left if one not in found]
    return told


def name_of(change: Change, side: Side, lang: str) -> str:
    """What an entry is called in a sentence."""
    name = text_in(side.called, lang)
    return name if change.section in _NAMED_AS_WRITTEN else quoted(name, lang)


def _about(head: str, text: str, lang: str) -> str:
    return say("about", lang, name=head, said=text) if text else head


def _cited(text: str, side: Side, lang: str) -> str:
    """With the clauses of the source, unless the words name them already."""
    return say("cited", lang, said=_bare(text), at=side.at) if side.at and side.at not in text else text


def _bare(text: str) -> str:
    return text.removesuffix(".")


def _ended(text: str) -> str:
    return text if text.endswith((".", "?", "!")) else f"{text}."


def sentences(changes: Sequence[Change], lang: str) -> list[str]:
    return [sentence(change, lang) for change in changes]
