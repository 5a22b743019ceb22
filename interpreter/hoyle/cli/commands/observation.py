"""`hoyle describe GAME --observation`: the numbers of observations and actions for learning programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from hoyle.cli.output import emit, say
from hoyle.presentation.catalogue import lang, t
from hoyle.presentation.terminal import format_table

if TYPE_CHECKING:
    from hoyle.game.compiled import Compiled
    from hoyle.game.game import Game
    from hoyle.learning.layout import Group, Part
    from hoyle.learning.numbering import Heads
    from hoyle.learning.plays import Form


FEW_CLASSES = 4


def describe_observation(game: Game, as_json: bool) -> None:
    """Raises TooMany."""
    from hoyle.learning.plays import Form

    data = make_data(Form(game))
    if as_json:
        emit("observation", data)
        return
    say(t("observed.title", game=game.title(lang()), size=data["size"]))
    say("\n".join([f"\n{t('observed.classes')}", *format_table([*_make_class_rows(game.compiled)])]))
    section, rows = "", list[tuple[str, str]]()
    for group in [*data["groups"], {"about": ""}]:
        if group["about"] != section:
            _print_section(section, rows)
            section, rows = group["about"], []
        if section:
            rows += _make_rows(group)
    say(f"\n{t('observed.actions', size=data['actions']['size'])}")
    say("\n".join(format_table([*map(_make_move_row, data["actions"]["moves"]), *_make_end_rows(data["actions"])])))


def _print_section(section: str, rows: list[tuple[str, str]]) -> None:
    if rows:
        say("\n".join([f"\n{t(f'observed.about.{section}')}", *format_table(rows)]))


# ---- as data ---------------------------------------------------------------------------------------------------------


def make_data(form: Form) -> dict[str, Any]:
    """Return the layout of the first seat's observations, and the numbers of actions. Other seats count from themselves."""
    layout, numbering = form.layouts[0], form.numbering
    heads = [_make_move_data(form, found) for found in sorted(numbering.heads.values(), key=lambda heads: heads.first)]
    return {
        "game": form.game.name,
        "seat": form.game.seats[0],
        "size": layout.size,
        "places": [*layout.places],
        "classes": {name: [*_list_signs(form.game.compiled, name)] for name in form.game.ruleset.pieces},
        "groups": [_make_group_data(form.game.compiled, group) for group in layout.groups],
        "actions": {
            "size": numbering.size,
            "moves": heads,
            "items": [numbering.first_item, numbering.first_item + numbering.items],
            "end": numbering.end if numbering.composed else None,
        },
    }


def _list_signs(game: Compiled, kind: str) -> Iterator[str]:
    """Yield the classes of a kind of piece in the order of their numbers."""
    of = game.ruleset.pieces[kind]
    yield from game.namer.signs[of.base : of.base + len(of.classes)]


def _make_group_data(game: Compiled, group: Group) -> dict[str, Any]:
    return {
        "about": group.about,
        "name": group.name,
        "label": _get_label(game, group),
        "at": group.at,
        "stride": group.stride,
        "members": [*_list_members(game, group)],
        "first": group.first,
        "parts": [_make_part_data(part) for part in group.parts],
    }


def _make_part_data(part: Part) -> dict[str, Any]:
    return {"sort": part.sort, "at": part.at, "size": part.size, "least": part.least, "most": part.most}


def _get_label(game: Compiled, group: Group) -> str:
    from hoyle.language.phrases import name_of_phrase, parse_phrase
    from hoyle.running.naming import in_language

    if not group.name:
        return ""
    if group.about != "state":
        family = game.ruleset.piles[group.name]
        of_players = family.each is not None and family.each.name == "player"
        words = in_language(family.words, lang(), family.name)
        return game.namer.pile(group.members[0], lang(), 0) if of_players else words
    return name_of_phrase(parse_phrase(in_language(game.ruleset.state[group.name].words, lang(), group.name)))


def _list_members(game: Compiled, group: Group) -> Iterator[str]:
    """Yield the names of piles or cells as in positions."""
    for member in group.members if group.name else ():
        yield game.namer.cell(member) if group.about == "state" else game.namer.key(member)


def _make_move_data(form: Form, heads: Heads) -> dict[str, Any]:
    from hoyle.running.naming import in_language

    return {
        "name": heads.move.name,
        "label": in_language(heads.move.words, lang(), heads.move.name),
        "first": heads.first,
        "size": heads.size,
        "digits": [{"name": digit.var.name, "size": digit.size} for digit in heads.digits],
        "lists": [{"name": one.var.name, "first": one.first, "size": one.digit.size} for one in heads.lists],
    }


# ---- in words --------------------------------------------------------------------------------------------------------


def _make_class_rows(game: Compiled) -> Iterator[tuple[str, str]]:
    """Yield the first classes of each kind of piece, and the last."""
    from hoyle.language.phrases import name_of_phrase, parse_phrase
    from hoyle.running.naming import in_language

    for kind in game.ruleset.pieces.values():
        names = [game.namer.piece(2 * (kind.base + n), lang()) for n in range(len(kind.classes))]
        told = names if len(names) <= FEW_CLASSES else [*names[: FEW_CLASSES - 1], "…", names[-1]]
        label = name_of_phrase(parse_phrase(in_language(kind.words, lang(), kind.name)))
        yield label, t("observed.numbered", classes=", ".join(told), most=len(names) - 1)


def _make_rows(group: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the parts of the first member and the number of members."""
    parts = [(_format_range(group["at"] + part["at"], part["size"]), _format_part(part)) for part in group["parts"]]
    if not group["label"]:
        yield from parts
        return
    members = len(group["members"])
    times = [t("observed.times", count=members, stride=group["stride"])] if members > 1 else []
    yield group["label"], t("observed.and").join([*(f"{numbers} {told}" for numbers, told in parts), *times])


def _format_part(part: Mapping[str, Any]) -> str:
    return t(f"observed.sort.{part['sort']}", **part)


def _format_range(at: int, size: int) -> str:
    return str(at) if size == 1 else f"{at}..{at + size - 1}"


def _make_move_row(data: Mapping[str, Any]) -> tuple[str, str]:
    digits = " × ".join(f"`{digit['name']}` ({digit['size']})" for digit in data["digits"])
    lists = [
        t("observed.then", name=one["name"], numbers=_format_range(one["first"], one["size"])) for one in data["lists"]
    ]
    named = t("describe.entry", label=data["label"], values=digits) if digits else data["label"]
    return _format_range(data["first"], data["size"]), t("observed.and").join([named, *lists])


def _make_end_rows(actions: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if actions["end"] is not None:
        yield str(actions["end"]), t("observed.end")
