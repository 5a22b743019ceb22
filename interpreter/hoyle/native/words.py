"""Writes calls of built-in words and runtime functions that return a value as C."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from hoyle.compiling import code
from hoyle.compiling.code import Value
from hoyle.language.vocabulary import WORDS, Word
from hoyle.native.inference import Constants
from hoyle.native.layout import IN_ORDER, ITEMS, LISTS, Type, Untranslatable, untranslatable

_EMPTY = "(L){0, 0, 0}"


class Written(Protocol):
    """The interface of a function's writer that calls need."""

    constants: Constants

    def value(self, node: Value) -> tuple[str, Type]: ...
    def typed(self, node: Value, wanted: Type) -> str: ...
    def number(self, node: Value) -> str: ...
    def fresh(self) -> str: ...
    def put(self, text: str) -> None: ...


def word(to: Written, node: code.Call, args: Sequence[Value]) -> tuple[str, Type]:
    """Write a call of a function that the game does not define. Returns text and type. Raises Untranslatable."""
    name = node.function
    match name:
        case "len":
            items, kind = to.value(args[0])
            return f"({items}).n", "I"
        case "sum":
            return f"total({to.typed(args[0], 'L')})", "I"
        case "max" | "min" if len(args) == 2:
            return (
                f"{'larger' if name == 'max' else 'smaller'}({to.number(args[0])}, {to.number(args[1])})",
                "I",
            )
        case "tuple":
            text, kind = to.value(args[0])
            return (f"copied(x, {text})" if kind in ("L", "LA") else text), kind
        case "list":
            return to.value(args[0])
        case "dict.fromkeys":
            return f"different(x, {to.typed(args[0], 'L')})", "L"
        case "range":
            return f"from_range(x, {', '.join(to.number(a) for a in args)})", "L"
        case "in_order":
            text, kind = to.value(args[0])
            return f"{kind}_in_order(x, {text})", IN_ORDER[kind]
        case "unique":
            return f"unique(x, {to.typed(args[0], 'LL')})", "LL"
        case "within":
            return f"within(x, {', '.join(to.number(a) for a in args[:3])})", "I"
        case "inside":
            return f"inside(x, {', '.join(to.number(a) for a in args[:2])})", "I"
        case "lots":
            return f"lots(x, s, {to.typed(args[0], 'L')}, {to.number(args[1])})", "I"
        case "arrive":
            return f"arrive({', '.join(to.number(a) for a in args)})", "I"
        case "fault_of":
            return "fault_of(s)", "I"
        case "later":
            return f"later(x, s, {', '.join(to.number(a) for a in args)})", "LA"
        case "less":
            raise Untranslatable("sums that are still to be reached")
        case "never_twice":
            return f"never_twice(x, s, acts, {to.constants.number_of(args[1])}, {to.typed(args[2], 'L')})", "LA"
        case "maximise":
            return _maximise(to, args)
        case _ if name.startswith("w_"):
            return _vocabulary_word(to, WORDS[name[2:]], node, args)
        case _:
            return _listed_word(to, name, node, args)


def _vocabulary_word(to: Written, word: Word, node: code.Call, args: Sequence[Value]) -> tuple[str, Type]:
    """Write a call of a built-in word, by the C text that the vocabulary has for these types."""
    values = [to.value(a) for a in args]
    texts, types = [_EMPTY if t == "L?" else text for text, t in values], ["L" if t == "L?" else t for _, t in values]
    compared = types[:2] if word.many else types
    found = next((c for c in word.c if list(c.takes) == compared), None)
    if found is None or (word.many and {*types[2:]} - {"I"}):
        raise untranslatable(node)
    for place, text in enumerate(texts):
        if found.text.count(f"{{{place}}}") > 1:  # so that the argument is evaluated once
            texts[place] = to.fresh()
            to.put(f"I {texts[place]} = {text};")
    absent = to.number(node.absent) if node.absent is not None else "NO_NUMBER"
    return found.text.format(*texts, all=", ".join(texts), count=len(texts), absent=absent), found.gives


def _maximise(to: Written, args: Sequence[Value]) -> tuple[str, Type]:
    acts, me, most, aim, *earlier = args
    others = to.typed(earlier[0], "L") if earlier else "(L){0, 0, 0}"
    bound = to.typed(most, "L")
    return (
        f"maximise(x, s, {to.typed(acts, 'LA')}, {to.number(me)}, {bound}, {to.constants.number_of(aim)}, {others})",
        "LA",
    )


def _listed_word(to: Written, name: str, node: code.Call, args: Sequence[Value]) -> tuple[str, Type]:
    values = [to.value(a) for a in args]
    texts = [_EMPTY if k == "L?" else t for t, k in values]
    match name, ["L" if k == "L?" else k for _, k in values]:
        case "left_over", ["L", "L" | "L?", "I"]:
            return f"left_over(x, {texts[0]}, {texts[1]}, {texts[2]})", "L"
        case "in_list", ["I", "L", "I"]:
            return f"in_pieces({texts[0]}, {texts[1]})", "I"
        case "in_list", ["L", "LL", "I"]:
            return f"in_lists({texts[0]}, {texts[1]})", "I"
        case "same_lists", ["L" | "L?", "L" | "L?", "I"]:
            return f"same_lists({texts[0]}, {texts[1]}, {texts[2]})", "I"
        case "same_kinds" | "without" | "in_kinds", [one, other, *_]:
            return _item_by_item(to, name, args, one, other)
    raise untranslatable(node)


def _item_by_item(to: Written, name: str, args: Sequence[Value], one: Type, other: Type) -> tuple[str, Type]:
    """Write comparisons of lists whose items are lists or may be absent. An empty list matches any type."""
    if name == "in_kinds":
        kind = max(one, ITEMS.get(other, "L"), key=len)
        wanted = kind, LISTS[kind]
    else:
        kind = max(one, other, key=len)
        wanted = kind, kind
    texts = [*(to.typed(a, k) for a, k in zip(args, wanted, strict=False)), *(to.number(a) for a in args[2:])]
    given = ["x", *texts] if name == "without" else texts
    return f"{kind}_{name}({', '.join(given)})", kind if name == "without" else "I"
