"""Describe how a game ends, how it is won and scored, and its options."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hoyle.language import ir
from hoyle.language.ir import Const, Expr
from hoyle.language.model import Option
from hoyle.language.sentences import integer
from hoyle.language.steps import Leave, Repeat, Run, Step, Turns, every_step
from hoyle.prose.noting import known_now
from hoyle.prose.settled import TooLong, settled
from hoyle.prose.speech import listed, sentence
from hoyle.prose.truths import said
from hoyle.rulebook.document import Block, Entries, Entry, anchor
from hoyle.rulebook.tables import scoring_tables
from hoyle.rulebook.telling import Telling, cited_in

_BEHIND = re.compile(r"\s*\((?:[A-Z][\w-]*\d+\s*)+\)$")
"""Numbers of questions of the source in brackets at the end of an option's label."""


_ENDS = re.compile(r"(?<=[.!?]) +(?=[A-ZÀ-Ý0-9«“])")
"""The space between two sentences."""
LONGEST_AIM = 160
"""Most characters of a sentence about winning that is made from formulas."""


def summary(told: Telling) -> Iterator[Block]:
    """Yield the summary of the ruleset, one sentence per entry."""
    words = " ".join(told.rules.summary.get(told.lang, "").split())
    if words:
        yield Entries(tuple(Entry(text) for text in _ENDS.split(words)))


def aim(told: Telling) -> Iterator[Block]:
    """Yield the aim of the game from its clauses, or the result from its formulas if no clause states the aim."""
    clauses = tuple(_clauses(told)) + tuple(_reached(told))
    clauses = clauses or tuple(_won_by(told))
    words = tuple(_in_words(told))
    short = tuple(entry for entry in words if len(entry.text) <= LONGEST_AIM)
    said = told.rules.summary.get(told.lang) or any(_winning(entry.text, told) for entry in clauses)
    plain = clauses if said else (*clauses, *short)
    if plain or not said:
        yield Entries(plain or words, exact=words if plain and set(words) - set(plain) else ())


def _in_words(told: Telling) -> Iterator[Entry]:
    yield from _played_until(told)
    yield from (Entry(text) for text in _best(told))


def _winning(words: str, told: Telling) -> bool:
    return re.search(told.say("aim.winning"), words, re.IGNORECASE) is not None


def _won_by(told: Telling) -> Iterator[Entry]:
    """Yield clauses named by the main phases of the game that mention winning."""
    game = [step for acting in (True, False) for step in _steps(("game", acting), told)]
    inner = [step.verb.phase for step in game if isinstance(step.verb, Run | Turns)]
    steps = [*game, *(step for name in inner for acting in (True, False) for step in _steps((name, acting), told))]
    for at in (step.at for step in steps if isinstance(step.verb, Repeat | Turns)):
        yield from told.tell(" ".join(name for name in at.split() if _winning(told.clauses.get(name, ""), told)))


def _steps(key: tuple[str, bool], told: Telling) -> Iterator[Step]:
    phase = told.rules.phases.get(key)
    return every_step(phase.steps) if phase is not None else iter(())


def _reached(told: Telling) -> Iterator[Entry]:
    """Yield the clauses of automatic rules that end the game."""
    for name, entry in told.rules.whenever.items():
        if name in told.force.whenever and any(isinstance(step.verb, Leave) for step in every_step(entry.do)):
            yield from told.tell(entry.rule.at)


def _played_until(told: Telling) -> Iterator[Entry]:
    """Yield the conditions that end the outer loop of the game."""
    for phase in (told.rules.phases.get(("game", acting)) for acting in (True, False)):
        for step in phase.steps if phase is not None else ():
            if isinstance(step.verb, Repeat | Turns) and step.verb.until is not None:
                words = said(step.verb.until, told.voice, LONGEST_AIM)
                if words and known_now(step.verb.until, told.voice) is None:
                    yield Entry(told.voice.say("end.until", until=words), cites=told.cites(step.at))


