"""Describe how a game ends, how it is won and scored, and its options."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hoyle.language import ir
from hoyle.language.ir import Const, Expr
from hoyle.language.model import Option
from hoyle.language.sentences import format_integer
from hoyle.language.steps import Leave, Repeat, Run, Step, Turns, every_step
from hoyle.prose.assignments import decide_condition
from hoyle.prose.conditions import describe_formula
from hoyle.prose.grammar import capitalize, join_list
from hoyle.prose.simplification import TooLong, simplify_formula
from hoyle.rulebook.context import RulebookContext, list_cited_clauses
from hoyle.rulebook.document import Block, Entries, Entry, make_anchor
from hoyle.rulebook.tables import write_scoring_tables

_BEHIND = re.compile(r"\s*\((?:[A-Z][\w-]*\d+\s*)+\)$")
"""Numbers of questions of the source in brackets at the end of an option's label."""


_ENDS = re.compile(r"(?<=[.!?]) +(?=[A-ZÀ-Ý0-9«“])")
"""The space between two sentences."""
LONGEST_AIM = 160
"""Most characters of a sentence about winning that is made from formulas."""


def write_summary(context: RulebookContext) -> Iterator[Block]:
    """Yield the summary of the ruleset, one sentence per entry."""
    words = " ".join(context.rules.summary.get(context.lang, "").split())
    if words:
        yield Entries(tuple(Entry(text) for text in _ENDS.split(words)))


def write_aim(context: RulebookContext) -> Iterator[Block]:
    """Yield the aim of the game from its clauses, or the result from its formulas if no clause states the aim."""
    clauses = tuple(_list_aim_clauses(context)) + tuple(_find_ending_clauses(context))
    clauses = clauses or tuple(_find_winning_clauses(context))
    words = tuple(_describe_result(context))
    short = tuple(entry for entry in words if len(entry.text) <= LONGEST_AIM)
    said = context.rules.summary.get(context.lang) or any(_mentions_winning(entry.text, context) for entry in clauses)
    plain = clauses if said else (*clauses, *short)
    if plain or not said:
        yield Entries(plain or words, exact=words if plain and set(words) - set(plain) else ())


def _describe_result(context: RulebookContext) -> Iterator[Entry]:
    yield from _describe_limit(context)
    yield from (Entry(text) for text in _describe_best(context))


def _mentions_winning(words: str, context: RulebookContext) -> bool:
    return re.search(context.say("aim.winning"), words, re.IGNORECASE) is not None


def _find_winning_clauses(context: RulebookContext) -> Iterator[Entry]:
    """Yield clauses named by the main phases of the game that mention winning."""
    game = [step for acting in (True, False) for step in _iter_steps(("game", acting), context)]
    inner = [step.verb.phase for step in game if isinstance(step.verb, Run | Turns)]
    steps = [
        *game,
        *(step for name in inner for acting in (True, False) for step in _iter_steps((name, acting), context)),
    ]
    for at in (step.at for step in steps if isinstance(step.verb, Repeat | Turns)):
        yield from context.tell(
            " ".join(name for name in at.split() if _mentions_winning(context.clauses.get(name, ""), context))
        )


def _iter_steps(key: tuple[str, bool], context: RulebookContext) -> Iterator[Step]:
    phase = context.rules.phases.get(key)
    return every_step(phase.steps) if phase is not None else iter(())


def _find_ending_clauses(context: RulebookContext) -> Iterator[Entry]:
    """Yield the clauses of automatic rules that end the game."""
    for name, entry in context.rules.whenever.items():
        if name in context.force.whenever and any(isinstance(step.verb, Leave) for step in every_step(entry.do)):
            yield from context.tell(entry.rule.at)


def _describe_limit(context: RulebookContext) -> Iterator[Entry]:
    """Yield the conditions that end the outer loop of the game."""
    for phase in (context.rules.phases.get(("game", acting)) for acting in (True, False)):
        for step in phase.steps if phase is not None else ():
            if isinstance(step.verb, Repeat | Turns) and step.verb.until is not None:
                words = describe_formula(step.verb.until, context.voice, LONGEST_AIM)
                if words and decide_condition(step.verb.until, context.voice) is None:
                    yield Entry(context.voice.say("end.until", until=words), cites=context.cites(step.at))


