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


def describe_ruleset(found: Ruleset) -> dict[str, Any]:
    """Return the parts of a game that can come into force."""
    from hoyle.checking.analysis import find_reachable
    from hoyle.language.evaluate import settled

    ever, now = find_reachable(found), find_reachable(found, partial(settled, attributes=found.attributes.by_name))
    moves = {name: move for name, move in found.moves.items() if name in ever.moves}
    obligations = {name: duty for name, duty in found.obligations.items() if name in ever.obligations}
    phases = {name: words for name, words in _collect_phase_labels(found).items() if name in now.phases}
    return {
        "name": found.name,
        "title": translate(found.title, found.name),
        "seats": list(found.seats),
        "players": [found.may_play[0], found.may_play[-1]],
        "sides": {n: [found.seats[p] for p in s] for n, s in zip(found.side_names, found.sides, strict=True)},
        "options": [describe_option(o, found) for o in found.options.values() if o.name not in found.idle],
        "constraints": [_describe_constraint(c) for c in found.constraints.values()],
        "tables": [_describe_table(table) for table in found.tables.values()],
        "piles": [_describe_pile(p) for p in found.piles.values()],
        "terms": [_describe_term(term) for term in found.terms.values() if term.used],
        "moves": [_describe_rule(n, m.rule, m.words, n in now.moves) for n, m in moves.items()],
        "obligations": [_describe_rule(n, o.rule, o.words, n in now.obligations) for n, o in obligations.items()],
        "whenever": [_describe_rule(n, w.rule, w.words, n in now.whenever) for n, w in found.whenever.items()],
        "phases": [*phases],
        "phase_labels": [translate(words, name) for name, words in phases.items()],
        "display": describe_display(found),
        "source": _describe_source(found),
        "clauses": [_describe_clause(name, clause) for name, clause in found.clauses.items()],
        "digest": found.digest,
    }


def describe_option(found: Option, rules: Ruleset) -> dict[str, Any]:
    said = {"name": found.name, "label": translate(found.words, found.name), "choices": _list_choices(found)}
    called = [translate(words, name) for name, words in zip(found.choices, found.choice_words, strict=True)]
    return {
        **said,
        "choice_labels": called,
        "default": _get_value(found, found.default),
        "value": _get_value(found, found.value),
        "only_shown": found.name in rules.only_shown,
    }


def _describe_constraint(found: Constraint) -> dict[str, Any]:
    return {"name": found.name, "at": found.at, "text": translate(found.texts, found.name)}


def _list_choices(found: Option) -> list[Any]:
    """Return the choices by name; for a number, its least and greatest value."""
    if found.choices:
        return list(found.choices)
    return [found.kind.low, found.kind.high] if found.kind.name == "number" else [False, True]


def _get_value(found: Option, value: int | bool) -> Any:
    return found.choices[value] if found.choices else value


def _name_each(family: Family) -> str | None:
    """Return what the members of a family stand for: a table, an option, a kind of piece, or players."""
    kind = family.each
    if family.of_sides or kind is None:
        return "side" if family.of_sides else None
    if kind.name == "row":
        return kind.table
    if kind.name == "choice":
        return kind.option
    return kind.of if kind.name == "piece" else kind.name


def _describe_table(found: Table) -> dict[str, Any]:
    """Rows are ordered from lowest to highest."""
    signs = found.signs or (None,) * len(found.rows)
    rows = [
        {"name": row, "label": translate(found.words.get(row, {}), row), "sign": sign}
        for row, sign in zip(found.rows, signs, strict=True)
    ]
    return {
        "name": found.name,
        "label": found.name,
        "columns": [*map(_format_column, found.columns.values())],
        "rows": rows,
    }


def _format_column(found: Column) -> str:
    return f"{found.name}({', '.join(found.parameters)})" if found.parameters else found.name


def _describe_term(found: TermSource) -> dict[str, Any]:
    name = f"{found.name}({', '.join(found.parameters)})" if found.parameters else found.name
    return {"name": name, "formula": " ".join(found.form.span.text.split())}


def _describe_pile(found: Family) -> dict[str, Any]:
    return {
        "name": found.name,
        "label": translate(found.words, found.name),
        "each": _name_each(found),
        "columns": found.columns if found.has_columns else None,
        "room": found.room,
        "face": found.face,
        "layout": found.layout,
    }


def _describe_rule(name: str, rule: Rule, words: Mapping[str, str], in_force: bool) -> dict[str, Any]:
    return {
        "name": name,
        "label": translate(words, name),
        "at": rule.at,
        "text": rule.text(lang()),
        "in_force": in_force,
    }


def _describe_clause(name: str, found: Clause) -> dict[str, Any]:
    return {"id": name, "text": translate(found.words, ""), "home": found.home}


def _collect_phase_labels(found: Ruleset) -> dict[str, Mapping[str, str]]:
    return {name: phase.words for (name, _), phase in found.phases.items()}


def _describe_source(found: Ruleset) -> dict[str, str]:
    """Return the source of the rules, in the user's language if translated."""
    own = found.source.get(lang())
    return (
        {"text": typeset(own, lang())}
        if own
        else {key: said for key, said in found.source.items() if key not in LANGUAGES}
    )


def describe_display(found: Ruleset) -> list[dict[str, Any]]:
    """Return the display hints of piles, state and shown values, as written."""
    display = found.display
    words = {name: pile.words for name, pile in found.piles.items()}
    words |= {name: state.words for name, state in found.state.items()}
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
