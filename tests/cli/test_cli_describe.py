"""`describe`: what a game is made of, with its options, and what a library brings."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import Run, command_lines, told

run = command_lines


def joined(run: Run, *words: str) -> str:
    """Return what `describe` prints, as one line."""
    return " ".join(run("describe", *words)[1].split())


@pytest.mark.whole
def test_rules_that_options_exclude_are_not_shown(run: Run) -> None:
    hearts = told(run, "describe", "hearts")
    duties = ["follow suit", "barred lead", "two of clubs", "no points at first"]
    assert [o["name"] for o in hearts["obligations"]] == duties
    assert "cut for the deal" not in hearts["phases"]
    ruled_out = {r["name"] for key in ("moves", "obligations") for r in hearts[key] if not r["in_force"]}
    assert ruled_out == {"add to the others", "take off"}
    shown = run("describe", "hearts", "--lang", "fr")[1]
    assert "`add to the others` (charger les autres), `take off`" in shown and "sous-couper" not in shown
    chosen = told(run, "describe", "hearts", "--set", "moon=shooter_chooses", "--set", "first_trick=free")
    ruled_out = {r["name"] for key in ("moves", "obligations") for r in chosen[key] if not r["in_force"]}
    assert ruled_out == {"no points at first"}


@pytest.mark.whole
def test_game(run: Run) -> None:
    found = told(run, "describe", "game.yaml", "--set", "cards_each=7", "--lang", "fr")
    option = found["options"][0]
    assert (option["name"], option["choices"], option["choice_labels"]) == ("cards_each", [3, 9], [])
    assert (option["default"], option["value"], option["only_shown"]) == (5, 7, False)
    assert [move["label"] for move in found["moves"]] == ["jouer une carte", "piocher"]
    suits = next(table for table in found["tables"] if table["name"] == "suits")
    assert suits["columns"] == ["sign", "colour"]
    assert suits["rows"][1] == {"name": "hearts", "label": "cœur", "sign": "H"}
    formula = "card.suit is top(heap).suit or card.rank is top(heap).rank"
    assert found["terms"][0] == {"name": "fits(card)", "formula": formula}
    code, out, _ = run("describe", "game.yaml")
    assert code == 0 and "2 to 5 may play: --set players=5" in out and "Nobody draws who can play. [§2]" in out
    assert "spades S, hearts H, diamonds D, clubs C; columns: sign, colour" in out
    assert f"  fits(card)       {formula}\n" in out
    french = run("describe", "game.yaml", "--lang", "fr")[1]
    assert "on peut jouer de 2 à 5 : `--set players=5`" in french
    assert "  `fits(card)`       `card.suit is top(heap).suit or card.rank is" in french
    assert "may play" not in run("describe", "klondike")[1]


def test_words_of_formulas(run: Run) -> None:
    assert "count(" in run("describe", "--words")[1]
    assert run("describe")[0] == 2


@pytest.mark.whole
def test_observation_gives_each_number_its_meaning(run: Run) -> None:
    found = told(run, "describe", "scopa", "--observation")
    begins = [group["at"] for group in found["groups"]]
    ends = [group["at"] + group["stride"] * (len(group["members"]) or 1) for group in found["groups"]]
    assert begins == [0, *ends[:-1]] and ends[-1] == found["size"]
    hand = next(group for group in found["groups"] if group["members"] == ["hand of A"])
    assert [(part["sort"], part["size"]) for part in hand["parts"]] == [("count", 1), ("among", 40)]
    lay = next(move for move in found["actions"]["moves"] if move["name"] == "lay")
    assert len(found["classes"]["card"]) == 40
    shown = run("describe", "scopa", "--observation")[1]
    assert f"{lay['first']}..{lay['first'] + lay['size'] - 1}" in shown and f"\n  {found['actions']['end']} " in shown
    assert f"{hand['at']} how many lie there" in shown
    french = run("describe", "scopa", "--observation", "--lang", "fr", "--set", "target=21")[1]
    assert "combien s'y trouvent" in french and "  0..39 : " in french
    board = run("describe", "backgammon", "--observation")[1]
    assert "checker  0..1: white, black" in board.lower() and "die      0..5: 1, 2, 3, …, 6" in board


def test_observation_names_a_move_with_too_many_actions(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.learning.numbering.MOST", 10)
    code, _, err = run("describe", "klondike", "--observation", "--lang", "fr")
    assert code != 0 and "column to column" in err and "trop nombreuses" in err


@pytest.mark.whole
def test_option_that_changes_only_what_is_shown(run: Run) -> None:
    Path("aloud.yaml").write_text(
        "ruleset: 1\ngame: aloud\nextends: klondike\ntitle: Aloud\noptions: {aloud: {kind: bool, default: true, en: are they counted aloud}}\n"
        "display: {left: {is: count(stock), while: aloud, en: cards left}}\n",
        encoding="utf-8",
    )
    code, out, _ = run("validate", "aloud.yaml")
    assert code == 0 and "R551" not in out
    assert "default true; changes only what is shown" in joined(run, "aloud.yaml")
    assert joined(run, "aloud.yaml", "--lang", "fr").count("ne change que ce qui est montré") == 1


def test_library(run: Run) -> None:
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
    title = "Partagé (shared, une bibliothèque)\n  What several games have in common.\n"
    assert run("describe", "shared.yaml", "--lang", "fr")[1].startswith(f"{title}\nRepose sur\n  `french`\n")
    assert run("describe", "shared.yaml", "--set", "many=2")[0] == 1


@pytest.mark.whole
def test_piles_of_each_side(run: Run) -> None:
    """A player may be a side alone."""
    assert {p["name"]: p["each"] for p in told(run, "describe", "scopa")["piles"]}["won"] == "side"
    assert "une par camp" in run("describe", "scopa", "--lang", "fr")[1]


def test_names_to_type_are_marked_in_another_language(run: Run) -> None:
    Path("sides.yaml").write_text(
        "ruleset: 1\nlibrary: sides\nneeds: {piles: [hand]}\noptions: {open: {kind: bool, default: true}, many: {range: 1..3, default: 2}}\n"
        "piles: {aside: {}}\nmoves: {lay: {rule: {at: §1, fr: On pose.}, take: hand, put: aside}}\nflow: {turn: {}}\n",
        encoding="utf-8",
    )
    out = run("describe", "sides.yaml", "--lang", "fr")[1]
    for part in (
        "`piles`  `hand`",
        "`open`  open : `false` (non) ou `true` (oui)",
        "`many`  many : 1..3",
        "`lay`",
        "`turn`",
    ):
        assert part in out
    assert "`" not in run("describe", "sides.yaml")[1]


@pytest.mark.whole
def test_standard_input(run: Run) -> None:
    text = Path("game.yaml").read_text(encoding="utf-8")
    assert run("describe", "-", stdin=text)[0] == 0
    code, _, err = run("describe", "-", "--set", "cards_each=99", stdin=text)
    assert code == 2 and "R611" in err


@pytest.mark.whole
@pytest.mark.parametrize("name", ["patience-for-two", "dice", "tricks"])
def test_shipped_library_has_a_comment_in_each_language(name: str, run: Run) -> None:
    english, french = (told(run, "describe", name, "--lang", lang)["comment"] for lang in ("en", "fr"))
    assert english and french and english != french


@pytest.mark.whole
def test_display_hints(run: Run) -> None:
    hints = {hint["name"]: hint["hints"] for hint in told(run, "describe", "backgammon")["display"]}
    assert hints["arrow"] == {"numbered": "distance(p, place)", "bar": "bar", "off": "off"}
    assert hints["pips"]["for"] == "p in players"
    assert hints["cube"] == {"held_by": "cube_owner"}
    library = {hint["name"]: hint["hints"] for hint in told(run, "describe", "tables")["display"]}
    assert library["pool"] == {"held_by": "me", "while": "pool is not empty"}


@pytest.mark.whole
def test_formulas_and_options_of_belote(run: Run) -> None:
    english, french = joined(run, "belote"), joined(run, "belote", "--lang", "fr", "--set", "announcements=non")
    assert "card.suit is trump, card.suit, strength(card)" in english
    assert "while some p in players has announced" in english
    assert "tant que `some p in players has announced" in french
    assert "announcements=false" in french


@pytest.mark.parametrize(("word", "value"), [("oui", "true"), ("Yes", "true"), ("non", "false"), ("no", "false")])
def test_option_in_words_of_any_language(word: str, value: str, run: Run) -> None:
    text = Path("game.yaml").read_text(encoding="utf-8")
    text = text.replace("\noptions:", "\noptions:\n  open: {kind: bool, default: true}")
    Path("game.yaml").write_text(text.replace("is_out: some", "is_out: open and some"), encoding="utf-8")
    assert f"open={value}" in run("describe", "game.yaml", "--set", f"open={word}")[1]


def test_source_in_each_language(run: Run) -> None:
    text = Path("game.yaml").read_text()
    source = "\nsource: {text: A book of ours, by: Nobody}\noptions:"
    Path("game.yaml").write_text(text.replace("\noptions:", source, 1))
    words = Path("game.fr.yaml").read_text()
    Path("game.fr.yaml").write_text(f'{words}\nsource: "Un livre : le nôtre"\n')
    assert "  Un livre : le nôtre\n\n" in run("describe", "game.yaml", "--lang", "fr")[1]
    english = run("describe", "game.yaml")[1]
    assert "  A book of ours\n  Nobody\n" in english and "livre" not in english
    assert told(run, "describe", "game.yaml")["source"] == {"text": "A book of ours", "by": "Nobody"}


def test_variant_changes_a_default(run: Run) -> None:
    Path("seven.yaml").write_text("ruleset: 1\ngame: seven\nextends: game.yaml\nset: {cards_each: 7}\n")
    out = joined(run, "seven.yaml", "--set", "cards_each=6")
    assert "cards_each=6" in out and "default 7" in out


@pytest.mark.whole
def test_variant(run: Run) -> None:
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
    files = [Path(path).name for path in (found["file"], *found["built_on"])]
    assert files == ["chips.yaml", "french.yaml", "game.yaml"]
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
