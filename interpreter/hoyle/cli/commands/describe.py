"""`hoyle describe`: what a game consists of, and what a library brings."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from hoyle.cli.commands.written_entries import (
    condition_names,
    conditions_of,
    data_of,
    state_of,
    state_row,
    steps_line,
    steps_of,
    symbols_of,
)
from hoyle.cli.options import Named, Settings, json_option, lang_option, set_option
from hoyle.cli.output import emit, say
from hoyle.cli.rulesets import named_data, tell_named, with_settings
from hoyle.cli.shell import argument, command, option
from hoyle.diagnostics import told
from hoyle.language.model import Ruleset
from hoyle.language.sentences import FALLBACK
from hoyle.presentation.catalogue import UserError, join_sentences, lang, quote_name, t
from hoyle.presentation.description import describe_option, describe_ruleset, translate
from hoyle.presentation.terminal import WIDTH, format_table
from hoyle.reading.tree import Node

if TYPE_CHECKING:
    from hoyle.language.model import Ruleset
    from hoyle.reading.merge import Merged
    from hoyle.reading.tree import Node


Row = tuple[str, str]


@command("describe")
@argument("game", type=Named(), required=False)
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
    from hoyle.checking.build import find, library, ruleset

    parts = library(find(game)) if not settings else None
    if parts is not None:
        _describe_library(parts, game, as_json)
    else:
        _describe_game(*with_settings(ruleset, game, settings), game, as_json)
    tell_named(game)
    return 0


def _describe_game(found: Ruleset, merged: Merged, game: str, as_json: bool) -> None:
    data = {**with_details(describe_ruleset(found), merged), "found": named_data(game)}
    if as_json:
        emit("describe", data)
    else:
        _tell(found, data)


def _describe_library(root: Node, game: str, as_json: bool) -> int:
    from hoyle.cli.commands.written_entries import of_tree

    data = {**data_of(root), "display": of_tree(root), "found": named_data(game)}
    if as_json:
        emit("library", data)
        return 0
    say(f"{data['title']} ({t('describe.library', name=data['library'])})")
    if data["comment"]:
        say(_paragraph(data["comment"]))
    _names("use", map(quote_name, data["use"]))
    _section(
        "needs", [(quote_name(section), ", ".join(map(quote_name, names))) for section, names in data["needs"].items()]
    )
    _section("options", [_open_option_row(option) for option in data["options"]])
    _section("tables", [_table_row(table, symbols_of(root, table["name"])) for table in data["tables"]])
    for key in ("pieces", "piles"):
        _section(key, [(quote_name(e["name"]), e["label"] if e["label"] != e["name"] else "") for e in data[key]])
    _section("state", map(state_row, data["state"]))
    _section("terms", [(quote_name(term["name"]), quote_name(term["formula"])) for term in data["terms"]])
    for key in ("moves", "obligations", "whenever"):
        _section(key, map(_rule_row, data[key]))
    _section("phases", [(quote_name(name), steps_line(steps)) for name, steps in data["steps"].items()])
    _section("display", [hint_row(hint) for hint in data["display"]])
    return 0


def _describe_observation(game: str, settings: Settings, as_json: bool) -> int:
    from hoyle.cli.commands.observation import describe_observation
    from hoyle.game.game import load
    from hoyle.learning.numbering import TooMany

    try:
        describe_observation(with_settings(load, game, settings), as_json)
    except TooMany as many:
        raise UserError(told(many.said, lang())) from None
    tell_named(game)
    return 0


def _describe_words(as_json: bool) -> int:
    from hoyle.language.vocabulary import WORDS

    rows = [(word.usage, told(word.meaning, lang())) for word in WORDS.values()]
    if as_json:
        emit("words", {"words": [{"usage": usage, "meaning": meaning} for usage, meaning in rows]})
    else:
        say("\n".join(format_table(rows)))
    return 0


def with_details(data: dict[str, Any], merged: Merged) -> dict[str, Any]:
    """The same with what only somebody asks who changes the game: as it is written, and where."""
    root, moves = merged.root, data["moves"]
    return {
        **data,
        "file": str(merged.files[-1]),
        "built_on": [str(path) for path in merged.files[:-1]],
        "state": state_of(root),
        "moves": [move | {"conditions": conditions_of(root, move["name"])} for move in moves],
        "steps": {name: steps_of(root, name) for name in data["phases"]},
    }


def _tell(found: Ruleset, data: dict[str, Any]) -> None:
    say(f"{data['title']} ({data['name']})")
    for line in dict.fromkeys(data["source"].values()):
        say(f"  {line}")
    say("\n".join([f"\n{t('describe.files')}", *(f"  {path}" for path in (data["file"], *reversed(data["built_on"])))]))
    rules = {key: _rule_rows(data[key]) for key in ("moves", "obligations", "whenever")}
    called = {seat: translate(words, seat) for seat, words in found.seat_words.items()}
    sides = {name: [called[seat] for seat in members] for name, members in data["sides"].items()}
    low, high = data["players"]
    others = t("describe.may_play", low=low, high=high) if low < high else ""
    _section("seats", [(_together([called[seat] for seat in data["seats"]], sides), others)])
    _section("options", [_option_row(o) for o in data["options"]])
    _section(
        "constraints",
        [(quote_name(c["name"]), _cited(c)) for c in data["constraints"]],
    )
    _section("tables", [_table_row(table, found.tables[table["name"]].symbols) for table in data["tables"]])
    _section("piles", [_pile_row(p) for p in data["piles"]])
    _section("state", map(state_row, data["state"]))
    _section("terms", [(quote_name(term["name"]), quote_name(term["formula"])) for term in data["terms"]])
    for key, rows in rules.items():
        _section(key, rows)
    _section("phases", [(quote_name(name), steps_line(steps)) for name, steps in data["steps"].items()])
    _section("display", [hint_row(hint) for hint in data["display"]])
    _section("clauses", [_clause_row(clause) for clause in data["clauses"]])


def _together(seats: Sequence[str], sides: Mapping[str, Sequence[str]]) -> str:
    """Who plays, and who with whom: `A, C / B, D`."""
    alone = all(len(side) == 1 for side in sides.values())
    return ", ".join(seats) if alone else " / ".join(", ".join(side) for side in sides.values())


def _section(key: str, rows: Iterable[Row]) -> None:
    if told_of := [*rows]:
        say(f"\n{t(f'describe.{key}')}")
        say("\n".join(format_table(told_of)))


def _names(key: str, names: Iterable[str]) -> None:
    if listed := ", ".join(names):
        say(f"\n{t(f'describe.{key}')}\n{_paragraph(listed)}")


def _paragraph(text: str) -> str:
    return textwrap.fill(text, WIDTH, initial_indent="  ", subsequent_indent="  ")


def _option_row(data: Mapping[str, Any]) -> Row:
    choices = data["choices"]
    number = isinstance(choices[0], int) and not isinstance(choices[0], bool)
    values = f"{choices[0]}..{choices[1]}" if number else _either(_named_choices(data))
    default = t("describe.default", value=str(data["default"]) if number else quote_name(_shown(data["default"])))
    default += f"; {t('describe.only_shown')}" if data["only_shown"] else ""
    return quote_name(f"{data['name']}={_shown(data['value'])}"), t(
        "describe.entry", label=data["label"], values=f"{values}, {default}"
    )


def _named_choices(data: Mapping[str, Any]) -> list[str]:
    """The choices as `--set` takes them, each with its words where they say more."""
    names, labels = [_shown(c) for c in data["choices"]], data["choice_labels"]
    if names == ["false", "true"]:
        labels = [t("describe.false"), t("describe.true")]
    said = [label if label != name.replace("_", " ") else "" for name, label in zip(names, labels, strict=False)]
    return [
        f"{quote_name(n)} ({s})" if s else quote_name(n) for n, s in zip(names, said or [""] * len(names), strict=True)
    ]


def _open_option_row(data: Mapping[str, Any]) -> Row:
    """An option of a library, whose values are as they are written: choices, a range, or `bool`."""
    given = data["values"]
    truth = {"choices": [False, True], "choice_labels": ()}
    values = _named_choices(truth) if given == ["bool"] else given if ".." in given[0] else [*map(quote_name, given)]
    return quote_name(data["name"]), t("describe.entry", label=data["label"], values=_either(values))


def _either(values: Sequence[str]) -> str:
    return t("describe.or").join(values)


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _table_row(data: Mapping[str, Any], symbols: Mapping[str, Mapping[str, str]]) -> Row:
    rows = ", ".join(f"{row['label']} {_sign(row, symbols.get(row['name'], {}))}".rstrip() for row in data["rows"])
    names = ", ".join(map(quote_name, data["columns"]))
    columns = t("describe.columns_of", columns=names) if data["columns"] else ""
    return quote_name(data["name"]), join_sentences(rows, columns) if columns else rows


def _sign(row: Mapping[str, Any], symbols: Mapping[str, str]) -> str:
    """As it is written; in another language than that of ids and signs as it is read."""
    read = symbols.get(lang()) or symbols.get(FALLBACK) if lang() != FALLBACK else None
    return read or row["sign"] or ""


def _pile_row(data: Mapping[str, Any]) -> Row:
    parts = [data["label"] if data["label"] != data["name"] else "", _one_for(data["each"]) if data["each"] else ""]
    parts += [t("describe.columns", count=data["columns"]) if data["columns"] else ""]
    parts += [t(f"describe.face.{data['face'].replace(' ', '_')}")]
    return quote_name(data["name"]), ", ".join(part for part in parts if part)


def _one_for(each: str) -> str:
    known = ("player", "pair", "side", "number")
    return t(f"describe.each.{each}") if each in known else t("describe.each.other", name=quote_name(each))


def _rule_rows(rules: Sequence[Mapping[str, Any]]) -> list[Row]:
    """The rules in force, and the names of those that other options bring into force."""
    others = ", ".join(_known_as(rule) for rule in rules if not rule["in_force"])
    rows = [_rule_row(rule) for rule in rules if rule["in_force"]]
    return [*rows, (t("describe.otherwise"), others)] if others else rows


def _known_as(data: Mapping[str, Any]) -> str:
    name = quote_name(data["name"])
    return f"{name} ({data['label']})" if data["label"] != data["name"] else name


def _rule_row(data: Mapping[str, Any]) -> Row:
    """What a variant writes to change it, and what it says."""
    conditions = condition_names(data.get("conditions", ()))
    label = f"{data['label']} — " if data["label"] != data["name"] else ""
    return quote_name(data["name"]), " ".join(filter(None, (f"{label}{_cited(data)}", conditions)))


def _cited(data: Mapping[str, Any]) -> str:
    return f"{data['text']} [{data['at']}]" if data["at"] else str(data["text"])


def _clause_row(data: Mapping[str, Any]) -> Row:
    return data["id"], f"{data['text']} [{quote_name(data['home'])}]" if data["home"] else data["text"]


def option_entries(found: Ruleset) -> list[tuple[str, str, str]]:
    """Every option with its value, and what it is and may be, for the comments of a new file."""
    rows = [(o, _option_row(o)) for o in (describe_option(one, found) for one in found.options.values())]
    return [(o["name"], _shown(o["value"]), words) for o, (_, words) in rows]


def hint_row(data: Mapping[str, Any]) -> tuple[str, str]:
    label = [data["label"]] if data["label"] != data["name"] else []
    hints = [t(f"describe.hint.{key}", value=quote_name(value)) for key, value in data["hints"].items()]
    return quote_name(data["name"]), ", ".join(label + hints)
