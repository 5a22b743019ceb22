"""The sections that name things: options, tables, pieces, piles, state, terms."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

from interpreter import parse
from interpreter.check.formulas import FormulaChecker
from interpreter.check.world import Scope, TermSource, World, unknown
from interpreter.diagnostics import Problems, Refused
from interpreter.evaluate import Setting, evaluate, everything, static
from interpreter.ir import ABSENT, NO_NUMBER, Expr, Var, absent_of
from interpreter.kinds import BOOL, PAIR, PLAYER, TEXT, Kind, choice, describe, number, row
from interpreter.model import Column, Family, Option, PieceKind, StateFamily, Table, Words
from interpreter.syntax import Form
from interpreter.tree import Node
from interpreter.vocabulary import NAMES, WORDS

LANGUAGES = ("en", "fr")
Values = dict[str, Any]


class Sections:
    """Reads the declaring sections of one merged tree into a World."""

    def __init__(self, root: Node, world: World, checker: FormulaChecker, values: Values) -> None:
        self.root, self.world, self.checker, self.values = root, world, checker, values
        self._declared: dict[str, Node] = {}

    def read(self) -> None:
        self._options()
        self._players()
        self._tables()
        self._terms()
        self._constants(early=True)
        self._pieces()
        self._piles()
        self._state()
        self._constants()

    # ---- small readers -----------------------------------------------------------------------------------------------

    def entries(self, section: str) -> list[tuple[str, Node, Node]]:
        node = self.root.get(section)
        return [e for e in node.entries() if e[2].kind == "map"] if node is not None and node.kind == "map" else []

    def formula(self, node: Node) -> Form | None:
        try:
            return parse.formula(node)
        except Refused as refused:
            self.world.problems.extend(refused.diagnostics)
            return None

    def constant(self, node: Node, kind: Kind, default: Any, what: str, scope: Scope | None = None) -> Any:
        """The value of a formula that may use only options and tables."""
        form = self.formula(node)
        if form is None:
            return default
        found = self.checker.need(form, scope or Scope(), kind, present=True, what=what)
        return self.value(found, default, what)

    def value(self, found: Expr, default: Any, what: str, names: dict[Var, Any] | None = None) -> Any:
        if found.kind.name == "unknown":
            return default
        if not static(found):
            self.world.problems.add("R408", f"{what} must be constant during a game", found.span, help="it may use options and tables only")
            return default
        return evaluate(found, self.setting(), names or {})

    def setting(self) -> Setting:
        return Setting(self.world.attributes.by_name, SEATS=len(self.world.seats))

    def declare(self, name: str, key: Node, called: bool = False) -> None:
        """One name space: no entry may take another's name or a built-in word's; words that are calls are in the way of terms only."""
        problems = self.world.problems
        if not parse.is_identifier(name):
            problems.add("R310", f"`{name}` cannot be a name in formulas", key.span,
                         help="letters, digits and `_`, not beginning with a digit, and no word of the language")  # fmt: skip
        elif name in NAMES or (called and name in WORDS):
            problems.add("R309", f"`{name}` is a built-in word", key.span, help="choose another name")
        elif name in self._declared:
            self._twice(name, key, self._declared[name])
        if name in self._declared or name in NAMES:
            self.world.doubtful.add(name)
        self._declared.setdefault(name, key)

    def _twice(self, name: str, key: Node, first: Node) -> None:
        """Told at the file itself, not at what it is built on."""
        if key.span.source != self.root.span.source and first.span.source == self.root.span.source:
            key, first = first, key
        self.world.problems.add("R309", f"`{name}` is declared twice", key.span, related=[(first.span, "also here")],
                                help="options, tables, pieces, piles, state, terms and seats share one name space")  # fmt: skip

    # ---- options and players -----------------------------------------------------------------------------------------

    def _options(self) -> None:
        for name, key, node in self.entries("options"):
            self.declare(name, key)
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
            choices = tuple(c.raw for c in node.pairs["choices"][1].items)
            kind, first = choice(name), default.raw if default else ""
            for item in node.pairs["choices"][1].items:
                if not parse.is_identifier(item.raw):
                    self.world.problems.add("R310", f"`{item.raw}` cannot be a choice", item.span, help="a word of letters, digits and `_`")
            if first not in choices:
                unknown(self.world, "R611", f"choice of `{name}`", first, list(choices), (default or key).span)
                return None
            return Option(name, kind, choices, choices.index(first), choices.index(first), words, key.span)
        if node.get("range"):
            low, high = self._bounds(node.pairs["range"][1])
            value = default.value if default else low
            if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
                self.world.problems.add("R611", f"the default of `{name}` is outside {low}..{high}", (default or key).span)
                value = low
            return Option(name, number(low, high), (), value, value, words, key.span)
        if node.get("kind") and node.pairs["kind"][1].raw == "bool":
            value = bool(default.value) if default else False
            return Option(name, BOOL, (), value, value, words, key.span)
        self.world.problems.add("R117", f"option `{name}` needs `choices`, `range` or `kind: bool`", key.span)
        return None

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
            shown = ", ".join(f"`{c}`" for c in option.choices) or ("`true`, `false`" if option.kind == BOOL else f"{option.kind.low}..{option.kind.high}")
            self.world.problems.add("R611", f"`{value}` is not a value of option `{name}`", at[1].span if at else None,
                                    notes=[f"it may be {shown}"])  # fmt: skip
            return
        option.value = found

    def _no_option(self, name: str, at: tuple[Node, Node] | None) -> None:
        from interpreter.diagnostics import similar

        close = similar(name, self.world.options)
        self.world.problems.add(
            "R610", f"there is no option `{name}`", at[0].span if at else None,
            notes=[] if close else [f"options: {', '.join(self.world.options)}"],
            help=f"a similar name exists: `{close}`" if close else "",
        )  # fmt: skip

    def _bounds(self, node: Node) -> tuple[int, int]:
        form = self.formula(node)
        if form is None:
            return 0, 0
        found = self.checker.check(form, Scope())
        if found.op != "range":
            self.world.problems.add("R409", "a range is written `low..high`", node.span)
            return 0, 0
        low, high = (self.value(a, 0, "a bound") for a in found.args)
        if low > high:
            self.world.problems.add("R409", f"an empty range: {low} is more than {high}", node.span)
            return low, low
        return low, high

    def _players(self) -> None:
        node = self.root.get("players")
        if node is None or node.kind != "map":
            return
        seats = tuple(s.raw for s in node.pairs["seats"][1].items) if node.get("seats") else ()
        low, high = self._player_range(node, seats)
        default = node.get("default")
        given = str(self.values.get("players", default.value if default else low))
        count = int(given) if given.isdigit() else -1
        if not low <= count <= high or count > len(seats or "ABCDEFGHIJKLMNOP"):
            self.world.problems.add("R611", f"`players` may be {low}..{high}", node.span)
            count = low
        self.world.seats = (seats or tuple("ABCDEFGHIJKLMNOP"))[:count]
        for item in node.pairs["seats"][1].items if node.get("seats") else ():
            self.declare(item.raw, item)

    def _player_range(self, node: Node, seats: tuple[str, ...]) -> tuple[int, int]:
        count = node.get("count")
        if count is None:
            return max(1, len(seats)), max(1, len(seats))
        if count.value is not None and isinstance(count.value, int):
            return count.value, count.value
        return self._bounds(count)

    # ---- tables ------------------------------------------------------------------------------------------------------

    def _tables(self) -> None:
        for name, key, node in self.entries("tables"):
            self.declare(name, key)
            self.world.tables[name] = self._table(name, key, node)
            if not self.world.tables[name].rows:
                self.world.problems.add("R103", f"table `{name}` has no `rows`", key.span, help="if it is meant to change an inherited table, none has that name")
                self.world.doubtful.add(name)
        for name, _, node in self.entries("tables"):
            if node.get("rows") is not None:
                self._columns(self.world.tables[name], node)

    def _table(self, name: str, key: Node, node: Node) -> Table:
        rows = node.get("rows")
        known = list(rows.pairs) if rows is not None and rows.kind == "map" else []
        order = list(node.pairs["order"][1].items) if node.get("order") else []
        for item in order:
            if known and item.raw not in known:
                unknown(self.world, "R305", f"row of `{name}`", item.raw, known, item.span)
        names = [i.raw for i in order if i.raw in known] or known
        words = {r: words_of(rows.pairs[r][1], r) for r in names} if rows is not None else {}
        for r in names:
            if rows is not None and not parse.is_identifier(r.replace(" ", "_")):
                self.world.problems.add("R310", f"`{r}` cannot be the name of a row", rows.key(r).span)
        one = node.get("one")
        table = Table(name, one.raw if one else name.removesuffix("s"), tuple(r.replace(" ", "_") for r in names), {},
                      {r.replace(" ", "_"): w for r, w in words.items()}, key.span)  # fmt: skip
        self.world.attributes.by_name[f"{name}.order"] = (*range(1, len(names) + 1), NO_NUMBER)
        return table

    def _columns(self, table: Table, node: Node) -> None:
        columns = node.get("columns")
        for text, key, spec in columns.entries() if columns is not None and columns.kind == "map" else ():
            try:
                signature = parse.signature(key)
            except Refused as refused:
                self.world.problems.extend(refused.diagnostics)
                continue
            derived, kind = self._column_kind(spec)
            column = Column(signature.name, kind, signature.parameters)
            table.columns[column.name] = column
            self._cells(table, column, node, derived, text)

    def _column_kind(self, spec: Node) -> tuple[Node | None, Kind]:
        """A column's kind; or, if it is a formula over the row's other columns, that formula and any kind."""
        if spec.kind == "scalar" and ("(" in spec.raw or " " in spec.raw.replace("..", "").strip()) and ".." not in spec.raw:
            return spec, Kind("unknown")
        return None, self.kind(spec)

    def _cells(self, table: Table, column: Column, node: Node, derived: Node | None, text: str) -> None:
        rows, defaults = node.pairs["rows"][1], node.get("defaults")
        spaced = {r.replace(" ", "_"): r for r in rows.pairs}
        plain: list[Any] = []
        missing: list[Node] = []
        for r in table.rows:
            own = rows.pairs[spaced[r]][1]
            cell = derived or (own.get(column.name) or own.get(text) if own.kind == "map" else None) or (defaults.get(column.name) if defaults else None)
            if cell is None:
                if column.kind.optional:
                    column.forms[r] = Form("none", rows.key(spaced[r]).span)
                elif column.kind != TEXT:
                    missing.append(rows.key(spaced[r]))
                    column.forms[r] = Form("broken", rows.key(spaced[r]).span)
                else:
                    plain.append("")
                continue
            self._cell(table, column, r, cell, plain)
        self._missing(table, column, missing)
        if column.kind == TEXT:
            texts = self.world.attributes.texts
            first = len(texts)
            texts.extend(plain)
            column.constants = list(range(first, len(texts)))
            self.world.attributes.by_name[f"{table.name}.{column.name}"] = (*column.constants, ABSENT)
            if column.name == "sign":
                table.signs = tuple(plain)

    def _missing(self, table: Table, column: Column, rows: list[Node]) -> None:
        if rows:
            shown = ", ".join(f"`{key.raw}`" for key in rows[:8])
            what = f"row {shown} has" if len(rows) == 1 else f"rows {shown}{' …' if len(rows) > 8 else ''} have"
            self.world.problems.add("R415", f"{what} no `{column.name}`", rows[0].span,
                                    help=f"give each one, or a default in `{table.name}/defaults`")  # fmt: skip

    def _cell(self, table: Table, column: Column, r: str, cell: Node, plain: list[Any]) -> None:
        if column.kind == TEXT:
            plain.append(cell.raw)
            return
        column.forms[r] = self.formula(cell) or Form("broken", cell.span)

    def _constants(self, early: bool = False) -> None:
        """Columns that depend on nothing but tables and options become tables of constants. `early`: piles and state are not
        declared yet, so what looks wrong now is tried again later."""
        for table in self.world.tables.values():
            for column in table.columns.values():
                open_ = column.constants is None and not column.parameters and len(column.forms) == len(table.rows)
                if open_ and (not early or self._no_problem(table, column)):
                    self._constant_column(table, column)

    def _no_problem(self, table: Table, column: Column) -> bool:
        kept, self.world.problems = self.world.problems, Problems()
        kind = column.kind
        self._constant_column(table, column)
        fine = not self.world.problems.errors and column.constants is not None
        column.constants, column.kind = None, kind
        self.world.problems = kept
        self.world.instances.clear()
        return fine

    def _constant_column(self, table: Table, column: Column) -> None:
        var = Var("row", row(table.name))
        bodies = [self.checker.check(column.forms[r], Scope(row=var), column.kind if column.kind.name != "unknown" else None)
                  for r in table.rows]  # fmt: skip
        fine = all(static(b) and e.kind.name != "unknown" for b in bodies for e in everything(b))
        if not fine or self.world.problems.errors:
            return
        values = [evaluate(b, self.setting(), {var: i}) for i, b in enumerate(bodies)]
        if column.kind.name == "unknown":
            first = bodies[0].kind
            column.kind = number(min(values), max(values)) if first.name == "number" else first
        fitted = [self.checker.fit(body, column.kind, what=f"column `{column.name}`") for body in bodies]
        self._within(column, fitted, values)
        if any(body.kind.name == "unknown" for body in fitted):
            return
        column.constants = values
        self.world.attributes.by_name[f"{table.name}.{column.name}"] = (*values, absent_of(column.kind))

    def _within(self, column: Column, bodies: list[Expr], values: list[Any]) -> None:
        if column.kind.name == "number":
            for body, value in zip(bodies, values, strict=True):
                if body.kind.name == "number" and value != NO_NUMBER and not column.kind.low <= value <= column.kind.high:
                    message = f"{value} is outside {column.kind.low}..{column.kind.high} of column `{column.name}`"
                    self.world.problems.add("R410", message, body.span)

    # ---- kinds -------------------------------------------------------------------------------------------------------

    def kind(self, node: Node) -> Kind:
        """A kind as written: `bool`, `text`, `player`, `pair`, `0..7`, a table's or piece's name, `…?` if it may be absent."""
        raw = node.raw.strip()
        optional, raw = raw.endswith("?"), raw.removesuffix("?").strip()
        simple = {"bool": BOOL, "text": TEXT, "player": PLAYER, "pair": PAIR}
        if raw in simple:
            return simple[raw].maybe(optional)
        if raw in self.world.tables:
            self.world.used.add(("tables", raw))
            return row(raw).maybe(optional)
        if raw in self.world.pieces:
            return Kind("piece", of=raw, optional=optional)
        if raw in self.world.options and self.world.options[raw].choices:
            return choice(raw).maybe(optional)
        if ".." in raw:
            low, high = self._bounds(_without_mark(node, raw) if optional else node)
            return number(low, high).maybe(optional)
        known = [*simple, *self.world.tables, *self.world.pieces]
        unknown(self.world, "R311", "kind", raw, known, node.span)
        return Kind("unknown")

    # ---- pieces, piles, state ----------------------------------------------------------------------------------------

    def _pieces(self) -> None:
        base = 0
        for name, key, node in self.entries("pieces"):
            kind = self._piece_kind(name, key, node, base)
            self.world.pieces[name] = kind
            base += len(kind.classes)
        self._attribute_tables(base)
        for name, _, node in self.entries("pieces"):
            if node.get("where"):
                self._filter(self.world.pieces[name], node.pairs["where"][1])
        base = 0
        for kind in self.world.pieces.values():
            kind.base, base = base, base + len(kind.classes)
        self._attribute_tables(base)

    def _piece_kind(self, name: str, key: Node, node: Node, base: int) -> PieceKind:
        attributes: dict[str, Kind] = {}
        ranges: list[range] = []
        if node.get("each") and node.pairs["each"][1].raw == "player":
            attributes["owner"] = PLAYER
            ranges.append(range(len(self.world.seats)))
        for item in node.pairs["of"][1].items if node.get("of") else ():
            table = self.world.tables.get(item.raw)
            if table is None:
                unknown(self.world, "R301", "table", item.raw, list(self.world.tables), item.span)
                self.world.doubtful.add(name)
                continue
            self.world.used.add(("tables", item.raw))
            if table.one in attributes:
                self.world.doubtful.add(name)
                self.world.problems.add("R309", f"two tables give a `{name}` the attribute `{table.one}`", item.span,
                                        help="`one: NAME` in a table says how a piece's row of it is called")  # fmt: skip
                continue
            attributes[table.one] = row(table.name)
            ranges.append(range(len(table.rows)))
        classes = [dict(zip(attributes, values, strict=True)) for values in product(*ranges)]
        copies = self.constant(node.pairs["copies"][1], number(0, 0), 1, "copies") if node.get("copies") else 1
        home = node.pairs["from"][1].raw if node.get("from") else ""
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
        card = Var(kind.name, Kind("piece", of=kind.name))
        found = self.checker.condition(form, Scope().bind(card))
        kept = [c for i, c in enumerate(kind.classes) if self.value(found, True, "`where`", {card: 2 * (kind.base + i)})]
        if not kept:
            self.world.problems.add("R512", f"no `{kind.name}` is left", node.span)
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
        self._homes()

    def _pile(self, name: str, key: Node, node: Node, base: int, total: int) -> Family:
        each = self._each(name, node)
        columns = self.constant(node.pairs["columns"][1], number(0, 0), 1, "columns") if node.get("columns") else 1
        kinds = list(self.world.pieces)
        holds = node.pairs["holds"][1].raw if node.get("holds") else kinds[0] if kinds else ""
        if holds not in self.world.pieces:
            unknown(self.world, "R301", "kind of piece", holds, kinds, (node.get("holds") or key).span)
            holds = kinds[0] if kinds else ""
        room = self.constant(node.pairs["room"][1], number(0, 0), total, "room") if node.get("room") else total
        face = node.pairs["face"][1].raw if node.get("face") else "up"
        layout = node.pairs["layout"][1].raw if node.get("layout") else ""
        members = self.world.size_of(each) if each else 1
        if columns < 1 or columns > 200:
            self.world.problems.add("R410", f"{columns} columns: a family has 1 to 200", node.pairs["columns"][1].span)
            columns = 1
        if face == "owner" and (each is None or each.name != "player"):
            self.world.problems.add("R511", "`face: owner` needs a pile for each player", key.span, help="add `each: player`")
        held = self.world.pieces[holds].total if holds in self.world.pieces else total
        return Family(name, base, each, members, columns, node.get("columns") is not None, min(room, held), holds, face, layout,
                      words_of(node, name), key.span, room < held)  # fmt: skip

    def _homes(self) -> None:
        for kind in self.world.pieces.values() if self.root.get("piles") is not None else ():
            home = self.world.piles.get(kind.home)
            if home is None:
                unknown(self.world, "R301", "pile", kind.home, list(self.world.piles), kind.span)
                continue
            self.world.used.add(("piles", home.name))
            if home.each is not None and home.each.name == "player" and "owner" not in kind.attributes:
                self.world.problems.add("R513", f"which player's `{home.name}` do the pieces start in?", kind.span, help="say `each: player`")
            kind.starts = [home.base + (c.get("owner", 0) * home.columns if home.each else 0) for c in kind.classes]

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
            kind = number(*self._bounds(node.pairs["range"][1]))
        elif node.get("kind"):
            kind = self.kind(node.pairs["kind"][1])
        else:
            self.world.problems.add("R117", f"state `{name}` needs `range` or `kind`", key.span)
            kind = Kind("unknown")
        optional = node.get("optional")
        kind = kind.maybe(kind.optional or bool(optional and optional.value is True))
        low = each.low if each is not None and each.name == "number" else 0
        size = self.world.size_of(each) if each else 1
        also = self._also(node)
        size *= self.world.size_of(also) if also else 1
        if each is not None and each.name == "piece" and self.world.pieces[each.of].copies > 1:
            self.world.problems.add("R514", "pieces that are alike cannot have state of their own", key.span)
        renewed, track, secret = node.get("renewed"), node.get("track"), node.get("secret")
        holes = self.constant(track, number(0, 0), 0, "track") if track else 0
        layout = node.get("layout")
        return StateFamily(name, base, each, size, low, kind, self._starts(node, kind), renewed.raw if renewed else "",
                           secret is not None, holes, layout.raw if layout else "", words_of(node, name), key.span, also)  # fmt: skip

    def _also(self, node: Node) -> Kind | None:
        """The second key of a state family with two."""
        each = node.get("each")
        return self.kind(each.items[1]) if each is not None and each.kind == "list" and len(each.items) > 1 else None

    def _starts(self, node: Node, kind: Kind) -> int:
        starts = node.get("starts")
        if starts is not None:
            value = self.constant(starts, kind, 0, "starts")
            if kind.name == "number" and not kind.low <= value <= kind.high:
                self.world.problems.add("R410", f"it starts outside {kind.low}..{kind.high}", starts.span)
            return int(value)
        if kind.optional:
            return absent_of(kind)
        return kind.low if kind.name == "number" and not kind.low <= 0 <= kind.high else 0

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
                    self.world.problems.add("R309", f"`{parameter}` is a built-in word", key.span, help="choose another name")
            form = self.formula(value) or Form("broken", value.span)
            self.world.terms[signature.name] = TermSource(signature.name, signature.parameters, form, key.span)


def _without_mark(node: Node, raw: str) -> Node:
    """`0..4` of `0..4?`."""
    end = node.span.end if node.style else node.span.start + len(raw)
    return replace(node, raw=raw, span=replace(node.span, end=end))


def words_of(node: Node, name: str) -> Words:
    """The name of an entry in each language; its own name where it gives none."""
    found = {lang: node.pairs[lang][1].raw for lang in LANGUAGES if node.kind == "map" and node.get(lang)}
    return {"en": name.replace("_", " "), **found}


def read_value(option: Option, value: Any) -> int | bool | None:
    """A value as given (in YAML, JSON or on the command line) → the option's, or None if it is none of its values."""
    if option.choices:
        return option.choices.index(str(value)) if str(value) in option.choices else None
    text = str(value).strip().lower()
    if option.kind == BOOL:
        return {"true": True, "false": False, "yes": True, "no": False}.get(text)
    if not text.lstrip("-").isdigit():
        return None
    found = int(text)
    return found if option.kind.low <= found <= option.kind.high else None


__all__ = ["Sections", "describe", "read_value", "words_of"]
