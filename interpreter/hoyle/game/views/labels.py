"""Words and looks of a game's things in a language: labels by name space, and the names that pictures need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from hoyle.game.compiled import Compiled
from hoyle.game.pieces import PieceFace, list_piece_faces
from hoyle.game.views.view import View
from hoyle.language.model import Family, PieceKind, Ruleset, Table, Words
from hoyle.language.value_types import SIDES, Row, ValueType
from hoyle.pictures.names import Names, PieceLook
from hoyle.pictures.picture import WIDTH, draw_picture
from hoyle.pictures.pieces import Lit
from hoyle.pictures.shapes import FIGURES, PATHS, SUITS
from hoyle.pictures.theme import LIGHT, Theme
from hoyle.running.naming import in_language


class _Named(Protocol):
    @property
    def words(self) -> Words: ...


def make_labels(rules: Ruleset, lang: str) -> dict[str, dict[str, str]]:
    """Return words by name space and name.

    Name spaces are sections (`piles`), `seats` (with sides), and entries inside others by path: rows of a table
    (`tables/suits`), choices of an option (`options/suit_rule`), conditions of a move (`moves/lay`)."""
    sections: dict[str, Mapping[str, _Named]] = {
        "options": rules.options,
        "pieces": rules.pieces,
        "piles": rules.piles,
        "state": {**rules.state, **rules.display.values},
        "moves": rules.moves,
        "obligations": rules.obligations,
        "whenever": rules.whenever,
        "phases": {name: phase for (name, _), phase in rules.phases.items()},
    }
    sides = rules.tables[SIDES].words if SIDES in rules.tables else {}
    spaces: dict[str, Iterable[tuple[str, Words]]] = {
        "seats": {**sides, **rules.seat_words}.items(),
        **{section: [(name, e.words) for name, e in entries.items()] for section, entries in sections.items()},
        **{f"tables/{name}": table.words.items() for name, table in rules.tables.items()},
        **{f"options/{o.name}": zip(o.choices, o.choice_words, strict=True) for o in rules.options.values()},
        **{f"moves/{name}": [(c.name, c.words) for c in move.conditions] for name, move in rules.moves.items()},
    }
    return {space: {n: in_language(words, lang, n) for n, words in named} for space, named in spaces.items()}


def key_name_spaces(rules: Ruleset) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Return, for each family of piles or state, the name spaces of its keys' members."""
    piles = {name: (found.each,) for name, found in rules.piles.items() if found.each is not None}
    state = {name: found.keys for name, found in rules.state.items()}
    shown = {name: (value.loop.var.type,) for name, value in rules.display.values.items() if value.loop is not None}
    keys: dict[str, tuple[ValueType, ...]] = {**piles, **state, **shown}
    return {name: tuple(_name_spaces(value_type, rules) for value_type in types) for name, types in keys.items()}


def _name_spaces(value_type: ValueType, rules: Ruleset) -> tuple[str, ...]:
    match value_type.name:
        case "player" | "pair":
            return ("seats",)
        case "row":
            return ("seats",) if value_type == rules.side else (f"tables/{value_type.table}",)
        case "choice":
            return (f"options/{value_type.option}",)
        case "piece":
            attributes = rules.pieces[value_type.of].attributes.values()
            return tuple(space for attribute in attributes for space in _name_spaces(attribute, rules))
    return ()


_STACKED = ("down", "top seen", "top up")
"""Faces of piles of which only the top may be seen."""
DICE = tuple("123456")


def draw_state(
    game: Compiled,
    seen: View,
    lang: str,
    theme: Theme | None = None,
    width: int = WIDTH,
    height: int | None = None,
    lit: Lit = frozenset(),
) -> str:
    """Draw a view as SVG."""
    return draw_picture(seen, picture_names(game, lang), theme or LIGHT, width, height, lit)


def picture_names(game: Compiled, lang: str) -> Names:
    """Return the names that pictures of a game need. Made once for a language."""
    return game.cached(("picture", lang), lambda: _make_names(game, lang))


