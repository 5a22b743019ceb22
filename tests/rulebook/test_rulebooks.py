"""Rulebooks of the shipped games: what a reader needs is there, in his language, and nothing of the language rules are written in."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from games import FEW, game, loaded, names
from msgspec.structs import replace
from tiers import in_tiers
from wording import foreign

from interpreter import Game, load
from interpreter.diagnostics import Refused
from interpreter.game.moves import Move
from interpreter.language.ir import Var
from interpreter.language.kinds import Row
from interpreter.language.sentences import LANGUAGES
from interpreter.prose.speech import say, sentence
from interpreter.rulebook.book import book
from interpreter.rulebook.course import Course, every_line
from interpreter.rulebook.document import (
    Block,
    Book,
    Entries,
    Entry,
    Figure,
    Grid,
    Heading,
    Paragraph,
    Rules,
    anchor,
    every,
)
from interpreter.rulebook.duties import told_duty, told_move
from interpreter.rulebook.positions import opened
from interpreter.rulebook.tables import LONGEST_CELL
from interpreter.rulebook.telling import say as rulebook_words
from interpreter.rulebook.telling import telling
from interpreter.rulebook.writing import markdown, pdf

KEPT = Path(__file__).parent / "books"
LONGEST = 620
FEWEST_SENTENCES = 4
_HYPHEN = r"(?<![\w−–-])-\d"
BADLY_SET = {"en": re.compile(_HYPHEN), "fr": re.compile(rf"{_HYPHEN}|\w[;?!](?!\w)")}
"""A hyphen for a minus, and in French no space before a mark that takes one."""
LONGEST_GAME = 300
ALL = [(name, lang) for name, _ in names() for lang in LANGUAGES]
SOME = [(name, lang) for name in FEW[:3] for lang in LANGUAGES]
IN_TIERS = in_tiers(ALL, SOME[:1], SOME)


@cache
def told(name: str, lang: str) -> Book:
    return book(game(name), lang, pictures=False)


def texts(found: Book) -> Iterator[str]:
    """All that a book says, without titles of works: these are in the language they are written in."""
    yield found.lead
    for section in found.sections:
        yield section.title
        for block in section.blocks:
            if not (section.anchor == "sources" and isinstance(block, Paragraph)):
                yield from _texts(block)


def _texts(block: Block) -> Iterator[str]:
    match block:
        case Paragraph(text=text) | Heading(text=text):
            yield text
        case Entries(items=items, exact=exact):
            for entry in (*items, *exact):
                yield from _of_entry(entry)
        case Rules(items=items):
            for entry in items:
                yield from _of_entry(entry)
        case Grid(title=title, heads=heads, rows=rows):
            yield from (title, *heads, *(cell for row in rows for cell in row))
        case Figure(rows=rows, caption=caption):
            yield from (caption, *(cell for row in rows for cell in row))


def _of_entry(entry: Entry) -> Iterator[str]:
    yield from (entry.head, entry.text, *(cite.words for cite in entry.cites))
    for inner in (*entry.inside, *entry.exact):
        yield from _of_entry(inner)


def entries(found: Book) -> Iterator[Entry]:
    for section in found.sections:
        for block in section.blocks:
            if isinstance(block, Entries | Rules):
                for entry in block.items:
                    yield from every(entry)


def grids(found: Book) -> list[Grid]:
    return [block for section in found.sections for block in section.blocks if isinstance(block, Grid)]


@pytest.mark.parametrize(("name", "lang"), IN_TIERS)
def test_a_book_is_words_and_nothing_else(name: str, lang: str) -> None:
    found = told(name, lang)
    said = list(texts(found))
    titles = sorted(game(name).ruleset.title.values(), key=len, reverse=True)  # a game may be called in English
    called = re.compile("|".join(map(re.escape, titles)))
    assert [text for text in said if foreign(called.sub("", text), lang)] == []
    assert [text for text in said if BADLY_SET[lang].search(called.sub("", text))] == []
    summary = game(name).ruleset.summary.values()  # may have up to eight sentences
    assert [text for text in said if len(text) > LONGEST and text not in summary] == []


@pytest.mark.parametrize(("name", "lang"), IN_TIERS)
def test_no_part_of_a_book_is_empty_and_no_link_leads_nowhere(name: str, lang: str) -> None:
    found = told(name, lang)
    assert {"players", "material", "layout", "course", "sources"} <= {s.anchor for s in found.sections}
    assert all(entry.text.strip(" :.") or entry.head for entry in entries(found))
    assert not [entry for entry in entries(found) if entry.text.endswith(":") and not (entry.inside or entry.link)]
    plain = [[b for b in s.blocks if not isinstance(b, Entries) or b.items] for s in found.sections]
    assert all(plain)
    written = markdown(found)
    anchors = re.findall(r'<a id="([^"]*)">', written)
    assert len(anchors) == len(set(anchors))
    assert set(re.findall(r"\]\(#([^)]*)\)", written)) <= set(anchors)


@pytest.mark.parametrize(("name", "lang"), IN_TIERS)
def test_no_clause_is_told_twice(name: str, lang: str) -> None:
    """Nor what a rule in force says of itself: there, links to the clause lead to the rule. What sums the game up may say it, too."""
    whole = told(name, lang)
    found = replace(whole, sections=tuple(s for s in whole.sections if s.anchor != "summary"))
    clauses = [entry.text for entry in entries(found) if entry.anchor.startswith("clause-")]
    assert len(clauses) == len(set(clauses))
    plain = [entry.text for entry in entries(found) if not entry.anchor.startswith("option-")]
    assert [words for words in clauses if plain.count(words) > 1] == []


@pytest.mark.parametrize(("name", "lang"), IN_TIERS)
def test_rules_with_sentences_are_told_by_them(name: str, lang: str) -> None:
    """All of them, where they come up first. What their formulas say once more stands apart, and only there."""
    found, force = told(name, lang), telling(game(name), lang).force
    rules = [entry for entry in entries(found) if entry.anchor.startswith(("move-", "obligation-", "whenever-"))]
    expected = {anchor("move", one) for one in force.moves} | {anchor("obligation", one) for one in force.obligations}
    assert sorted(rule.anchor for rule in rules if not rule.anchor.startswith("whenever-")) == sorted(expected)
    assert all(rule.text or rule.head for rule in rules)
    formulas = {
        entry.text for rule in rules for entry in rule.exact if entry.head or rule.anchor.startswith("obligation")
    }
    assert [entry.text for rule in rules for entry in every(rule) if entry.text in formulas] == []
    usual, precise = markdown(found), markdown(found, precise=True)
    assert len(usual) <= len(precise)
    assert set(re.findall(r"\]\(#([^)]*)\)", precise)) <= set(re.findall(r'<a id="([^"]*)">', precise))


@pytest.mark.parametrize(("name", "lang"), IN_TIERS)
def test_cells_of_tables_are_short(name: str, lang: str) -> None:
    assert [
        cell for grid in grids(told(name, lang)) for row in grid.rows for cell in row[1:] if len(cell) > LONGEST_CELL
    ] == []


@pytest.mark.parametrize(("name", "lang"), IN_TIERS)
def test_a_book_begins_with_its_aim_and_examples_have_titles(name: str, lang: str) -> None:
    found = told(name, lang)
    first = found.sections[0]
    assert first.anchor in ("summary", "aim")
    assert all(block.items for block in first.blocks if isinstance(block, Entries))
    titles = [b.text for s in found.sections if s.anchor == "examples" for b in s.blocks if isinstance(b, Heading)]
    assert [title for title in titles if re.fullmatch(r"\w+ \d+\W*|[A-Z]\d+ .*", title)] == []


@pytest.mark.parametrize("name", in_tiers([name for name, _ in names()], ["crapette"], ["crapette", "cribbage-3p"]))
def test_what_is_done_is_told_by_a_clause_or_in_words_of_its_own(name: str) -> None:
    """A step that names no clause in force stands in the course of the game itself, unless it only writes something down."""
    by = telling(game(name), "en")
    course, said = Course(by, told_move, told_duty), set(texts(told(name, "en")))
    lines = [line for phase in course.order for line in every_line(course.steps(phase))]
    silent = [line for line in lines if line.at and line.verb and not set(line.at.split()) & set(by.clauses)]
    assert [line.text for line in silent if by.clauses and line.verb != "Set" and line.text not in said] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_general_words_are_told_where_they_occur(lang: str) -> None:
    tricks, none = (" ".join(texts(told(name, lang))) for name in ("barbu", "klondike"))
    meaning = rulebook_words("words.trick", lang).split("\n")[2]
    assert meaning in tricks and meaning not in none


@pytest.mark.parametrize(("name", "lang"), IN_TIERS)
def test_tables_and_their_columns_have_names(name: str, lang: str) -> None:
    """Of its own each: what has none in a language would be called a line there, and all columns the same."""
    tables = grids(told(name, lang))
    assert all(grid.title and all(grid.heads) for grid in tables)
    assert [grid.title for grid in tables if len(set(grid.heads)) < len(grid.heads)] == []
    line = sentence(say("noun.row", lang))
    assert [grid.title for grid in tables if line in grid.heads] == []


@pytest.mark.parametrize(
    ("name", "material"), [("garanguet", "30 checkers, 3 dice"), ("yams", "5 dice"), ("klondike", "52 cards")]
)
def test_what_is_thrown_is_counted_as_it_is_thrown(name: str, material: str) -> None:
    assert told(name, "en").facts[-1][1] == material


@pytest.mark.parametrize(
    ("name", "lang", "there", "gone"),
    [
        ("klondike", "en", "(column 7, on top: 4♠)", "4♠: black"),
        ("klondike", "fr", "(colonne 7, sur le dessus : 4♠)", "4♠ : noir"),
        ("garanguet", "en", "(with this move 8, at best 10)", ", in all:"),
        ("gin-rummy", "en", "or “lay the rest”. The knocker may not be left", "(knocker:"),
    ],
)
def test_a_refused_move_tells_what_people_at_a_table_see(name: str, lang: str, there: str, gone: str) -> None:
    """And nothing else that the program looks at: how many lie somewhere, who is who, what was agreed."""
    said = [text.replace("\u00a0", " ").replace("\u202f", " ") for text in texts(told(name, lang))]
    assert any(there in text for text in said)
    assert not any(gone in text for text in said)


def test_what_is_worked_out_at_the_end_is_told_in_its_parts() -> None:
    texts_of = [entry.text for entry in entries(told("barbu-ammoun", "en"))]
    assert "B +25, trumps" in texts_of and "B +5 doubles" in texts_of


@pytest.mark.parametrize(("name", "lang"), IN_TIERS)
def test_a_move_is_told_at_the_step_that_offers_it(name: str, lang: str) -> None:
    """So that nobody has to look for it: by its name and its sentence, and elsewhere by a link."""
    course = next(s for s in told(name, lang).sections if s.anchor == "course")
    steps = [
        entry for block in course.blocks if isinstance(block, Entries) for item in block.items for entry in every(item)
    ]
    assert [entry for entry in steps if entry.anchor.startswith("move-")]
    assert [entry.head for entry in steps if entry.link.startswith("move-") and entry.text] == []


SUMMED_UP = """ruleset: 1
game: summed-up
extends: klondike
title: Summed up
summary: {en: A patience with one pack. It is hard., fr: Une patience avec un jeu. Elle est difficile.}
glossary:
  pile: {en: "Pile: cards that lie on each other.", fr: "Tas : des cartes posées l'une sur l'autre."}
