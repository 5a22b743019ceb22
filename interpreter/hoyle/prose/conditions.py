"""Put conditions into words as clauses: `the stock is empty`. Entry point for wording any formula."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from hoyle.language import ir
from hoyle.language.evaluate import walk_all
from hoyle.language.ir import Const, Expr, TermCall, walk
from hoyle.language.model import Ruleset, Words
from hoyle.language.value_types import Row
from hoyle.language.vocabulary import WORDS
from hoyle.prose.grammar import add_a, find_articles, is_clausal, is_several, join_list, quote
from hoyle.prose.loops import describe_source, find_nouns
from hoyle.prose.simplification import TooLong, simplify_formula
from hoyle.prose.values import describe_any, describe_keys, describe_value
from hoyle.prose.voice import Headings, Voice, build_voice, describe_term_call, find_heading, find_noun
from hoyle.reading.tree import Node, texts_of

_FLIPPED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_NUMBERS = {"<": "less", "<=": "at_most", ">": "more", ">=": "at_least"}
_PLACES = {"<": "below", "<=": "not_above", ">": "above", ">=": "not_below"}


def describe_condition(expr: Expr, voice: Voice, yes: bool = True) -> str:
    """Return a clause for the condition; for its negation unless `yes`."""
    match expr:
        case Const(value=known):
            return voice.say("truth.always" if bool(known) == yes else "truth.never")
        case ir.Not(value=inner):
            return voice.holds(inner, not yes)
        case ir.And() | ir.Or():
            return _join_conditions(expr, voice, yes)
        case ir.Compare():
            return _describe_comparison(expr, voice, yes)
        case ir.Same(left=left, right=right):
            return _describe_equality(left, right, voice, yes)
        case ir.Differs(left=left, right=right):
            return _describe_equality(left, right, voice, not yes)
        case ir.Absent(value=describe_value):
            return _describe_absence(describe_value, voice, yes)
        case ir.Empty(value=items):
            listing = not isinstance(items, ir.Contents | ir.Pile)
            return _say_either_way("none_of" if listing else "empty", voice, yes, a=_describe_pile(items, voice))
        case ir.In(left=left, right=right):
            return _describe_membership(left, right, voice, yes)
        case ir.Quantified():
            return _describe_quantified(expr, voice, yes)
        case ir.If(condition=condition, yes=then, no=other):
            said = {"yes": voice.holds(then, yes), "no": voice.holds(other, yes), "condition": voice.holds(condition)}
            return voice.say("truth.if", **said)
    return _describe_simple(expr, voice, yes)


def _describe_simple(expr: Expr, voice: Voice, yes: bool) -> str:
    match expr:
        case ir.Cell(ref=ref):
            label = quote(voice.label("state", ref.family), voice.lang)
            if expr.keys:
                return _say_either_way("cell_of", voice, yes, label=label, keys=describe_keys(expr, voice))
            return _say_either_way("cell", voice, yes, label=label)
        case ir.Attr(table=table, value=of):
            home, _, name = table.partition(".")
            return _describe_flag(home, name, of, voice, yes)
        case ir.ColumnCall(operands=(row, *_), instances=instances) if isinstance(row.type, Row):
            return _describe_flag(row.type.table, instances[0].name.rpartition(".")[2], row, voice, yes)
        case ir.WordCall(word=word, operands=operands) if WORDS[word].condition:
            said = {name: voice.of(one) for name, one in zip("ab", operands, strict=False)}
            return voice.say(f"word.{word}.phrase" if yes else f"word.{word}.phrase_not", **said)
        case ir.TermCall(instance=instance):
            told = describe_term_call(expr, voice)
            return (
                voice.holds(instance.body, yes)
                if told is None
                else told
                if yes
                else voice.say("truth.untrue", told=told)
            )
        case ir.Local(var=var) if var.value is not None and var not in voice.names:
            return voice.holds(var.value, yes)
    return _say_either_way("value", voice, yes, value=voice.of(expr))


def _describe_flag(table: str, column: str, of: Expr, voice: Voice, yes: bool) -> str:
    words = quote(find_heading(table, column, voice), voice.lang)
    return _say_either_way("marked", voice, yes, heading=words, value=voice.of(of))


def _say_either_way(key: str, voice: Voice, yes: bool, **values: object) -> str:
    return voice.say(f"truth.{key}" if yes else f"truth.{key}.not", **values)


# ---- and, or ---------------------------------------------------------------------------------------------------------


def _join_conditions(expr: ir.And | ir.Or, voice: Voice, yes: bool) -> str:
    """Join conditions by `and` or `or`; a negation swaps the two.

    A nested junction of the other kind is introduced by `both` or `either`.
    """
    together = isinstance(expr, ir.And) == yes
    parts = [_describe_operand(part, voice, yes, together) for part in flatten_junction(expr)]
    return join_list(parts, voice.lang, "and" if together else "or")


def _describe_operand(part: Expr, voice: Voice, yes: bool, together: bool) -> str:
    bare, kept = part, yes
    while isinstance(bare, ir.Not):
        bare, kept = bare.value, not kept
    if isinstance(bare, ir.And | ir.Or) and (isinstance(bare, ir.And) == kept) != together:
        inner = [_describe_operand(one, voice, kept, not together) for one in flatten_junction(bare)]
        if len(inner) == 2:
            return voice.say("truth.one_of" if together else "truth.both", a=inner[0], b=inner[1])
        return voice.say("arith.group", a=join_list(inner, voice.lang, "or" if together else "and"))
    return voice.holds(part, yes)


def flatten_junction(expr: Expr) -> Sequence[Expr]:
    """Return the operands of nested junctions of the same type as a flat list."""
    if not isinstance(expr, ir.And | ir.Or):
        return [expr]
    return [part for side in expr.args for part in (flatten_junction(side) if isinstance(side, type(expr)) else [side])]


# ---- comparing -------------------------------------------------------------------------------------------------------


def _describe_comparison(expr: ir.Compare, voice: Voice, yes: bool) -> str:
    op = expr.op if yes else _FLIPPED[expr.op]
    one, other = _find_ordered_thing(expr.left), _find_ordered_thing(expr.right)
    if one is not None and other is not None:
        return voice.say(f"truth.{_PLACES[op]}", a=voice.of(one), b=voice.of(other))
    more = op == ">" and isinstance(expr.right, Const) and expr.right.value >= 0
    left = _strip_default(expr.left) if more else expr.left
    return voice.say(f"truth.{_NUMBERS[op]}", a=voice.of(left), b=voice.of(expr.right))


def _strip_default(expr: Expr) -> Expr:
    """Return the formula without a default of 0, which a lower limit makes needless."""
    nothing = isinstance(expr, ir.Otherwise) and isinstance(expr.right, Const) and expr.right.value == 0
    return expr.left if isinstance(expr, ir.Otherwise) and nothing else expr


def _find_ordered_thing(expr: Expr) -> Expr | None:
    """Return the thing of a formula for its place in an order; None for other formulas."""
    return (
        expr.value
        if isinstance(expr, ir.Attr) and expr.table.endswith(".order") and "player" not in expr.table
        else None
    )


def _describe_equality(left: Expr, right: Expr, voice: Voice, yes: bool) -> str:
    if left.type.name == "bool" and isinstance(right, Const):
        return voice.holds(left, bool(right.value) == yes)
    if isinstance(left, Const) and not isinstance(right, Const):
        left, right = right, left
    beside = _find_neighbour(left, right)
    if beside is not None:
        key, other = beside
        return _say_either_way(key, voice, yes, a=voice.of(_find_thing(left)), b=voice.of(other))
    return _say_either_way("same", voice, yes, a=voice.of(left), b=voice.of(right))


def _find_thing(expr: Expr) -> Expr:
    return _find_ordered_thing(expr) or expr


def _find_neighbour(left: Expr, right: Expr) -> tuple[str, Expr] | None:
    """Return `just_above` or `just_below` with the other thing, if both are neighbours in an order."""
    if _find_ordered_thing(left) is None or not isinstance(right, ir.Arith) or right.op not in ("+", "-"):
        return None
    other = _find_ordered_thing(right.left)
    if other is None or not isinstance(right.right, Const) or right.right.value != 1:
        return None
    return ("just_above" if right.op == "+" else "just_below"), other


def _describe_absence(value: Expr, voice: Voice, yes: bool) -> str:
    if isinstance(value, ir.Cell) and not value.keys:
        label = voice.label("state", value.ref.family)
        if not is_clausal(label, voice.lang) and not is_several(label, voice.lang):
            return _say_either_way("kept_none", voice, yes, label=label, one=add_a(label, voice.lang))
    noun = find_noun(value.type, voice)
    return _say_either_way("absent", voice, yes, noun=noun, a=voice.of(value), **_build_noun_values(noun, voice))


def _build_noun_values(noun: str, voice: Voice) -> dict[str, str]:
    found = find_articles(noun, voice.lang)
    return {"none": found["none"], "one": found["a"]}


def _describe_membership(left: Expr, right: Expr, voice: Voice, yes: bool) -> str:
    if isinstance(right, ir.Listed) and right.operands:
        words = join_list([voice.of(one) for one in right.operands], voice.lang, "or" if yes else "nor")
        return _say_either_way("either", voice, yes, a=voice.of(left), b=words)
    return _say_either_way("in", voice, yes, a=voice.of(left), b=voice.of(right))


def _describe_pile(items: Expr, voice: Voice) -> str:
    """Return words for the pile itself if the list is the contents of a pile."""
    return voice.of(items.value if isinstance(items, ir.Contents) else items)


def _describe_quantified(expr: ir.Quantified, voice: Voice, yes: bool) -> str:
    (noun, _), inner = find_nouns(expr.var.type, voice), voice.naming(expr.var)
    word, holds = (
        (expr.word, True) if yes else {"some": ("no", True), "no": ("some", True), "every": ("some", False)}[expr.word]
    )
    where = describe_source(expr.items, voice).rstrip()
    if not where and word != "no" and _is_named_once(expr):
        called = voice.say(f"truth.{word}_once", noun=noun, **find_articles(noun, voice.lang))
        return voice.calling(expr.var, called).holds(expr.condition, holds)
    return voice.say(
        f"truth.{word}",
        noun=noun,
        among=where,
        condition=inner.holds(expr.condition, holds),
        **find_articles(noun, voice.lang),
    )


def _is_named_once(expr: ir.Quantified) -> bool:
    """Return whether the condition uses its variable once, so that `a player` or `every player` can replace it."""
    named = [part for part in walk_all(expr.condition) if isinstance(part, ir.Local) and part.var is expr.var]
    return len(named) == 1 and isinstance(expr.condition, ir.Compare | ir.Same | ir.TermCall | ir.Empty)


LONGEST = 420
"""Most characters of the words of a formula."""


def make_voice(rules: Ruleset, lang: str, tables: Headings | None = None) -> Voice:
    """Return the voice for these rules in a language; `tables` are their `headings`."""
    return build_voice(rules, lang, tables or {}, describe_value, describe_condition)


def read_headings(root: Node) -> Headings:
    """Return the words of a merged ruleset for tables, columns (`table.column`) and terms, by language."""
    terms = root.get("terms")
    known = {
        _strip_parameters(name): len(_list_parameters(name))
        for name, _, _ in (terms.entries() if terms is not None else ())
    }
    own = {
        _strip_parameters(name): _number_parameters(name, texts_of(node))
        for name, node in _iter_maps(root.get("in_words"))
        if known.get(_strip_parameters(name), 0)
        == len(_list_parameters(name))  # else a variant has made another term of it
    }
    return {**{name: texts_of(node) for name, node in _iter_maps(root.get("tables"))}, **own}


def _strip_parameters(name: str) -> str:
    return name.partition("(")[0].strip()


def _list_parameters(name: str) -> list[str]:
    return re.findall(r"\w+", name.partition("(")[2])


def _number_parameters(name: str, words: Words) -> Words:
    """Replace names of parameters by their numbers, because a variant may rename them."""
    places = {parameter: str(n) for n, parameter in enumerate(_list_parameters(name))}
    return {lang: re.sub(r"\{(\w+)\}", lambda found: f"{{{places[found[1]]}}}", text) for lang, text in words.items()}


def _iter_maps(node: Node | None) -> Iterator[tuple[str, Node]]:
    for name, _, inner in node.entries() if node is not None and node.kind == "map" else ():
        if inner.kind == "map":
            yield name, inner


def describe_choice(expr: Expr, voice: Voice) -> str | None:
    """Return words for a choice: `one of the columns`; None if they would be too long."""
    try:
        plain = simplify_formula(expr, voice.rules.attributes.by_name, voice.worded_terms)
    except TooLong:
        return None
    return describe_any(plain, voice) or describe_formula(plain, voice)


def describe_formula(expr: Expr, voice: Voice, longest: int = LONGEST) -> str | None:
    """Return a formula in words, as a noun or a clause; None if they would be too long."""
    try:
        plain = simplify_formula(expr, voice.rules.attributes.by_name, voice.worded_terms)
    except TooLong:
        return None
    text = (voice.holds(plain) if plain.type.name == "bool" else voice.of(plain)).strip()
    return text if len(text) <= longest else None


def describe_with_tables(expr: Expr, voice: Voice, longest: int = LONGEST) -> str:
    """Return a formula in words without expanding formulas of tables.

    Empty if the words would be too long or if terms without words are called.
    """
    if any(isinstance(part, TermCall) and part.instance.name not in voice.worded_terms for part in walk(expr)):
        return ""
    text = (voice.holds(expr) if expr.type.name == "bool" else voice.of(expr)).strip()
    return text if len(text) <= longest else ""
