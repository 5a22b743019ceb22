"""Rulebooks of the shipped games: what a reader needs is there, in his language, and nothing of the language rules are written in."""

import hashlib
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from english import foreign, spaced
from games import game, loaded, names
from msgspec.structs import replace
from rules import load_rules, read_cases
from tiers import in_tiers, some_now

from hoyle import Game
from hoyle.diagnostics import Refused
from hoyle.game.moves.legal import Move
from hoyle.language.ir import Var
from hoyle.language.sentences import LANGUAGES
from hoyle.language.value_types import Row
from hoyle.prose.grammar import capitalize, say
from hoyle.rulebook.book import build_book
from hoyle.rulebook.context import build_context
from hoyle.rulebook.context import say as rulebook_words
from hoyle.rulebook.course import Course, walk_lines
from hoyle.rulebook.document import (
    Block,
    Book,
    Entries,
    Entry,
    Figure,
    Grid,
    Heading,
    Paragraph,
    Rules,
    make_anchor,
    walk_entries,
)
from hoyle.rulebook.formats import render_markdown, render_pdf
from hoyle.rulebook.positions import open_hands
from hoyle.rulebook.rule_entries import describe_move, describe_obligation
from hoyle.rulebook.tables import LONGEST_CELL

CASES = read_cases("rulebook/rulebooks")

KEPT = Path(__file__).parent / "books"
LONGEST = 620
FEWEST_SENTENCES = 4
_HYPHEN = r"(?<![\w−–-])-\d"
BADLY_SET = {"en": re.compile(_HYPHEN), "fr": re.compile(rf"{_HYPHEN}|\w[;?!](?!\w)")}
"""A hyphen for a minus, and in French no space before a mark that takes one."""
LONGEST_GAME = 150
ALL = [(name, lang) for name, _ in names() for lang in LANGUAGES]
SOME = [("klondike", "en"), ("cribbage", "fr"), ("barbu", "fr")]


@cache
def told(name: str, lang: str) -> Book:
    return build_book(game(name), lang, pictures=False)


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
                    yield from walk_entries(entry)


def grids(found: Book) -> list[Grid]:
    return [block for section in found.sections for block in section.blocks if isinstance(block, Grid)]


# ---- what holds of every book ----------------------------------------------------------------------------------------

Check = Callable[[Book, str, str], Iterable[object]]
"""Finds what is wrong in the book of a game in a language."""


def other_languages(found: Book, name: str, lang: str) -> Iterator[str]:
    """Words of another language, badly set signs, and paragraphs that are too long."""
    titles = sorted(game(name).ruleset.title.values(), key=len, reverse=True)  # a game may be called in English
    called = re.compile("|".join(map(re.escape, titles)))
    summary = game(name).ruleset.summary.values()  # may have up to eight sentences
    for text in texts(found):
        plain = called.sub("", text)
        if foreign(plain, lang) or BADLY_SET[lang].search(plain) or (len(text) > LONGEST and text not in summary):
            yield text


def empty_parts(found: Book, name: str, lang: str) -> Iterator[object]:
    yield from {"players", "material", "layout", "course", "sources"} - {s.anchor for s in found.sections}
    yield from (e for e in entries(found) if not (e.text.strip(" :.") or e.head))
    yield from (e for e in entries(found) if e.text.endswith(":") and not (e.inside or e.link))
    yield from (s for s in found.sections if not [b for b in s.blocks if not isinstance(b, Entries) or b.items])


def broken_links(found: Book, name: str, lang: str) -> Iterator[str]:
    for written in (render_markdown(found), render_markdown(found, precise=True)):
        anchors = re.findall(r'<a id="([^"]*)">', written)
        yield from (one for one, count in Counter(anchors).items() if count > 1)
        yield from set(re.findall(r"\]\(#([^)]*)\)", written)) - set(anchors)


