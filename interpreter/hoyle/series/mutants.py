"""Change a ruleset in one place at a time, and find the changes that no worked example notices.

A change is noticed if the checker refuses it or an example fails. For the others, random games tell whether play changes.
A rule whose change alters play but fails nothing is protected by no example. Source: DeMillo, Lipton and Sayward, "Hints
on test data selection" (mutation analysis), 1978.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import Struct

from hoyle.checking import build
from hoyle.diagnostics import Refused, Source, Span
from hoyle.game.compiled import compile_ruleset
from hoyle.game.examples.examples import Runner
from hoyle.game.game import Game, State
from hoyle.game.records.records import record_lines
from hoyle.language.sentences import LANGUAGES, make_sentence
from hoyle.language.syntax import Form
from hoyle.language.vocabulary import WORDS
from hoyle.reading import parse
from hoyle.reading.shape import formulas
from hoyle.reading.sources import read
from hoyle.reading.tree import Node
from hoyle.reading.yaml_tree import load
from hoyle.series.option_pairs import Setting, list_settings, list_values
from hoyle.series.workers import run_in_processes

SECTIONS = (
    "constraints",
    "tables",
    "pieces",
    "piles",
    "state",
    "terms",
    "moves",
    "obligations",
    "flow",
    "whenever",
    "result",
)
"""Sections with rules. Texts, options and examples are not changed."""
LONGEST = 2_000
"""Maximum number of decisions in a compared game."""

_WORDS = {
    "and": "or",
    "or": "and",
    "some": "every",
    "every": "some",
    "no": "some",
    "most": "least",
    "least": "most",
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "+": "-",
    "without": "+",
    "-": "+",
    "is not": "is",
    "not in": "in",
    "is": "is not",
    "in": "not in",
    "not": "",
    **{name: word.opposite for name, word in WORDS.items() if word.opposite},
}
_TOKEN = re.compile(
    r"\bis not\b|\bnot in\b|\bis(?= (?:empty|none)\b)|<=|>=|[<>+]|(?<= )-(?= )|(?<![\w.])\d+(?![\w.])|\b[a-z]+\b"
)
_OF_LOOPS = re.compile(r"\b(?:for|some|every|no|most|least) \w+ (in)\b")
_NO_FORMULAS = ("signature", "generator", "range", "domain", "kind")
_LISTS = ("obey", "choose", "play", "prefer", "over")
_PARTS = ("when", "callable", "renewed", "else", "over", "until", "skip", "where", "unless", "ends_if")
"""Optional keys. Play differs if they are left out."""
_SAID = (*LANGUAGES, "at", "rule", "short", "symbol", "letter", "unasked")
"""Keys that only have text for people."""


class Mutant(Struct, frozen=True):
    """One change of a ruleset: `text` replaces the text at `span`, or the entry at `path` is left out."""

    span: Span
    what: str
    text: str | None = None
    path: tuple[str | int, ...] = ()

    def root(self) -> Node:
        """Return the changed tree. Raises Refused if it cannot be parsed."""
        source = self.span.source
        if self.text is None:
            return _without(load(source), self.path)
        return load(Source(source.name, source.text[: self.span.start] + self.text + source.text[self.span.end :]))


class Verdict(Struct, frozen=True):
    """Verdict on a mutant. `kind` is refused, noticed, survived or same; `by` is the diagnostic, example or setting."""

    kind: str
    by: str = ""


def list_mutants(name: str) -> list[Mutant]:
    """Return all changes of rules that are written in the file itself, in file order. Raises Refused."""
    root = load(read(build.find_ruleset(name)))
    places = [place for place in formulas(root) if place.path[0] in SECTIONS]
    found = [m for place in places for m in _of_words(place.node)]
    found += [m for place in places if place.kind not in _NO_FORMULAS for m in _of_parts(_parsed(place.node))]
    found += [m for section in SECTIONS if (node := root.get(section)) for m in _of_entries(node, (section,))]
    return sorted(found, key=lambda m: (m.span.start, m.span.end, m.what))


def _parsed(node: Node) -> Form | None:
    try:
        return parse.formula(node)
    except Refused:
        return None  # the checker reports the error


def _of_parts(form: Form | None) -> Iterator[Mutant]:
    """Yield changes that keep only one of two conditions, or only one side of a choice."""
    if form is None:
        return
    for part in form.parts[-2:] if form.op in ("and_", "or_", "if_") else ():
        if part is not None:
            yield Mutant(
                form.span, make_sentence("mutant.only", part=part.span.text, whole=form.span.text), part.span.text
            )
    for part in form.parts:
        yield from _of_parts(part)


def _of_words(node: Node) -> Iterator[Mutant]:
    span = node.span
    for token in _TOKEN.finditer(span.text):
        old = token.group()
        new = str(int(old) + 1) if old.isdigit() else _WORDS.get(old)
        if new is not None and not (old == "in" and _binds(span.text, token.start())):
            place = Span(span.source, span.start + token.start(), span.start + token.end())
            yield Mutant(place, f"`{old}` → `{new}`" if new else make_sentence("mutant.without", name=old), new)


def _binds(text: str, at: int) -> bool:
    """Return whether this `in` belongs to a loop, as in `x in xs`."""
    return any(found.start(1) == at for found in _OF_LOOPS.finditer(text))


def _of_entries(node: Node, path: tuple[str | int, ...]) -> Iterator[Mutant]:
    """Yield changes that leave out an entry: a step, condition, rule of `whenever`, list item or modifier."""
    for name, key, value in node.entries() if node.kind == "map" else ():
        inside = (*path, name)
        if name in _PARTS or _weighs_apart(path, name) or (_may_go(path) and _acts(name, value)):
            yield Mutant(key.span, make_sentence("mutant.without", name=name), path=inside)
        if name in _LISTS and value.kind == "list":
            yield from (
                Mutant(i.span, make_sentence("mutant.item", name=name, item=i.raw), path=(*inside, n))
                for n, i in enumerate(value.items)
            )
        elif name != "rule":
            yield from _of_entries(value, inside)


def _weighs_apart(path: tuple[str | int, ...], name: str) -> bool:
    """Return whether the key is the `each` of an obligation. Without it, all actions are compared together."""
    return path[0] == "obligations" and name == "each"


def _may_go(path: tuple[str | int, ...]) -> bool:
    """Return whether entries at this path are independent: conditions of a move, steps, rules of `whenever`."""
    steps = path[0] in ("flow", "whenever", "moves") and path[-1] in ("then", "do", "repeat", "else")
    return path == ("whenever",) or (len(path) == 2 and path[0] == "flow") or path[-1] == "if" or steps


def _acts(name: str, value: Node) -> bool:
    """Return whether an entry affects play. Names, texts and citations do not."""
    told = value.kind == "map" and all(key in _SAID for key in value.pairs)
    return name not in _SAID and not told


def _without(root: Node, path: tuple[str | int, ...]) -> Node:
    node = root
    for part in path[:-1]:
        node = node.items[part] if isinstance(part, int) else node[part]
    last = path[-1]
    if isinstance(last, int):
        del node.items[last]
    else:
        del node.pairs[last]
    return root


def list_failing_examples(name: str) -> list[str]:
    """Return the examples that fail in the unchanged ruleset. With such examples every change would count as noticed."""
    runner = Runner(lambda options: Game(compile_ruleset(*build.load_ruleset(name, options, None))))
    return [example for example, problems in runner.examples() if problems.errors]


def judge_mutants(name: str, found: Sequence[Mutant], games: int, seed: int, jobs: int) -> Iterator[Verdict]:
    """Yield the verdicts in order. Several processes share the work."""
    judge = partial(Judge, name, games, seed)
    yield from map(judge(), found) if jobs < 2 else run_in_processes(judge, found, jobs)


class Judge:
    """Judges the mutants of one ruleset: by its examples, then by `games` random games in each of several settings."""

    def __init__(self, name: str, games: int, seed: int) -> None:
        self.name, self.games, self.seed = name, games, seed
        base = self._opened(None)({})
        self._settings = [{}, *list_settings(list_values(base))]
        self._plays: dict[int, list[str]] = {}

    def __call__(self, mutant: Mutant) -> Verdict:
        try:
            runner = Runner(self._opened(mutant.root))
            runner.game({})
        except Refused as refused:
            return Verdict("refused", refused.cause.code)
        failed = next((name for name, problems in runner.examples(plain_first=True) if problems.errors), None)
        return Verdict("noticed", failed) if failed is not None else self._played(runner)

    def _opened(self, root: Callable[[], Node] | None) -> Callable[[Mapping[str, Any]], Game]:
        return lambda options: Game(compile_ruleset(*build.load_ruleset(self.name, options, root() if root else None)))

    def _played(self, runner: Runner) -> Verdict:
        for number, setting in enumerate(self._settings):
            if number not in self._plays:
                self._plays[number] = list(self._games(self._opened(None), setting, number))
            if any(a != b for a, b in zip(self._plays[number], self._games(runner.game, setting, number), strict=True)):
                return Verdict("survived", " ".join(f"{k}={v}" for k, v in setting.items()))
        return Verdict("same")

    def _games(self, opened: Callable[[Setting], Game], setting: Setting, number: int) -> Iterator[str]:
        """Yield the events of some random games as text."""
        for index in range(self.games if number == 0 else 1):
            try:
                game = opened(setting)
                core, _ = game.machine.playout(self.seed, index, log=True, most=LONGEST)
                yield "".join(list(record_lines(State(game, core), None))[1:])
            except Refused as refused:
                yield str(refused.cause.code)
