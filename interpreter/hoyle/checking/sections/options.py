"""Checks the sections about choices before play: options and their values, players, seats, sides, and constraints."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import Any

from hoyle.checking.formulas.symbols import Scope, report_removed, report_unknown
from hoyle.checking.sections.reader import SectionReader, list_pairs, parse_optional, read_choice_words, read_words
from hoyle.diagnostics import LocalizedText, build_replacement, find_close_name, verbatim
from hoyle.language import ir
from hoyle.language.evaluate import Setting, evaluate, walk_all
from hoyle.language.model import Constraint, Option, Table
from hoyle.language.sentences import FALLBACK, LANGUAGES, Sentence, join_negatives, join_row, make_message
from hoyle.language.syntax import describe_valid_name, is_identifier, parse_integer
from hoyle.language.value_types import BOOL, GREATEST, PLAYER, SIDE, SIDES, Choice, get_bounds, make_number_type
from hoyle.reading.tree import Node, texts_of

LETTERS = "ABCDEFGHIJKLMNOP"
"""Names of seats that have no name of their own."""
PLAYERS = "players"
"""Name of the number of players, which is chosen like an option."""
EXCLUDED = "R612"
"""Code of the diagnostic for option values that a constraint excludes."""


class OptionReader(SectionReader):
    """Reads the section `options`, and the values that `set` and the caller give."""

    def read(self, values: dict[str, Any]) -> None:
        """Read all options. A number of players in `set` is added to `values`."""
        for name, key, node in self.entries("options"):
            self.declare(name, key)
            if node.get("choices"):
                self.declare_type(name, key)
            option = self._read_option(name, key, node)
            if option is not None:
                self.symbols.options[name] = option
        for name, key, value in list_pairs(self.root.get("set")):
            if name == PLAYERS:
                values.setdefault(PLAYERS, value.value)
            else:
                self._set(name, value.raw if value.kind == "scalar" else None, (key, value))
        for name, value in values.items():
            if name != PLAYERS:
                self._set(name, value, None)

    def _read_option(self, name: str, key: Node, node: Node) -> Option | None:
        words, default = read_words(node, name), node.get("default")
        if node.get("choices"):
            return self._read_choices(name, key, node)
        if node.get("range"):
            known = len(self.symbols.problems)
            low, high = self.bounds(node["range"], GREATEST)
            value = default.value if default and len(self.symbols.problems) == known else low
            if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
                place = (default or key).span
                self.symbols.report("R611", "sections.default_outside", place, name=name, low=low, high=high)
                value = low
            return Option(name, make_number_type(low, high), (), value, value, words, key.span)
        if node.raw_of("kind") == "bool":
            value = bool(default.value) if default else False
            return Option(name, BOOL, (), value, value, words, key.span)
        self.symbols.report("R117", "sections.option_needs", key.span, name=name)
        return None

    def _read_choices(self, name: str, key: Node, node: Node) -> Option | None:
        default, choices = node.get("default"), tuple(choice.raw for choice in node.items_of("choices"))
        for item in node.items_of("choices"):
            if not is_identifier(item.raw):
                help = describe_valid_name(item.raw)
                self.symbols.report("R310", "sections.no_choice", item.span, name=item.raw, help=help)
        first = default.raw if default else ""
        if default is None:
            self.symbols.report("R103", "keys.has_no", key.span, place=f"`{name}`", name="default")
        elif first not in choices:
            report_unknown(self.symbols, "R611", "choice_of", first, list(choices), default.span, of=name)
            return None
        for choice, place, _ in list_pairs(node.get("words")):
            spare = partial(make_message, "sections.take_words_away", name=choice)
            if choice not in choices and not report_removed(self.symbols, choice, place.span, help=spare):
                report_unknown(self.symbols, "R301", "choice", choice, list(choices), place.span)
        start = choices.index(first) if first else 0
        words = read_words(node, name)
        return Option(name, Choice(name), choices, start, start, words, key.span, read_choice_words(node, choices))

    def _set(self, name: str, value: Any, at: tuple[Node, Node] | None) -> None:
        """Set an option. `at`: the key and value in the file, which change the default, too."""
        option = self.symbols.options.get(name)
        if option is None:
            self._report_no_option(name, at[0] if at is not None else None)
            return
        parsed = parse_option_value(option, value)
        if parsed is None:
            known = ", ".join(f"`{c}`" for c in option.choices)
            known = known or ("`true`, `false`" if option.type == BOOL else "{}..{}".format(*get_bounds(option.type)))
            place = at[1].span if at else None
            self.symbols.report("R611", "not_a_value", place, value=value, name=name, known=known, note="may_be")
            return
        option.value = parsed
        if at is not None:
            option.default = parsed

    def _report_no_option(self, name: str, key: Node | None) -> None:
        if key is not None and report_removed(self.symbols, name, key.span):
            return
        span, close = key.span if key is not None else None, find_close_name(name, self.symbols.options)
        known = ", ".join(self.symbols.options)
        notes = [] if close else [make_message("options", known=known) if known else make_message("no_options")]
        help, fixes = make_message("similar", close=close) if close else "", build_replacement(span, name, close)
        self.symbols.report("R610", "no_option", span, name=name, notes=notes, help=help, fixes=fixes)


def parse_option_value(option: Option, value: Any) -> int | bool | None:
    """Parse a value given in YAML, JSON or on the command line; None if the option cannot have it."""
    if option.choices:
        return option.choices.index(str(value)) if str(value) in option.choices else None
    text = str(value).strip().lower()
    if option.type == BOOL:
        truths = {Sentence(f"value.{word}")[lang]: word == "yes" for word in ("yes", "no") for lang in LANGUAGES}
        return {"true": True, "false": False, "yes": True, "no": False, **truths}.get(text)
    parsed, (low, high) = parse_integer(text), get_bounds(option.type)
    return parsed if parsed is not None and low <= parsed <= high else None


class SeatReader(SectionReader):
    """Reads the section `players`."""

    def read(self, values: dict[str, Any]) -> None:
        node = self.root.get("players")
        if node is None or node.kind != "map":
            return
        seats = tuple(seat.raw for seat in node.items_of("seats"))
        low, high = self._read_range(node, seats)
        self._check_seats(node, seats, low, high)
        default = node.get("default")
        count = parse_integer(str(values.get(PLAYERS, default.value if default else low)))
        if count is None or not low <= count <= high:
            key = "players_range" if low < high else "players_only"
            self.symbols.report("R611", key, node.span, low=low, high=high)
            count = low
        self.symbols.seats = (seats or tuple(LETTERS))[: max(1, count)]
        self.symbols.may_play = range(max(1, low), max(1, high) + 1)
        numbers = range(1, len(self.symbols.seats) + 1)
        self.symbols.attributes.by_name[ir.SEAT_NUMBER] = (*numbers, ir.NO_NUMBER)
        for item in node.items_of("seats"):
            self.declare(item.raw, item)
        known = seats or tuple(LETTERS[: max(1, high)])
        sides = self._read_sides(node, known)
        always = known[: self.symbols.may_play[0]]
        self.symbols.away = {seat: PLAYER.with_optional(True) for seat in known if seat not in always}
        for side in sides:
            if not any(item.raw in always for item in node["sides"].items_of(side)):
                self.symbols.away[side] = SIDE.with_optional(True)
        for name, place, _ in list_pairs(node.get("words")):
            if name not in known and name not in sides:
                report_unknown(self.symbols, "R301", "seat", name, [*known, *sides], place.span)

    def _read_range(self, node: Node, seats: tuple[str, ...]) -> tuple[int, int]:
        count = node.get("count")
        if count is None:
            return max(1, len(seats)), max(1, len(seats))
        if count.value is not None and isinstance(count.value, int):
            return count.value, count.value
        return self.bounds(count)

    def _check_seats(self, node: Node, seats: tuple[str, ...], low: int, high: int) -> None:
        """Report players without seats and seats without players. A variant for fewer players need not repeat the seats."""
        count, named = node.get("count"), node.get("seats")
        if count is None:
            return
        most = len(seats or LETTERS)
        if low < 1:
            self.symbols.report("R421", "reader.at_least_one", count.span, key="count", number=low)
        elif high > most:
            there = make_message("seating.named", most=most) if seats else make_message("seating.seats_for", most=most)
            self.symbols.report("R422", "seating.cannot_sit", count.span, high=high, there=there)
        elif named is not None and high < most and named.span.shares_file(count.span):
            related = [(count.span, make_message("seating.the_players"))]
            self.symbols.report(
                "R422", "seating.nobody_sits", named.items[high].span, seat=seats[high], related=related
            )

    def _read_sides(self, node: Node, seats: Sequence[str]) -> list[str]:
        """Read `sides` into a table. Return all names, also of sides that nobody of this many players is on."""
        symbols, sides = self.symbols, node.get("sides")
        playing = symbols.seats
        symbols.sides = tuple((p,) for p in range(len(playing)))
        if sides is None or sides.kind != "map":
            return []
        names = []
        for name, key, _ in sides.entries():
            self.declare(name, key)
            names += [name] if is_identifier(name) else []
        self._check_membership(sides, seats)
        members = {
            name: tuple(playing.index(s.raw) for s in sides.items_of(name) if s.raw in playing) for name in names
        }
        members = {name: players for name, players in members.items() if players}
        given = {name: value for name, _, value in list_pairs(node.get("words"))}
        words = {name: read_words(given.get(name, node), name) for name in members}
        symbols.tables[SIDES] = Table(SIDES, "side", tuple(members), {}, words, sides.span)
        symbols.used.add(("tables", SIDES))
        symbols.sides = tuple(members.values())
        self._tabulate_sides()
        return names

    def _check_membership(self, sides: Node, seats: Sequence[str]) -> None:
        """Report seats that are on no side or on two."""
        placed: dict[str, Node] = {}
        for item in (item for name in sides.pairs for item in sides.items_of(name)):
            if item.raw not in seats:
                report_unknown(self.symbols, "R301", "seat", item.raw, list(seats), item.span)
            elif item.raw in placed:
                related = [(placed[item.raw].span, make_message("also_here"))]
                self.symbols.report("R425", "seating.two_sides", item.span, seat=item.raw, related=related)
            placed.setdefault(item.raw, item)
        for seat in self.symbols.seats:
            if seat not in placed:
                self.symbols.report("R425", "seating.no_side", sides.span, seat=seat, help="seating.side_of_one")

    def _tabulate_sides(self) -> None:
        sides, by_name = self.symbols.sides, self.symbols.attributes.by_name
        side_of = {p: n for n, side in enumerate(sides) for p in side}
        partner = {p: other for side in sides if len(side) == 2 for p, other in zip(side, side[::-1], strict=True)}
        players = range(len(self.symbols.seats))
        by_name[ir.SIDE_OF] = (*(side_of.get(p, ir.ABSENT) for p in players), ir.ABSENT)
        by_name[ir.PARTNER] = (*(partner.get(p, ir.ABSENT) for p in players), ir.ABSENT)
        by_name[ir.OTHER_SIDE] = (1, 0, ir.ABSENT)
        by_name[f"{SIDES}.order"] = (*range(1, len(sides) + 1), ir.NO_NUMBER)


class ConstraintReader(SectionReader):
    """Reads the section `constraints` and evaluates it for the option values in force."""

    def read(self) -> dict[str, Constraint]:
        """Read every constraint. Constraints that do not hold are reported."""
        constraints = {}
        for name, key, node in self.entries("constraints"):
            lacking = [verbatim("`is`")] if node.get("is") is None else []
            lacking += [] if texts_of(node) else [make_message("constraints.sentence")]
            if lacking:
                self.symbols.report("R103", "constraints.lacks", key.span, name=name, parts=join_negatives(lacking))
            form = parse_optional(self.symbols, node.get("is"))
            if form is not None:
                expr = self.checker.check_as(
                    form, Scope(), BOOL, what=partial(make_message, "constraints.a_constraint")
                )
                constraints[name] = Constraint(name, expr, node.raw_of("at"), texts_of(node), form.span)
                self._evaluate(constraints[name])
        return constraints

    def _evaluate(self, constraint: Constraint) -> None:
        parts = list(walk_all(constraint.expr))
        moving = next((part for part in parts if isinstance(part, ir.Cell | ir.Fault)), None)
        if moving is not None:
            self.symbols.report("R408", "constraints.constant", moving.span, help="constraints.may_use")
        elif all(part.type.name != "unknown" for part in parts) and not evaluate(constraint.expr, self.setting(), {}):
            values = join_row(list(self._list_values(parts)))
            message = LocalizedText(constraint.texts.get(FALLBACK, constraint.name), constraint.texts)
            notes = [make_message("here_options", known=values)] if values else []
            self.symbols.problems.add(
                EXCLUDED, message, constraint.span, notes=notes, help=make_message("choose_others")
            )

    def setting(self) -> Setting:
        """Return the options and tables, with every piece in the pile it starts in."""
        piles: list[list[int]] = [[] for f in self.symbols.piles.values() for _ in range(f.members * f.columns)]
        face_up = [f for f in self.symbols.piles.values() if f.face == "up"]
        up = {f.base + i for f in face_up for i in range(f.members * f.columns)}
        for kind in self.symbols.pieces.values():
            for piece, home in enumerate(kind.starts, kind.base):
                piles[home] += [2 * piece | (home in up)] * kind.copies
        return Setting(self.symbols.attributes.by_name, [*piles, []], SEATS=len(self.symbols.seats))

    def _list_values(self, parts: list[ir.Expr]) -> Iterator[str]:
        """List the options that a constraint reads, with their values."""
        named = list_options_in(parts)
        for option in self.symbols.options.values():
            if option.name in named:
                value = option.choices[int(option.value)] if option.choices else str(option.value).lower()
                yield make_message("here_option", name=option.name, value=value)
        if PLAYERS in named:
            yield make_message("here_option", name=PLAYERS, value=len(self.symbols.seats))


def list_options_in(parts: Collection[ir.Expr]) -> set[str]:
    """List the names of constants in a formula, options among them; `players` if it reads all players."""
    named = {part.span.text for part in parts if isinstance(part, ir.Const)}
    everybody = any(isinstance(part, ir.Rows) and part.type.item_type == PLAYER for part in parts)
    return named | {PLAYERS} if everybody else named
