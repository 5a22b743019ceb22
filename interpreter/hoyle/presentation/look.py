"""How small things look on a terminal: pieces, backs, widths, colours. Nothing here knows a game."""

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
from hoyle.presentation.terminal import colours, unicode_terminal
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
MANY = 3  # so many backs in a row are counted instead of drawn


Place = tuple[str, "str | None", "str | None", "int | None"]
"""Which pile: its family, owner, member and number."""


class Pieces(Struct, frozen=True):
    """The pieces of a game: those with symbols or colours by how they may be `written`, what finds these `words` in a sentence, the
    `places` of all signs in a hand, and of those that who looks has `held`, as that hand is shown."""

    written: Mapping[str, PieceFace] = {}
    words: re.Pattern[str] = re.compile(r"(?!)")
    places: Mapping[str, tuple[int, ...]] = {}
    held: Mapping[str, int] = {}


def pieces_of(faces: Iterable[PieceFace]) -> Pieces:
    known = list(faces)
    drawn = [face for face in known if face.colour or face.text != face.sign]
    written = {text: face for face in drawn for text in (face.text, face.sign)}
    any_of = "|".join(re.escape(text) for text in sorted(written, key=len, reverse=True)) or "(?!)"
    return Pieces(written, re.compile(rf"(?<![\w-])(?:{any_of})(?![\w-])"), {face.sign: face.place for face in known})


class Look(Struct, frozen=True):
    """What the terminal can show, and the game's words in the user's language.

    `labels` are those words by name space (`piles`, `seats`, `tables/suits`, …), `keys` the name spaces of the members of each family, by key;
    `marks` are the letters that stand for seats on their pieces, `pieces` how each sort of piece is written; `changed` are the piles that are
    marked, and `plain` says everything in words, one thing a line, for whoever listens to the screen.
    """

    width: int = 80
    height: int | None = None
    unicode: bool = True
    colour: bool = False
    labels: Mapping[str, Mapping[str, str]] = {}
    keys: Mapping[str, Sequence[Sequence[str]]] = {}
    marks: Mapping[str, str] = {}
    pieces: Pieces = Pieces()
    lang: str = "en"
    you: str = "you"
    entry: str = "{name} {value}"
    changed: frozenset[Place] = frozenset()
    plain: bool = False
    spoken: Mapping[str, str] = {}
    """What pieces are called, by their signs, where they are said rather than drawn."""
    arrow: str = "→"
    """How an arrow of a sentence is written, or what is said for it."""

    def label(self, name: object, *spaces: str) -> str:
        """The words for a name of the first of these name spaces that has them; else the name itself."""
        known = (self.labels[space].get(str(name)) for space in spaces if space in self.labels)
        return printable(next(filter(None, known), str(name).replace("_", " ")))

    def seat(self, name: object) -> str:
        return self.label(name, "seats")

    def member(self, family: str, member: str) -> list[str]:
        """What each key of a member of a family is called: of `A of plis` two; the two players of a pair belong together."""
        spaces = self.keys.get(family, ())
        keys = member.split(" of ")
        named = zip(keys, [*spaces, *[()] * (len(keys) - len(spaces))], strict=False)
        return ["-".join(self.label(word, *known) for word in key.split(" ")) for key, known in named]

    def ink(self, text: str, style: str) -> str:
        code = _STYLES.get(style) or _COLOURS.get(style) or self._seat(style)
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and code and text else text

    def _seat(self, name: str) -> str:
        """The colour of a seat's pieces."""
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


def initials(names: Mapping[str, str]) -> dict[str, str]:
    """Key → the shortest beginning of its name, in capitals, that no other name shares."""
    found = {}
    for key, name in names.items():
        others = [other.casefold() for k, other in names.items() if k != key]
        lengths = (n for n in range(1, len(name)) if not any(o.startswith(name[:n].casefold()) for o in others))
        found[key] = name[: next(lengths, len(name))].capitalize()
    return found


def pad(text: str, columns: int) -> str:
    return text + " " * (columns - width(text))


def cut(text: str, columns: int) -> str:
    """A plain text shortened to so many columns."""
    if width(text) <= columns:
        return text
    while width(text) > columns - 1:
        text = text[:-1]
    return text + "~"


def face(piece: PieceView, look: Look) -> str:
    """One piece: its sign, with symbols and in colour where that can be shown, or its back."""
    if piece.sign is None:
        return look.back
    sign = printable(piece.sign)
    known = look.pieces.written.get(sign)
    if known is None or sign in look.marks:
        return look.ink(look.marks.get(sign, sign), piece.colour)
    return _drawn(known, look)


def suited(text: str, look: Look) -> str:
    """A sentence with its pieces drawn as on the table."""
    known, text = look.pieces, printable(text).replace("→", look.arrow)

    def drawn(word: re.Match[str]) -> str:
        follows = bool(look.spoken) and text[word.end() :][:1] == " " and known.words.match(text, word.end() + 1)
        return _drawn(known.written[word[0]], look) + "," * bool(follows)

    return known.words.sub(drawn, text)


