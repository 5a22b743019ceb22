"""Diagnostics: what is wrong with a user's file, where, and how to fix it.

An author's mistake is data (a `Diagnostic` in a `Problems`). `Refused` is raised with diagnostics by a stage that cannot go on.
"""

from __future__ import annotations

import difflib
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from hoyle.resources import folder

Severity = Literal["error", "warning"]


class Source(Struct, frozen=True):
    """A text that spans point into. `name` is shown: a path as the user gave it, or `<stdin>`."""

    name: str
    text: str

    def __repr__(self) -> str:
        return f"Source({self.name!r})"


class Span(Struct, frozen=True):
    """A part of a source, as 0-based offsets; `end` is exclusive."""

    source: Source
    start: int
    end: int

    @property
    def line(self) -> int:
        """1-based line of the start."""
        return bisect_right(_line_starts(self.source.text), self.start)

    @property
    def column(self) -> int:
        """1-based column of the start, in characters."""
        return self.start - _line_starts(self.source.text)[self.line - 1] + 1

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    def shares_file(self, other: Span) -> bool:
        """Are both in one file? Compared with the root of a merged tree: is this the file's own, or inherited?"""
        return self.source.name == other.source.name

    def lies_in(self, other: Span) -> bool:
        """Is this span inside the other?"""
        return self.shares_file(other) and other.start <= self.start and self.end <= other.end


@lru_cache(maxsize=16)
def _line_starts(text: str) -> list[int]:
    """The offsets at which lines start. Cached, because a report asks thousands of times for one file."""
    return [0, *(found.end() for found in re.finditer("\n", text))]


class LocalizedText(str):
    """A text in English with its translations (`texts`). Without translations it is the same in all languages (`verbatim`)."""

    texts: Mapping[str, str]

    def __new__(cls, text: str, texts: Mapping[str, str] | None = None) -> LocalizedText:
        found = super().__new__(cls, text)
        found.texts = texts or {}
        return found


NO_TEXT = LocalizedText("")
"""No text."""


def verbatim(text: str) -> LocalizedText:
    """A text that is the same in every language: names, code, numbers, words of other programs."""
    return text if isinstance(text, LocalizedText) else LocalizedText(text)


def localize(text: str, lang: str) -> str:
    """The text in a language if it is translated, else unchanged."""
    return text.texts.get(lang, text) if isinstance(text, LocalizedText) else text


class Fix(Struct, frozen=True):
    """Replace the text of a span."""

    span: Span
    text: str


class Diagnostic(Struct, frozen=True):
    """A problem: a stable code, a message, a place, and help.

    `notes` give context, `help` says what to change, `related` are secondary places with labels. `lang` is the language of these texts, which
    know all others (`LocalizedText`). Each of `fixes` alone mends the problem without a person.
    """

    code: str
    message: LocalizedText
    span: Span | None = None
    label: LocalizedText = NO_TEXT
    notes: tuple[LocalizedText, ...] = ()
    help: LocalizedText = NO_TEXT
    related: tuple[tuple[Span, LocalizedText], ...] = ()
    lang: str = "en"
    fixes: tuple[Fix, ...] = ()

    @property
    def severity(self) -> Severity:
        """The severity in the registry of codes."""
        return "warning" if self.code in _warnings() else "error"

    def in_language(self, lang: str) -> Diagnostic:
        """The same with all that is known in this language said in it."""
        if lang == self.lang:
            return self
        notes, related = tuple(_in(n, lang) for n in self.notes), tuple((s, _in(w, lang)) for s, w in self.related)
        message, label, help = (_in(text, lang) for text in (self.message, self.label, self.help))
        return replace(self, message=message, label=label, notes=notes, help=help, related=related, lang=lang)


def _in(text: LocalizedText, lang: str) -> LocalizedText:
    return LocalizedText(localize(text, lang), text.texts)


@cache
def _warnings() -> frozenset[str]:
    """The codes of warnings. The table is read as plain text, and only when there is something to tell: whoever loads a ruleset
    without fault should not wait for it."""
    text = (folder("grammar") / "diagnostics.yaml").read_text(encoding="utf-8")
    return frozenset(re.findall(r"^(R\d+):\n  severity: warning$", text, re.MULTILINE))


