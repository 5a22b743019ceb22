"""TITLE"""

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


def _in(words: Mapping[str, str], name: str) -> str:
    from hoyle.running.naming import in_language

    return in_language(words, lang(), name)


def description(found: Ruleset) -> dict[str, Any]:
    """What `describe` tells: only what this game can come to, whatever a library or a parent has besides."""
    from hoyle.checking.force import in_force
    from hoyle.language.evaluate import settled

    ever, now = in_force(found), in_force(found, partial(settled, attributes=found.attributes.by_name))
    moves = {name: move for name, move in found.moves.items() if name in ever.moves}
    obligations = {name: duty for name, duty in found.obligations.items() if name in ever.obligations}
    phases = {name: words for name, words in _phases(found).items() if name in now.phases}
    return {
        "name": found.name,
        "title": _in(found.title, found.name),
        "seats": list(found.seats),
        "players": [found.may_play[0], found.may_play[-1]],
        "sides": {n: [found.seats[p] for p in s] for n, s in zip(found.side_names, found.sides, strict=True)},
        "options": [_option_data(o, found) for o in found.options.values() if o.name not in found.idle],
        "constraints": [_constraint_data(c) for c in found.constraints.values()],
        "tables": [_table_data(table) for table in found.tables.values()],
        "piles": [_pile_data(p) for p in found.piles.values()],
        "terms": [_term_data(term) for term in found.terms.values() if term.used],
        "moves": [_rule_data(n, m.rule, m.words, n in now.moves) for n, m in moves.items()],
        "obligations": [_rule_data(n, o.rule, o.words, n in now.obligations) for n, o in obligations.items()],
        "whenever": [_rule_data(n, w.rule, w.words, n in now.whenever) for n, w in found.whenever.items()],
        "phases": [*phases],
        "phase_labels": [_in(words, name) for name, words in phases.items()],
        "display": of_rules(found),
        "source": _source(found),
        "clauses": [_clause_data(name, clause) for name, clause in found.clauses.items()],
        "digest": found.digest,
    }


def _option_data(found: Option, rules: Ruleset) -> dict[str, Any]:
    said = {"name": found.name, "label": _in(found.words, found.name), "choices": _choices(found)}
    called = [_in(words, name) for name, words in zip(found.choices, found.choice_words, strict=True)]
    return {
        **said,
        "choice_labels": called,
        "default": _value(found, found.default),
        "value": _value(found, found.value),
        "only_shown": found.name in rules.only_shown,
    }


def _constraint_data(found: Constraint) -> dict[str, Any]:
    return {"name": found.name, "at": found.at, "text": _in(found.texts, found.name)}


def _choices(found: Option) -> list[Any]:
    """The choices by name; of a number its least and its greatest."""
    if found.choices:
        return list(found.choices)
    return [found.kind.low, found.kind.high] if found.kind.name == "number" else [False, True]


def _value(found: Option, value: int | bool) -> Any:
    return found.choices[value] if found.choices else value


def _each(family: Family) -> str | None:
    """What its members are one for: the name of a table, an option or a kind of piece, or what they are."""
    kind = family.each
    if family.of_sides or kind is None:
        return "side" if family.of_sides else None
    if kind.name == "row":
        return kind.table
    if kind.name == "choice":
        return kind.option
    return kind.of if kind.name == "piece" else kind.name


def _table_data(found: Table) -> dict[str, Any]:
    """Rows from lowest to highest."""
    signs = found.signs or (None,) * len(found.rows)
    rows = [
        {"name": row, "label": _in(found.words.get(row, {}), row), "sign": sign}
        for row, sign in zip(found.rows, signs, strict=True)
    ]
    return {"name": found.name, "label": found.name, "columns": [*map(_column, found.columns.values())], "rows": rows}


def _column(found: Column) -> str:
    return f"{found.name}({', '.join(found.parameters)})" if found.parameters else found.name


def _term_data(found: TermSource) -> dict[str, Any]:
    name = f"{found.name}({', '.join(found.parameters)})" if found.parameters else found.name
    return {"name": name, "formula": " ".join(found.form.span.text.split())}


def _pile_data(found: Family) -> dict[str, Any]:
    return {
        "name": found.name,
        "label": _in(found.words, found.name),
        "each": _each(found),
        "columns": found.columns if found.has_columns else None,
        "room": found.room,
        "face": found.face,
        "layout": found.layout,
    }


def _rule_data(name: str, rule: Rule, words: Mapping[str, str], in_force: bool) -> dict[str, Any]:
    return {"name": name, "label": _in(words, name), "at": rule.at, "text": rule.text(lang()), "in_force": in_force}


def _clause_data(name: str, found: Clause) -> dict[str, Any]:
    return {"id": name, "text": _in(found.words, ""), "home": found.home}


def _phases(found: Ruleset) -> dict[str, Mapping[str, str]]:
    return {name: phase.words for (name, _), phase in found.phases.items()}


def _source(found: Ruleset) -> dict[str, str]:
    """Where the rules come from; in the words of the language, where it has any."""
    own = found.source.get(lang())
    return (
        {"text": typeset(own, lang())}
        if own
        else {key: said for key, said in found.source.items() if key not in LANGUAGES}
    )


def of_rules(found: Ruleset) -> list[dict[str, Any]]:
    """By name of a pile, of state or of a value that is shown: what is said of it, as it is written."""
    display = found.display
    words = {name: pile.words for name, pile in found.piles.items()}
    words |= {name: state.words for name, state in found.state.items()}
    words |= {name: value.words for name, value in display.values.items()}
    rows = [
        (name, in_language(words[name], lang(), name), dict(_said(hint)))
        for part in (display.piles, display.state, display.values)
        for name, hint in part.items()
    ]
    return [{"name": name, "label": label, "hints": said} for name, label, said in rows if said]


def _said(hint: PileHint | StateHint | ShownValue) -> Iterator[tuple[str, str]]:
    if isinstance(hint, ShownValue):
        if hint.loop is not None:
            where = f" where {_text(hint.loop.where)}" if hint.loop.where is not None else ""
            yield "for", f"{hint.loop.var.name} in {_text(hint.loop.items)}{where}"
        yield "is", _text(hint.value)
    elif isinstance(hint, PileHint):
        yield from _of_pile(hint)
    yield from [("held_by", _text(hint.holder.player))] if hint.holder is not None else []
    yield from [("while", _text(hint.shown))] if hint.shown is not None else []


def _of_pile(hint: PileHint) -> Iterator[tuple[str, str]]:
    if hint.board is not None:
        yield from [("numbered", _text(hint.board.number))] if hint.board.number is not None else []
        yield from ((key, name) for key, name in (("bar", hint.board.bar), ("off", hint.board.off)) if name)
    yield from [("order", ", ".join(map(_text, hint.order)))] if hint.order else []


def _text(expr: Expr) -> str:
    return " ".join(expr.span.text.split())
