"""Another name for something, everywhere it is named; refused where that would not come out right."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from hoyle.diagnostics import Diagnostic, Span, told
from hoyle.editor.analysis import Analysis, Texts, judged_anew, real
from hoyle.editor.names.plain_names import Use
from hoyle.editor.names.references import Analyser, Target, declarations, family, references
from hoyle.editor.names.resolution import builtin, entry
from hoyle.editor.names.symbols import Symbol
from hoyle.editor.wording import word
from hoyle.language.syntax import is_identifier, usable
from hoyle.running.naming import slug

NAMABLE = (
    "options",
    "choices",
    "tables",
    "rows",
    "columns",
    "pieces",
    "piles",
    "seats",
    "state",
    "terms",
    "moves",
    "obligations",
    "phases",
    "clauses",
    "locals",
)
_FREE = ("moves", "obligations", "phases")
"""Sorts whose names may have blanks."""
_FIXED = (("phases", "game"), ("state", "score"))
"""What the language itself goes by: where play begins, and where points are written if nothing is said."""


class NoRename(Exception):
    """Why a name cannot be changed so."""


Edits = dict[str, list[tuple[Span, str]]]
"""By real path: what is replaced, and by what."""


def renamed(
    analysis: Analysis, found: Target, name: str, analyser: Analyser, is_own: Callable[[str], bool], lang: str
) -> Edits:
    """What must be written, in all files. Raises NoRename."""
    symbol = found.symbol
    _may_be(symbol, name, analysis, lang)
    for given in declarations(analysis, symbol):
        _is_ours(symbol, real(given.name.source.name), is_own, lang)  # before all is looked through that is built on it
    edits: Edits = {}
    for use in references(analysis, found, analyser):
        place = real(use.span.source.name)
        _is_ours(symbol, place, is_own, lang)
        edits.setdefault(place, []).append((use.span, written(use, symbol, name)))
    rulesets = [analysis] if symbol.sort == "locals" else family(analysis, symbol, analyser)
    _is_sound(rulesets, edits, analysis.texts, lang)
    return edits


def _is_ours(symbol: Symbol, place: str, is_own: Callable[[str], bool], lang: str) -> None:
    if not is_own(place):
        raise NoRename(word(lang, "rename.foreign", name=symbol.name, file=os.path.basename(place)))


def _may_be(symbol: Symbol, name: str, analysis: Analysis, lang: str) -> None:
    """Can it be called so, and is nothing else?"""
    if symbol.sort == "attributes":
        raise NoRename(word(lang, "rename.attribute", name=symbol.name))
    if symbol.sort not in NAMABLE:
        raise NoRename(word(lang, "rename.nothing"))
    if (symbol.sort, symbol.name) in _FIXED:
        raise NoRename(word(lang, "rename.fixed", name=symbol.name))
    if symbol.sort in _FREE:
        if not name.strip() or name != name.strip() or any(mark in name for mark in "/;:#{}[],&*!|>'\"%@`"):
            raise NoRename(word(lang, "rename.no_name", name=name, why="/ ; : # { } [ ] ,"))
    elif not is_identifier(name.replace(" ", "_") if symbol.sort == "rows" and " " in symbol.name else name):
        raise NoRename(word(lang, "rename.no_name", name=name, why=told(usable(name), lang)))
    if name != symbol.name and _is_taken(symbol, name, analysis):
        raise NoRename(word(lang, "rename.clash", name=name))


def _is_taken(symbol: Symbol, name: str, analysis: Analysis) -> bool:
    world = analysis.hearing.world
    if world is None:
        return False
    if symbol.sort in ("moves", "obligations", "phases"):
        return name in getattr(world, symbol.sort)
    if symbol.sort == "clauses":
        return False
    if symbol.sort == "columns":
        return symbol.owner in world.tables and name in world.tables[symbol.owner].columns
    bound = any(name in heard.scope.names for heard in analysis.hearing.forms)
    others = bool(world.row_owners(name) or world.choice_owners(name))
    return bound or others or entry(name, world) is not None or builtin(name) is not None


def written(use: Use, symbol: Symbol, name: str) -> str:
    """The new name as the old one was written there: with blanks, with `_` in formulas, with `-` in moves, or as one row of it."""
    if use.one:
        return name.removesuffix("s")
    if use.in_move:
        return slug(name)
    return name if use.span.text == symbol.name else name.replace(" ", "_")


def _is_sound(rulesets: Sequence[Analysis], edits: Edits, texts: Texts, lang: str) -> None:
    """Does everything say what it said before? Raises NoRename."""
    for ruleset in rulesets:
        wrong = [d for d in ruleset.problems if d.severity == "error"]
        if wrong:
            said = told(wrong[0].message, lang)
            raise NoRename(word(lang, "rename.unsound", file=os.path.basename(ruleset.path), why=said))
    after = {**texts, **{place: applied(several) for place, several in edits.items()}}
    for ruleset in rulesets:
        before, now = judged_anew(ruleset.path, texts), judged_anew(ruleset.path, after)
        new = _more(before, now)
        if new is not None:
            raise NoRename(word(lang, "rename.breaks", why=told(new.message, lang)))


def _more(before: Sequence[Diagnostic], now: Sequence[Diagnostic]) -> Diagnostic | None:
    """A problem that was not there."""
    left = [d.code for d in before]
    for d in now:
        if d.code not in left:
            return d
        left.remove(d.code)
    return None


def applied(edits: Sequence[tuple[Span, str]]) -> str:
    """A text with its edits made."""
    text = edits[0][0].source.text
    for span, new in sorted(edits, key=lambda edit: -edit[0].start):
        text = text[: span.start] + new + text[span.end :]
    return text
