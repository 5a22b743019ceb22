"""How things look on a terminal: pieces, backs, widths, colours, and the words of a game in the user's language."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from hoyle.game.views.labels import key_name_spaces
from hoyle.presentation.catalogue import lang, t
from hoyle.presentation.terminal import has_colours, has_unicode
from hoyle.printable import printable, width
from hoyle.reading.tree import STEPS_INSIDE, texts_of
from hoyle.running.naming import in_language

if TYPE_CHECKING:
    from hoyle.game.game import Game
    from hoyle.game.pieces import PieceFace
    from hoyle.reading.tree import Node
    from hoyle.view_data import PieceView


_COLOURS = {"red": "31", "green": "32", "yellow": "33", "blue": "34", "magenta": "35", "cyan": "36"}
_STYLES = {"title": "1", "dim": "2", "mine": "1;32", "number": "1;36", "warn": "33"}
_SEATS = ("1;33", "1;36", "1;35", "1;32", "1;34")
MANY_BACKS = 3
"""More hidden pieces in a row than this are counted."""


Place = tuple[str, "str | None", "str | None", "int | None"]
"""A pile: its family, owner, member and number."""


class PieceSet(Struct, frozen=True):
    """The pieces of a game: faces by text, a pattern that finds them in sentences, and the order of signs in a hand. `held` overrides that order."""

    written: Mapping[str, PieceFace] = {}
    words: re.Pattern[str] = re.compile(r"(?!)")
    places: Mapping[str, tuple[int, ...]] = {}
    held: Mapping[str, int] = {}


def make_piece_set(faces: Iterable[PieceFace]) -> PieceSet:
    known = list(faces)
    drawn = [face for face in known if face.colour or face.text != face.sign]
    written = {text: face for face in drawn for text in (face.text, face.sign)}
    any_of = "|".join(re.escape(text) for text in sorted(written, key=len, reverse=True)) or "(?!)"
    return PieceSet(written, re.compile(rf"(?<![\w-])(?:{any_of})(?![\w-])"), {face.sign: face.place for face in known})


class Look(Struct, frozen=True):
    """Capabilities of the terminal and the words of a game.

    `labels` has the words by name space (`piles`, `seats`, `tables/suits`), `keys` the name spaces of the members of each family, `marks` the
    letters of seats on their pieces. Piles in `changed` are marked. `plain` describes everything in words, for screen readers.

    """

    width: int = 80
    height: int | None = None
    unicode: bool = True
    colour: bool = False
    labels: Mapping[str, Mapping[str, str]] = {}
    keys: Mapping[str, Sequence[Sequence[str]]] = {}
    marks: Mapping[str, str] = {}
    pieces: PieceSet = PieceSet()
    lang: str = "en"
    you: str = "you"
    entry: str = "{name} {value}"
    changed: frozenset[Place] = frozenset()
    plain: bool = False
    spoken: Mapping[str, str] = {}
    """Names of pieces by sign, for `plain`."""
    arrow: str = "→"
    """Replacement for an arrow in a sentence."""

    def label(self, name: object, *spaces: str) -> str:
        """Return the words for a name in the first name space that has them, else the name."""
        known = (self.labels[space].get(str(name)) for space in spaces if space in self.labels)
        return printable(next(filter(None, known), str(name).replace("_", " ")))

    def seat(self, name: object) -> str:
        return self.label(name, "seats")

    def member(self, family: str, member: str) -> list[str]:
        """Return the words for each key of a member: two for `A of clubs`. Players of a pair are joined by a hyphen."""
        spaces = self.keys.get(family, ())
        keys = member.split(" of ")
        named = zip(keys, [*spaces, *[()] * (len(keys) - len(spaces))], strict=False)
        return ["-".join(self.label(word, *known) for word in key.split(" ")) for key, known in named]

    def ink(self, text: str, style: str) -> str:
        code = _STYLES.get(style) or _COLOURS.get(style) or self._seat(style)
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and code and text else text

    def _seat(self, name: str) -> str:
        seats = list(self.marks)
        return _SEATS[seats.index(name) % len(_SEATS)] if name in seats else ""

    def sign(self, fancy: str, bare: str) -> str:
        return fancy if self.unicode else bare

    @property
    def back(self) -> str:
        return self.ink(self.sign("▒▒", "##"), "dim")

    @property
    def empty(self) -> str:
        return self.ink(self.sign("·", "."), "dim")


def shorten_names(names: Mapping[str, str]) -> dict[str, str]:
    """Map keys to the shortest capitalised prefix that is unique."""
    found = {}
    for key, name in names.items():
        others = [other.casefold() for k, other in names.items() if k != key]
        lengths = (n for n in range(1, len(name)) if not any(o.startswith(name[:n].casefold()) for o in others))
        found[key] = name[: next(lengths, len(name))].capitalize()
    return found


def pad(text: str, columns: int) -> str:
    return text + " " * (columns - width(text))


def cut_text(text: str, columns: int) -> str:
    """Shorten a text to a number of columns; `~` marks the cut."""
    if width(text) <= columns:
        return text
    while width(text) > columns - 1:
        text = text[:-1]
    return text + "~"


def draw_piece(piece: PieceView, look: Look) -> str:
    """Draw a piece by its sign, with symbols and colour if the terminal has them, or its back."""
    if piece.sign is None:
        return look.back
    sign = printable(piece.sign)
    known = look.pieces.written.get(sign)
    if known is None or sign in look.marks:
        return look.ink(look.marks.get(sign, sign), piece.colour)
    return _draw_face(known, look)


def draw_text(text: str, look: Look) -> str:
    """Draw the pieces in a sentence as on the table."""
    known, text = look.pieces, printable(text).replace("→", look.arrow)

    def drawn(word: re.Match[str]) -> str:
        follows = bool(look.spoken) and text[word.end() :][:1] == " " and known.words.match(text, word.end() + 1)
        return _draw_face(known.written[word[0]], look) + "," * bool(follows)

    return known.words.sub(drawn, text)


def draw_plain_text(text: str, look: Look) -> str:
    """Draw a sentence without colour codes, so that it can be wrapped."""
    return draw_text(text, replace(look, colour=False))


def _draw_face(piece: PieceFace, look: Look) -> str:
    if piece.sign in look.spoken:
        return printable(look.spoken[piece.sign])
    return look.ink(printable(piece.text if look.unicode else piece.plain), piece.colour)


def draw_row(pieces: Sequence[PieceView], look: Look) -> list[str]:
    """Draw pieces side by side; many hidden ones become a count."""
    cells: list[str] = []
    for hidden, run in groupby(pieces, lambda piece: piece.sign is None):
        faces = [draw_piece(piece, look) for piece in run]
        cells += [format_count(look.back, len(faces), look)] if hidden and len(faces) > MANY_BACKS else faces
    return cells


def format_count(text: str, count: int, look: Look) -> str:
    return f"{text}{look.sign('×', 'x')}{count}"


def get_hand_order(sign: str, look: Look) -> tuple[int, ...]:
    """Return the sort key of a sign in a hand. Other words come last."""
    held = look.pieces.held.get(sign)
    return (1, *look.pieces.places.get(sign, (sys.maxsize,))) if held is None else (0, held)


def wrap_cells(cells: Sequence[str], columns: int, gap: str = " ") -> list[str]:
    """Join cells into lines of at most `columns`."""
    lines: list[str] = []
    for cell in cells:
        if lines and width(lines[-1]) + len(gap) + width(cell) <= columns:
            lines[-1] += gap + cell
        else:
            lines.append(cell)
    return lines


NARROW, WIDE = 40, 120


BELOW = 4
"""Lines of the terminal below a table, for the prompt and the line being typed."""


def make_look(game: Game, ascii_only: bool = False, plain: bool = False) -> Look:
    """Return the capabilities of this terminal for a game. With `plain`, everything is described in words."""
    words = collect_labels(game)
    look = Look(
        unicode=has_unicode() and not ascii_only,
        colour=has_colours(),
        labels=words,
        keys=key_name_spaces(game.ruleset),
        pieces=make_piece_set(game.pieces(lang())),
        marks=shorten_names({seat: printable(words["seats"][seat]) for seat in game.seats}),
        lang=lang(),
        you=t("table.you"),
        entry=t("table.entry"),
    )
    if plain:
        return _make_spoken_look(look, game)
    return fit_to_terminal(look)


def _make_spoken_look(look: Look, game: Game) -> Look:
    labels = {**look.labels, "contents": name_contents(game, look.lang)}
    spoken, arrow = name_pieces(game, look.lang), t("plain.arrow")
    return replace(look, plain=True, colour=False, width=ENDLESS, labels=labels, spoken=spoken, arrow=arrow)


def fit_to_terminal(look: Look) -> Look:
    """Update the size from the terminal. Output to files keeps the default width."""
    if look.plain or sys.stdout is None or not sys.stdout.isatty():
        return look
    size = shutil.get_terminal_size((80, 24))
    return replace(look, width=max(NARROW, min(size.columns, WIDE)), height=size.lines - BELOW)


def collect_labels(game: Game) -> dict[str, dict[str, str]]:
    """Return the names of a ruleset by name space, and those of steps by their path (`flow/turn`)."""
    found = game.labels(lang())
    for section, inside in (("flow", ""), ("moves", "/then")):
        node = game.merged.root.get(section)
        for name, _, entry in node.entries() if node is not None else ():
            steps = entry.get("then") if inside else entry
            for space, step, words in (
                _find_step_labels(f"{section}/{name}{inside}", steps) if steps is not None else ()
            ):
                found.setdefault(space, {})[step] = words
    return found


def _find_step_labels(space: str, node: Node) -> Iterator[tuple[str, str, str]]:
    """Yield path, name and label of each step."""
    for name, _, entry in node.entries() if node.kind == "map" else ():
        if entry.kind != "map":
            continue
        yield space, name, in_language(texts_of(entry), lang(), name)
        for key in STEPS_INSIDE:
            inner = entry.get(key)
            if inner is not None:
                yield from _find_step_labels(f"{space}/{name}", inner)


ENDLESS = 10_000
"""Width that never wraps; the screen reader breaks lines."""


def name_pieces(game: Game, lang: str) -> dict[str, str]:
    """Return the spoken names of pieces that are written with symbols, such as `seven of hearts`."""
    tables, known = (
        game.labels(lang),
        {face.sign for face in game.pieces(lang) if face.text != face.sign or face.colour},
    )
    found, namer = dict[str, str](), game.compiled.namer
    for sign, kind, number in zip(namer.signs, namer.piece_kinds, range(len(namer.signs)), strict=True):
        rows = kind.classes[number - kind.base]
        names = [(of, rows[name]) for name, of in kind.attributes.items() if of.name == "row"]
        parts = [tables[f"tables/{of.table}"][game.ruleset.tables[of.table].rows[row]] for of, row in names]
        if parts and sign in known:
            found[sign] = _join_piece_words(parts)
    return found


def name_contents(game: Game, lang: str) -> dict[str, str]:
    """Return the words for the kind of piece in each family of piles."""
    rules = game.ruleset
    kinds = {name: rules.pieces[family.holds] for name, family in rules.piles.items() if family.holds in rules.pieces}
    return {name: in_language(kind.words, lang, kind.name) for name, kind in kinds.items()}


def _join_piece_words(parts: Sequence[str]) -> str:
    first, *others = parts
    for other in others:
        first = t(
            "plain.piece" if not re.match("[aeiouhâéèêœ]", other) else "plain.piece_vowel", first=first, second=other
        )
    return first
