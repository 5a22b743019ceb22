"""Put changes of the state into words."""

from __future__ import annotations

from hoyle.language import ir
from hoyle.language.evaluate import fixed_truth as known
from hoyle.language.ir import Const, Expr
from hoyle.language.steps import Score
from hoyle.prose.settled import TooLong, settled
from hoyle.prose.speech import listed, quoted
from hoyle.prose.truths import said
from hoyle.prose.voice import Voice


def plainly(expr: Expr, voice: Voice) -> Expr | None:
    """Return the formula with options and terms resolved; None if it is too long to follow."""
    try:
        return settled(expr, voice.rules.attributes.by_name, voice.told)
    except TooLong:
        return None


def of_words(expr: Expr, voice: Voice) -> str:
    """Return the value in words; `a thing` if they would be too long."""
    return said(expr, voice) or voice.say("noun.thing")


def noted(one: ir.Cell, value: Expr, voice: Voice) -> str:
    """Describe the assignment of a value to a cell."""
    cell = of_words(one, voice) if one.kind.name != "bool" else _marked(one, voice)
    plain = plainly(value, voice)
    if plain is None:
        return voice.say("verb.set_unsaid", cell=cell)
    if one.kind.name == "bool":
        if isinstance(plain, Const):
            return voice.say("verb.set_yes" if plain.value else "verb.set_no", cell=cell)
        words = said(plain, voice)
        return (
            voice.say("verb.set_truth", cell=cell, condition=words)
            if words
            else voice.say("verb.set_unsaid", cell=cell)
        )
    if isinstance(plain, Const) and plain.value < 0 and (plain.kind.name != "number" or plain.kind.optional):
        return voice.say("verb.set_nothing", cell=cell)
    change = _change(one, plain, voice)
    if change is not None:
        return change
    words = said(plain, voice)
    key = "set_unsaid" if words is None else "set_chosen" if words == cell else "set"
    return voice.say(f"verb.{key}", cell=cell, **({"value": words} if key == "set" else {}))


def _change(one: ir.Cell, value: Expr, voice: Voice) -> str | None:
    """Return the sentence for an addition or subtraction; None for other assignments."""
    if not isinstance(value, ir.Arith) or value.op not in ("+", "-") or not isinstance(value.left, ir.Cell):
        return None
    cell = of_words(one, voice)
    words = said(value.right, voice) if of_words(value.left, voice) == cell else None
    return voice.say("verb.set_add" if value.op == "+" else "verb.set_less", cell=cell, value=words) if words else None


def _marked(one: ir.Cell, voice: Voice) -> str:
    label = quoted(voice.label("state", one.ref.family), voice.lang)
    if not one.keys:
        return label
    return voice.say(
        "value.marked_for", label=label, keys=listed([of_words(key, voice) for key in one.keys], voice.lang)
    )


def known_now(condition: Expr, voice: Voice) -> bool | None:
    """Return whether the options make the condition always true or always false; None if neither."""
    found = known(condition, voice.rules.attributes.by_name)
    if found is None:
        try:
            plain = settled(condition, voice.rules.attributes.by_name)
        except TooLong:
            return None
        found = bool(plain.value) if isinstance(plain, Const) else None
    return found


def scores_nothing(verb: Score, voice: Voice) -> bool:
    """Return whether the points are always 0 under the options."""
    points = plainly(verb.points, voice)
    return isinstance(points, Const) and points.value == 0