def without_colour(text: str, look: Look) -> str:
    """The same for lines that are yet to be broken."""
    return suited(text, replace(look, colour=False))


def _drawn(piece: PieceFace, look: Look) -> str:
    if piece.sign in look.spoken:
        return printable(look.spoken[piece.sign])
    return look.ink(printable(piece.text if look.unicode else piece.plain), piece.colour)


def row(pieces: Sequence[PieceView], look: Look) -> list[str]:
    """Pieces side by side; many backs that follow each other are one back and their number."""
    cells: list[str] = []
    for hidden, run in groupby(pieces, lambda piece: piece.sign is None):
        faces = [face(piece, look) for piece in run]
        cells += [times(look.back, len(faces), look)] if hidden and len(faces) > MANY else faces
    return cells


def times(text: str, count: int, look: Look) -> str:
    return f"{text}{look.sign('×', 'x')}{count}"


def in_hand(sign: str, look: Look) -> tuple[int, ...]:
    """Where a piece stands in a hand; what is none stands behind all."""
    held = look.pieces.held.get(sign)
    return (1, *look.pieces.places.get(sign, (sys.maxsize,))) if held is None else (0, held)


def wrap(cells: Sequence[str], columns: int, gap: str = " ") -> list[str]:
    """Cells joined into lines no wider than `columns`."""
    lines: list[str] = []
    for cell in cells:
        if lines and width(lines[-1]) + len(gap) + width(cell) <= columns:
            lines[-1] += gap + cell
        else:
            lines.append(cell)
    return lines


NARROW, WIDE = 40, 120


BELOW = 4
"""Lines of a terminal that are left below a table, for the prompt and what is typed there."""


def look_of(game: Game, ascii_only: bool = False, plain: bool = False) -> Look:
    """What this terminal can show of this game; `plain`: say of it."""
    words = labels_of(game)
    look = Look(
        unicode=unicode_terminal() and not ascii_only,
        colour=colours(),
        labels=words,
        keys=key_name_spaces(game.ruleset),
        pieces=pieces_of(game.pieces(lang())),
        marks=initials({seat: printable(words["seats"][seat]) for seat in game.seats}),
        lang=lang(),
        you=t("table.you"),
        entry=t("table.entry"),
    )
    if plain:
        return _said(look, game)
    return sized(look)


def _said(look: Look, game: Game) -> Look:
    """The look for who listens: nothing is drawn, no arrows either."""
    labels = {**look.labels, "contents": words_of_contents(game, look.lang)}
    spoken, arrow = words_of_pieces(game, look.lang), t("plain.arrow")
    return replace(look, plain=True, colour=False, width=ENDLESS, labels=labels, spoken=spoken, arrow=arrow)


def sized(look: Look) -> Look:
    """The look as large as the terminal is now; elsewhere there is one width for all."""
    if look.plain or sys.stdout is None or not sys.stdout.isatty():
        return look
    size = shutil.get_terminal_size((80, 24))
    return replace(look, width=max(NARROW, min(size.columns, WIDE)), height=size.lines - BELOW)


def labels_of(game: Game) -> dict[str, dict[str, str]]:
    """The names of the ruleset in the user's language by name space, and those of the steps by what they stand in (`flow/turn`)."""
    found = game.labels(lang())
    for section, inside in (("flow", ""), ("moves", "/then")):
        node = game.merged.root.get(section)
        for name, _, entry in node.entries() if node is not None else ():
            steps = entry.get("then") if inside else entry
            for space, step, words in _steps(f"{section}/{name}{inside}", steps) if steps is not None else ():
                found.setdefault(space, {})[step] = words
    return found


def _steps(space: str, node: Node) -> Iterator[tuple[str, str, str]]:
    """What a step stands in, its name, what people call it."""
    for name, _, entry in node.entries() if node.kind == "map" else ():
        if entry.kind != "map":
            continue
        yield space, name, in_language(texts_of(entry), lang(), name)
        for key in STEPS_INSIDE:
            inner = entry.get(key)
            if inner is not None:
                yield from _steps(f"{space}/{name}", inner)


ENDLESS = 10_000  # columns: whatever reads the lines out breaks them as it likes


def words_of_pieces(game: Game, lang: str) -> dict[str, str]:
    """Of each sign that is written with symbols what it is called: the words of its rows, `seven of hearts`."""
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
            found[sign] = _joined(parts)
    return found


def words_of_contents(game: Game, lang: str) -> dict[str, str]:
    """What is called what lies on each family of piles."""
    rules = game.ruleset
    kinds = {name: rules.pieces[family.holds] for name, family in rules.piles.items() if family.holds in rules.pieces}
    return {name: in_language(kind.words, lang, kind.name) for name, kind in kinds.items()}


def _joined(parts: Sequence[str]) -> str:
    first, *others = parts
    for other in others:
        first = t(
            "plain.piece" if not re.match("[aeiouhâéèêœ]", other) else "plain.piece_vowel", first=first, second=other
        )
    return first
