"""Put formulas over many things into words: selections, maxima, sums."""

from __future__ import annotations

from hoyle.language import ir
from hoyle.language.ir import Const, Expr
from hoyle.language.value_types import List, Pile, ValueType
from hoyle.language.vocabulary import WORDS
from hoyle.prose.grammar import find_articles, join_list, pluralize
from hoyle.prose.voice import Voice, find_noun


def describe_all(value_type: ValueType, voice: Voice) -> str:
    """Return words for all values of a type: `all players`, `all ranks`."""
    item = value_type.item_type
    if item.name == "player":
        return voice.say("value.everybody")
    if item.name == "pair":
        return voice.say("value.all_pairs")
    return voice.say("value.all_of", nouns=pluralize(find_noun(item, voice), voice.lang))


def describe_source(items: Expr, voice: Voice) -> str:
    """Return words for the place of a search, for use after the noun; empty for a search among all."""
    if isinstance(items, ir.Rows) or (isinstance(items, ir.Piles) and items.member is None):
        return ""
    if isinstance(items, ir.WordCall) and items.word == "round":
        return voice.say("value.from_on", first=voice.of(items.operands[0])) + " "
    if isinstance(items, ir.Contents):
        items = items.value
    if isinstance(items, ir.WordCall) and items.word == "cards":
        items = items.operands[0]
    return voice.say("value.of_items", items=voice.of(items)).rstrip(" \u00a0") + " "


def find_nouns(value_type: ValueType, voice: Voice) -> tuple[str, str]:
    """Return singular and plural of an item; an item that is a list is called a group."""
    noun = find_noun(value_type, voice)
    if isinstance(value_type, List):
        return voice.say("noun.group", nouns=noun), voice.say("noun.groups", nouns=noun)
    return noun, pluralize(noun, voice.lang)


def describe_chosen(expr: ir.Chosen, voice: Voice) -> str:
    """Return words for the item with the most or least of something."""
    (noun, _), inner = find_nouns(expr.var.type, voice), voice.naming(expr.var)
    by = [inner.of(one) for one in expr.by]
    said = {
        "noun": noun,
        "among": describe_source(expr.items, voice),
        "extreme": voice.say(f"value.{expr.word}"),
        "by": by[0] if len(by) == 1 else voice.say("value.then_by", first=by[0], second=by[1]),
        **find_articles(noun, voice.lang),
    }
    if is_always_true(expr.where):
        return voice.say("value.chosen", **said)
    return voice.say("value.chosen_where", where=inner.holds(expr.where), **said)


def describe_collected(expr: ir.Collect, voice: Voice, how: str = "") -> str:
    """Return words for the selected items or for a value of each; `how`: their number, sum, first …"""
    noun, nouns = find_nouns(expr.var.type, voice)
    inner = voice.naming(expr.var)
    itself = isinstance(expr.item, ir.Local) and expr.item.var is expr.var
    said = {
        "noun": noun,
        "nouns": nouns,
        "among": describe_source(expr.items, voice),
        "item": "" if itself else inner.of(expr.item),
        **find_articles(noun, voice.lang),
    }
    where = "" if is_always_true(expr.where) else inner.holds(expr.where)
    return voice.say(f"value.{_choose_form(how, itself, bool(where))}", where=where, **said)


def _choose_form(how: str, itself: bool, narrowed: bool) -> str:
    if how:
        return f"{how}_where" if narrowed or how in ("first", "last") else f"{how}_of"
    if itself:
        return "those" if narrowed else "those_all"
    return "mapped_where" if narrowed else "mapped"


def is_always_true(condition: Expr) -> bool:
    return isinstance(condition, Const) and bool(condition.value)


_OF_MANY = {"count": "count", "sum": "sum", "max": "greatest", "min": "smallest"}
_FIRST_OF = ("first", "last")


def describe_word_call(expr: ir.WordCall, voice: Voice) -> str:
    """Return words for the call of a built-in word."""
    word, operands = expr.word, expr.operands
    match operands:
        case (ir.Collect() as items,) if word in _OF_MANY and _counts(word, items):
            return describe_collected(items, voice, _OF_MANY[word])
        case (ir.Collect() as items,) if word in _FIRST_OF and _is_itself(items) and not is_always_true(items.where):
            return describe_collected(items, voice, word)
        case (ir.Contents(value=pile),) if word == "count":
            return voice.say(
                "value.count_of", nouns=_name_pieces(operands[0], voice), among=_describe_place(pile, voice)
            )
    if WORDS[word].condition:
        return voice.holds(expr)
    return _describe_plain_call(expr, voice)


def _describe_plain_call(expr: ir.WordCall, voice: Voice) -> str:
    word, operands = expr.word, expr.operands
    if WORDS[word].many and len(operands) > 1:
        return voice.say(f"word.{word}.phrase_n", a=_list_operands(operands, voice))
    if word == "next" and len(voice.rules.seats) == 2:
        return voice.say("value.opponent_of", player=voice.of(operands[0]))
    if (
        word in ("top", "bottom")
        and isinstance(operands[0], ir.Pile)
        and voice.rules.piles[operands[0].ref.family].room == 1
    ):
        return voice.of(operands[0])
    said = {name: voice.of(one) for name, one in zip("ab", operands, strict=False)}
    noun = find_noun(_find_piece_type(operands[0]) if word in ("top", "bottom", "cards") else expr.type, voice)
    is_short = len(operands) == len(WORDS[word].takes) - WORDS[word].optional
    key = f"word.{word}.phrase" if is_short else f"word.{word}.phrase_n"
    small = find_articles(noun, voice.lang)
    piece = pluralize(noun, voice.lang) if word == "cards" else noun
    return voice.say(key, **{**small, **said, "piece": piece})


def _counts(word: str, items: ir.Collect) -> bool:
    return word == "count" or not _is_itself(items)


def _is_itself(items: ir.Collect) -> bool:
    return isinstance(items.item, ir.Local) and items.item.var is items.var


def _list_operands(operands: tuple[Expr, ...], voice: Voice) -> str:
    return join_list([voice.of(one) for one in operands], voice.lang)


def _name_pieces(items: Expr, voice: Voice) -> str:
    return pluralize(find_noun(_find_piece_type(items), voice), voice.lang)


def _find_piece_type(items: Expr):  # type: ignore[no-untyped-def]
    value_type = items.type
    while isinstance(value_type, List):
        value_type = value_type.item
    return value_type.piece if isinstance(value_type, Pile) else value_type


def _describe_place(pile: Expr, voice: Voice) -> str:
    return voice.say("value.of_items", items=voice.of(pile))
