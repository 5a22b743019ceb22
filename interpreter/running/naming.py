"""Names of things in a running game: pieces by their signs, piles, values, moves — as stable ids and as words for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from interpreter.language.evaluate import is_absent
from interpreter.language.ir import ABSENT, Var
from interpreter.language.kinds import Kind, Row, bounds, families_of
from interpreter.language.model import Family, Move, Obligation, PieceKind, Ruleset
from interpreter.language.sentences import FALLBACK, Sentence
from interpreter.language.sizes import count_of
from interpreter.running.machine import Machine
from interpreter.running.state import Action, Core


def in_language(words: Mapping[str, str], lang: str, name: str = "") -> str:
    """A name in a language, or the English one, or the bare name, or whatever there is."""
    return words.get(lang) or words.get(FALLBACK) or name or next(iter(words.values()), "")


def slug(name: str) -> str:
    return name.replace(" ", "-").replace("_", "-")


class Namer:
    """Words and ids for one machine. Cheap to make, safe to share."""

    def __init__(self, machine: Machine) -> None:
        self.machine, self.ruleset = machine, machine.ruleset
        self.signs: list[str] = [sign for kind in self.ruleset.pieces.values() for sign in _signs(self.ruleset, kind)]
        self.piece_kinds = [kind for kind in self.ruleset.pieces.values() for _ in kind.classes]
        self._families = [f for f in self.ruleset.piles.values() for _ in range(f.members * f.columns)]
        self.state_members: dict[str, tuple[str, ...]] = {}
        """The names of the members of each family of state, once somebody has asked for them (`game.spelling.member_name`)."""

    # ---- values ------------------------------------------------------------------------------------------------------

    def value(self, value: Any, kind: Kind, lang: str = "en") -> str:
        """A value of a formula in words."""
        if kind.name == "list":
            items = [self.value(v, kind.of_item, lang) for v in value]
            items = [f"({item})" for item in items] if kind.of_item.name == "list" else items
            return ", ".join(items) or Sentence("value.nothing")[lang]
        if kind.name == "bool":
            return Sentence("value.yes" if value else "value.no")[lang]
        if is_absent(value, kind):
            return Sentence("value.none")[lang]
        return self._there(value, kind, lang)

    def _there(self, value: int, kind: Kind, lang: str) -> str:
        if kind.name == "player":
            return self.seat(value, lang)
        if kind.name == "row":
            table = self.ruleset.tables[kind.table]
            return in_language(table.words[table.rows[value]], lang, table.rows[value])
        if kind.name == "choice":
            option = self.ruleset.options[kind.option]
            return in_language(option.choice_words[value], lang, option.choices[value])
        if kind.name == "piece":
            return self.signs[value >> 1]
        if kind.name == "text":
            return self.ruleset.attributes.texts[value]
        if kind.name == "pile":
            return self.pile(value, lang)
        if kind.name == "pair":
            return " & ".join(self.seat(p, lang) for p in self.machine.constants["MEMBERS"][value])
        if kind.name == "obligation":
            return self._entry(self.ruleset.obligations.values(), value, lang)
        if kind.name == "move":
            return self._entry(self.ruleset.moves.values(), value, lang)
        return str(value)

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

    def key(self, pile: int) -> str:
        """The pile's name in positions: `reserve of A at 2`, `layout of hearts`, `tableau at 3`, `talon of B`."""
        family = self._families[pile]
        of = f" of {self.member_name(family, self.member(pile))}" if family.each is not None else ""
        at = f" at {self.column(pile)}" if family.has_columns else ""
        return f"{family.name}{of}{at}"

    def cell(self, index: int) -> str:
        """The name of one value of the state in positions: `score of A`, `played of B of hearts`."""
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

    def key_name(self, each: Kind, member: int) -> str:
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
        return str(bounds(each)[0] + member)

    def pile(self, pile: int, lang: str = "en", actor: int = ABSENT) -> str:
        """The pile in words."""
        family, owner = self._families[pile], self.owner(pile)
        found = in_language(family.words, lang, family.name)
        if family.each is not None and owner < 0:
            found += f" {self._member_words(family, pile, lang)}"
        if family.has_columns:
            found += f" {self.column(pile)}"
        if owner >= 0 and owner != actor:
            found += f" {Sentence('value.of')[lang]} {self.seat(owner, lang)}"
        return found

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
        """The ids of all actions at one decision, unique there."""
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
        """`name`, the bindings that could have been different, `-> ` and the place."""
        return " ".join([slug(move.name), *(words for _, words in self.bound(move, action, actor) if words)])

    def bound(self, move: Move, action: Action, actor: int) -> list[tuple[Var, str]]:
        """What of a move could have been different, as ids write it: by the piece or the pile it takes, each of `with`, the place."""
        values = dict(zip(move.bindings, action[1:], strict=True))
        found = []
        if move.taken is not None:
            found.append((move.taken[1], " ".join(self._taken(move, *move.taken, values, actor))))
        found += [(var, self.token(values[var], var.kind, actor)) for var, _ in move.withs]
        if move.aim is not None:
            found.append((move.aim, f"-> {self.pile_token(values[move.aim], move.aim, actor)}"))
        return found

    def _taken(self, move: Move, origin: Var, card: Var, values: dict[Var, Any], actor: int) -> list[str]:
        several = len(move.takes) > 1 or move.takes[0].source.kind.name == "list"
        if any(t.any_piece for t in move.takes):
            several_families = len(families_of(origin.kind)) > 1
            pile = [self.pile_token(values[origin], origin, actor)] if several_families else []
            return [self.signs[values[card] >> 1], *pile]
        return [self.pile_token(values[origin], origin, actor)] if several else []

    def pile_token(self, pile: int, var: Var, actor: int) -> str:
        """A pile as ids write it where this name may be bound to it."""
        family = self._families[pile]
        words = [slug(family.name)] if len(families_of(var.kind)) != 1 else []
        if family.each is not None and family.each.name != "player":
            words.append(slug(self.member_name(family, self.member(pile))))
        if family.has_columns:
            words.append(str(self.column(pile)))
        if self.owner(pile) not in (ABSENT, actor):
            words.append(f"of {self.ruleset.seats[self.owner(pile)]}")
        return " ".join(words) or slug(family.name)

    def token(self, value: Any, kind: Kind, actor: int) -> str:
        """A binding as ids write it."""
        if kind.name == "list":
            return " ".join(self.token(v, kind.of_item, actor) for v in value) or "none"
        return self._one_token(value, kind, actor)

    def _one_token(self, value: int, kind: Kind, actor: int) -> str:
        if is_absent(value, kind):
            return "none"
        if kind.name == "pile":
            return self.pile_token(value, Var("", kind), actor)
        if kind.name in ("row", "choice"):
            return slug(self.key_name(kind, value))
        if kind.name in ("player", "pair"):
            return self.key_name(kind, value)
        if kind.name == "bool":
            return "true" if value else "false"
        return self._there(value, kind, FALLBACK)


def _signs(ruleset: Ruleset, kind: PieceKind) -> list[str]:
    """The sign of every class: the signs of its rows together, or their names, or its owner's."""
    tables = [ruleset.tables[k.table] for k in kind.attributes.values() if isinstance(k, Row)]
    names = [name for name, k in kind.attributes.items() if k.name == "row"]
    found = []
    for cls in kind.classes:
        parts = [t.signs[cls[n]] if t.signs else t.rows[cls[n]] for n, t in zip(names, tables, strict=True)]
        joiner = "" if all(t.signs for t in tables) else " "
        found.append(joiner.join(parts) or (ruleset.seats[cls["owner"]] if "owner" in cls else kind.name))
    return found