def repeated_clauses(found: Book, name: str, lang: str) -> Iterator[str]:
    """A rule in force may not repeat its clause: links to the clause lead to the rule. The summary may."""
    rest = replace(found, sections=tuple(s for s in found.sections if s.anchor != "summary"))
    clauses = [entry.text for entry in entries(rest) if entry.anchor.startswith("clause-")]
    plain = Counter(entry.text for entry in entries(rest) if not entry.anchor.startswith("option-"))
    yield from (text for text in clauses if plain[text] > 1 or clauses.count(text) > 1)


def missing_rules(found: Book, name: str, lang: str) -> Iterator[object]:
    """Every rule in force is there with its sentence. Its formulas are apart, and only there."""
    force = build_context(game(name), lang).force
    rules = [entry for entry in entries(found) if entry.anchor.startswith(("move-", "obligation-", "whenever-"))]
    expected = {make_anchor("move", one) for one in force.moves} | {
        make_anchor("obligation", one) for one in force.obligations
    }
    told = [rule.anchor for rule in rules if not rule.anchor.startswith("whenever-")]
    yield from () if sorted(told) == sorted(expected) else (told,)
    yield from (rule for rule in rules if not (rule.text or rule.head))
    formulas = {e.text for rule in rules for e in rule.exact if e.head or rule.anchor.startswith("obligation")}
    yield from (entry.text for rule in rules for entry in walk_entries(rule) if entry.text in formulas)


def moves_away_from_their_steps(found: Book, name: str, lang: str) -> Iterator[object]:
    """A move is told by name and sentence at the step that offers it, and elsewhere by a link."""
    course = next(s for s in found.sections if s.anchor == "course")
    steps = [
        e for block in course.blocks if isinstance(block, Entries) for item in block.items for e in walk_entries(item)
    ]
    yield from () if any(e.anchor.startswith("move-") for e in steps) else (course,)
    yield from (entry.head for entry in steps if entry.link.startswith("move-") and entry.text)


def bad_tables(found: Book, name: str, lang: str) -> Iterator[object]:
    """Cells that are too long, and tables or columns without a name of their own."""
    line = capitalize(say("noun.row", lang))
    for grid in grids(found):
        yield from (cell for row in grid.rows for cell in row[1:] if len(cell) > LONGEST_CELL)
        if not (grid.title and all(grid.heads)) or len(set(grid.heads)) < len(grid.heads) or line in grid.heads:
            yield grid.title, grid.heads


def bad_beginnings(found: Book, name: str, lang: str) -> Iterator[object]:
    """A book begins with a summary of some sentences; examples have titles."""
    first = found.sections[0]
    sentences = [len(block.items) for block in first.blocks if isinstance(block, Entries)]
    if first.anchor != "summary" or not all(sentences) or sum(sentences) < FEWEST_SENTENCES:
        yield first
    titles = [b.text for s in found.sections if s.anchor == "examples" for b in s.blocks if isinstance(b, Heading)]
    yield from (title for title in titles if re.fullmatch(r"\w+ \d+\W*|[A-Z]\d+ .*", title))


def bad_glossary(found: Book, name: str, lang: str) -> Iterator[str]:
    """Entries are `Word: meaning`, and no word is explained twice."""
    words = [text.get(lang, "").partition(":") for text in game(name).ruleset.glossary.values()]
    yield from (word[0] for word in words if not (word[0].strip() and word[2].strip()))
    heads = Counter(word[0].strip().casefold() for word in words)
    yield from (head for head, count in heads.items() if count > 1)


def untold_steps(found: Book, name: str, lang: str) -> Iterator[str]:
    """A step that names no clause in force is in the course of the game, unless it only sets a value."""
    by = build_context(game(name), lang)
    course, said = Course(by, describe_move, describe_obligation), set(texts(found))
    lines = [line for phase in course.order for line in walk_lines(course.steps(phase))]
    silent = [line for line in lines if line.at and line.verb and not set(line.at.split()) & set(by.clauses)]
    yield from (x.text for x in silent if lang == "en" and by.clauses and x.verb != "Set" and x.text not in said)


