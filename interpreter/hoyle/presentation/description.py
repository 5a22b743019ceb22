"""A checked ruleset as data for `hoyle describe` and the rules page of the browser."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from hoyle.language.display import PileHint, ShownValue, StateHint
from hoyle.language.ir import Expr
from hoyle.language.model import Ruleset
from hoyle.language.sentences import LANGUAGES, typeset
from hoyle.presentation.catalogue import lang
from hoyle.running.naming import in_language

if TYPE_CHECKING:
    from hoyle.language.model import Clause, Column, Constraint, Family, Option, Rule, Ruleset, Table, TermSource


def translate(words: Mapping[str, str], name: str) -> str:
    from hoyle.running.naming import in_language

    return in_language(words, lang(), name)


def describe_ruleset(ruleset: Ruleset) -> dict[str, Any]:
    """Return the parts of a game that can come into force."""
    from hoyle.checking.analysis import find_reachable
    from hoyle.language.evaluate import fixed_truth

    ever, now = (
        find_reachable(ruleset),
        find_reachable(ruleset, partial(fixed_truth, attributes=ruleset.attributes.by_name)),
    )
    moves = {name: move for name, move in ruleset.moves.items() if name in ever.moves}
    obligations = {name: duty for name, duty in ruleset.obligations.items() if name in ever.obligations}
    phases = {name: words for name, words in _collect_phase_labels(ruleset).items() if name in now.phases}
    return {
        "name": ruleset.name,
        "title": translate(ruleset.title, ruleset.name),
        "seats": list(ruleset.seats),
        "players": [ruleset.may_play[0], ruleset.may_play[-1]],
        "sides": {n: [ruleset.seats[p] for p in s] for n, s in zip(ruleset.side_names, ruleset.sides, strict=True)},
        "options": [describe_option(o, ruleset) for o in ruleset.options.values() if o.name not in ruleset.idle],
        "constraints": [_describe_constraint(c) for c in ruleset.constraints.values()],
        "tables": [_describe_table(table) for table in ruleset.tables.values()],
        "piles": [_describe_pile(p) for p in ruleset.piles.values()],
        "terms": [_describe_term(term) for term in ruleset.terms.values() if term.used],
        "moves": [_describe_rule(n, m.rule, m.words, n in now.moves) for n, m in moves.items()],
        "obligations": [_describe_rule(n, o.rule, o.words, n in now.obligations) for n, o in obligations.items()],
        "whenever": [_describe_rule(n, w.rule, w.words, n in now.whenever) for n, w in ruleset.whenever.items()],
        "phases": [*phases],
        "phase_labels": [translate(words, name) for name, words in phases.items()],
        "display": describe_display(ruleset),
        "source": _describe_source(ruleset),
        "clauses": [_describe_clause(name, clause) for name, clause in ruleset.clauses.items()],
        "digest": ruleset.digest,
    }


def describe_option(rule_option: Option, rules: Ruleset) -> dict[str, Any]:
    said = {
        "name": rule_option.name,
        "label": translate(rule_option.words, rule_option.name),
        "choices": _list_choices(rule_option),
    }
    called = [translate(words, name) for name, words in zip(rule_option.choices, rule_option.choice_words, strict=True)]
    return {
        **said,
        "choice_labels": called,
        "default": _get_value(rule_option, rule_option.default),
        "value": _get_value(rule_option, rule_option.value),
        "only_shown": rule_option.name in rules.only_shown,
    }


def _describe_constraint(constraint: Constraint) -> dict[str, Any]:
    return {"name": constraint.name, "at": constraint.at, "text": translate(constraint.texts, constraint.name)}


def _list_choices(rule_option: Option) -> list[Any]:
    """Return the choices by name; for a number, its least and greatest value."""
    if rule_option.choices:
        return list(rule_option.choices)
    return [rule_option.type.low, rule_option.type.high] if rule_option.type.name == "number" else [False, True]


def _get_value(rule_option: Option, value: int | bool) -> Any:
    return rule_option.choices[value] if rule_option.choices else value


def _name_each(family: Family) -> str | None:
    """Return what the members of a family stand for: a table, an option, a kind of piece, or players."""
    value_type = family.each
    if family.of_sides or value_type is None:
        return "side" if family.of_sides else None
    if value_type.name == "row":
        return value_type.table
    if value_type.name == "choice":
        return value_type.option
    return value_type.of if value_type.name == "piece" else value_type.name


def _describe_table(rule_table: Table) -> dict[str, Any]:
    """Rows are ordered from lowest to highest."""
    signs = rule_table.signs or (None,) * len(rule_table.rows)
    rows = [
        {"name": row, "label": translate(rule_table.words.get(row, {}), row), "sign": sign}
        for row, sign in zip(rule_table.rows, signs, strict=True)
    ]
    return {
        "name": rule_table.name,
        "label": rule_table.name,
        "columns": [*map(_format_column, rule_table.columns.values())],
        "rows": rows,
    }


def _format_column(column: Column) -> str:
    return f"{column.name}({', '.join(column.parameters)})" if column.parameters else column.name


def _describe_term(term: TermSource) -> dict[str, Any]:
    name = f"{term.name}({', '.join(term.parameters)})" if term.parameters else term.name
    return {"name": name, "formula": " ".join(term.form.span.text.split())}


def _describe_pile(family: Family) -> dict[str, Any]:
    return {
        "name": family.name,
        "label": translate(family.words, family.name),
        "each": _name_each(family),
        "columns": family.columns if family.has_columns else None,
        "room": family.room,
        "face": family.face,
        "layout": family.layout,
    }


def _describe_rule(name: str, rule: Rule, words: Mapping[str, str], in_force: bool) -> dict[str, Any]:
    return {
        "name": name,
        "label": translate(words, name),
        "at": rule.at,
        "text": rule.text(lang()),
        "in_force": in_force,
    }


def _describe_clause(name: str, clause: Clause) -> dict[str, Any]:
    return {"id": name, "text": translate(clause.words, ""), "home": clause.home}


def _collect_phase_labels(ruleset: Ruleset) -> dict[str, Mapping[str, str]]:
    return {name: phase.words for (name, _), phase in ruleset.phases.items()}


def _describe_source(ruleset: Ruleset) -> dict[str, str]:
    """Return the source of the rules, in the user's language if translated."""
    own = ruleset.source.get(lang())
    return (
        {"text": typeset(own, lang())}
        if own
        else {key: said for key, said in ruleset.source.items() if key not in LANGUAGES}
    )


