"""Spellings in positions: signs of pieces, names of piles, cells and places."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

from hoyle.diagnostics import (
    NO_TEXT,
    Diagnostic,
    LocalizedText,
    Refused,
    Span,
    build_replacement,
    find_close_name,
    verbatim,
)
from hoyle.game.compiled import Compiled
from hoyle.language.ir import ABSENT, NO_NUMBER, absent_of
from hoyle.language.model import Family, StateFamily
from hoyle.language.sentences import make_message
from hoyle.language.value_types import PLAYER, SIDES, Row, ValueType
from hoyle.running.machine import Place
from hoyle.running.naming import fold_case

NO_READINGS: Mapping[str, str] = {}


def fold_sign(sign: str) -> str:
    """Fold a sign for comparison."""
    return sign.replace("\ufe0f", "").upper()


def plain_words(text: str, readings: Mapping[str, str] = NO_READINGS) -> str:
    """Normalize the text of a move for comparison.

    Lower case without accents, hyphens, brackets and commas; `x` for ×; signs of pieces for what may be read for
    them (`readings`)."""
    arrows = text.replace("->", "→").replace("→", " → ").replace("×", "x")
    words = re.sub(r"(?<=\w)-(?=\w)|[_()]|[,;](?=\s|$)", " ", fold_case(arrows))
    return " ".join(readings.get(word, word) for word in words.split())


def sign_codes(game: Compiled, holds: str) -> dict[str, int]:
    """Return piece numbers (face down) of a type by sign. If only owners distinguish pieces, the sign alone is the
    first's."""
    found: dict[str, int] = {}
    for i, kind in enumerate(game.namer.piece_kinds):
        if kind.name == holds:
            found.setdefault(fold_sign(game.namer.signs[i]), 2 * i)
            found[fold_sign(owned_sign(game, i))] = 2 * i
    by_sign = {fold_case(sign): code for sign, code in found.items()}
    return {fold_sign(read): by_sign[sign] for read, sign in game.namer.readings.items() if sign in by_sign} | found


def owned_sign(game: Compiled, cls: int) -> str:
    """Return a unique sign of a class of pieces, with the owner's seat if the sign does not say it: `KH/A`."""
    kind, sign = game.namer.piece_kinds[cls], game.namer.signs[cls]
    if "owner" not in kind.attributes or len(kind.attributes) == 1:
        return sign
    return f"{sign}/{game.seats[kind.classes[cls - kind.base]['owner']]}"


def parse_piece(game: Compiled, sign: str) -> int:
    """Return the number of a piece, face up. Raises Refused."""
    for kind in game.ruleset.pieces:
        code = sign_codes(game, kind).get(fold_sign(sign))
        if code is not None:
            return code | 1
    raise Refused([Diagnostic("R705", make_message("no_piece", sign=sign, game=game.name))])


def parse_pieces(game: Compiled, signs: Sequence[str]) -> list[int]:
    return [parse_piece(game, sign) for sign in signs]


def find_piles(game: Compiled, name: str) -> tuple[Family, list[int]] | LocalizedText:
    """Return the piles that a key of a position names, or what is wrong with it."""
    match = re.fullmatch(r"(\S+)(?: of (.+?))?(?: at ([0-9]{1,9}))?", name.strip())
    family = game.ruleset.piles.get(match.group(1)) if match else None
    if match is None or family is None:
        close = find_close_name(name.split(" ")[0], game.ruleset.piles)
        return make_message("no_pile_but", name=name, close=close) if close else make_message("no_pile", name=name)
    members = range(family.members)
    if match.group(2) is not None:
        member = find_member(game, family.each, match.group(2))
        if member is None:
            return _say_no_member(family.name, match.group(2), one=family.each is None)
        members = range(member, member + 1)
    columns = range(family.columns)
    if match.group(3) is not None:
        columns = range(int(match.group(3)) - 1, int(match.group(3)))
        if family.each is not None and not family.has_columns and match.group(2) is None:
            members, columns = columns, range(1)
    numbers = [family.base + m * family.columns + c for m in members for c in columns]
    return (
        (family, numbers)
        if all(family.base <= n < family.base + family.members * family.columns for n in numbers)
        else make_message("no_pile", name=name)
    )