CHECKS: tuple[Check, ...] = (
    *(other_languages, empty_parts, broken_links, repeated_clauses, missing_rules),
    *(moves_away_from_their_steps, bad_tables, bad_beginnings, bad_glossary, untold_steps),
)


@pytest.mark.whole
@pytest.mark.parametrize(("name", "lang"), in_tiers(ALL, whole=SOME))
def test_nothing_is_wrong_in_a_book(name: str, lang: str) -> None:
    wrong = {check.__name__: [*check(told(name, lang), name, lang)] for check in CHECKS}
    assert {check: found for check, found in wrong.items() if found} == {}


# ---- what single books say -------------------------------------------------------------------------------------------


@pytest.mark.whole
@pytest.mark.parametrize("lang", LANGUAGES)
def test_general_words_are_explained_where_they_occur(lang: str) -> None:
    tricks, none = (" ".join(texts(told(name, lang))) for name in ("barbu", "klondike"))
    meaning = rulebook_words("words.trick", lang).split("\n")[2]
    assert meaning in tricks and meaning not in none


@pytest.mark.whole
@pytest.mark.parametrize(
    ("name", "options", "lang", "there", "gone"),
    some_now([tuple(case) for case in read_cases("rulebook/said")["said"]], 9),
)
def test_a_book_says(name: str, options: dict[str, Any], lang: str, there: list[str], gone: list[str]) -> None:
    described = load_rules(name) if "/" in name else loaded(name, options)
    said = spaced(render_markdown(build_book(described, lang, pictures=False)))
    assert [text for text in there if text not in said] == []
    assert [text for text in gone if text in said] == []


EXCERPTS = {"klondike": ("course", "by_itself"), "cribbage": ("course", "scoring")}
"""Sections of kept books that are kept in full. Of the others a line is kept: title, numbers of entries and tables, a hash of the text."""


def outline(found: Book) -> Iterator[str]:
    for section in found.sections:
        alone = replace(found, sections=(section,))
        digest = hashlib.sha256(render_markdown(alone).encode()).hexdigest()[:8]
        yield f"{section.anchor}: {section.title}, {len([*entries(alone)])} entries, {len(grids(alone))} tables, {digest}"


@pytest.mark.whole
@pytest.mark.parametrize("name", EXCERPTS)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_kept_books(name: str, lang: str) -> None:
    """After a wanted change, run with UPDATE_GOLDEN=1 and read the difference."""
    place, found = KEPT / f"{name}.{lang}.md", told(name, lang)
    some = replace(found, sections=tuple(s for s in found.sections if s.anchor in EXCERPTS[name]))
    written = "\n".join([*outline(found), "", render_markdown(some)])
    if os.environ.get("UPDATE_GOLDEN"):
        place.write_text(written, encoding="utf-8")
    assert written == place.read_text(encoding="utf-8")


@pytest.mark.whole
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
    assert render_pdf(page).startswith(b"%PDF-")


@pytest.mark.whole
@pytest.mark.parametrize("name", ["backgammon", "plakoto"])
def test_rows_of_a_numbered_board_are_called_as_the_moves_beside_them(name: str) -> None:
    """Every place that a move leaves stands in the table above it, by the number of whoever makes it."""
    examples = render_markdown(told(name, "en")).partition('<a id="examples">')[2].partition('<a id="options">')[0]
    for example in examples.split("### ")[1:]:
        rows = [int(found) for found in re.findall(r"^\| Point (\d+) \|", example, re.MULTILINE)]
        first = next((line for line in example.splitlines() if re.match(r"- \w+ (?:may:|has only one move)", line)), "")
        assert {int(found) for found in re.findall(r"\(point (\d+) →", first)} <= set(rows)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("name", "options", "there", "gone"), some_now([tuple(case) for case in read_cases("rulebook/said")["tables"]], 3)
)
def test_tables_have_only_rows_in_force(name: str, options: dict[str, Any], there: list[str], gone: list[str]) -> None:
    found = build_book(loaded(name, options), "en", pictures=False)
    said = {cell for grid in grids(found) for cell in (*grid.heads, *(row[0] for row in grid.rows))}
    said |= {block.text for section in found.sections for block in section.blocks if isinstance(block, Heading)}
    assert set(there) <= said and not said & set(gone)


