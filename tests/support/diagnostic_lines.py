"""Diagnostics as one line each: code, place, and the keys of their sentences with the arguments, so that no wording is fixed."""

from collections.abc import Iterable
from functools import partial

from hoyle.diagnostics import Diagnostic, LocalizedText, Span

LONGEST = 40
"""How much of a text of the grammar is shown: it tells which one it is."""


def one_line_each(problems: Iterable[Diagnostic], file: str) -> str:
    """The lines of what is told of a file; empty if there is nothing."""
    return "".join(f"{one_line(problem, file)}\n" for problem in problems)


def one_line(problem: Diagnostic, file: str) -> str:
    """`R301 3:5-9 key(name=value) / label / note: … / help: … / at 7:1-4 label / fix 3:5-9: 'old' -> 'new'`."""
    severity = "" if problem.severity == "error" else f" {problem.severity}"
    parts = [f"{problem.code}{severity}{_place(problem.span, file)} {sentence(problem.message)}"]
    parts += [sentence(problem.label)] if problem.label else []
    parts += [f"note: {sentence(note)}" for note in problem.notes]
    parts += [f"help: {sentence(problem.help)}"] if problem.help else []
    parts += [f"at{_place(span, file)} {sentence(word)}" for span, word in problem.related]
    parts += [f"fix{_place(fix.span, file)}: {fix.span.text!r} -> {fix.text!r}" for fix in problem.fixes]
    return " / ".join(parts)


def _place(span: Span | None, file: str) -> str:
    """` LINE:COLUMN-END`, with the file if it is another one. END is a column, or `LINE:COLUMN` on a later line."""
    if span is None:
        return ""
    last = Span(span.source, span.end, span.end)
    end = last.column if last.line == span.line else f"{last.line}:{last.column}"
    return f" {'' if span.source.name == file else f'{span.source.name}:'}{span.line}:{span.column}-{end}"


def sentence(text: str) -> str:
    """The key of a sentence with its arguments; a text without a key, such as an author's, as it stands."""
    tell = getattr(getattr(text, "texts", None), "_tell", None)
    if not isinstance(tell, partial):
        return repr(str(text))
    match tell.func.__name__:
        case "_fill_message":
            _, key, values = tell.args
            filled = ", ".join(f"{name}={_argument(value)}" for name, value in values.items())
            return f"{key}({filled})" if filled else str(key)
        case "translate_schema_text":
            return f"schema({_clipped(tell.args[0])!r})"
        case name:
            return f"{name.strip('_')}({', '.join(map(_argument, tell.args))})"


def _argument(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_argument, value))}]"
    return sentence(value) if isinstance(value, LocalizedText) else repr(value)


def _clipped(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
