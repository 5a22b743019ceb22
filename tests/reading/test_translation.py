"""Files of words beside rulesets: what they lay over the tree, for whoever builds on it too."""

from pathlib import Path

import pytest

from hoyle import Game, load, validate
from hoyle.diagnostics import Refused
from hoyle.reading.tree import texts_of

GAMES = Path(__file__).parent / "games"
GAME, GERMAN = ((GAMES / name).read_text(encoding="utf-8") for name in ("small.yaml", "small.de.yaml"))


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.yaml"
    path.write_text(GAME, encoding="utf-8")
    (tmp_path / "small.de.yaml").write_text(GERMAN, encoding="utf-8")
    return path


def reword(small: Path, *changes: tuple[str, str], lang: str = "de", more: str = "") -> Path:
    """The file of words in a language: the German one with some texts replaced."""
    text = GERMAN
    for old, new in changes:
        text = text.replace(old, new)
    path = small.with_name(f"small.{lang}.yaml")
    path.write_text(text + more, encoding="utf-8")
    return path


def events(game: Game, lang: str) -> list[str]:
    state = game.start(1)
    while not state.is_over:
        state = state.play(state.moves()[0])
    return [event.text(lang) for event in state.events]


def test_a_third_language_is_spoken(small: Path) -> None:
    assert validate([small]) == []
    game = load(small)
    state = game.start(1)
    labels = {name: words for space in game.labels("de").values() for name, words in space.items()}
    assert game.title("de") == "Ein kleines Spiel"
    assert state.moves()[0].text("de").startswith("legen ")
    assert state.moves()[0].rule.text("de") == "Eine Karte wird gelegt."
    assert [labels[name] for name in ("white", "hearts", "heap", "any card", "turn")] == [
        "Weiß",
        "Herz",
        "Haufen",
        "jede Karte",
        "Zug",
    ]
    assert "Weiß +1 für eine Karte" in events(game, "de")
    assert "White +1 for a card" in events(game, "en")


def test_what_a_choice_is_called(small: Path) -> None:
    game = load(small)
    value_type = game.ruleset.state["chosen"].type
    assert [game.namer.value(value, value_type, "de") for value in (0, 1)] == ["aufwärts", "beliebig"]
    assert [game.namer.value(value, value_type, "en") for value in (0, 1)] == ["upwards", "any way"]


def test_words_change_nothing_else(small: Path) -> None:
    translated = load(small).digest
    small.with_name("small.de.yaml").unlink()
    assert load(small).digest == translated


def test_what_was_read_before_is_not_kept(small: Path) -> None:
    assert load(small).title("de") == "Ein kleines Spiel"
    words = reword(small, ("Ein kleines", "Ein anderes"))
    assert load(small).title("de") == "Ein anderes Spiel"
    words.unlink()
    assert load(small).title("de") == "A small game"


def test_who_builds_on_it_has_its_words_and_may_say_them_otherwise(small: Path) -> None:
    variant = small.with_name("variant.yaml")
    variant.write_text("ruleset: 1\ngame: variant\nextends: small.yaml\ntitle: A variant\nset: {way: any_way}\n")
    assert load(variant).title("de") == "A variant"  # what it says anew is not translated any more
    words = variant.with_name("variant.de.yaml")
    words.write_text("words: de\ngame: variant\ntitle: Eine Variante\nmoves: {lay: ablegen}\n", encoding="utf-8")
    game = load(variant)
    assert (game.title("de"), game.labels("de")["moves"]["lay"], game.labels("de")["piles"]["heap"]) == (
        "Eine Variante",
        "ablegen",
        "Haufen",
    )
    assert game.rules["lay"].text("de") == "Eine Karte wird gelegt."
    assert load(small).labels("de")["moves"]["lay"] == "legen"
    assert validate([variant]) == []


@pytest.mark.parametrize("below", ["else: {none: {as: nicht}}", "none: {as: nicht}"])
def test_what_a_label_under_else_is_called(small: Path, below: str) -> None:
    text = small.read_text(encoding="utf-8").replace(
        "count: {score: 1", "count: {when: heap is empty, else: {none: {score: 1, to: me, as: {en: not}}}, score: 1"
    )
    small.write_text(text, encoding="utf-8")
    reword(small, ("count: {as: für eine Karte}", f"count: {{as: für eine Karte, {below}}}"))
    assert validate([small]) == []
    assert "Weiß +1 nicht" in events(load(small), "de")


