"""Put formulas into words as nouns: `the number of cards in the stock`."""

from __future__ import annotations

from typing import assert_never

from hoyle.language import ir
from hoyle.language.ir import NO_NUMBER, OTHER_SIDE, PARTNER, SEAT_NUMBER, SIDE_OF, Const, Expr, Var
from hoyle.language.sentences import format_integer
from hoyle.language.value_types import Choice, List, Number, Pile, Row, ValueType
from hoyle.prose.grammar import (
    add_the,
    add_the_or_quote,
    find_articles,
    is_clausal,
    is_several,
    join_list,
    pluralize,
    quote,
)
from hoyle.prose.loops import describe_all, describe_chosen, describe_collected, describe_word_call
from hoyle.prose.moves import build_move_name
from hoyle.prose.voice import Voice, describe_term_call, find_heading, find_noun, find_table_noun

_SAID_OF = {SIDE_OF: "side_of", PARTNER: "partner", SEAT_NUMBER: "seat_number"}


def describe_value(expr: Expr, voice: Voice) -> str:
    """Return the value of a formula in words."""
    match expr:
        case Const():
            return describe_constant(expr, voice)
        case ir.Local(var=var):
            return _name_variable(var, voice)
        case ir.Fault():
            return voice.say("value.fault")
        case ir.Rows():
            return describe_all(expr.type, voice)
        case ir.Cell():
            return describe_cell(expr, voice)
        case ir.Pile() | ir.Piles():
            return describe_pile(expr, voice)
        case ir.Contents(value=inside):
            return voice.say("value.contents", pieces=name_pieces(expr.type, voice), pile=voice.of(inside))
        case ir.Others(value=player):
            return voice.say("value.others", player=voice.of(player))
        case ir.Attr(table=table, value=of):
            return _describe_attribute(table, of, expr.type, voice)
        case ir.Member(place=place, value=pair):
            return voice.say("value.one_of_pair", pair=voice.of(pair)).split("\n")[place]
        case ir.WordCall():
            return describe_word_call(expr, voice)
        case ir.ColumnCall():
            return _describe_column(expr, voice)
        case ir.TermCall(instance=instance):
            return describe_term_call(expr, voice) or voice.of(instance.body)
        case ir.Chosen():
            return describe_chosen(expr, voice)
        case ir.Collect():
            return describe_collected(expr, voice)
        case ir.Quantified():
            return voice.holds(expr)
    return _describe_operation(expr, voice)


def _describe_operation(
    expr: ir.Operation | ir.Listed | ir.Concat | ir.Without | ir.Range | ir.Item, voice: Voice
) -> str:
    match expr:
        case ir.Arith() | ir.Neg():
            return _describe_arithmetic(expr, voice)
        case ir.If(condition=condition, yes=yes, no=no) if expr.type.name != "bool":
            said = {"yes": voice.of(yes), "condition": voice.holds(condition), "no": voice.of(no)}
            return voice.say("value.if", **said)
        case ir.Otherwise(left=left, right=right):
            if isinstance(right, Const) and right.value in (0, NO_NUMBER, -1):
                return voice.say("value.or_nothing", value=voice.of(left))
            return voice.say("value.otherwise", value=voice.of(left), other=voice.of(right))
        case ir.Listed(operands=operands):
            return join_list([voice.of(one) for one in operands], voice.lang) or voice.say("value.listed_none")
        case ir.Concat(left=left, right=right):
            return voice.say("value.concat", left=voice.of(left), right=voice.of(right))
        case ir.Without(left=left, right=right):
            return voice.say("value.without", left=voice.of(left), right=voice.of(right))
        case ir.Range(left=low, right=high):
            return voice.say("value.range", low=voice.of(low), high=voice.of(high))
        case ir.Item(items=items, index=index):
            if isinstance(items, ir.Piles):
                label = add_the(voice.label("piles", items.ref.family), voice.lang)
                return voice.say("value.numbered", pile=label, number=voice.of(index))
            return voice.say("value.item", index=voice.of(index), items=voice.of(items))
    return voice.holds(expr)


def _name_variable(var: Var, voice: Voice) -> str:
    if var in voice.names:
        return voice.names[var]
    if var.name == "me":
        return voice.say("value.me")
    if var.value is not None:
        return voice.of(var.value)
    return add_the(find_noun(var.type, voice), voice.lang)


def describe_constant(expr: Const, voice: Voice) -> str:
    value_type, number = expr.type, expr.value
    match value_type:
        case Number():
            return voice.say("value.nothing") if number == NO_NUMBER else format_integer(number, voice.lang)
        case _ if number < 0 or value_type.name == "nothing":
            return voice.say("value.nothing")
        case Row(table=table):
            row = voice.rules.tables[table].rows[number]
            return voice.label("seats" if value_type == voice.rules.side else f"tables/{table}", row)
        case Choice(option=option):
            return voice.label(f"options/{option}", voice.rules.options[option].choices[number])
    match value_type.name:
        case "bool":
            return voice.say("value.true" if number else "value.false")
        case "player":
            alone = len(voice.rules.seats) == 1
            return voice.say("value.me") if alone else voice.label("seats", voice.rules.seats[number])
        case "text":
            return voice.rules.attributes.texts[number]
        case "move":
            return quote(build_move_name([*voice.rules.moves][number], voice), voice.lang)
        case "obligation":
            return quote(voice.label("obligations", [*voice.rules.obligations][number]), voice.lang)
        case "pile":
            return _name_pile_number(number, voice)
    return format_integer(number, voice.lang)


def _name_pile_number(number: int, voice: Voice) -> str:
    for family in voice.rules.piles.values():
        if family.base <= number < family.base + family.members * family.columns:
            return add_the(voice.label("piles", family.name), voice.lang)
    return voice.say("value.nothing")


