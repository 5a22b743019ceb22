"""Renames a symbol in all files. Refuses names that are not allowed, and names that would cause a problem."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from hoyle.diagnostics import Diagnostic, Span, localize
from hoyle.editor.analysis import Analysis, Texts, analyse, find_all_problems, resolve_path
from hoyle.editor.names.plain_names import Use
from hoyle.editor.names.references import Analyser, Target, find_declarations, find_references, list_users
from hoyle.editor.names.resolution import find_builtin, find_entry
from hoyle.editor.names.symbols import SECTIONS, Symbol
from hoyle.editor.wording import translate
from hoyle.language.syntax import describe_valid_name, is_identifier
from hoyle.running.naming import slug

RENAMABLE = {*SECTIONS.values(), "rows", "columns", "choices", "seats", "locals"} - {
    "constraints",
    "whenever",
    "examples",
}
_WITH_BLANKS = ("moves", "obligations", "phases")
"""Categories whose names may have blanks."""
_RESERVED = (("phases", "game"), ("state", "score"))
"""Names that the language looks for: where play begins, and where points are kept by default."""


class RenameError(Exception):
    """The reason why a symbol cannot be renamed, as a sentence."""


Edits = dict[str, list[tuple[Span, str]]]
"""Replaced spans and new texts by real path."""


def rename_symbol(
    analysis: Analysis, target: Target, name: str, analyser: Analyser, is_own: Callable[[str], bool], lang: str
) -> Edits:
    """Return the edits in all files. `is_own`: whether a file may be changed. Raises RenameError."""
    symbol, edits = target.symbol, Edits()
    _check_name(symbol, name, analysis, lang)

    def check_file(span: Span) -> str:
        file = resolve_path(span.source.name)
        if not is_own(file):
            raise RenameError(translate(lang, "rename.foreign", name=symbol.name, file=os.path.basename(file)))
        return file

    for declaration in find_declarations(analysis, symbol):
        check_file(declaration.name)  # before the slow search for references
    for use in find_references(analysis, target, analyser):
        edits.setdefault(check_file(use.span), []).append((use.span, write_name(use, symbol, name)))
    rulesets = [analysis] if symbol.category == "locals" else list_users(analysis, symbol, analyser)
    _check_problems(rulesets, edits, analysis.texts, lang)
    return edits


def _check_name(symbol: Symbol, name: str, analysis: Analysis, lang: str) -> None:
    """Raise RenameError if a symbol cannot have a name."""
    category, old = symbol.category, symbol.name
    if category == "attributes":
        raise RenameError(translate(lang, "rename.attribute", name=old))
    if category not in RENAMABLE:
        raise RenameError(translate(lang, "rename.nothing"))
    if (category, old) in _RESERVED:
        raise RenameError(translate(lang, "rename.fixed", name=old))
    if category in _WITH_BLANKS:
        if not name.strip() or name != name.strip() or any(mark in name for mark in "/;:#{}[],&*!|>'\"%@`"):
            raise RenameError(translate(lang, "rename.no_name", name=name, why="/ ; : # { } [ ] ,"))
    elif not is_identifier(name.replace(" ", "_") if category == "rows" and " " in old else name):
        raise RenameError(translate(lang, "rename.no_name", name=name, why=localize(describe_valid_name(name), lang)))
    if name != old and _is_taken(symbol, name, analysis):
        raise RenameError(translate(lang, "rename.clash", name=name))


def _is_taken(symbol: Symbol, name: str, analysis: Analysis) -> bool:
    symbols, category = analysis.trace.symbols, symbol.category
    if symbols is None or category == "clauses":
        return False
    if category in ("moves", "obligations", "phases"):
        return name in getattr(symbols, category)
    if category == "columns":
        return symbol.owner in symbols.tables and name in symbols.tables[symbol.owner].columns
    if any(name in checked.scope.names for checked in analysis.trace.forms):
        return True
    is_member = bool(symbols.row_owners(name) or symbols.choice_owners(name))
    return is_member or find_entry(name, symbols) is not None or find_builtin(name) is not None


def write_name(use: Use, symbol: Symbol, name: str) -> str:
    """Return a new name in the form of the use: singular, with `-` in moves, with `_` or blanks as the old one."""
    if use.is_singular:
        return name.removesuffix("s")
    if use.in_move:
        return slug(name)
    return name if use.span.text == symbol.name else name.replace(" ", "_")


def _check_problems(rulesets: Sequence[Analysis], edits: Edits, texts: Texts, lang: str) -> None:
    """Raise RenameError if a ruleset has errors, or would have a new problem after the edits."""
    for ruleset in rulesets:
        errors = [problem for problem in ruleset.problems if problem.severity == "error"]
        if errors:
            why, file = localize(errors[0].message, lang), os.path.basename(ruleset.path)
            raise RenameError(translate(lang, "rename.unsound", file=file, why=why))
    edited = {**texts, **{file: apply_edits(changes) for file, changes in edits.items()}}
    for ruleset in rulesets:
        before, after = (find_all_problems(analyse(ruleset.path, open_texts)) for open_texts in (texts, edited))
        new = _find_new_problem(before, after)
        if new is not None:
            raise RenameError(translate(lang, "rename.breaks", why=localize(new.message, lang)))


def _find_new_problem(before: Sequence[Diagnostic], after: Sequence[Diagnostic]) -> Diagnostic | None:
    """Return a problem whose code is more frequent than before."""
    codes = [problem.code for problem in before]
    for problem in after:
        if problem.code not in codes:
            return problem
        codes.remove(problem.code)
    return None


def apply_edits(edits: Sequence[tuple[Span, str]]) -> str:
    """Return the edited text of the file of these spans."""
    text = edits[0][0].source.text
    for span, new in sorted(edits, key=lambda edit: -edit[0].start):
        text = text[: span.start] + new + text[span.end :]
    return text