"""


@pytest.mark.parametrize(
    ("lang", "first", "word"),
    [
        ("en", ["A patience with one pack.", "It is hard."], "Pile"),
        ("fr", ["Une patience avec un jeu.", "Elle est difficile."], "Tas"),
    ],
)
def test_what_an_author_sums_up_and_explains_is_told(lang: str, first: list[str], word: str, tmp_path: Path) -> None:
    place = tmp_path / "summed-up.yaml"
    place.write_text(SUMMED_UP, encoding="utf-8")
    found = book(load(str(place)), lang, False)
    assert found.sections[0].anchor == "summary"
    assert found.sections[0].blocks == (Entries(tuple(Entry(text) for text in first)),)
    words = next(s for s in found.sections if s.anchor == "glossary")
    assert word in [entry.head for block in words.blocks if isinstance(block, Entries) for entry in block.items]


@pytest.mark.parametrize(("name", "lang"), IN_TIERS)
def test_a_game_is_summed_up_before_anything_else(name: str, lang: str) -> None:
    """In a few sentences of its author, or of that of the game it is a variant of."""
    first = told(name, lang).sections[0]
    assert first.anchor == "summary"
    assert sum(len(block.items) for block in first.blocks if isinstance(block, Entries)) >= FEWEST_SENTENCES


@pytest.mark.parametrize(("name", "lang"), IN_TIERS)
def test_words_that_a_ruleset_explains_have_a_meaning(name: str, lang: str) -> None:
    """`Word: meaning`, so that the one can head the other; and no word is explained twice."""
    words = [found.get(lang, "").partition(":") for found in game(name).ruleset.glossary.values()]
    assert [word for word in words if not (word[0].strip() and word[2].strip())] == []
    heads = [word[0].strip().casefold() for word in words]
    assert len(heads) == len(set(heads))


def test_only_what_is_in_force_is_told() -> None:
    usual, agreed = (markdown(book(loaded("klondike", take_back=given), "en", False)) for given in (False, True))
    assert "foundation-to-column" not in usual and "clause-K9" not in usual
    assert "foundation-to-column" in agreed and "clause-K9" in agreed
    assert "Played here otherwise than usual: may cards come back from the foundations (yes)." in agreed
    assert "Yes, instead of the usual no" in agreed


def test_examples_are_those_of_the_options_in_force() -> None:
    usual, agreed = (book(loaded("klondike", scoring=given), "en", False) for given in ("cards", "standard"))
    assert "The standard score" not in set(texts(usual))
    assert "card turned up" in " ".join(texts(agreed)).lower()


IN_EXAMPLES = [
    ("piquet", "B — A♠, 10♠, 9♠, 8♠, A♥, 10♥, 9♥, 8♥, A♣, 10♣, 9♣, 8♣", "B — A♠"),
    ("barbu-ammoun", "B: no tricks, no queens, no king of hearts, réussite", "B & no tricks"),
    ("cribbage", "A: lay 3♥, then B: lay 2♦, then A: lay 6♣, then B: lay 7♠, then A: lay 4♥.", "Nobody has to think of these: they take effect as soon as they can."),
    ("gin-rummy", "To put away a card of one's own.", "To put a card away; in a trick, to play one that is neither of the suit led nor a trump."),
    ("golf", "As told above:", "So many times: 1."),
]  # fmt: skip


@pytest.mark.parametrize(("name", "there", "gone"), IN_EXAMPLES)
def test_what_belongs_together_is_told_together_and_nothing_for_form_alone(name: str, there: str, gone: str) -> None:
    found = set(texts(told(name, "en")))
    assert there in found
    assert gone not in found


CHIPS = """\
ruleset: 1
game: chips
extends: hearts
title: Chips
state:
  chips: {each: player, range: 0..999, starts: 100, en: chips, fr: jetons}
  pool: {range: 0..99, starts: 12, renewed: deal, en: pool, fr: cagnotte}
  hand_number: {range: 1..99, en: number of the hand}