def _describe_best(context: RulebookContext) -> Iterator[str]:
    result, voice = context.rules.result, context.voice
    calling = voice.calling(result.p, voice.say("value.me"))
    for n, one in enumerate(one for one in result.best if not _is_constant(one, context)):
        least = one.value if isinstance(one, ir.Neg) else None
        if words := describe_formula(least if least is not None else one, calling):
            yield voice.say(f"end.{'next_' * (n > 0)}{'best' if least is None else 'least'}", value=words)
    if (
        result.won is not None
        and decide_condition(result.won, voice) is None
        and (words := describe_formula(result.won, calling))
    ):
        yield voice.say("end.won", condition=words)


def write_ending(context: RulebookContext) -> Iterator[Block]:
    """Yield the value of the game and its result; in the exact part only, if the game has clauses."""
    items = tuple(_describe_worth(context))
    if items:
        yield Entries(() if context.clauses else items, exact=items if context.clauses else ())


def _describe_worth(context: RulebookContext) -> Iterator[Entry]:
    result, voice = context.rules.result, context.voice
    calling = voice.calling(result.p, voice.say("value.me"))
    best = [one for one in result.best if not _is_constant(one, context)]
    if result.stake is not None and (words := describe_formula(result.stake, calling)):
        yield Entry(voice.say("end.stake", value=words))
    if not _has_same_words(result.score, best, context) and (words := describe_formula(result.score, calling)):
        yield Entry(voice.say("end.score", value=words))


def _has_same_words(score: Expr, best: list[Expr], context: RulebookContext) -> bool:
    return bool(best) and describe_formula(score, context.voice) == describe_formula(best[0], context.voice)


def _is_constant(expr: Expr, context: RulebookContext) -> bool:
    try:
        return isinstance(simplify_formula(expr, context.rules.attributes.by_name), Const)
    except TooLong:
        return False


def _list_aim_clauses(context: RulebookContext) -> Iterator[Entry]:
    cited = set(list_cited_clauses(context.game.compiled.merged.root, "result"))
    for name, clause in context.rules.clauses.items():
        if name in cited or clause.home.split("/")[0].strip() == "result":
            yield from context.tell(name)


def write_scoring(context: RulebookContext) -> Iterator[Block]:
    yield from write_scoring_tables(context)


# ---- options ---------------------------------------------------------------------------------------------------------


def write_options(context: RulebookContext) -> Iterator[Block]:
    found = [option for option in context.rules.options.values() if option.name not in context.rules.idle]
    if found:
        yield Entries(tuple(_describe_option(option, context) for option in found))


def _describe_option(option: Option, context: RulebookContext) -> Entry:
    """Describe an option: its value, its default, other values, and clauses about it not told elsewhere."""
    label = capitalize(name_option(option, context))
    said_value, usual = (
        name_option_value(option, option.value, context),
        name_option_value(option, option.default, context),
    )
    key = "options.is" if option.value == option.default else "options.instead"
    parts = [context.say(key, value=said_value, usual=usual)]
    others = _list_other_values(option, context)
    if others:
        parts.append(context.say("options.others", others=others))
    clauses = context.tell(" ".join(context.agreed[option.name]))
    return Entry(capitalize(" ".join(parts)), label, inside=clauses, anchor=make_anchor("option", option.name))


def name_option(option: Option, context: RulebookContext) -> str:
    """Return the label of an option without the numbers of questions of its source."""
    return _BEHIND.sub("", context.voice.label("options", option.name))


def name_option_value(option: Option, value: int | bool, context: RulebookContext) -> str:
    if option.choices:
        return context.voice.label(f"options/{option.name}", option.choices[value])
    if option.type.name == "bool":
        return context.voice.say("value.true" if value else "value.false")
    return format_integer(int(value), context.lang)


def _list_other_values(option: Option, context: RulebookContext) -> str:
    if option.choices:
        rest = [n for n in range(len(option.choices)) if n != option.value]
        return join_list([name_option_value(option, n, context) for n in rest], context.lang, "or")
    if option.type.name == "bool":
        return name_option_value(option, not option.value, context)
    value_type = option.type
    low, high = getattr(value_type, "low", 0), getattr(value_type, "high", 0)
    if high - low == 1:
        return name_option_value(option, high + low - int(option.value), context)
    return (
        context.say("options.range", low=format_integer(low, context.lang), high=format_integer(high, context.lang))
        if low < high
        else ""
    )
