"""Names in a running game: stable ids and localized words for pieces, piles, values and moves."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import product
from typing import Any, TypeVar

from hoyle.diagnostics import LocalizedText
from hoyle.language.display import Board
from hoyle.language.evaluate import Setting, evaluate, is_absent, walk_all
from hoyle.language.ir import ABSENT, Cell, Contents, Expr, Fault, Var
from hoyle.language.model import Family, Move, Obligation, PieceKind, Ruleset, Table, count_of
from hoyle.language.sentences import FALLBACK, Sentence, format_integer
from hoyle.language.value_types import Row, ValueType, get_bounds, get_families
from hoyle.running.machine import Machine
from hoyle.running.state import Action, Core


def board_numbers(ruleset: Ruleset, constants: dict[str, Any]) -> dict[tuple[int, int], str]:
    """(pile, player) → the number by which the player calls it, for boards whose numbers are the same in every state."""
    shared = ("INDEX", "NEXT", "ROUND", "PAIR", "MEMBERS", "SIDES", "SEATS")
    setting = Setting(ruleset.attributes.by_name, (), (), ABSENT, *(constants[name] for name in shared))
    return {
        found: number
        for name, hint in ruleset.display.piles.items()
        if hint.board is not None
        for found, number in _numbered(ruleset.piles[name], hint.board, range(len(ruleset.seats)), setting)
    }


def _numbered(family: Family, board: Board, players: range, setting: Setting) -> Iterator[tuple[tuple[int, int], str]]:
    if board.number is None or not _is_the_same(board.number):
        return
    for pile in range(family.base, family.base + family.members * family.columns):
        for player in players:
            yield (pile, player), str(evaluate(board.number, setting, {board.place: pile, board.viewer: player}))


def _is_the_same(number: Expr) -> bool:
    """Is a formula independent of the state? It reads no piece and no cell."""
    return not any(isinstance(part, Cell | Contents | Fault) or part.type.name == "piece" for part in walk_all(number))


K = TypeVar("K")
V = TypeVar("V")
MOST_KEPT = 20_000
"""Ids of moves that are cached for a game, and as many of their texts."""


class Cache(dict[K, V]):
    """A cache that is cleared when it is full."""

    def __setitem__(self, key: K, value: V) -> None:
        if len(self) >= MOST_KEPT:
            self.clear()
        super().__setitem__(key, value)


def in_language(words: Mapping[str, str], lang: str, name: str = "") -> str:
    """A name in a language, else in English, else `name`, else in any language."""
    return words.get(lang) or words.get(FALLBACK) or name or next(iter(words.values()), "")


def slug(name: str) -> str:
    return name.replace(" ", "-").replace("_", "-")


@lru_cache(maxsize=4096)
def fold_case(text: str) -> str:
    """Letters without case and accents."""
    bare = unicodedata.normalize("NFKD", text.casefold().replace("œ", "oe").replace("−", "-"))
    return "".join(c for c in bare if not unicodedata.combining(c) and c != "\ufe0f")


class Namer:
    """Names and ids for one machine. Cheap to create, safe to share."""

    def __init__(self, machine: Machine) -> None:
        self.machine, self.ruleset = machine, machine.ruleset
        self.signs: list[str] = self._written(_sign)
        """By class of piece: its sign in ids, positions and records."""
        self.piece_kinds = [kind for kind in self.ruleset.pieces.values() for _ in kind.classes]
        self._families = [f for f in self.ruleset.piles.values() for _ in range(f.members * f.columns)]
        self.openness = [(self._seen_by(n, f), f.face == "top seen") for n, f in enumerate(self._families)]
        """By pile: the player who alone sees all of it (ABSENT: none), and whether only its top is ever seen."""
        self._shown: dict[tuple[str, bool], list[str]] = {}
        self.state_members: dict[str, tuple[str, ...]] = {}
        """By family of state: the names of its members, cached by `game.spelling.member_name`."""
        self._letters: dict[str, dict[str, str]] = {}
        self._ids: dict[tuple[Action, int], str] = Cache()
        self.texts: dict[tuple[Any, ...], str] = Cache()
        """Texts of moves, cached by `running.wording`."""

    # ---- pieces ------------------------------------------------------------------------------------------------------

    def shown(self, lang: str, ascii_only: bool = False) -> list[str]:
        """By class of piece: what people read, made of symbols, letters or signs of its rows, or of their words."""

        def part(table: Table, row: int) -> str:
            symbols = table.symbols.get(table.rows[row], {})
            symbol = symbols.get(lang) or symbols.get(FALLBACK)
            if symbol and (symbol.isascii() or not ascii_only):
                return symbol
            if letter := table.letters.get(table.rows[row], {}).get(lang):
                return letter
            return table.signs[row] if table.signs else in_language(table.words[table.rows[row]], lang)

        key = (lang, ascii_only)
        if key not in self._shown:
            self._shown[key] = self._written(part, lang)
        return self._shown[key]

    def piece(self, piece: int, lang: str) -> str:
        return self.shown(lang)[piece >> 1]

    @cached_property
    def readings(self) -> dict[str, str]:
        """Other spellings of signs with the symbols of each language, if they are unambiguous; both folded."""
        found = dict[str, set[str]]()
        for kind in self.ruleset.pieces.values():
            tables = _tables_of(self.ruleset, kind)
            for cls, sign in zip(kind.classes, self.signs[kind.base :], strict=False):
                parts = [_spellings(table, cls[name]) for name, table in tables.items()]
                for spelled in product(*parts) if all(t.signs for t in tables.values()) else ():
                    found.setdefault(fold_case("".join(spelled)), set()).add(fold_case(sign))
        return {s: meant.pop() for s, meant in found.items() if len(meant) == 1 and s not in self.folded_signs}

    def letters(self, lang: str) -> dict[str, str]:
        """Other spellings of signs with the letters of a language, folded: `7c` is the seven of *cœurs*."""
        if lang not in self._letters:
            self._letters[lang] = dict(self._lettered(lang))
        return self._letters[lang]

    def _lettered(self, lang: str) -> Iterator[tuple[str, str]]:
        for kind in self.ruleset.pieces.values():
            tables = _tables_of(self.ruleset, kind)
            for cls, sign in zip(kind.classes, self.signs[kind.base :], strict=False):
                rows = [(table, cls[name]) for name, table in tables.items()]
                if any(lang in table.letters.get(table.rows[row], {}) for table, row in rows):
                    yield fold_case("".join(_letter(table, row, lang) for table, row in rows)), sign

    @cached_property
    def folded_signs(self) -> frozenset[str]:
        return frozenset(fold_case(sign) for sign in self.signs)

    def _written(self, part: Callable[[Table, int], str], lang: str | None = None) -> list[str]:
        """By class of piece: the parts of its rows joined, or its owner's name; without a language as in ids."""
        found = []
        for kind in self.ruleset.pieces.values():
            tables = _tables_of(self.ruleset, kind)
            joiner = "" if all(table.signs for table in tables.values()) else " "
            for cls in kind.classes:
                own = joiner.join(part(table, cls[name]) for name, table in tables.items())
                found.append(own or self._owner_of(kind, cls, lang))
        return found

    def _owner_of(self, kind: PieceKind, cls: Mapping[str, int], lang: str | None) -> str:
        if "owner" not in cls:
            return kind.name if lang is None else in_language(kind.words, lang, kind.name)
        return self.ruleset.seats[cls["owner"]] if lang is None else self.seat(cls["owner"], lang)

    # ---- values ------------------------------------------------------------------------------------------------------

    def value(self, value: Any, value_type: ValueType, lang: str | None = None) -> str:
        """Render a value; without a language in English, with pieces as in ids."""
        if lang is None and value_type.name == "piece" and not is_absent(value, value_type):
            return self.signs[int(value) >> 1]
        if value_type.name == "list":
            items = [self.value(v, value_type.item_type, lang) for v in value]
            items = [f"({item})" for item in items] if value_type.item_type.name == "list" else items
            return ", ".join(items) or Sentence("value.nothing")[lang or FALLBACK]
        if value_type.name == "bool":
            return Sentence("value.yes" if value else "value.no")[lang or FALLBACK]
        if is_absent(value, value_type):
            return Sentence("value.none")[lang or FALLBACK]
        return self._there(value, value_type, lang or FALLBACK)

    def localize_value(self, value: Any, value_type: ValueType) -> LocalizedText:
        """Render a value in every language."""
        others = (lang for lang in self.ruleset.languages if lang != FALLBACK)
        return LocalizedText(
            self.value(value, value_type), {lang: self.value(value, value_type, lang) for lang in others}
        )

    def _there(self, value: int, value_type: ValueType, lang: str) -> str:
        if value_type.name == "player":
            return self.seat(value, lang)
        if value_type.name == "row":
            table = self.ruleset.tables[value_type.table]
            return in_language(table.words[table.rows[value]], lang, table.rows[value])
        if value_type.name == "choice":
            option = self.ruleset.options[value_type.option]
            return in_language(option.choice_words[value], lang, option.choices[value])
        if value_type.name == "piece":
            return self.piece(value, lang)
        if value_type.name == "text":
            return self.ruleset.attributes.texts[value]
        if value_type.name == "pile":
            return self.pile(value, lang)
        if value_type.name == "pair":
            return " & ".join(self.seat(p, lang) for p in self.machine.constants["MEMBERS"][value])
        if value_type.name == "obligation":
            return self._entry(self.ruleset.obligations.values(), value, lang)
        if value_type.name == "move":
            return self._entry(self.ruleset.moves.values(), value, lang)
        return format_integer(value, lang)

    def _entry(self, entries: Iterable[Move | Obligation], number: int, lang: str) -> str:
        return next((in_language(e.words, lang, e.name) for e in entries if e.number == number), str(number))

    def seat(self, player: int, lang: str = "en") -> str:
        name = self.ruleset.seats[player]
        return in_language(self.ruleset.seat_words[name], lang, name)

    # ---- piles -------------------------------------------------------------------------------------------------------

    def family(self, pile: int) -> Family:
        return self._families[pile]

    def member(self, pile: int) -> int:
        family = self._families[pile]
        return (pile - family.base) // family.columns

    def column(self, pile: int) -> int:
        """1-based; 0 for a family without columns."""
        family = self._families[pile]
        return (pile - family.base) % family.columns + 1 if family.has_columns else 0

    def owner(self, pile: int) -> int:
        family = self._families[pile]
        return self.member(pile) if family.each is not None and family.each.name == "player" else ABSENT

    def _seen_by(self, pile: int, family: Family) -> int:
        return self.owner(pile) if family.face == "owner" else ABSENT

    def key(self, pile: int) -> str:
        """The pile's name in positions: `reserve of A at 2`, `layout of hearts`, `tableau at 3`, `talon of B`."""
        family = self._families[pile]
        of = f" of {self.member_name(family, self.member(pile))}" if family.each is not None else ""
        at = f" at {self.column(pile)}" if family.has_columns else ""
        return f"{family.name}{of}{at}"

    def cell(self, index: int) -> str:
        """The name of a value of the state in positions: `score of A`, `played of B of hearts`."""
        family = next(f for f in self.ruleset.state.values() if f.base <= index < f.base + f.size)
        member, names = index - family.base, list[str]()
        for each in reversed(family.keys):
            member, own = divmod(member, count_of(each, self.ruleset))
            names.insert(0, self.key_name(each, own))
        return " of ".join([family.name, *names])

    def member_name(self, family: Family, member: int) -> str:
        each = family.each
        if each is None:
            return ""
        return self.key_name(each, member)

    def key_name(self, each: ValueType, member: int) -> str:
        """A member of a family as positions write it."""
        if each.name == "player":
            return self.ruleset.seats[member]
        if each.name == "row":
            return self.ruleset.tables[each.table].rows[member]
        if each.name == "choice":
            return self.ruleset.options[each.option].choices[member]
        if each.name == "pair":
            p, q = self.machine.constants["MEMBERS"][member]
            return f"{self.ruleset.seats[p]} {self.ruleset.seats[q]}"
        if each.name == "piece":
            return self.signs[self.ruleset.pieces[each.of].base + member]
        return str(get_bounds(each)[0] + member)

    def pile(self, pile: int, lang: str = "en", actor: int = ABSENT) -> str:
        """The pile in words; `actor` is the player who needs no “of me”."""
        family, owner = self._families[pile], self.owner(pile)
        found = in_language(family.words, lang, family.name)
        if family.each is not None and owner < 0:
            found += f" {self.numbers.get((pile, actor)) or self._member_words(family, pile, lang)}"
        if family.has_columns:
            found += f" {self.column(pile)}"
        if owner >= 0 and owner != actor:
            found += f" {Sentence('value.of')[lang]} {self.seat(owner, lang)}"
        return found

    def place(self, pile: int, label: str, lang: str = "en") -> str:
        """A point of a board in words, by the label that somebody gives it."""
        family = self._families[pile]
        return f"{in_language(family.words, lang, family.name)} {label}"

    @cached_property
    def numbers(self) -> dict[tuple[int, int], str]:
        """(pile, player) → the number of a point of a board."""
        return board_numbers(self.ruleset, self.machine.constants)

    def brief(self, pile: int, actor: int, lang: str = FALLBACK) -> str:
        """The pile in notations: its number, its member, or the name of its family (in English the bare name)."""
        if (pile, actor) in self.numbers:
            return self.numbers[pile, actor]
        family = self._families[pile]
        if family.has_columns:
            return str(self.column(pile))
        alone = family.each is None or family.each.name == "player" or family.each == self.ruleset.side
        own = family.name if lang == FALLBACK else in_language(family.words, lang, family.name)
        return slug(own if alone else self.member_name(family, self.member(pile)))

    def _member_words(self, family: Family, pile: int, lang: str) -> str:
        each = family.each
        assert each is not None
        return (
            self.value(self.member(pile), each, lang)
            if each.name in ("row", "pair")
            else self.member_name(family, self.member(pile))
        )

    # ---- ids of moves ------------------------------------------------------------------------------------------------

    def ids(self, s: Core, actions: Sequence[Action], actor: int) -> list[str]:
        """The ids of all actions at a decision, unique there."""
        if not actions:
            return []
        point = self.machine.points[s.pc]
        moves = {m.number: m for m in point.moves}
        found = [self.move_id(moves[a[0]], a, actor) for a in actions]
        seen: Counter[str] = Counter()
        counts = Counter(found)
        for i, name in enumerate(found):
            if counts[name] > 1:
                seen[name] += 1
                found[i] = f"{name} ({seen[name]})"
        return found

    def move_id(self, move: Move, action: Action, actor: int) -> str:
        """The id of an action: name, bindings that could have been different, `-> ` and the place. Cached."""
        found = self._ids.get((action, actor))
        if found is None:
            words = [slug(move.name), *(words for _, words in self.bound(move, action, actor) if words)]
            found = self._ids[action, actor] = " ".join(words)
        return found

    def bound(self, move: Move, action: Action, actor: int) -> list[tuple[Var, str]]:
        """The bindings that could have been different, as ids write them: the piece or pile it takes, each of `with`, the place."""
        values = dict(zip(move.bindings, action[1:], strict=True))
        found = []
        if move.taken is not None:
            found.append((move.taken[1], " ".join(self._taken(move, *move.taken, values, actor))))
        found += [(var, self.token(values[var], var.type, actor)) for var, _ in move.withs]
        if move.aim is not None:
            found.append((move.aim, f"-> {self.pile_token(values[move.aim], move.aim, actor)}"))
        return found

    def _taken(self, move: Move, origin: Var, card: Var, values: dict[Var, Any], actor: int) -> list[str]:
        pile = [self.pile_token(values[origin], origin, actor)] if self.several_origins(move, origin) else []
        return [self.signs[values[card] >> 1], *pile] if any(t.any_piece for t in move.takes) else pile

    def several_origins(self, move: Move, origin: Var) -> bool:
        """Could the piece come from another pile? A piece anywhere in a single family identifies its pile."""
        if any(take.any_piece for take in move.takes):
            return len(get_families(origin.type)) > 1
        return len(move.takes) > 1 or move.takes[0].source.type.name == "list"

    def pile_token(self, pile: int, var: Var, actor: int) -> str:
        """A pile in ids, as a value of a variable."""
        family = self._families[pile]
        words = [slug(family.name)] if len(get_families(var.type)) != 1 else []
        if family.each is not None and family.each.name != "player":
            words.append(slug(self.member_name(family, self.member(pile))))
        if family.has_columns:
            words.append(str(self.column(pile)))
        if self.owner(pile) not in (ABSENT, actor):
            words.append(f"of {self.ruleset.seats[self.owner(pile)]}")
        return " ".join(words) or slug(family.name)

    def token(self, value: Any, value_type: ValueType, actor: int) -> str:
        """A binding in ids."""
        if value_type.name == "list":
            return " ".join(self.token(v, value_type.item_type, actor) for v in value) or "none"
        return self._one_token(value, value_type, actor)

    def _one_token(self, value: int, value_type: ValueType, actor: int) -> str:
        if is_absent(value, value_type):
            return "none"
        if value_type.name == "pile":
            return self.pile_token(value, Var("", value_type), actor)
        if value_type.name in ("row", "choice"):
            return slug(self.key_name(value_type, value))
        if value_type.name in ("player", "pair"):
            return self.key_name(value_type, value)
        if value_type.name == "bool":
            return "true" if value else "false"
        return self.signs[value >> 1] if value_type.name == "piece" else self._there(value, value_type, FALLBACK)


def _tables_of(ruleset: Ruleset, kind: PieceKind) -> dict[str, Table]:
    """Attribute → the table whose rows the pieces have."""
    return {name: ruleset.tables[k.table] for name, k in kind.attributes.items() if isinstance(k, Row)}


def _sign(table: Table, row: int) -> str:
    return table.signs[row] if table.signs else table.rows[row]


def _letter(table: Table, row: int, lang: str) -> str:
    """Return the text that people type for the sign of a row in a language."""
    name = table.rows[row]
    symbols = table.symbols.get(name, {})
    return table.letters.get(name, {}).get(lang) or symbols.get(lang) or symbols.get(FALLBACK) or _sign(table, row)


def _spellings(table: Table, row: int) -> list[str]:
    """The sign of a row, and its symbols in all languages."""
    return list(dict.fromkeys([_sign(table, row), *table.symbols.get(table.rows[row], {}).values()]))
