"""The built-in words of formulas, as nouns."""

from __future__ import annotations

from hoyle.language import ir
from hoyle.language.ir import Expr
from hoyle.language.kinds import List, Pile
from hoyle.prose.loops import always, collected
from hoyle.prose.speech import articles, listed, plural
from hoyle.prose.voice import Voice, noun_of

_OF_MANY = {"count": "count", "sum": "sum", "max": "greatest", "min": "smallest"}
_FIRST_OF = ("first", "last")


def word_call(expr: ir.WordCall, voice: Voice) -> str:
    """What a word gives, of what it is given."""
    word, operands = expr.word, expr.operands
    match operands:
        case (ir.Collect() as items,) if word in _OF_MANY and _counts(word, items):
            return collected(items, voice, _OF_MANY[word])
        case (ir.Collect() as items,) if word in _FIRST_OF and _is_itself(items) and not always(items.where):
            return collected(items, voice, word)
        case (ir.Contents(value=pile),) if word == "count":
            return voice.say("value.count_of", nouns=_pieces(operands[0], voice), among=_in(pile, voice))
    if expr.kind.name == "bool":
        return voice.holds(expr)
    return _plainly(expr, voice)


def _plainly(expr: ir.WordCall, voice: Voice) -> str:
    word, operands = expr.word, expr.operands
    if word == "max" and len(operands) > 1:
        return voice.say("word.greater", a=_all(operands, voice))
    if word == "min" and len(operands) > 1:
        return voice.say("word.smaller", a=_all(operands, voice))
    if word == "next" and len(voice.rules.seats) == 2:
        return voice.say("value.opponent_of", player=voice.of(operands[0]))
    if (
        word in ("top", "bottom")
        and isinstance(operands[0], ir.Pile)
        and voice.rules.piles[operands[0].ref.family].room == 1
    ):
        return voice.of(operands[0])
    if word == "piles":
        return _all(operands, voice)
    said = {name: voice.of(one) for name, one in zip("ab", operands, strict=False)}
    noun = noun_of(_piece(operands[0]) if word in ("top", "bottom", "cards") else expr.kind, voice)
    key = f"word.{word}_n" if word in ("first", "last", "subsets") and len(operands) > 1 else f"word.{word}"
    small = articles(noun, voice.lang)
    piece = plural(noun, voice.lang) if word == "cards" else noun
    return voice.say(key, **{**small, **said, "piece": piece})


def _counts(word: str, items: ir.Collect) -> bool:
    return word == "count" or not _is_itself(items)


def _is_itself(items: ir.Collect) -> bool:
    return isinstance(items.item, ir.Local) and items.item.var is items.var


def _all(operands: tuple[Expr, ...], voice: Voice) -> str:
    return listed([voice.of(one) for one in operands], voice.lang)


def _pieces(items: Expr, voice: Voice) -> str:
    return plural(noun_of(_piece(items), voice), voice.lang)


def _piece(items: Expr):  # type: ignore[no-untyped-def]
    kind = items.kind
    while isinstance(kind, List):
        kind = kind.item
    return kind.piece if isinstance(kind, Pile) else kind


def _in(pile: Expr, voice: Voice) -> str:
    return voice.say("value.of_items", items=voice.of(pile))