def _make_names(game: Compiled, lang: str) -> Names:
    rules = game.ruleset
    families, hints = rules.piles, rules.display.piles
    shapes = list(_make_looks(game, lang))
    return Names(
        seats=game.seats,
        labels=make_labels(rules, lang),
        keys=key_name_spaces(rules),
        faces={shape.sign: shape for shape in shapes},
        symbols={f"tables/{table.name}": _symbols(table, lang) for table in rules.tables.values()},
        stacks=frozenset(name for name, family in families.items() if _is_stacked(family, rules)),
        hands=frozenset(name for name, family in families.items() if family.face == "owner"),
        middle=frozenset(name for name, hint in hints.items() if hint.middle),
        holds={name: shapes[rules.pieces[family.holds].base].shape for name, family in families.items()},
        cubes=_cubes(rules),
        title=in_language(rules.title, lang, rules.name),
        lang=lang,
    )


def _cubes(rules: Ruleset) -> frozenset[str]:
    """Return the numbers that are shown as a cube, which a seat may hold."""
    state, values = rules.display.state, rules.display.values
    types = {name: rules.state[name].type for name, hint in state.items() if hint.holder}
    types |= {name: hint.value.type for name, hint in values.items() if hint.holder}
    return frozenset(name for name, value_type in types.items() if value_type.name == "number")


def _is_stacked(family: Family, rules: Ruleset) -> bool:
    hint = rules.display.piles.get(family.name)
    if hint is not None and hint.spread is not None:
        return not hint.spread
    return family.face in _STACKED and not family.has_columns


def _symbols(table: Table, lang: str) -> dict[str, str]:
    """Return the symbols of the rows that have signs."""
    signs = table.signs or [""] * len(table.rows)
    return {
        row: in_language(table.symbols.get(row, {}), lang, sign) for row, sign in zip(table.rows, signs, strict=True)
    }


def _make_looks(game: Compiled, lang: str) -> Iterator[PieceLook]:
    classes = (rows for kind in game.ruleset.pieces.values() for rows in kind.classes)
    for face, kind, rows in zip(list_piece_faces(game, lang), game.namer.piece_kinds, classes, strict=True):
        yield _make_look(game, face, kind, rows, lang)


def _make_look(game: Compiled, face: PieceFace, kind: PieceKind, rows: dict[str, int], lang: str) -> PieceLook:
    rules = game.ruleset
    tables = {name: rules.tables[of.table] for name, of in kind.attributes.items() if isinstance(of, Row)}
    names = {name: table.rows[rows[name]] for name, table in tables.items()}
    parts = [_symbols(table, lang)[names[name]] for name, table in tables.items()]
    said = [in_language(table.words[names[name]], lang, names[name]) for name, table in tables.items()]
    owner = [in_language(rules.seat_words[face.colour], lang, face.colour)] if "owner" in kind.attributes else []
    of = [] if tables else [in_language(kind.words, lang, kind.name)]
    hinted = [rules.display.looks.figures.get(table.name, {}).get(names[name], "") for name, table in tables.items()]
    suits = [SUITS.get(part, hint) for part, hint in zip(parts, hinted, strict=True)]
    return PieceLook(
        face.sign,
        face.text,
        " ".join([*of, *said, *owner]),
        rules.display.looks.shapes.get(kind.name) or _default_shape(tables),
        tuple(part or words for part, words in zip(parts, said, strict=True)),
        next((hint for hint in hinted if hint.isdecimal() or hint in FIGURES), next(filter(str.isdecimal, parts), "")),
        next((suit for suit in suits if suit in PATHS), ""),
        face.colour,
    )


def _default_shape(tables: dict[str, Table]) -> str:
    """Return `disc` for pieces without rows, `die` for the numbers 1 to 6, else `card`."""
    if not tables:
        return "disc"
    signs = [table.signs for table in tables.values()]
    return "die" if len(signs) == 1 and signs[0] is not None and tuple(signs[0]) == DICE else "card"