CHOOSING = CASES["choosing"]
"""Games with tables whose rows are chosen, drawn or found in play."""


@pytest.mark.whole
@pytest.mark.parametrize(
    ("name", "most"), [("hearts", 2), *(pytest.param(n, 99, marks=pytest.mark.slow) for n in CHOOSING)]
)
def test_rows_that_a_table_leaves_out_never_come_up_in_play(name: str, most: int) -> None:
    """With the usual options and with each choice of each: no move and no value of the state is a row that books leave out."""
    for options in islice(settings(name), most):
        played = loaded(name, options)
        gone = {(table, n) for table, rows in build_context(played, "en").reach.gone.items() for n in rows}
        if gone:
            assert not gone & rows_in_play(played, {table for table, _ in gone}), options


def settings(name: str) -> Iterator[dict[str, Any]]:
    """The options as they are, and each choice of each."""
    yield {}
    for option in game(name).ruleset.options.values():
        for choice in (True, False) if option.type.name == "bool" else option.choices:
            try:
                loaded(name, {option.name: choice})
            except Refused:
                continue
            yield {option.name: choice}


def rows_in_play(played: Game, tables: set[str]) -> set[tuple[str, int]]:
    """The rows of these tables that moves are bound to and that the state holds in a game of moves at random."""
    chance, state, found = Random(1), played.start(1), set[tuple[str, int]]()
    kept = [(f.type, range(f.base, f.base + f.size)) for f in played.ruleset.state.values()]
    for _ in range(LONGEST_GAME):
        if state.is_over:
            break
        moves = state.moves()
        bound = [(var.type, value) for move in moves for var, value in bindings(played, move)]
        held = [(value_type, state.core.cells[cell]) for value_type, cells in kept for cell in cells]
        found |= {
            (value_type.table, value)
            for value_type, value in (*bound, *held)
            if isinstance(value_type, Row) and value_type.table in tables
        }
        state = state.play(chance.choice(moves))
    return found


def bindings(played: Game, move: Move) -> Iterator[tuple[Var, int]]:
    meant = next(one for one in played.ruleset.moves.values() if one.number == move.action[0])
    yield from zip(meant.bindings, move.action[1:], strict=False)


@pytest.mark.whole
def test_examples_are_drawn_with_open_hands() -> None:
    """What a position says of hands is seen, whoever is to act; what may be any card, and what lies face down for everybody, is not."""
    played, known, unknown, stock = game("gin-rummy"), 0, 0, 0
    for _, _, example in played.compiled.merged.root["examples"].entries():
        given = example["given"]
        if given.get("piles") is None or given.get("options") is not None:
            continue
        written = given["piles"]
        for pile in open_hands(given, played.position(given, 0)).piles:
            text = written.get(f"{pile.family} of {pile.owner}" if pile.owner else pile.family)
            if text is not None and pile.count == len(text.raw.split()) and pile.family in ("hand", "stock"):
                open_hand = pile.family == "hand" and "?" not in text.raw
                assert all((piece.sign is not None) == open_hand for piece in pile.pieces), text.raw
                known, stock = known + open_hand, stock + (pile.family == "stock")
            elif text is not None and text.raw == "?*10" and pile.count == 10:
                assert all(piece.sign is None for piece in pile.pieces)
                unknown += 1
    assert known and unknown and stock