def name_pieces(value_type: ValueType, voice: Voice) -> str:
    """Return the plural noun for the pieces of a pile or list: `cards`."""
    item = value_type.item if isinstance(value_type, List) else value_type
    if isinstance(item, Pile):
        item = item.piece
    found = find_noun(item, voice)
    return pluralize(found, voice.lang)


# ---- cells and piles -------------------------------------------------------------------------------------------------


def describe_cell(expr: ir.Cell, voice: Voice) -> str:
    """Return the name of a cell with its keys."""
    label = voice.label("state", expr.ref.family)
    label = quote(label, voice.lang) if expr.type.name == "bool" else name_cell(label, expr.type, voice)
    if not expr.keys:
        return label
    return voice.say("value.cell", label=label, keys=describe_keys(expr, voice, "of"))


def name_cell(label: str, value_type: ValueType, voice: Voice) -> str:
    """Return the label with its article; a plural label of a number becomes `the number of …`."""
    several = is_several(label, voice.lang) and not is_clausal(label, voice.lang)
    if value_type.name == "number" and several:
        label = voice.say("value.number_of", nouns=label)
    return add_the_or_quote(label, voice.lang)


def describe_keys(expr: ir.Cell, voice: Voice, how: str = "and") -> str:
    """Return the keys of a cell in words."""
    return join_list([voice.of(key) for key in expr.keys], voice.lang, how)


def describe_pile(expr: ir.Pile | ir.Piles, voice: Voice) -> str:
    """Return words for one pile, a whole family, or the piles of one member."""
    family = voice.rules.piles[expr.ref.family]
    label = voice.label("piles", family.name)
    if isinstance(expr, ir.Piles):
        several = pluralize(label, voice.lang)
        if expr.member is None:
            return voice.say("value.family", piles=several)
        return voice.say("value.columns_of", piles=several, member=voice.of(expr.member))
    if expr.member is None:
        return add_the(label, voice.lang)
    numbered = expr.member.type.name == "number"
    said = voice.of(expr.member)
    if numbered:
        return voice.say("value.numbered", pile=add_the(label, voice.lang), number=said)
    return voice.say("noun.of", what=add_the(label, voice.lang), whom=said)


def describe_any(expr: Expr, voice: Voice) -> str | None:
    """Return words for any pile of a family or any value of a type; None for other formulas."""
    if isinstance(expr, ir.Piles) and expr.member is None:
        label = voice.label("piles", expr.ref.family)
    elif isinstance(expr, ir.Rows):
        label = find_noun(expr.type.item_type, voice)
    else:
        return None
    return voice.say("value.one_of", piles=pluralize(label, voice.lang), **find_articles(label, voice.lang))


def _describe_attribute(table: str, of: Expr, value_type: ValueType, voice: Voice) -> str:
    home, _, name = table.partition(".")
    if table in _SAID_OF:
        return voice.say(f"value.{_SAID_OF[table]}", player=voice.of(of))
    if table == OTHER_SIDE:
        return voice.say("value.other_side", side=voice.of(of))
    if name == "order":
        return voice.say("value.order", value=voice.of(of))
    if name == "owner":
        return _join_attribute(voice.say("noun.owner"), of, voice)
    if isinstance(value_type, Row):
        own = voice.tables.get(table, {}).get(voice.lang)
        return _join_attribute(own or find_table_noun(value_type.table, voice), of, voice)
    return voice.say("value.heading", heading=quote(find_heading(home, name, voice), voice.lang), value=voice.of(of))


def _join_attribute(noun: str, of: Expr, voice: Voice) -> str:
    return voice.say("value.attribute", name=noun, value=voice.of(of), **find_articles(noun, voice.lang))


def _describe_column(expr: ir.ColumnCall, voice: Voice) -> str:
    row, *others = expr.operands
    value_type = row.type
    table = value_type.table if isinstance(value_type, Row) else ""
    name = expr.instances[0].name.rpartition(".")[2]
    said = {"heading": quote(find_heading(table, name, voice), voice.lang), "value": voice.of(row)}
    who = [voice.of(one) for one in others if one.type.name == "player"]
    if who:
        return voice.say("value.heading_for", whom=join_list(who[:1], voice.lang), **said)
    return voice.say("value.heading", **said)


# ---- numbers ---------------------------------------------------------------------------------------------------------


def _describe_arithmetic(expr: ir.Arith | ir.Neg, voice: Voice) -> str:
    if isinstance(expr, ir.Neg):
        return voice.say("arith.neg", a=_describe_operand(expr.value, voice, True))
    tight = expr.op not in ("+", "-")
    a, b = _describe_operand(expr.left, voice, tight), _describe_operand(expr.right, voice, tight or expr.op == "-")
    match expr.op:
        case "+":
            return voice.say("arith.add", a=a, b=b)
        case "-":
            return voice.say("arith.subtract", a=a, b=b)
        case "*":
            twice = isinstance(expr.left, Const) and expr.left.value == 2
            return voice.say("arith.twice", b=b) if twice else voice.say("arith.multiply", a=a, b=b)
        case "div" | "mod":
            return voice.say(f"arith.{expr.op}", a=a, b=b)
        case _:
            assert_never(expr.op)


def _describe_operand(expr: Expr, voice: Voice, tight: bool) -> str:
    """Return an operand, in brackets if the sentence would be ambiguous without them."""
    loose = isinstance(expr, ir.If) or (tight and isinstance(expr, ir.Arith))
    return voice.say("arith.group", a=voice.of(expr)) if loose else voice.of(expr)