def _say_no_member(family: str, member: str, one: bool) -> LocalizedText:
    return make_message("only_one", name=family) if one else make_message("no_member", name=family, member=member)


def find_pile(game: Compiled, name: str) -> int:
    """Return the one pile of this name. Raises Refused."""
    found = find_piles(game, name)
    if isinstance(found, str) or len(found[1]) != 1:
        message = found if isinstance(found, str) else make_message("several_piles", name=name)
        raise Refused([Diagnostic("R703", message)])
    return found[1][0]


def find_member(game: Compiled, each: ValueType | None, name: str) -> int | None:
    """Return the index of the value of a type that has this name, or None."""
    if each is None:
        return None
    inside = re.fullmatch(r"pair\((.+?),\s*(.+?)\)", name.strip())
    name = " ".join(inside.groups()) if inside else name
    size = game.count_of(each)
    names = [game.namer.key_name(each, i) for i in range(size)]
    if each.name == "pair":
        names += [" ".join(reversed(n.split())) for n in names]
        return names.index(name) % size if name in names else None
    folded = [n.casefold() for n in names]
    wanted = name.casefold().replace(" ", "_") if each.name == "row" else name.casefold()
    if wanted in folded:
        return folded.index(wanted)
    return _find_side_of_seat(game, name) if isinstance(each, Row) and each.table == SIDES else None


def _find_side_of_seat(game: Compiled, name: str) -> int | None:
    """Return the side of the seat of this name, or None."""
    seats = [seat.casefold() for seat in game.seats]
    player = seats.index(name.casefold()) if name.casefold() in seats else ABSENT
    return next((n for n, side in enumerate(game.ruleset.sides) if player in side), None)


def find_side(game: Compiled, name: str) -> str:
    """Return a side by its own name or by a player's; any other name unchanged."""
    side = find_member(game, game.ruleset.side, name)
    return game.ruleset.side_names[side] if side is not None else name


def find_cells(game: Compiled, name: str) -> tuple[StateFamily, list[int]] | LocalizedText:
    """Return the cells that a key of a position names, or what is wrong with it."""
    words = re.split(r" of | at ", name.strip())
    family = game.ruleset.state.get(words[0])
    if family is None:
        close = find_close_name(words[0], game.ruleset.state)
        return make_message("no_state_but", name=name, close=close) if close else make_message("no_state", name=name)
    members = [find_member(game, each, word) for each, word in zip(family.keys, words[1:], strict=False)]
    if None in members or len(words) - 1 > len(family.keys):
        return _say_no_member(family.name, " of ".join(words[1:]), one=not family.keys)
    first, size = family.base, family.size
    for key, member in zip(family.keys, members, strict=False):
        size //= game.count_of(key)
        first += int(member or 0) * size
    return family, list(range(first, first + size))


def family_of_cell(game: Compiled, cell: int) -> tuple[StateFamily, int]:
    """Return the state family of a cell, and the index of its member."""
    family = next(f for f in game.ruleset.state.values() if f.base <= cell < f.base + f.size)
    return family, cell - family.base


def scorer_kind(game: Compiled, cell: int) -> ValueType:
    """Return the type that points of this cell are scored to: sides, if the state has one value for each, else
    players."""
    family, _ = family_of_cell(game, cell)
    return game.ruleset.side if family.each == game.ruleset.side else PLAYER


def parse_cell_value(game: Compiled, family: StateFamily, value: Any) -> int | LocalizedText:
    """Return the cell's value for a value as written, or what is wrong with it."""
    value_type = family.type
    if value is None:
        return absent_of(value_type) if value_type.optional else make_message("not_absent", name=family.name)
    if value_type.name == "bool":
        return value if isinstance(value, bool) else make_message("a_truth", name=family.name, value=value)
    if value_type.name == "number":
        if isinstance(value, int) and not isinstance(value, bool) and value_type.low <= value <= value_type.high:
            return value
        return make_message("out_of_range", value=value, low=value_type.low, high=value_type.high, name=family.name)
    found = find_member(game, value_type.with_optional(False), str(value))
    if found is None:
        return make_message(
            "none_is" if value_type.optional and value == "none" else "no_value", value=value, name=family.name
        )
    return 2 * (game.ruleset.pieces[value_type.of].base + found) if value_type.name == "piece" else found