def describe_display(ruleset: Ruleset) -> list[dict[str, Any]]:
    """Return the display hints of piles, state and shown values, as written."""
    display = ruleset.display
    words = {name: pile.words for name, pile in ruleset.piles.items()}
    words |= {name: state.words for name, state in ruleset.state.items()}
    words |= {name: value.words for name, value in display.values.items()}
    rows = [
        (name, in_language(words[name], lang(), name), dict(_list_hints(hint)))
        for part in (display.piles, display.state, display.values)
        for name, hint in part.items()
    ]
    return [{"name": name, "label": label, "hints": said} for name, label, said in rows if said]


def _list_hints(hint: PileHint | StateHint | ShownValue) -> Iterator[tuple[str, str]]:
    if isinstance(hint, ShownValue):
        if hint.loop is not None:
            where = f" where {_get_text(hint.loop.where)}" if hint.loop.where is not None else ""
            yield "for", f"{hint.loop.var.name} in {_get_text(hint.loop.items)}{where}"
        yield "is", _get_text(hint.value)
    elif isinstance(hint, PileHint):
        yield from _list_pile_hints(hint)
    yield from [("held_by", _get_text(hint.holder.player))] if hint.holder is not None else []
    yield from [("while", _get_text(hint.shown))] if hint.shown is not None else []


def _list_pile_hints(hint: PileHint) -> Iterator[tuple[str, str]]:
    if hint.board is not None:
        yield from [("numbered", _get_text(hint.board.number))] if hint.board.number is not None else []
        yield from ((key, name) for key, name in (("bar", hint.board.bar), ("off", hint.board.off)) if name)
    yield from [("order", ", ".join(map(_get_text, hint.order)))] if hint.order else []


def _get_text(expr: Expr) -> str:
    return " ".join(expr.span.text.split())