clauses: {HE13: {en: "At {target} it ends.", fr: "À {target}, c'est fini."}, HE10: {if: moon is shooter_chooses}}
"""


@pytest.mark.parametrize(
    ("lang", "own", "anew", "end"),
    [
        ("en", "Chips of each player: 100 at the start.", "Pool: 12 at the start of each deal.", "At 50 it ends."),
        (
            "fr",
            "Jetons de chaque joueur : 100 au départ.",
            "Cagnotte : 12 au début de chaque donne.",
            "À 50, c'est fini.",
        ),
    ],
)
def test_what_the_state_starts_with_and_options_settle_is_told(
    lang: str, own: str, anew: str, end: str, tmp_path: Path
) -> None:
    (tmp_path / "chips.yaml").write_text(CHIPS, encoding="utf-8")
    found = book(load(tmp_path / "chips.yaml", {"target": 50}), lang, pictures=False)
    said = [text.replace("\u00a0", " ").replace("\u202f", " ") for text in texts(found)]
    assert {own, anew, end} <= set(said)
    assert not any("umber of the hand" in text or "[HE10]" in text for text in said)


@pytest.mark.parametrize("name", ["klondike", "cribbage"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_kept_books(name: str, lang: str) -> None:
    """After a wanted change, run with UPDATE_GOLDEN=1 and read the difference."""
    place, written = KEPT / f"{name}.{lang}.md", markdown(told(name, lang))
    if os.environ.get("UPDATE_GOLDEN"):
        place.write_text(written, encoding="utf-8")
    assert written == place.read_text(encoding="utf-8")


def test_a_book_on_paper() -> None:
    page = Book(
        "b",
        "A book",
        "en",
        "",
        (),
        (),
        words=tuple((key, key) for key in ("contents", "made", "exactly", "once_more", "colon")),
    )
    assert pdf(page).startswith(b"%PDF-")


@pytest.mark.parametrize("name", ["backgammon", "plakoto"])
def test_rows_of_a_numbered_board_are_called_as_the_moves_beside_them(name: str) -> None:
    """Every place that a move leaves stands in the table above it, by the number of whoever makes it."""
    examples = markdown(told(name, "en")).partition('<a id="examples">')[2].partition('<a id="options">')[0]
    for example in examples.split("### ")[1:]:
        rows = [int(found) for found in re.findall(r"^\| Point (\d+) \|", example, re.MULTILINE)]
        first = next((line for line in example.splitlines() if re.match(r"- \w+ (?:may:|has only one move)", line)), "")
        assert {int(found) for found in re.findall(r"\(point (\d+) →", first)} <= set(rows)


LEFT_OUT = [
    ("coinchee", {}, ["capot"], ["générale", "Points when all are trumps", "Points without trumps"]),
    ("coinchee", {"generale": True, "no_trumps": True}, ["générale", "Points without trumps"], ["Points when all are trumps"]),
    ("fevga", {}, ["a double game"], []),
    ("fevga", {"double_game": False}, [], ["a double game"]),
    ("plakoto", {"mother": "plain"}, ["a double game"], ["the mother"]),
    ("cribbage-61", {}, ["skunk"], ["double skunk"]),
    ("president", {"players": 3}, ["scum"], ["vice-scum"]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "options", "there", "gone"), LEFT_OUT)
def test_tables_have_only_rows_and_columns_in_force(
    name: str, options: dict[str, Any], there: list[str], gone: list[str]
) -> None:
    found = book(loaded(name, options), "en", pictures=False)
    said = {cell for grid in grids(found) for cell in (*grid.heads, *(row[0] for row in grid.rows))}
    assert set(there) <= said and not said & set(gone)


def test_examples_say_nothing_of_what_the_options_rule_out() -> None:
    usual, agreed = (markdown(book(loaded("coinchee", no_trumps=no), "en", False)) for no in (False, True))
    usual, agreed = (
        text.partition('<a id="examples">')[2].partition('<a id="options">')[0] for text in (usual, agreed)
    )
    assert "no trumps" in agreed and "no trumps" not in usual and "générale" not in agreed


CHOOSING = [
    "coinchee",
    "hearts",
    "president",
    "plakoto",
    "fevga",
    "backgammon",
    "barbu-salade",
    "cribbage-61",
    "piquet",
    "yams",
]
"""Games with tables of which rows are chosen, drawn or found in play."""


@pytest.mark.parametrize("name", in_tiers(CHOOSING, ["hearts"], ["hearts", "president"]))
def test_what_a_table_leaves_out_never_comes_up_in_play(name: str) -> None:
    """With the usual options and with each choice of each: no move and no value of the state is a row that books leave out."""
    for options in settings(name):
        played = loaded(name, options)
        gone = {(table, n) for table, rows in telling(played, "en").reach.gone.items() for n in rows}
        if gone:
            assert not gone & rows_in_play(played, {table for table, _ in gone}), options


def settings(name: str) -> Iterator[dict[str, Any]]:
    """The options as they are, and each choice of each."""
    yield {}
    for option in game(name).ruleset.options.values():
        for choice in (True, False) if option.kind.name == "bool" else option.choices:
            try:
                loaded(name, {option.name: choice})
            except Refused:
                continue
            yield {option.name: choice}


def rows_in_play(played: Game, tables: set[str]) -> set[tuple[str, int]]:
    """The rows of these tables that moves are bound to and that the state holds in a game of moves at random."""
    chance, state, found = Random(1), played.start(1), set[tuple[str, int]]()
    kept = [(f.kind, range(f.base, f.base + f.size)) for f in played.ruleset.state.values()]
    for _ in range(LONGEST_GAME):
        if state.is_over:
            break
        moves = state.moves()
        bound = [(var.kind, value) for move in moves for var, value in bindings(played, move)]
        held = [(kind, state.core.cells[cell]) for kind, cells in kept for cell in cells]
        found |= {
            (kind.table, value) for kind, value in (*bound, *held) if isinstance(kind, Row) and kind.table in tables
        }
        state = state.play(chance.choice(moves))
    return found


def bindings(played: Game, move: Move) -> Iterator[tuple[Var, int]]:
    meant = next(one for one in played.ruleset.moves.values() if one.number == move.action[0])
    yield from zip(meant.bindings, move.action[1:], strict=False)


def test_examples_are_drawn_with_open_hands() -> None:
    """What a position says of hands is seen, whoever is to act; what may be any card, and what lies face down for everybody, is not."""
    played, known, unknown, stock = game("gin-rummy"), 0, 0, 0
    for _, _, example in played.compiled.merged.root["examples"].entries():
        given = example["given"]
        if given.get("piles") is None or given.get("options") is not None:
            continue
        written = given["piles"]
        for pile in opened(given, played.position(given, 0)).piles:
            text = written.get(f"{pile.family} of {pile.owner}" if pile.owner else pile.family)
            if text is not None and pile.count == len(text.raw.split()) and pile.family in ("hand", "stock"):
                open_hand = pile.family == "hand" and "?" not in text.raw
                assert all((piece.sign is not None) == open_hand for piece in pile.pieces), text.raw
                known, stock = known + open_hand, stock + (pile.family == "stock")
            elif text is not None and text.raw == "?*10" and pile.count == 10:
                assert all(piece.sign is None for piece in pile.pieces)
                unknown += 1
    assert known and unknown and stock


@pytest.mark.parametrize(
    ("lang", "row"),
    [
        ("en", "| Column 2 | face down: 2♦; face up: 7♣ |"),
        ("fr", "| Colonne 2 | face cachée : 2♦ ; face visible : 7♣ |"),
    ],
)
def test_what_lies_face_down_among_others_is_told(lang: str, row: str) -> None:
    assert row in markdown(told("klondike", lang)).replace("\u00a0", " ").replace("\u202f", " ")
