"""The result of a check as data for the page: problems with their fixes, colours, options and seats."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hoyle.checking.sections.options import PLAYERS
from hoyle.diagnostics import Diagnostic, Refused
from hoyle.editor.edits import describe_fix
from hoyle.editor.marks import list_marks
from hoyle.language.model import Ruleset
from hoyle.reading.tree import texts_of
from hoyle.running.naming import in_language
from hoyle.web import shelf
from hoyle.workshop.drafts import Draft, Options, hide_folder
from hoyle.workshop.offsets import Offsets

Json = dict[str, Any]


def describe_check(draft: Draft, options: Options, lang: str) -> Json:
    """Return everything that the page shows of a draft while it is typed. `options` choose the seats."""
    checked, offsets = draft.checked, Offsets(draft.text)
    ruleset = checked.ruleset
    return {
        "ok": checked.is_sound,
        "title": in_language(ruleset.title, lang, ruleset.name) if ruleset is not None else _find_title(draft, lang),
        "problems": [_describe_problem(problem, draft, offsets, lang) for problem in checked.problems],
        "marks": [
            [offsets.to_units(mark.span.start), offsets.to_units(mark.span.end), mark.token]
            for mark in list_marks(draft.analysis.trace, draft.file)
        ],
        "options": list(_describe_options(ruleset, draft, offsets, lang)) if ruleset is not None else [],
        "players": [ruleset.may_play[0], ruleset.may_play[-1], len(ruleset.seats)] if ruleset is not None else [],
        "seats": shelf.describe_seats(_choose_seats(draft, ruleset, options), lang) if ruleset is not None else [],
    }


def _find_title(draft: Draft, lang: str) -> str:
    """Return the title of a draft with errors, as far as it can be read."""
    title = draft.tree.get("title") if draft.tree is not None and draft.tree.kind == "map" else None
    return in_language(texts_of(title), lang, title.raw) if title is not None else ""


def _choose_seats(draft: Draft, usual: Ruleset, options: Options) -> Ruleset:
    """Return the ruleset with these options, or with the usual ones if they are refused."""
    if PLAYERS not in options or not draft.checked.is_sound:
        return usual
    try:
        return draft.load_game(options).ruleset
    except Refused:
        return usual


def _describe_problem(problem: Diagnostic, draft: Draft, offsets: Offsets, lang: str) -> Json:
    """Describe a problem. One in another file stands where the draft names that file, or at the start."""
    texts = problem.in_language(lang)
    own = draft.find_own_span(problem.span)
    related = [(span, label) for span, label in texts.related if draft.find_own_span(span) is not None]
    start, end = own or next(((span.start, span.end) for span, _ in related), (0, 0))
    return {
        "code": problem.code,
        "severity": problem.severity,
        "message": hide_folder(texts.message),
        "help": hide_folder(texts.help),
        "notes": [hide_folder(note) for note in texts.notes if note],
        "from": offsets.to_units(start),
        "to": offsets.to_units(end),
        "line": draft.text.count("\n", 0, start) + 1,
        "related": [
            {"from": offsets.to_units(span.start), "to": offsets.to_units(span.end), "text": str(label)}
            for span, label in related
        ],
        "fixes": list(_describe_fixes(problem, draft, offsets, lang)),
    }


def _describe_fixes(problem: Diagnostic, draft: Draft, offsets: Offsets, lang: str) -> Iterator[Json]:
    for fix in problem.fixes:
        own = draft.find_own_span(fix.span)
        if own is not None:
            edit = {"from": offsets.to_units(own[0]), "to": offsets.to_units(own[1]), "text": fix.text}
            yield {"title": describe_fix(fix, lang), "edits": [edit]}


def _describe_options(ruleset: Ruleset, draft: Draft, offsets: Offsets, lang: str) -> Iterator[Json]:
    """Describe the options that have an effect, with the place of each entry; None if it is in another file."""
    for described in shelf.describe_options(ruleset, lang):
        option = ruleset.options[described["name"]]
        own = draft.find_own_span(option.span)
        label = in_language(option.words, lang, option.name)
        yield {**described, "sentence": label, "from": offsets.to_units(own[0]) if own is not None else None}