class Refused(Exception):
    """Raised when input cannot be used; `diagnostics`, never empty, say why."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("; ".join(f"[{d.code}] {d.message}" for d in self.diagnostics))
        for one in self.diagnostics:
            if one.help:
                self.add_note(f"[{one.code}] help: {one.help}")

    def __reduce__(self) -> tuple[type[Refused], tuple[tuple[Diagnostic, ...]]]:
        return type(self), (self.diagnostics,)

    @property
    def cause(self) -> Diagnostic:
        """The first error; warnings may come before it."""
        return min(self.diagnostics, key=lambda d: d.severity != "error")

    def at(self, span: Span) -> Refused:
        """The same diagnostics, placed at `span` if they have no place."""
        return Refused(replace(d, span=d.span or span) for d in self.diagnostics)


class Problems:
    """Collects diagnostics; equal messages at one place count once."""

    def __init__(self) -> None:
        self._found: dict[tuple[object, ...], Diagnostic] = {}
        self._notes: tuple[LocalizedText, ...] = ()
        self._callers: tuple[tuple[Span, Callable[[], LocalizedText]], ...] = ()

    @contextmanager
    def annotate(self, note: LocalizedText) -> Iterator[None]:
        """Add a note to everything reported inside: which one of several things it is about. No note if it is empty."""
        self._notes = (note,) if note else ()
        yield
        self._notes = ()

    @contextmanager
    def relate_to_caller(self, place: Span, word: Callable[[], LocalizedText]) -> Iterator[None]:
        """Relate everything reported inside, if it is in another file, to this place. `word` is called for its label only then."""
        before, self._callers = self._callers, (*self._callers, (place, word))
        yield
        self._callers = before

    def _find_caller(self, span: Span | None) -> tuple[tuple[Span, LocalizedText], ...]:
        """The last calling place in another file."""
        found = [call for call in self._callers if span is not None and not call[0].shares_file(span)]
        return tuple((place, word()) for place, word in found[-1:])

    def add(
        self,
        code: str,
        message: LocalizedText,
        span: Span | None = None,
        *,
        label: LocalizedText = NO_TEXT,
        notes: Iterable[LocalizedText] = (),
        help: LocalizedText = NO_TEXT,
        related: Iterable[tuple[Span, LocalizedText]] = (),
        fixes: Iterable[Fix] = (),
    ) -> None:
        said_of, places = (*notes, *self._notes), (*related, *self._find_caller(span))
        self.extend([Diagnostic(code, message, span, label, said_of, help, places, fixes=tuple(fixes))])

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        for d in diagnostics:
            where = (d.span.source.name, d.span.start) if d.span else ("", -1)
            self._found.setdefault((d.code, d.message, *where), d)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(sorted(self._found.values(), key=_order))

    def __len__(self) -> int:
        return len(self._found)

    @property
    def errors(self) -> list[Diagnostic]:
        return [d for d in self if d.severity == "error"]

    def stop_on_errors(self) -> None:
        """Raise `Refused` with everything found if any of it is an error."""
        if self.errors:
            raise Refused(self)


def _order(d: Diagnostic) -> tuple[str, int]:
    return (d.span.source.name, d.span.start) if d.span else ("", -1)


MOST_ALIKE = 300
"""Among more names, only those with the same first letter are compared."""
MOST_KNOWN = 1_000
"""Among more names, none is compared."""


def find_close_name(name: str, known: Iterable[str]) -> str | None:
    """The known name that a misspelt name probably means, or None."""
    options = tuple(known)
    return _closest(name, options) if len(options) <= MOST_KNOWN else None


@lru_cache(maxsize=1024)
def _closest(name: str, options: tuple[str, ...]) -> str | None:
    folded = {k.casefold(): k for k in options}
    if name.casefold() in folded:
        return folded[name.casefold()]
    if len(folded) > MOST_ALIKE:
        folded = {k: other for k, other in folded.items() if k[:1] == name[:1].casefold()}
    if len(folded) > MOST_ALIKE:
        return None  # in such a crowd nothing stands out, and to look for it would take long
    close = difflib.get_close_matches(name.casefold(), list(folded), n=1, cutoff=0.6)
    return folded[close[0]] if close else None


def build_replacement(span: Span | None, old: str, new: str | None) -> tuple[Fix, ...]:
    """Fix that replaces `old`, which is the text of the span or a single word in it. No fix if the place or the new text is unknown."""
    if span is None or new is None or old in ("", new):
        return ()
    if span.text == old:
        return (Fix(span, new),)
    word = rf"(?<!\w){re.escape(old)}(?!\w)"
    places = [found.start() for found in re.finditer(word, span.text)]
    if len(places) != 1:
        return ()
    start = span.start + places[0]
    return (Fix(Span(span.source, start, start + len(old)), new),)
