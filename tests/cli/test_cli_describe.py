"""`describe`: what a game is made of, with its options, and what a library brings."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import Run, runner, told


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    return runner(capsys, monkeypatch, tmp_path)


@pytest.mark.whole
def test_describe_shows_only_what_the_game_can_come_to(run: Run) -> None:
    hearts = told(run, "describe", "hearts")
    assert [o["name"] for o in hearts["obligations"]] == [
        "follow suit",
        "barred lead",
        "two of clubs",
        "no points at first",
    ]
    assert "cut for the deal" not in hearts["phases"]
    ruled_out = {r["name"] for key in ("moves", "obligations") for r in hearts[key] if not r["in_force"]}
    assert ruled_out == {"add to the others", "take off"}
    told_so = run("describe", "hearts", "--lang", "fr")[1]
    assert "`add to the others` (charger les autres), `take off`" in told_so and "sous-couper" not in told_so
    chosen = told(run, "describe", "hearts", "--set", "moon=shooter_chooses", "--set", "first_trick=free")
    ruled_out = {r["name"] for key in ("moves", "obligations") for r in chosen[key] if not r["in_force"]}
    assert ruled_out == {"no points at first"}


def test_describe(run: Run) -> None:
    found = told(run, "describe", "game.yaml", "--set", "cards_each=7", "--lang", "fr")
    assert found["options"][0] | {"label": ""} == {
        "name": "cards_each",
        "label": "",
        "choices": [3, 9],
        "choice_labels": [],
        "default": 5,
        "value": 7,
        "only_shown": False,
    }
    assert [move["label"] for move in found["moves"]] == ["jouer une carte", "piocher"]
    code, out, _ = run("describe", "game.yaml")
    assert "2 to 5 may play: --set players=5" in out
    assert "on peut jouer de 2 à 5 : `--set players=5`" in run("describe", "game.yaml", "--lang", "fr")[1]
    assert "may play" not in run("describe", "klondike")[1]
    assert code == 0
    assert "Nobody draws who can play. [§2]" in out
    assert "count(" in run("describe", "--words")[1]
    assert run("describe")[0] == 2


@pytest.mark.whole
def test_describe_tells_programs_that_learn_what_each_number_is(run: Run) -> None:
    found = told(run, "describe", "cribbage", "--observation")
    begins = [group["at"] for group in found["groups"]]
    ends = [group["at"] + group["stride"] * (len(group["members"]) or 1) for group in found["groups"]]
    assert begins == [0, *ends[:-1]] and ends[-1] == found["size"]
    hand = next(group for group in found["groups"] if group["members"] == ["hand of A"])
    assert [(part["sort"], part["size"]) for part in hand["parts"]] == [("count", 1), ("among", 52)]
    lay = next(move for move in found["actions"]["moves"] if move["name"] == "lay")
    shown = run("describe", "cribbage", "--observation")[1]
    assert f"{lay['first']}..{lay['first'] + lay['size'] - 1}" in shown
    assert f"{hand['at']} how many lie there" in shown
    assert "combien s'y trouvent" in run("describe", "cribbage", "--observation", "--lang", "fr")[1]
    assert found["classes"]["card"][:5] == ["AS", "AH", "AD", "AC", "2S"] and len(found["classes"]["card"]) == 52
    assert "0..51: A♠, A♥, A♦, …, K♣" in shown
    assert "0..51 : A♠, A♥, A♦, …, R♣" in run("describe", "cribbage", "--observation", "--lang", "fr")[1]
    board = run("describe", "backgammon", "--observation")[1]
    assert "checker  0..1: white, black" in board.lower() and "die      0..5: 1, 2, 3, …, 6" in board
    assert told(run, "describe", "klondike", "--observation", "--set", "draw=1")["game"] == "klondike"


def test_describe_says_which_move_has_too_many_actions_to_be_numbered(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interpreter.learning.numbering.MOST", 10)
    code, _, err = run("describe", "klondike", "--observation", "--lang", "fr")
    assert code != 0 and "column to column" in err and "trop nombreuses" in err


def test_describe_tells_which_option_changes_only_what_is_shown(run: Run) -> None:
    Path("aloud.yaml").write_text(
        "ruleset: 1\ngame: aloud\nextends: klondike\ntitle: Aloud\noptions: {aloud: {kind: bool, default: true, en: are they counted aloud}}\n"
        "display: {left: {is: count(stock), while: aloud, en: cards left}}\n",
        encoding="utf-8",
    )
    assert run("validate", "aloud.yaml")[0] == 0 and "R551" not in run("validate", "aloud.yaml")[1]
    assert "default true; changes only what is shown" in " ".join(run("describe", "aloud.yaml")[1].split())
    french = " ".join(run("describe", "aloud.yaml", "--lang", "fr")[1].split())
    assert french.count("ne change que ce qui est montré") == 1


def test_describe_tells_tables_and_terms(run: Run) -> None:
    found = told(run, "describe", "game.yaml", "--lang", "fr")
    suits = next(table for table in found["tables"] if table["name"] == "suits")
    assert suits["columns"] == ["sign", "colour"]
    assert suits["rows"][1] == {"name": "hearts", "label": "cœur", "sign": "H"}
    assert found["terms"][0] == {
        "name": "fits(card)",
        "formula": "card.suit is top(heap).suit or card.rank is top(heap).rank",
    }
    out = run("describe", "game.yaml")[1]
    assert "spades S, hearts H, diamonds D, clubs C; columns: sign, colour" in out
    assert "  fits(card)       card.suit is top(heap).suit or card.rank is top(heap).rank\n" in out
    assert (
        "  `fits(card)`       `card.suit is top(heap).suit or card.rank is"
        in run("describe", "game.yaml", "--lang", "fr")[1]
    )


def test_describe_tells_what_a_library_brings(run: Run) -> None:
    Path("shared.yaml").write_text(
        "ruleset: 1\nlibrary: shared\ntitle: {en: Shared, fr: Partagé}\nuse: [french]\n# What several games\n# have in common.\n"
        "needs: {piles: [heap], flow: [turn]}\noptions: {many: {range: 1..3, en: how many}}\n"
        "terms: {fits(card): card.rank is top(heap).rank}\npiles: {aside: {en: put away}}\n"
        "moves: {lay: {rule: {at: §1, en: Lay a card.}, en: 'lay {card}', take: heap, put: aside}}\n",
        encoding="utf-8",
    )
    found = told(run, "describe", "shared.yaml")
    assert found["comment"] == "What several games have in common."
    assert (found["use"], found["needs"]) == (["french"], {"piles": ["heap"], "flow": ["turn"]})
    assert found["options"] == [{"name": "many", "label": "how many", "values": ["1..3"]}]
    assert found["terms"] == [{"name": "fits(card)", "formula": "card.rank is top(heap).rank"}]
    assert found["moves"] == [{"name": "lay", "label": "lay …", "at": "§1", "text": "Lay a card.", "conditions": []}]
    assert [row["sign"] for row in found["tables"][1]["rows"]] == ["S", "H", "D", "C"]
    out = run("describe", "shared.yaml", "--lang", "fr")[1]
    assert out.startswith(
        "Partagé (shared, une bibliothèque)\n  What several games have in common.\n\nRepose sur\n  `french`\n"
    )
    assert run("describe", "shared.yaml", "--set", "many=2")[0] == 1


def test_what_each_side_has_is_told_as_its_side_s(run: Run) -> None:
    """Also where everybody is a side alone."""
    assert {p["name"]: p["each"] for p in told(run, "describe", "scopa")["piles"]}["won"] == "side"
    assert "une par camp" in run("describe", "scopa", "--lang", "fr")[1]


def test_a_name_to_be_typed_is_marked_among_words_of_another_language(run: Run) -> None:
    Path("sides.yaml").write_text(
        "ruleset: 1\nlibrary: sides\nneeds: {piles: [hand]}\noptions: {open: {kind: bool, default: true}, many: {range: 1..3, default: 2}}\n"
        "piles: {aside: {}}\nmoves: {lay: {rule: {at: §1, fr: On pose.}, take: hand, put: aside}}\nflow: {turn: {}}\n",
        encoding="utf-8",
    )
    out = run("describe", "sides.yaml", "--lang", "fr")[1]
    told_so = [
        "`piles`  `hand`",
        "`open`  open : `false` (non) ou `true` (oui)",
        "`many`  many : 1..3",
        "`lay`",
        "`turn`",
    ]
    assert [part for part in told_so if part not in out] == []
    assert "`" not in run("describe", "sides.yaml")[1]


def test_what_is_described_may_come_from_standard_input(run: Run) -> None:
    text = Path("game.yaml").read_text(encoding="utf-8")
    assert run("describe", "-", stdin=text)[0] == 0
    code, _, err = run("describe", "-", "--set", "cards_each=99", stdin=text)
    assert code == 2 and "R611" in err


def test_every_shipped_library_says_what_it_brings(run: Run) -> None:
    for name in ("french", "tricks", "numbered-deals", "patience-for-two", "tables", "dice", "parallel-tables"):
        said = {lang: told(run, "describe", name, "--lang", lang)["comment"] for lang in ("en", "fr")}
        assert said["en"] and said["fr"], name
        assert said["en"] != said["fr"], name


def test_describe_tells_how_things_lie(run: Run) -> None:
    hints = {hint["name"]: hint for hint in told(run, "describe", "backgammon")["display"]}
    assert hints["arrow"]["hints"] == {"numbered": "distance(p, place)", "bar": "bar", "off": "off"}
    assert hints["pips"]["hints"]["for"] == "p in players"
    assert hints["cube"]["hints"] == {"held_by": "cube_owner"}
    library = {hint["name"]: hint["hints"] for hint in told(run, "describe", "tables")["display"]}
    assert library["pool"] == {"held_by": "me", "while": "pool is not empty"}
    out = run("describe", "belote")[1]
    assert "card.suit is trump, card.suit, strength(card)" in " ".join(out.split())


def test_the_source_is_told_in_the_language_spoken(run: Run) -> None:
    text = (
        Path("game.yaml").read_text().replace("\noptions:", "\nsource: {text: A book of ours, by: Nobody}\noptions:", 1)
    )
    Path("game.yaml").write_text(text)
    words = Path("game.fr.yaml").read_text()
    Path("game.fr.yaml").write_text(f'{words}\nsource: "Un livre : le nôtre"\n')
    assert "  Un livre : le nôtre\n\n" in run("describe", "game.yaml", "--lang", "fr")[1]
    english = run("describe", "game.yaml")[1]
    assert "  A book of ours\n  Nobody\n" in english and "livre" not in english
    assert told(run, "describe", "game.yaml")["source"] == {"text": "A book of ours", "by": "Nobody"}


@pytest.mark.whole
def test_what_a_game_sets_is_its_default(run: Run) -> None:
    from interpreter import load

    own = load("coinchee").options["target"]
    assert own != load("belote").options["target"]
    _, out, _ = run("describe", "coinchee", "--set", "target=1500")
    assert "target=1500" in out and f"default {own}" in " ".join(out.split())


@pytest.mark.parametrize(("word", "so"), [("oui", True), ("yes", True), ("Oui", True), ("non", False), ("no", False)])
def test_an_option_is_wanted_or_not_in_words_of_any_language(word: str, so: bool, run: Run) -> None:
    _, out, _ = run("describe", "belote", "--set", f"announcements={word}")
    assert f"announcements={str(so).lower()}" in out


def test_formulas_are_marked_as_typed_where_another_language_is_spoken(run: Run) -> None:
    told = {lang: " ".join(run("describe", "belote", "--lang", lang)[1].split()) for lang in ("en", "fr")}
    assert "while some p in players has announced" in told["en"]
    assert "tant que `some p in players has announced" in told["fr"]


def test_describe_tells_all_that_a_variant_changes(run: Run) -> None:
    """State, conditions, steps and where it stands: of a game, and of a library alike."""
    Path("chips.yaml").write_text(
        "ruleset: 1\ngame: chips\nextends: game.yaml\ntitle: Chips\nstate:\n  chips: {each: player, range: 0..99, starts: 20, en: counters}\n"
        "flow: {game: {twice: {repeat: {one: {check: true}}, rounds: 2}}}\n",
        encoding="utf-8",
    )
    found = told(run, "describe", "chips.yaml")
    says = {"range": "0..99", "each": "player", "starts": "20"}
    assert found["state"] == [{"name": "chips", "label": "counters", "says": says}]
    assert found["moves"][0]["conditions"] == [{"name": "fits", "formula": "fits(card)"}]
    twice = {"name": "twice", "verb": "repeat", "steps": [{"name": "one", "verb": "check", "steps": []}]}
    assert found["steps"]["game"][-1] == twice
    assert [Path(path).name for path in (found["file"], *found["built_on"])] == [
        "chips.yaml",
        "french.yaml",
        "game.yaml",
    ]
    out = run("describe", "chips.yaml", "--lang", "fr")[1]
    for part in (
        "Fichiers\n  chips.yaml\n  game.yaml\n",
        "  `chips`  counters ; `range: 0..99, each: player, starts: 20`",
        "si : `fits`",
        "`twice` (`one`)",
    ):
        assert part in out, out
    library = told(run, "describe", "tricks")
    assert library["state"][0]["says"] and library["moves"][0]["name"] and library["steps"]["one trick"]
