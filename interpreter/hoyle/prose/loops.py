"""What goes over many things: those of which something is true, the greatest of them, sums."""

from __future__ import annotations

from hoyle.language import ir
from hoyle.language.ir import Const, Expr
from hoyle.language.kinds import Kind, List
from hoyle.prose.speech import articles, plural
from hoyle.prose.voice import Voice, noun_of


def everything(kind: Kind, voice: Voice) -> str:
    """All values of a kind: all players, all ranks."""
    item = kind.of_item
    if item.name == "player":
        return voice.say("value.everybody")
    if item.name == "pair":
        return voice.say("value.all_pairs")
    return voice.say("value.all_of", nouns=plural(noun_of(item, voice), voice.lang))


def among(items: Expr, voice: Voice) -> str:
    """Where things are looked for, behind their noun; nothing where it is among all."""
    if isinstance(items, ir.Rows) or (isinstance(items, ir.Piles) and items.member is None):
        return ""
    if isinstance(items, ir.WordCall) and items.word == "round":
        return voice.say("value.from_on", first=voice.of(items.operands[0])) + " "
    if isinstance(items, ir.Contents):
        items = items.value
    if isinstance(items, ir.WordCall) and items.word == "cards":
        items = items.operands[0]
    return voice.say("value.of_items", items=voice.of(items)).rstrip(" \u00a0") + " "


def nouns_of(kind: Kind, voice: Voice) -> tuple[str, str]:
    """What one of several things is called, and several: of lists, a group of what is in them."""
    noun = noun_of(kind, voice)
    if isinstance(kind, List):
        return voice.say("noun.group", nouns=noun), voice.say("noun.groups", nouns=noun)
    return noun, plural(noun, voice.lang)


def chosen(expr: ir.Chosen, voice: Voice) -> str:
    """The one with the most of something."""
    (noun, _), inner = nouns_of(expr.var.kind, voice), voice.naming(expr.var)
    by = [inner.of(one) for one in expr.by]
    said = {
        "noun": noun,
        "among": among(expr.items, voice),
        "extreme": voice.say(f"value.{expr.word}"),
        "by": by[0] if len(by) == 1 else voice.say("value.then_by", first=by[0], second=by[1]),
        **articles(noun, voice.lang),
    }
    if always(expr.where):
        return voice.say("value.chosen", **said)
    return voice.say("value.chosen_where", where=inner.holds(expr.where), **said)


def collected(expr: ir.Collect, voice: Voice, how: str = "") -> str:
    """Those of which something is true, or what each of them gives; `how`: their number, sum, first …"""
    noun, nouns = nouns_of(expr.var.kind, voice)
    inner = voice.naming(expr.var)
    itself = isinstance(expr.item, ir.Local) and expr.item.var is expr.var
    said = {
        "noun": noun,
        "nouns": nouns,
        "among": among(expr.items, voice),
        "item": "" if itself else inner.of(expr.item),
        **articles(noun, voice.lang),
    }
    where = "" if always(expr.where) else inner.holds(expr.where)
    return voice.say(f"value.{_form(how, itself, bool(where))}", where=where, **said)


def _form(how: str, itself: bool, narrowed: bool) -> str:
    if how:
        return f"{how}_where" if narrowed or how in ("first", "last") else f"{how}_of"
    if itself:
        return "those" if narrowed else "those_all"
    return "mapped_where" if narrowed else "mapped"


def always(condition: Expr) -> bool:
    return isinstance(condition, Const) and bool(condition.value)
