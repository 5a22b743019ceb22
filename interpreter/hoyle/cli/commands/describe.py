"""`hoyle describe`: print what a game or a library consists of."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from hoyle.cli.commands.written_entries import (
    collect_symbols,
    describe_conditions,
    describe_library,
    describe_state,
    describe_steps,
    format_conditions,
    format_steps,
    make_state_row,
)
from hoyle.cli.options import RulesetName, Settings, json_option, lang_option, set_option
from hoyle.cli.output import emit, say
from hoyle.cli.rulesets import apply_settings, describe_origin_of_name, note_origin
from hoyle.cli.shell import argument, command, option
from hoyle.diagnostics import localize
from hoyle.language.model import Ruleset
from hoyle.language.sentences import FALLBACK
from hoyle.presentation.catalogue import UserError, join_sentences, lang, quote_name, t
from hoyle.presentation.description import describe_ruleset, translate
from hoyle.presentation.option_rows import join_alternatives, list_choices, make_option_row
from hoyle.presentation.terminal import WIDTH, format_table
from hoyle.reading.tree import Node

if TYPE_CHECKING:
    from hoyle.language.model import Ruleset
    from hoyle.reading.merge import Merged
    from hoyle.reading.tree import Node


Row = tuple[str, str]


@command("describe")
@argument("game", type=RulesetName(), required=False)
@set_option
@option("--words", is_flag=True)
@option("--observation", is_flag=True)
@json_option
@lang_option
@click.pass_context
def describe_command(
    ctx: click.Context, game: str | None, settings: Settings, words: bool, observation: bool, as_json: bool
) -> int:
    if words:
        return _describe_words(as_json)
    if game is None:
        raise click.MissingParameter(ctx=ctx, param=ctx.command.params[0])
    if observation:
        return _describe_observation(game, settings, as_json)
    from hoyle.checking.build import find_ruleset, load_library, load_ruleset

    parts = load_library(find_ruleset(game)) if not settings else None
    if parts is not None:
        _describe_library(parts, game, as_json)
    else:
        _describe_game(*apply_settings(load_ruleset, game, settings), game, as_json)
    note_origin(game)
    return 0


def _describe_game(ruleset: Ruleset, merged: Merged, game: str, as_json: bool) -> None:
    data = {**add_details(describe_ruleset(ruleset), merged), "found": describe_origin_of_name(game)}
    if as_json:
        emit("describe", data)
    else:
        _print_game(ruleset, data)


def _describe_library(root: Node, game: str, as_json: bool) -> int:
    from hoyle.cli.commands.written_entries import describe_hints

    data = {**describe_library(root), "display": describe_hints(root), "found": describe_origin_of_name(game)}
    if as_json:
        emit("library", data)
        return 0
    say(f"{data['title']} ({t('describe.library', name=data['library'])})")
    if data["comment"]:
        say(_fill(data["comment"]))
    _print_names("use", map(quote_name, data["use"]))
    _print_section(
        "needs", [(quote_name(section), ", ".join(map(quote_name, names))) for section, names in data["needs"].items()]
    )
    _print_section("options", [_make_open_option_row(option) for option in data["options"]])
    _print_section("tables", [_make_table_row(table, collect_symbols(root, table["name"])) for table in data["tables"]])
    for key in ("pieces", "piles"):
        _print_section(key, [(quote_name(e["name"]), e["label"] if e["label"] != e["name"] else "") for e in data[key]])
    _print_section("state", map(make_state_row, data["state"]))
    _print_section("terms", [(quote_name(term["name"]), quote_name(term["formula"])) for term in data["terms"]])
    for key in ("moves", "obligations", "whenever"):
        _print_section(key, map(_make_rule_row, data[key]))
    _print_section("phases", [(quote_name(name), format_steps(steps)) for name, steps in data["steps"].items()])
    _print_section("display", [make_hint_row(hint) for hint in data["display"]])
    return 0


def _describe_observation(game: str, settings: Settings, as_json: bool) -> int:
    from hoyle.cli.commands.observation import describe_observation
    from hoyle.game.game import load
    from hoyle.learning.numbering import TooMany

    try:
        describe_observation(apply_settings(load, game, settings), as_json)
    except TooMany as many:
        raise UserError(localize(many.message, lang())) from None
    note_origin(game)
    return 0


def _describe_words(as_json: bool) -> int:
    from hoyle.language.vocabulary import WORDS

    rows = [(word.usage, localize(word.meaning, lang())) for word in WORDS.values()]
    if as_json:
        emit("words", {"words": [{"usage": usage, "meaning": meaning} for usage, meaning in rows]})
    else:
        say("\n".join(format_table(rows)))
    return 0


def add_details(data: dict[str, Any], merged: Merged) -> dict[str, Any]:
    """Add what only authors need: files, entries as written."""
    root, moves = merged.root, data["moves"]
    return {
        **data,
        "file": str(merged.files[-1]),
        "built_on": [str(path) for path in merged.files[:-1]],
        "state": describe_state(root),
        "moves": [move | {"conditions": describe_conditions(root, move["name"])} for move in moves],
        "steps": {name: describe_steps(root, name) for name in data["phases"]},
    }


def _print_game(ruleset: Ruleset, data: dict[str, Any]) -> None:
    say(f"{data['title']} ({data['name']})")
    for line in dict.fromkeys(data["source"].values()):
        say(f"  {line}")
    say("\n".join([f"\n{t('describe.files')}", *(f"  {path}" for path in (data["file"], *reversed(data["built_on"])))]))
    rules = {key: _make_rule_rows(data[key]) for key in ("moves", "obligations", "whenever")}
    called = {seat: translate(words, seat) for seat, words in ruleset.seat_words.items()}
    sides = {name: [called[seat] for seat in members] for name, members in data["sides"].items()}
    low, high = data["players"]
    others = t("describe.may_play", low=low, high=high) if low < high else ""
    _print_section("seats", [(_group_seats([called[seat] for seat in data["seats"]], sides), others)])
    _print_section("options", [make_option_row(o) for o in data["options"]])
    _print_section(
        "constraints",
        [(quote_name(c["name"]), _cite(c)) for c in data["constraints"]],
    )
    _print_section(
        "tables", [_make_table_row(table, ruleset.tables[table["name"]].symbols) for table in data["tables"]]
    )
    _print_section("piles", [_make_pile_row(p) for p in data["piles"]])
    _print_section("state", map(make_state_row, data["state"]))
    _print_section("terms", [(quote_name(term["name"]), quote_name(term["formula"])) for term in data["terms"]])
    for key, rows in rules.items():
        _print_section(key, rows)
    _print_section("phases", [(quote_name(name), format_steps(steps)) for name, steps in data["steps"].items()])
    _print_section("display", [make_hint_row(hint) for hint in data["display"]])
    _print_section("clauses", [_make_clause_row(clause) for clause in data["clauses"]])


def _group_seats(seats: Sequence[str], sides: Mapping[str, Sequence[str]]) -> str:
    """Return the players by side: `A, C / B, D`."""
    alone = all(len(side) == 1 for side in sides.values())
    return ", ".join(seats) if alone else " / ".join(", ".join(side) for side in sides.values())


def _print_section(key: str, rows: Iterable[Row]) -> None:
    if told_of := [*rows]:
        say(f"\n{t(f'describe.{key}')}")
        say("\n".join(format_table(told_of)))


def _print_names(key: str, names: Iterable[str]) -> None:
    if listed := ", ".join(names):
        say(f"\n{t(f'describe.{key}')}\n{_fill(listed)}")


def _fill(text: str) -> str:
    return textwrap.fill(text, WIDTH, initial_indent="  ", subsequent_indent="  ")


def _make_open_option_row(data: Mapping[str, Any]) -> Row:
    """Describe an option of a library by its choices, its range, or `bool`."""
    given = data["values"]
    truth = {"choices": [False, True], "choice_labels": ()}
    values = list_choices(truth) if given == ["bool"] else given if ".." in given[0] else [*map(quote_name, given)]
    return quote_name(data["name"]), t("describe.entry", label=data["label"], values=join_alternatives(values))


def _make_table_row(data: Mapping[str, Any], symbols: Mapping[str, Mapping[str, str]]) -> Row:
    rows = ", ".join(f"{row['label']} {_get_sign(row, symbols.get(row['name'], {}))}".rstrip() for row in data["rows"])
    names = ", ".join(map(quote_name, data["columns"]))
    columns = t("describe.columns_of", columns=names) if data["columns"] else ""
    return quote_name(data["name"]), join_sentences(rows, columns) if columns else rows


def _get_sign(row: Mapping[str, Any], symbols: Mapping[str, str]) -> str:
    """Return the sign; in other languages, the symbol as read."""
    read = symbols.get(lang()) or symbols.get(FALLBACK) if lang() != FALLBACK else None
    return read or row["sign"] or ""


def _make_pile_row(data: Mapping[str, Any]) -> Row:
    parts = [
        data["label"] if data["label"] != data["name"] else "",
        _name_members(data["each"]) if data["each"] else "",
    ]
    parts += [t("describe.columns", count=data["columns"]) if data["columns"] else ""]
    parts += [t(f"describe.face.{data['face'].replace(' ', '_')}")]
    return quote_name(data["name"]), ", ".join(part for part in parts if part)


def _name_members(each: str) -> str:
    known = ("player", "pair", "side", "number")
    return t(f"describe.each.{each}") if each in known else t("describe.each.other", name=quote_name(each))


def _make_rule_rows(rules: Sequence[Mapping[str, Any]]) -> list[Row]:
    """Return the rules in force, and the names of those that other options enable."""
    others = ", ".join(_name_rule(rule) for rule in rules if not rule["in_force"])
    rows = [_make_rule_row(rule) for rule in rules if rule["in_force"]]
    return [*rows, (t("describe.otherwise"), others)] if others else rows


def _name_rule(data: Mapping[str, Any]) -> str:
    name = quote_name(data["name"])
    return f"{name} ({data['label']})" if data["label"] != data["name"] else name


def _make_rule_row(data: Mapping[str, Any]) -> Row:
    """Return the name of a rule, as variants use it, and its text with its conditions."""
    conditions = format_conditions(data.get("conditions", ()))
    label = f"{data['label']} — " if data["label"] != data["name"] else ""
    return quote_name(data["name"]), " ".join(filter(None, (f"{label}{_cite(data)}", conditions)))


def _cite(data: Mapping[str, Any]) -> str:
    return f"{data['text']} [{data['at']}]" if data["at"] else str(data["text"])


def _make_clause_row(data: Mapping[str, Any]) -> Row:
    return data["id"], f"{data['text']} [{quote_name(data['home'])}]" if data["home"] else data["text"]


def make_hint_row(data: Mapping[str, Any]) -> tuple[str, str]:
    label = [data["label"]] if data["label"] != data["name"] else []
    hints = [t(f"describe.hint.{key}", value=quote_name(value)) for key, value in data["hints"].items()]
    return quote_name(data["name"]), ", ".join(label + hints)