def _best(told: Telling) -> Iterator[str]:
    result, voice = told.rules.result, told.voice
    calling = voice.calling(result.p, voice.say("value.me"))
    for n, one in enumerate(one for one in result.best if not _is_constant(one, told)):
        least = one.value if isinstance(one, ir.Neg) else None
        if words := said(least if least is not None else one, calling):
            yield voice.say(f"end.{'next_' * (n > 0)}{'best' if least is None else 'least'}", value=words)
    if result.won is not None and known_now(result.won, voice) is None and (words := said(result.won, calling)):
        yield voice.say("end.won", condition=words)


def ending(told: Telling) -> Iterator[Block]:
    """Yield the value of the game and its result; in the exact part only, if the game has clauses."""
    items = tuple(_worth(told))
    if items:
        yield Entries(() if told.clauses else items, exact=items if told.clauses else ())


def _worth(told: Telling) -> Iterator[Entry]:
    result, voice = told.rules.result, told.voice
    calling = voice.calling(result.p, voice.say("value.me"))
    best = [one for one in result.best if not _is_constant(one, told)]
    if result.stake is not None and (words := said(result.stake, calling)):
        yield Entry(voice.say("end.stake", value=words))
    if not _same_words(result.score, best, told) and (words := said(result.score, calling)):
        yield Entry(voice.say("end.score", value=words))


def _same_words(score: Expr, best: list[Expr], told: Telling) -> bool:
    return bool(best) and said(score, told.voice) == said(best[0], told.voice)


def _is_constant(expr: Expr, told: Telling) -> bool:
    try:
        return isinstance(settled(expr, told.rules.attributes.by_name), Const)
    except TooLong:
        return False


def _clauses(told: Telling) -> Iterator[Entry]:
    cited = set(cited_in(told.game.compiled.merged.root, "result"))
    for name, clause in told.rules.clauses.items():
        if name in cited or clause.home.split("/")[0].strip() == "result":
            yield from told.tell(name)


def scoring(told: Telling) -> Iterator[Block]:
    yield from scoring_tables(told)


# ---- options ---------------------------------------------------------------------------------------------------------


def options(told: Telling) -> Iterator[Block]:
    found = [option for option in told.rules.options.values() if option.name not in told.rules.idle]
    if found:
        yield Entries(tuple(_option(option, told) for option in found))


def _option(option: Option, told: Telling) -> Entry:
    """Describe an option: its value, its default, other values, and clauses about it not told elsewhere."""
    label = sentence(option_words(option, told))
    said_value, usual = value_words(option, option.value, told), value_words(option, option.default, told)
    key = "options.is" if option.value == option.default else "options.instead"
    parts = [told.say(key, value=said_value, usual=usual)]
    others = _others(option, told)
    if others:
        parts.append(told.say("options.others", others=others))
    clauses = told.tell(" ".join(told.agreed[option.name]))
    return Entry(sentence(" ".join(parts)), label, inside=clauses, anchor=anchor("option", option.name))


def option_words(option: Option, told: Telling) -> str:
    """Return the label of an option without the numbers of questions of its source."""
    return _BEHIND.sub("", told.voice.label("options", option.name))


def value_words(option: Option, value: int | bool, told: Telling) -> str:
    if option.choices:
        return told.voice.label(f"options/{option.name}", option.choices[value])
    if option.kind.name == "bool":
        return told.voice.say("value.true" if value else "value.false")
    return integer(int(value), told.lang)


def _others(option: Option, told: Telling) -> str:
    if option.choices:
        rest = [n for n in range(len(option.choices)) if n != option.value]
        return listed([value_words(option, n, told) for n in rest], told.lang, "or")
    if option.kind.name == "bool":
        return value_words(option, not option.value, told)
    kind = option.kind
    low, high = getattr(kind, "low", 0), getattr(kind, "high", 0)
    if high - low == 1:
        return value_words(option, high + low - int(option.value), told)
    return told.say("options.range", low=integer(low, told.lang), high=integer(high, told.lang)) if low < high else ""
