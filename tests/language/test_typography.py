"""A language's own spaces and figures: what is said in it is set as its readers set it, wherever it was written."""

import io
import random
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from games import FEW
from rules import read_cases
from tiers import spread

from hoyle import load
from hoyle.checking.build import check_file
from hoyle.diagnostics import Problems
from hoyle.language import sentences
from hoyle.language.sentences import FALLBACK, LANGUAGES, format_figure, load_catalogue, typeset
from hoyle.presentation import catalogue as command_line
from hoyle.presentation.look import Look, wrap_cells
from hoyle.presentation.play_text import fill_text
from hoyle.presentation.terminal import fit_encoding, to_ascii
from hoyle.reading.tree import Node, text_nodes, texts_of

FOLDERS = [Path(sentences.__file__).parent, Path(command_line.__file__).parent]
WIDE, NARROW = "\u00a0", "\u202f"
LOOSE = re.compile(r"« |\S [:»](?!\S)|[^\s:;] [;!?%](?!\S)")
"""A plain space where French has one that does not break."""


def loose(text: str) -> list[str]:
    """Where a line could be broken wrongly; what is typed as it stands is left out."""
    return LOOSE.findall(re.sub("`[^`]*`", "``", text))


def texts(node: Node) -> Iterator[str]:
    if node.kind == "map":
        yield from (text for lang, text in texts_of(node).items() if lang == "fr")
    for _, _, inner in node.entries():
        yield from texts(inner)


@pytest.mark.parametrize("place", FOLDERS, ids=lambda place: place.name)
def test_every_sentence_is_typeset(place: Path) -> None:
    said = load_catalogue(place, "fr")
    assert {key: found for key, text in said.items() if (found := loose(text))} == {}
    assert any(WIDE in text for text in said.values())


@pytest.mark.whole
@pytest.mark.parametrize("name", spread(FEW, 2))
def test_every_word_of_a_ruleset_is_typeset(name: str) -> None:
    merged = check_file(name, Problems())[1]
    assert merged is not None
    said = list(texts(merged.root))
    assert said and [found for text in said if (found := loose(text))] == []


def test_the_test_finds_what_is_loose() -> None:
    assert loose("oui : non") and loose("« oui") and loose("95 %") and loose("quoi ?") and not loose("`a : b`")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_typesetting_keeps_every_character_but_spaces(lang: str) -> None:
    chance = random.Random(5)
    for _ in range(300):
        text = "".join(chance.choice("ab1 :;!?%«»`(") for _ in range(chance.randrange(30)))
        found = typeset(text, lang)
        assert found.replace(WIDE, " ").replace(NARROW, " ") == text
        assert typeset(found, lang) == found
        assert lang != FALLBACK or found == text


def test_what_is_to_be_typed_stays_as_it_is() -> None:
    assert typeset("écrivez `a : b` : ceci", "fr") == f"écrivez `a : b`{WIDE}: ceci"
    assert typeset("oui ; ? montre", "fr") == f"oui{NARROW}; ? montre"


@pytest.mark.parametrize("width", range(40, 100, 7))
def test_no_line_is_broken_at_such_a_space(width: int) -> None:
    text = typeset("contre la règle « le centre d'abord » : vraiment ? oui ! " * 6, "fr")
    for lines in (fill_text(text, Look(width=width)), wrap_cells(text.split(" "), width), textwrap.wrap(text, width)):
        assert not [line for line in lines if re.match(r"\s*[»:;!?]", line) or line.endswith("«")]


def test_a_plain_screen_gets_spaces() -> None:
    assert to_ascii(typeset("« oui » : 10 % !", "fr")) == '" oui " : 10 % !'


@pytest.mark.whole
def test_a_ruleset_is_typeset_where_its_words_are_read(tmp_path: Path) -> None:
    (tmp_path / "small.yaml").write_text("ruleset: 1\ngame: small\nextends: klondike\ntitle: Small\n")
    (tmp_path / "small.fr.yaml").write_text('words: fr\ngame: small\ntitle: "Petit : « oui » !"\n')
    assert load(tmp_path / "small.yaml").title("fr") == f"Petit{WIDE}: «{WIDE}oui{WIDE}»{NARROW}!"
    merged = check_file(str(tmp_path / "small.yaml"), Problems())[1]
    assert merged is not None
    assert text_nodes(merged.root["title"])["fr"].raw == "Petit : « oui » !"  # as its author wrote it


@pytest.mark.parametrize(("value", "digits", "signed", "en", "fr"), read_cases("language/typography")["figures"])
def test_figures(value: float, digits: int, signed: bool, en: str, fr: str) -> None:
    assert format_figure(value, "en", digits, signed) == en
    assert format_figure(value, "fr", digits, signed) == fr


@pytest.mark.whole
def test_what_is_shown_is_understood_typed_with_plain_spaces() -> None:
    state = load("crapette", faults="callable").start(5)
    shown = [move.text("fr") for move in state.moves()]
    assert [m.text("fr") for text in shown for m in state.meant(text.replace(WIDE, " ").replace(NARROW, " "))] == shown


def test_a_stream_that_lacks_the_narrow_space_keeps_its_accents() -> None:
    narrow = io.TextIOWrapper(io.BytesIO(), encoding="latin-1")
    assert fit_encoding(typeset("Très bien !", "fr"), narrow) == f"Très bien{WIDE}!"
    assert fit_encoding(typeset("Très bien !", "fr"), io.TextIOWrapper(io.BytesIO(), encoding="ascii")) == "Tres bien !"
