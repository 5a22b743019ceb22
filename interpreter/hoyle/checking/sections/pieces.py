"""Reads the sections that declare what formulas name: pieces, piles, state and terms; `read_declarations` reads all in order."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Any

from hoyle.checking.formulas import FormulaChecker
from hoyle.checking.formulas.symbols import Scope, SymbolTable, report_unknown
from hoyle.checking.sections.options import OptionReader, SeatReader
from hoyle.checking.sections.reader import SectionReader, list_pairs, parse_optional, read_words
from hoyle.checking.sections.tables import TableReader
from hoyle.diagnostics import Refused
from hoyle.language.ir import ABSENT, Var, absent_of
from hoyle.language.model import FACES, Face, Family, PieceKind, StateFamily, TermSource
from hoyle.language.sentences import make_message
from hoyle.language.syntax import Form
from hoyle.language.value_types import BOOL, PLAYER, UNKNOWN, Piece, Row, ValueType, make_number_type
from hoyle.language.vocabulary import NAMES
from hoyle.reading import parse
from hoyle.reading.tree import Node, add_key_fix, list_items

MOST_PIECES, MOST_PILES, MOST_STATE = 10_000, 2_000, 20_000
"""Greatest sizes of one type of pieces, one family of piles and one entry of state."""
MOST_COLUMNS = 200


def read_declarations(root: Node, symbols: SymbolTable, checker: FormulaChecker, values: dict[str, Any]) -> None:
    """Read the declaring sections into the symbol table. `values`: option values given by the caller."""
    tables, pieces = TableReader(root, symbols, checker), PieceReader(root, symbols, checker)
    OptionReader(root, symbols, checker).read(values)
    SeatReader(root, symbols, checker).read(values)
    tables.read()
    pieces.read_terms()
    tables.read_constant_columns(early=True)
    pieces.read_pieces()
    pieces.read_piles()
    pieces.read_state()
    tables.read_constant_columns()


class PieceReader(SectionReader):
    """Reads `pieces`, `piles`, `state` and `terms`."""

    # ---- pieces ------------------------------------------------------------------------------------------------------

    def read_pieces(self) -> None:
        pieces, base = self.symbols.pieces, 0
        for name, key, node in self.entries("pieces"):
            self.declare_type(name, key)
            pieces[name] = self._read_piece(name, key, node, base)
            base += len(pieces[name].classes)
        self._tabulate_attributes(base)
        for name, _, node in self.entries("pieces"):
            if node.get("where") and node.get("from"):  # an entry without `from` may be another one misspelt
                self._filter(pieces[name], node["where"])
        base = 0
        for kind in pieces.values():
            kind.base, base = base, base + len(kind.classes)
        self._tabulate_attributes(base)

    def _read_piece(self, name: str, key: Node, node: Node, base: int) -> PieceKind:
        attributes: dict[str, ValueType] = {}
        ranges: list[range] = []
        if node.raw_of("each") == "player":
            attributes["owner"] = PLAYER
            ranges.append(range(len(self.symbols.seats)))
        for item in node.items_of("of"):
            table = self.symbols.tables.get(item.raw)
            if table is None:
                report_unknown(self.symbols, "R301", "table", item.raw, list(self.symbols.tables), item.span)
                self.symbols.doubtful.add(name)
                continue
            self.symbols.used.add(("tables", item.raw))
            if table.one in attributes:
                self.symbols.doubtful.add(name)
                self.symbols.report(
                    "R309", "sections.two_tables", item.span, name=name, attribute=table.one, help="sections.one_name"
                )
                continue
            attributes[table.one] = Row(table.name)
            ranges.append(range(len(table.rows)))
        copies = self.number_of(name, node, "copies", 1)
        self.require_positive(copies, "copies", node)
        if not self.is_within(prod(map(len, ranges)) * max(1, copies), MOST_PIECES, "pieces", key.span):
            ranges, copies = [range(min(1, len(r))) for r in ranges], 1
        classes = [dict(zip(attributes, values, strict=True)) for values in product(*ranges)]
        home = node.raw_of("from")
        return PieceKind(name, base, attributes, classes, max(1, copies), home, read_words(node, name), key.span)

    def _tabulate_attributes(self, total: int) -> None:
        for kind in self.symbols.pieces.values():
            for attribute in kind.attributes:
                values = [ABSENT] * (2 * total + 1)
                for index, piece in enumerate(kind.classes, kind.base):
                    values[2 * index] = values[2 * index + 1] = piece[attribute]
                self.symbols.attributes.by_name[f"{kind.name}.{attribute}"] = tuple(values)

    def _filter(self, kind: PieceKind, node: Node) -> None:
        """Keep the pieces for which `where` holds."""
        form = parse_optional(self.symbols, node)
        if form is None:
            return
        card = Var(kind.name, Piece(of=kind.name))
        condition = self.checker.check_condition(form, Scope().bind(card))
        kept = [
            piece
            for i, piece in enumerate(kind.classes, kind.base)
            if self.evaluate(condition, True, "`where`", {card: 2 * i})
        ]
        if not kept:
            self.symbols.report("R512", "sections.none_left", node.span, name=kind.name)
        kind.classes = kept or kind.classes

    # ---- piles -------------------------------------------------------------------------------------------------------

    def read_piles(self) -> None:
        base, total = 0, sum(kind.total for kind in self.symbols.pieces.values())
        for name, key, node in self.entries("piles"):
            self.declare(name, key)
            family = self.symbols.piles[name] = self._read_pile(name, key, node, base, total)
            base += family.members * family.columns
        for kind in self.symbols.pieces.values() if self.symbols.piles else ():
            self._assign_home(kind, self.root["pieces"][kind.name])

    def _read_pile(self, name: str, key: Node, node: Node, base: int, total: int) -> Family:
        each = self._read_each(name, node)
        columns = self.number_of(name, node, "columns", 1)
        types = list(self.symbols.pieces)
        holds = node.raw_of("holds", types[0] if types else "")
        if types and holds not in types:
            report_unknown(self.symbols, "R301", "kind_of_piece", holds, types, node["holds"].span)
            holds = types[0]
        room = self.number_of(name, node, "room", total)
        self.require_positive(room, "room", node)
        written = node.raw_of("face", "up")
        face: Face = next((known for known in FACES if known == written), "up")
        members = self.symbols.size_of(each) if each else 1
        if columns < 1 or columns > MOST_COLUMNS:
            self.symbols.report("R410", "sections.columns", node["columns"].span, columns=columns)
            columns = 1
        if not self.is_within(members * columns, MOST_PILES, "piles", key.span):
            members = columns = 1
        if face == "owner" and (each is None or each.name != "player"):
            fixes = add_key_fix(node, "each", "player")
            self.symbols.report("R511", "sections.face_owner", key.span, help="sections.add_each", fixes=fixes)
        held = self.symbols.pieces[holds].total if holds in self.symbols.pieces else total
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
            node.raw_of("layout"),
            read_words(node, name),
            key.span,
            room < held,
            node.raw_of("each") == "side",
        )

    def _assign_home(self, kind: PieceKind, node: Node) -> None:
        """Note where each piece of a type starts. The pile must exist, hold such pieces and have room for them."""
        home, named = self.symbols.piles.get(kind.home), node.get("from")
        if home is None:
            if named is None:  # the schema accepts this where a file changes an inherited entry
                self.symbols.report("R103", "keys.has_no", kind.span, place=f"`{kind.name}`", name="from")
            else:
                report_unknown(self.symbols, "R301", "pile", kind.home, list(self.symbols.piles), named.span)
            return
        is_owned = "owner" in kind.attributes
        if home.each is not None and home.each.name == "player" and not is_owned:
            fixes = add_key_fix(node, "each", "player")
            which = "sections.which_players"
            self.symbols.report("R513", which, kind.span, name=home.name, help="sections.say_each", fixes=fixes)
        count = kind.total // len(self.symbols.seats) if is_owned and home.each is not None else kind.total
        if home.holds != kind.name:
            message = make_message("sections.starts_in", name=kind.name, pile=home.name, holds=home.holds)
            help = make_message("sections.add_holds", name=kind.name)
            fixes = add_key_fix(self.root["piles"][home.name], "holds", kind.name)
            self.symbols.problems.add("R427", message, kind.span, help=help, fixes=fixes)
        elif count > home.room:
            self.symbols.report("R410", "sections.no_room", home.span, each=count, name=home.name, room=home.room)
        kind.starts = [home.base + (c.get("owner", 0) * home.columns if home.each else 0) for c in kind.classes]

    def _read_each(self, name: str, node: Node) -> ValueType | None:
        """Read the first type of `each`; None if there is none or an unknown one."""
        each = next(iter(list_items(node.get("each"))), None)
        if each is None:
            return None
        value_type = self.read_type(each)
        if value_type.name == "unknown":
            self.symbols.doubtful.add(name)
            return None
        return value_type

    # ---- state -------------------------------------------------------------------------------------------------------

    def read_state(self) -> None:
        base = 0
        for name, key, node in self.entries("state"):
            self.declare(name, key)
            family = self.symbols.state[name] = self._read_state_family(name, key, node, base)
            base += family.size

    def _read_state_family(self, name: str, key: Node, node: Node, base: int) -> StateFamily:
        each, value_type = self._read_each(name, node), self._read_stored_type(name, key, node)
        size = self.symbols.size_of(each) if each else 1
        also = tuple(map(self.read_type, list_items(node.get("each"))[1:]))
        size *= prod(map(self.symbols.size_of, also))
        if not self.is_within(size, MOST_STATE, "state", key.span):
            size = 1
        if each is not None and each.name == "piece" and self.symbols.pieces[each.of].copies > 1:
            self.symbols.report("R514", "sections.alike_pieces", key.span)
        track = node.get("track")
        holes = self.constant(track, make_number_type(0, 0), 1, "`track`") if track else 0
        if track:
            self.require_positive(holes, "track", node)
        return StateFamily(
            name,
            base,
            each,
            size,
            value_type,
            self._read_start(node, value_type),
            tuple(item.raw for item in list_items(node.get("renewed"))),
            node.raw_of("secret"),
            holes,
            node.raw_of("layout"),
            read_words(node, name),
            key.span,
            also,
        )

    def _read_stored_type(self, name: str, key: Node, node: Node) -> ValueType:
        """Read the type of a cell. Truth values cannot be absent."""
        if node.get("range"):
            value_type: ValueType = make_number_type(*self.bounds(node["range"]))
        elif node.get("kind"):
            value_type = self.read_type(node["kind"])
        else:
            self.symbols.report("R117", "sections.state_needs", key.span, name=name)
            value_type = UNKNOWN
        optional, written = node.get("optional"), node.get("kind")
        is_optional = optional is not None and optional.value is True
        place = optional if is_optional else written
        if value_type == BOOL and place is not None and (is_optional or "?" in place.raw):
            self.symbols.report("R423", "conditions.truth_absent", place.span, help="sections.three_values")
        return value_type.with_optional(value_type.optional or is_optional)

    def _read_start(self, node: Node, value_type: ValueType) -> int:
        starts = node.get("starts")
        usual = value_type.low if value_type.name == "number" and not value_type.low <= 0 <= value_type.high else 0
        if starts is None:
            return absent_of(value_type) if value_type.optional else usual
        value = self.constant(starts, value_type, usual, "`starts`")
        if value_type.name == "number" and not value_type.low <= value <= value_type.high:
            self.symbols.report(
                "R410", "sections.starts_outside", starts.span, low=value_type.low, high=value_type.high
            )
        return int(value)

    # ---- terms -------------------------------------------------------------------------------------------------------

    def read_terms(self) -> None:
        for _, key, value in list_pairs(self.root.get("terms")):
            try:
                signature = parse.signature(key)
            except Refused as refused:
                self.symbols.problems.extend(refused.diagnostics)
                continue
            self.declare(signature.name, key, called=True)
            for parameter in signature.parameters:
                if parameter in NAMES and parameter not in ("card", "from", "to"):
                    self.symbols.report("R309", "reader.built_in_word", key.span, name=parameter, help="another_name")
            form = parse_optional(self.symbols, value) or Form("broken", value.span)
            self.symbols.terms[signature.name] = TermSource(signature.name, signature.parameters, form, key.span)
