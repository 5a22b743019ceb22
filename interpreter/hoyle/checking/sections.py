"""The sections that name things: options, tables, pieces, piles, state, terms."""

from __future__ import annotations

from functools import partial
from itertools import product
from math import prod
from typing import Any

from hoyle.checking.homes import check_homes
from hoyle.checking.reader import choice_words, words_of
from hoyle.checking.seats import SeatReader
from hoyle.checking.world import Scope, is_removed, unknown
from hoyle.diagnostics import UNSAID, Refused, replacing, similar
from hoyle.language.ir import ABSENT, Var, absent_of
from hoyle.language.kinds import BOOL, GREATEST, PLAYER, UNKNOWN, Choice, Kind, Piece, Row, bounds, number
from hoyle.language.model import FACES, Face, Family, Option, PieceKind, StateFamily, TermSource, Words
from hoyle.language.sentences import LANGUAGES, Sentence, said
from hoyle.language.syntax import Form, is_identifier, usable, whole
from hoyle.language.vocabulary import NAMES
from hoyle.reading import parse
from hoyle.reading.tree import Node, add_key_fix, list_items

MOST_PIECES, MOST_PILES, MOST_STATE = 10_000, 2_000, 20_000
"""Of one kind, family and entry."""


class Sections(SeatReader):
    """Reads the declaring sections of one merged tree into a World."""

    def read(self) -> None:
        self._options()
        self.players()
        self.tables()
        self._terms()
        self.constant_columns(early=True)
        self._pieces()
        self._piles()
        self._state()
        self.constant_columns()

    # ---- options ---------------------------------------------------------------------------------------------------

    def _options(self) -> None:
        for name, key, node in self.entries("options"):
            self.declare(name, key)
            if node.get("choices"):
                self.a_kind(name, key)
            option = self._option(name, key, node)
            if option is not None:
                self.world.options[name] = option
        self._apply_set()
        for name, value in self.values.items():
            if name != "players":
                self._set(name, value, None)

    def _option(self, name: str, key: Node, node: Node) -> Option | None:
        words, default = words_of(node, name), node.get("default")
        if node.get("choices"):
            choices = tuple(c.raw for c in node.items_of("choices"))
            kind, first = Choice(name), default.raw if default else ""
            for item in node.items_of("choices"):
                if not is_identifier(item.raw):
                    self.world.problems.add(
                        "R310", said("sections.no_choice", name=item.raw), item.span, help=usable(item.raw)
                    )
            if default is None:
                self.world.problems.add("R103", said("keys.has_no", place=f"`{name}`", name="default"), key.span)
            elif first not in choices:
                unknown(self.world, "R611", "choice_of", first, list(choices), default.span, of=name)
                return None
            start = choices.index(first) if first else 0
            return Option(name, kind, choices, start, start, words, key.span, self._choice_words(node, choices))
        if node.get("range"):
            known = len(self.world.problems)
            low, high = self.bounds(node["range"], GREATEST)  # it is a constant of the game
            value = default.value if default and len(self.world.problems) == known else low
            if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
                self.world.problems.add(
                    "R611", said("sections.default_outside", name=name, low=low, high=high), (default or key).span
                )
                value = low
            return Option(name, number(low, high), (), value, value, words, key.span)
        if node.raw_of("kind") == "bool":
            value = bool(default.value) if default else False
            return Option(name, BOOL, (), value, value, words, key.span)
        self.world.problems.add("R117", said("sections.option_needs", name=name), key.span)
        return None

    def _choice_words(self, node: Node, choices: tuple[str, ...]) -> tuple[Words, ...]:
        given = node.get("words")
        for name, key, _ in given.entries() if given is not None else ():
            spare = partial(said, "sections.take_words_away", name=name)
            if name not in choices and not is_removed(self.world, name, key.span, help=spare):
                unknown(self.world, "R301", "choice", name, list(choices), key.span)
        return choice_words(node, choices)

    def _apply_set(self) -> None:
        node = self.root.get("set")
        for name, key, value in node.entries() if node is not None and node.kind == "map" else ():
            if name == "players":
                self.values.setdefault("players", value.value)
                continue
            self._set(name, value.raw if value.kind == "scalar" else None, (key, value))

    def _set(self, name: str, value: Any, at: tuple[Node, Node] | None) -> None:
        option = self.world.options.get(name)
        if option is None:
            self._no_option(name, at)
            return
        found = read_value(option, value)
        if found is None:
            shown = ", ".join(f"`{c}`" for c in option.choices) or (
                "`true`, `false`" if option.kind == BOOL else "{}..{}".format(*bounds(option.kind))
            )
            self.world.problems.add(
                "R611",
                said("not_a_value", value=value, name=name),
                at[1].span if at else None,
                notes=[said("may_be", known=shown)],
            )
            return
        option.value = found
        if at is not None:  # what the file sets is what its game has unless it is told otherwise
            option.default = found

    def _no_option(self, name: str, at: tuple[Node, Node] | None) -> None:
        span = at[0].span if at is not None else None
        if span is not None and is_removed(self.world, name, span):
            return
        close, known = similar(name, self.world.options), ", ".join(self.world.options)
        notes = [] if close else [said("options", known=known) if known else said("no_options")]
        help = said("similar", close=close) if close else UNSAID
        message, fixes = said("no_option", name=name), replacing(span, name, close)
        self.world.problems.add("R610", message, span, notes=notes, help=help, fixes=fixes)

    # ---- pieces, piles, state ----------------------------------------------------------------------------------------

    def _pieces(self) -> None:
        base = 0
        for name, key, node in self.entries("pieces"):
            self.a_kind(name, key)
            kind = self._piece_kind(name, key, node, base)
            self.world.pieces[name] = kind
            base += len(kind.classes)
        self._attribute_tables(base)
        for name, _, node in self.entries("pieces"):
            if node.get("where") and node.get(
                "from"
            ):  # what starts nowhere is told, and may be another kind misremembered
                self._filter(self.world.pieces[name], node["where"])
        base = 0
        for kind in self.world.pieces.values():
            kind.base, base = base, base + len(kind.classes)
        self._attribute_tables(base)

    def _piece_kind(self, name: str, key: Node, node: Node, base: int) -> PieceKind:
        attributes: dict[str, Kind] = {}
        ranges: list[range] = []
        if node.raw_of("each") == "player":
            attributes["owner"] = PLAYER
            ranges.append(range(len(self.world.seats)))
        for item in node.items_of("of"):
            table = self.world.tables.get(item.raw)
            if table is None:
                unknown(self.world, "R301", "table", item.raw, list(self.world.tables), item.span)
                self.world.doubtful.add(name)
                continue
            self.world.used.add(("tables", item.raw))
            if table.one in attributes:
                self.world.doubtful.add(name)
                self.world.problems.add(
                    "R309",
                    said("sections.two_tables", name=name, attribute=table.one),
                    item.span,
                    help=said("sections.one_name"),
                )
                continue
            attributes[table.one] = Row(table.name)
            ranges.append(range(len(table.rows)))
        copies = self.number_of(name, node, "copies", 1)
        self.at_least_one(copies, "copies", node)
        if not self.within(prod(map(len, ranges)) * max(1, copies), MOST_PIECES, "pieces", key.span):
            ranges, copies = [range(min(1, len(r))) for r in ranges], 1
        classes = [dict(zip(attributes, values, strict=True)) for values in product(*ranges)]
        home = node.raw_of("from")
        return PieceKind(name, base, attributes, classes, max(1, copies), home, words_of(node, name), key.span)

    def _attribute_tables(self, total: int) -> None:
        for kind in self.world.pieces.values():
            for attribute in kind.attributes:
                values = [ABSENT] * (2 * total + 1)
                for i, found in enumerate(kind.classes):
                    values[2 * (kind.base + i)] = values[2 * (kind.base + i) + 1] = found[attribute]
                self.world.attributes.by_name[f"{kind.name}.{attribute}"] = tuple(values)

    def _filter(self, kind: PieceKind, node: Node) -> None:
        form = self.formula(node)
        if form is None:
            return
        card = Var(kind.name, Piece(of=kind.name))
        found = self.checker.condition(form, Scope().bind(card))
        kept = [
            c for i, c in enumerate(kind.classes) if self.value(found, True, "`where`", {card: 2 * (kind.base + i)})
        ]
        if not kept:
            self.world.problems.add("R512", said("sections.none_left", name=kind.name), node.span)
        kind.classes = kept or kind.classes

    def _each(self, name: str, node: Node) -> Kind | None:
        each = node.get("each")
        if each is not None and each.kind == "list":
            each = each.items[0]
        if each is None:
            return None
        kind = self.kind(each)
        if kind.name == "unknown":
            self.world.doubtful.add(name)
            return None
        return kind

    def _piles(self) -> None:
        base, total = 0, sum(k.total for k in self.world.pieces.values())
        for name, key, node in self.entries("piles"):
            self.declare(name, key)
            found = self._pile(name, key, node, base, total)
            self.world.piles[name] = found
            base += found.members * found.columns
        check_homes(self.world, self.root)

    def _pile(self, name: str, key: Node, node: Node, base: int, total: int) -> Family:
        each = self._each(name, node)
        columns = self.number_of(name, node, "columns", 1)
        kinds = list(self.world.pieces)
        holds = node.raw_of("holds", kinds[0] if kinds else "")
        if kinds and holds not in kinds:
            unknown(self.world, "R301", "kind_of_piece", holds, kinds, node["holds"].span)
            holds = kinds[0]
        room = self.number_of(name, node, "room", total)
        self.at_least_one(room, "room", node)
        written = node.raw_of("face", "up")
        face: Face = next((known for known in FACES if known == written), "up")
        layout = node.raw_of("layout")
        members = self.world.size_of(each) if each else 1
        if columns < 1 or columns > 200:
            self.world.problems.add("R410", said("sections.columns", columns=columns), node["columns"].span)
            columns = 1
        if not self.within(members * columns, MOST_PILES, "piles", key.span):
            members = columns = 1
        if face == "owner" and (each is None or each.name != "player"):
            fixes = add_key_fix(node, "each", "player")
            self.world.problems.add(
                "R511", said("sections.face_owner"), key.span, help=said("sections.add_each"), fixes=fixes
            )
        held = self.world.pieces[holds].total if holds in self.world.pieces else total
        return Family(
            name,
            base,
            each,
            members,
            columns,
            node.get("columns") is not None,
            min(room, held),
            holds,
            face,
            layout,
            words_of(node, name),
            key.span,
            room < held,
            node.raw_of("each") == "side",
        )

    def _state(self) -> None:
        base = 0
        for name, key, node in self.entries("state"):
            self.declare(name, key)
            found = self._state_family(name, key, node, base)
            self.world.state[name] = found
            base += found.size

    def _state_family(self, name: str, key: Node, node: Node, base: int) -> StateFamily:
        each = self._each(name, node)
        if node.get("range"):
            kind: Kind = number(*self.bounds(node["range"]))
        elif node.get("kind"):
            kind = self.kind(node["kind"])
        else:
            self.world.problems.add("R117", said("sections.state_needs", name=name), key.span)
            kind = UNKNOWN
        optional = node.get("optional")
        self._may_be_absent(kind, node)
        kind = kind.maybe(kind.optional or bool(optional and optional.value is True))
        size = self.world.size_of(each) if each else 1
        also = self._also(node)
        size *= prod(map(self.world.size_of, also))
        if not self.within(size, MOST_STATE, "state", key.span):
            size = 1
        if each is not None and each.name == "piece" and self.world.pieces[each.of].copies > 1:
            self.world.problems.add("R514", said("sections.alike_pieces"), key.span)
        renewed, track, secret = node.get("renewed"), node.get("track"), node.get("secret")
        holes = self.constant(track, number(0, 0), 1, "`track`") if track else 0
        if track:
            self.at_least_one(holes, "track", node)
        layout = node.get("layout")
        return StateFamily(
            name,
            base,
            each,
            size,
            kind,
            self._starts(node, kind),
            tuple(item.raw for item in list_items(renewed)),
            secret.raw if secret is not None else "",
            holes,
            layout.raw if layout else "",
            words_of(node, name),
            key.span,
            also,
        )

    def _may_be_absent(self, kind: Kind, node: Node) -> None:
        """Truth is never absent, so that to ask for it has no effect."""
        optional, written = node.get("optional"), node.get("kind")
        place = optional if optional is not None and optional.value is True else written
        if kind == BOOL and place is not None and (place is optional or "?" in place.raw):
            message = said("conditions.truth_absent")
            self.world.problems.add("R423", message, place.span, help=said("sections.three_values"))

    def _also(self, node: Node) -> tuple[Kind, ...]:
        """The keys after the first, of a state family with several."""
        each = node.get("each")
        return tuple(map(self.kind, each.items[1:])) if each is not None and each.kind == "list" else ()

    def _starts(self, node: Node, kind: Kind) -> int:
        starts = node.get("starts")
        usual = kind.low if kind.name == "number" and not kind.low <= 0 <= kind.high else 0
        if starts is not None:
            value = self.constant(starts, kind, usual, "`starts`")
            if kind.name == "number" and not kind.low <= value <= kind.high:
                message = said("sections.starts_outside", low=kind.low, high=kind.high)
                self.world.problems.add("R410", message, starts.span)
            return int(value)
        return absent_of(kind) if kind.optional else usual

    # ---- terms -------------------------------------------------------------------------------------------------------

    def _terms(self) -> None:
        node = self.root.get("terms")
        for _, key, value in node.entries() if node is not None and node.kind == "map" else ():
            try:
                signature = parse.signature(key)
            except Refused as refused:
                self.world.problems.extend(refused.diagnostics)
                continue
            self.declare(signature.name, key, called=True)
            for parameter in signature.parameters:
                if parameter in NAMES and parameter not in ("card", "from", "to"):
                    self.world.problems.add(
                        "R309", said("reader.built_in_word", name=parameter), key.span, help=said("another_name")
                    )
            form = self.formula(value) or Form("broken", value.span)
            self.world.terms[signature.name] = TermSource(signature.name, signature.parameters, form, key.span)


def _truths() -> dict[str, bool]:
    """What says that an option is wanted, or is not, in any language."""
    words = [(sentence, lang) for sentence in ("yes", "no") for lang in LANGUAGES]
    return {Sentence(f"value.{sentence}")[lang]: sentence == "yes" for sentence, lang in words}


def read_value(option: Option, value: Any) -> int | bool | None:
    """A value as given (in YAML, JSON or on the command line) → the option's, or None if it is none of its values."""
    if option.choices:
        return option.choices.index(str(value)) if str(value) in option.choices else None
    text = str(value).strip().lower()
    if option.kind == BOOL:
        return {"true": True, "false": False, "yes": True, "no": False, **_truths()}.get(text)
    found, (low, high) = whole(text), bounds(option.kind)
    return found if found is not None and low <= found <= high else None