def test_a_sentence_that_is_replaced_is_not_translated_any_more(small: Path) -> None:
    variant = small.with_name("variant.yaml")
    head = "ruleset: 1\ngame: variant\nextends: small.yaml\ntitle: {en: A variant}\n"
    variant.write_text(f"{head}moves: {{lay: {{rule: {{en: A card is thrown.}}}}, throw: {{like: lay, en: throw}}}}\n")
    game = load(variant)
    assert (game.title("de"), game.rules["lay"].text("de")) == ("A variant", "A card is thrown.")
    assert (game.labels("de")["moves"]["lay"], game.labels("de")["moves"]["throw"]) == ("legen", "throw")
    variant.write_text(f"{head}moves: {{lay: {{rule: {{at: §9, en: A card is laid.}}}}}}\n")
    assert load(variant).rules["lay"].text("de") == "Eine Karte wird gelegt."


def test_a_ruleset_written_in_french(tmp_path: Path) -> None:
    text = GAME.replace("en:", "fr:").replace("title: A small game", "title: {fr: Un petit jeu}")
    (tmp_path / "small.yaml").write_text(text.replace("{white: White}", "{white: {fr: Blanc}}"), encoding="utf-8")
    (tmp_path / "small.en.yaml").write_text(GERMAN.replace("words: de", "words: en"), encoding="utf-8")
    game = load(tmp_path / "small.yaml")
    assert (game.title("fr"), game.title("en")) == ("Un petit jeu", "Ein kleines Spiel")
    assert "Blanc +1 for a card" in events(game, "fr")
    assert "Weiß +1 für eine Karte" in events(game, "en")


def test_a_language_may_be_called_like_a_key(small: Path) -> None:
    """Icelandic is `is`, as a condition is; Norwegian `no` could be a step."""
    for lang in ("is", "no", "de-AT"):
        reword(small, ("words: de", f"words: {lang}"), lang=lang)
    game = load(small)
    assert validate([small]) == []
    assert {game.labels(lang)["moves/lay"]["any card"] for lang in ("is", "no", "de-AT")} == {"jede Karte"}


def test_the_file_of_words_stands_for_its_ruleset(small: Path) -> None:
    words = reword(small, ("lay:", "lie:"))
    assert [(d.code, d.span.line) for d in validate([words]) if d.span] == [("R567", 1), ("R616", 10)]
    assert validate([words]) == validate([small])
    assert load(words).name == "small"


@pytest.mark.parametrize(
    ("text", "code", "line"), [("", "R618", 1), ("\n# Deutsch\n", "R618", 1), ("words: de\ntitle: [", "R015", 2)]
)
def test_a_file_of_words_that_cannot_be_read_is_told(small: Path, text: str, code: str, line: int) -> None:
    """An empty one keeps nobody from playing: a shell makes one before the command that is to write into it is run."""
    words = small.with_name("small.de.yaml")
    words.write_text(text, encoding="utf-8")
    assert [(d.code, d.span.line, d.span.source.name) for d in validate([words]) if d.span] == [
        (code, line, str(words))
    ]
    assert code != "R618" or "de" not in load(small).ruleset.languages


def test_words_of_no_ruleset(small: Path) -> None:
    small.unlink()
    with pytest.raises(Refused, match=r"words for a ruleset `small\.yaml`, which is not"):
        load(small.with_name("small.de.yaml"))


COLUMN = "tables: {suits: {columns: {worth(p): 1..9}, rows: {hearts: {worth: 1}, spades: {worth: 2}}}}\n"
EXAMPLE = "examples: {nothing lies yet: {given: {at: turn, to_act: white}}}\n"


def test_columns_and_examples_are_called_where_the_ruleset_says_no_words_of_them(small: Path) -> None:
    """Columns must be, since books show them; examples may be."""
    text = GAME.replace("tables: {suits: {rows: {hearts: {}, spades: {en: Spades}}}}\n", COLUMN)
    small.write_text(
        text.replace("best: score of p", "best: sum(s.worth(p) for s in suits)") + EXAMPLE, encoding="utf-8"
    )
    (asked,) = [d for d in validate([small]) if d.code != "R550"]
    assert (asked.code, asked.notes) == ("R567", ("in_words: `suits.worth`",))
    reword(small, more="in_words: {suits.worth: Wert}\nexamples: {nothing lies yet: noch liegt nichts}\n")
    assert not [d for d in validate([small]) if d.code != "R550"]
    root = load(small).merged.root
    assert texts_of(root["in_words"]["suits.worth"]) == {"de": "Wert"}
    assert texts_of(root["examples"]["nothing lies yet"]) == {"de": "noch liegt nichts"}


def test_a_section_that_has_no_words_is_told_to_have_none(small: Path) -> None:
    reword(small, more="terms: {x: y}\n")
    (told,) = validate([small])
    assert (told.code, told.message) == ("R617", "nothing in `terms` has words that people read")
    assert told.help == "how rulebooks tell a term stands under `in_words`"