def inner_count(game: Compiled, family: StateFamily) -> int:
    """Return how many members there are for each value of the first key."""
    return prod(map(game.count_of, family.also))


def member_name(game: Compiled, family: StateFamily, member: int) -> str | None:
    """Return a member of a state family as positions write it: `A`, `A of plis`, `3`."""
    if family.each is None:
        return None
    known = game.namer.state_members
    if family.name not in known:
        known[family.name] = tuple(_member_name(game, family, m) for m in range(family.size))
    return known[family.name][member]


def _member_name(game: Compiled, family: StateFamily, member: int) -> str:
    names, inner = [], family.size
    for key in family.keys:
        inner //= game.count_of(key)
        which, member = divmod(member, inner)
        names.append(game.namer.key_name(key, which))
    return " of ".join(names)


def to_plain(game: Compiled, value: int, value_type: ValueType) -> Any:
    """Return a value as positions write it: a number, a truth value, a name, or None."""
    if value_type.name == "bool":
        return bool(value)
    if value_type.name == "number":
        return None if value == NO_NUMBER else value
    if value == ABSENT:
        return None
    return value_name(game, value, value_type)


def value_name(game: Compiled, value: int, value_type: ValueType) -> str:
    """Return a value that is not absent as positions and records write it."""
    if value_type.name == "number":
        return str(value)
    if value_type.name == "bool":
        return "true" if value else "false"
    return game.namer.signs[value >> 1] if value_type.name == "piece" else game.namer.key_name(value_type, value)


# ---- places ----------------------------------------------------------------------------------------------------------


def find_place(game: Compiled, path: str, span: Span | None = None) -> Place:
    """Return the step or phase that a path names. Superfluous names may be left out. Raises Refused."""
    words = split_path(path)
    places = [p for p in game.machine.places if p.path[-1] == words[-1] and is_at_place(path, p.path)]
    exact = [p for p in places if list(p.path[-len(words) :]) == words]
    found = exact or places
    paths = {p.path for p in found}
    found = [p for p in found if (*p.path, words[-1]) not in paths]  # not the step that runs the phase of its own name
    if len({p.path for p in found}) == 1:
        return found[0]
    if not found:
        raise Refused([_diagnose_place(game, path, span)])
    shown = tuple(verbatim(" / ".join(p.path)) for p in found[:4])
    raise Refused(
        [
            Diagnostic(
                "R711", make_message("several_places", path=path), span, notes=shown, help=make_message("more_path")
            )
        ]
    )


def _diagnose_place(game: Compiled, path: str, span: Span | None) -> Diagnostic:
    """Suggest the place that was probably meant: by the first unknown word on the way, else by the last one."""
    paths, words = [p.path for p in game.machine.places], split_path(path)
    last, passed = {names[-1] for names in paths}, {name for names in paths for name in names[:-1]}
    wrong, known = next(((word, passed) for word in words[:-1] if word not in passed), (words[-1], last))
    close = find_close_name(wrong, sorted(known)) if wrong not in known else None
    if close is None and words[-1] in last:
        wrong, close = path, words[-1]
    return Diagnostic(
        "R710",
        make_message("no_such_place", path=path),
        span,
        help=make_message("meant", close=close) if close else NO_TEXT,
        notes=() if close else (make_message("places", known=", ".join(sorted(last)[:20])),),
        fixes=build_replacement(span, wrong, close),
    )


def split_path(path: str) -> list[str]:
    return [w.strip() for w in path.split(" / ")]


def is_at_place(path: str, place: Sequence[str]) -> bool:
    """Return whether a path names this place. Superfluous names may be left out."""
    rest = iter(place)
    return all(word in rest for word in split_path(path))
