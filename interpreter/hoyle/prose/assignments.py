"""Put changes of the state into words."""

from __future__ import annotations

from hoyle.language import ir
from hoyle.language.evaluate import fixed_truth as known
from hoyle.language.ir import Const, Expr
from hoyle.language.steps import Score
from hoyle.prose.conditions import describe_formula
from hoyle.prose.grammar import join_list, quote
from hoyle.prose.simplification import TooLong, simplify_formula
from hoyle.prose.voice import Voice


def try_simplify(expr: Expr, voice: Voice) -> Expr | None:
    """Return the formula with options and terms resolved; None if it is too long to follow."""
    try:
        return simplify_formula(expr, voice.rules.attributes.by_name, voice.worded_terms)
    except TooLong:
        return None


def describe_briefly(expr: Expr, voice: Voice) -> str:
    """Return the value in words; `a thing` if they would be too long."""
    return describe_formula(expr, voice) or voice.say("noun.thing")


def describe_assignment(one: ir.Cell, value: Expr, voice: Voice) -> str:
    """Describe the assignment of a value to a cell."""
    cell = describe_briefly(one, voice) if one.type.name != "bool" else _describe_flag(one, voice)
    plain = try_simplify(value, voice)
    if plain is None:
        return voice.say("verb.set_unsaid", cell=cell)
    if one.type.name == "bool":
        if isinstance(plain, Const):
            return voice.say("verb.set_yes" if plain.value else "verb.set_no", cell=cell)
        words = describe_formula(plain, voice)
        return (
            voice.say("verb.set_truth", cell=cell, condition=words)
            if words
            else voice.say("verb.set_unsaid", cell=cell)
        )
    if isinstance(plain, Const) and plain.value < 0 and (plain.type.name != "number" or plain.type.optional):
        return voice.say("verb.set_nothing", cell=cell)
    change = _describe_increment(one, plain, voice)
    if change is not None:
        return change
    words = describe_formula(plain, voice)
    key = "set_unsaid" if words is None else "set_chosen" if words == cell else "set"
    return voice.say(f"verb.{key}", cell=cell, **({"value": words} if key == "set" else {}))


def _describe_increment(one: ir.Cell, value: Expr, voice: Voice) -> str | None:
    """Return the sentence for an addition or subtraction; None for other assignments."""
    if not isinstance(value, ir.Arith) or value.op not in ("+", "-") or not isinstance(value.left, ir.Cell):
        return None
    cell = describe_briefly(one, voice)
    words = describe_formula(value.right, voice) if describe_briefly(value.left, voice) == cell else None
    return voice.say("verb.set_add" if value.op == "+" else "verb.set_less", cell=cell, value=words) if words else None


def _describe_flag(one: ir.Cell, voice: Voice) -> str:
    label = quote(voice.label("state", one.ref.family), voice.lang)
    if not one.keys:
        return label
    return voice.say(
        "value.marked_for", label=label, keys=join_list([describe_briefly(key, voice) for key in one.keys], voice.lang)
    )


def decide_condition(condition: Expr, voice: Voice) -> bool | None:
    """Return whether the options make the condition always true or always false; None if neither."""
    found = known(condition, voice.rules.attributes.by_name)
    if found is None:
        try:
            plain = simplify_formula(condition, voice.rules.attributes.by_name)
        except TooLong:
            return None
        found = bool(plain.value) if isinstance(plain, Const) else None
    return found


def is_zero_score(verb: Score, voice: Voice) -> bool:
    """Return whether the points are always 0 under the options."""
    points = try_simplify(verb.points, voice)
    return isinstance(points, Const) and points.value == 0
