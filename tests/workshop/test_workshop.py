"""The endpoints of the workshop: what the page is told of a text while somebody writes it."""

from __future__ import annotations

import json
import re
import time
from typing import TYPE_CHECKING, Any

import pytest
from rules import read_cases

from hoyle.presentation.starters import make_starter
from hoyle.resources import shipped
from hoyle.web.play import table_manager
from hoyle.workshop import routes

if TYPE_CHECKING:
    from webbed import Web

CASES = read_cases("workshop/orders")
STARTER = make_starter("my-game").replace("title: My game", "title: 🂡 My game")
"""A small game with a character that browsers count twice."""
KLONDIKE = shipped()["klondike"].read_text(encoding="utf-8")
OPEN = "ruleset: 1\ngame: open\nextends: klondike\ntitle: Open\nterms:\n  fits(card, to): to is empty or next_below(card, top(to))\n"


def ask(web: Web, what: str, lang: str = "en", **order: Any) -> dict[str, Any]:
    answer = web.post(f"/api/workshop/{what}?lang={lang}", order)
    assert answer.status == 200, answer.text
    return dict(answer.json())


def cut(text: str, start: int, end: int) -> str:
    """The part of a text between two offsets of a browser."""
    return text.encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le")


def apply(text: str, edits: list[dict[str, Any]]) -> str:
    for edit in edits:
        text = cut(text, 0, edit["from"]) + edit["text"] + cut(text, edit["to"], len(text) + 9)
    return text


def find(text: str, part: str) -> int:
    """The offset, in a browser, after the first such part of a text."""
    return len(text[: text.index(part) + len(part)].encode("utf-16-le")) // 2


@pytest.mark.parametrize("path", ["source/klondike", "skeleton/starter", "skeleton/klondike"])
def test_every_game_begins_without_problems(web: Web, path: str) -> None:
    found = ask(web, "check", "fr", **web.get(f"/api/workshop/{path}", lang="fr").json())
    assert found["ok"] and found["problems"] == [] and found["seats"]
    if "klondike" in path:
        assert {option["name"] for option in found["options"]} >= {"draw", "redeals"}
        draw = next(option for option in found["options"] if option["name"] == "draw")
        assert draw["label"] == "cartes retournées à la fois"
        assert (draw["from"] is not None) == path.startswith("source")


def test_the_list_has_games_families_and_skeletons(web: Web) -> None:
    found = web.get("/api/workshop/games", lang="fr").json()
    games = {game["name"]: game for game in found["games"]}
    assert games["klondike"]["title"] == "Le Klondike" and games["open-klondike"]
    assert games["barbu"]["family"] in {family["name"] for family in found["families"]}
    assert found["skeletons"][0]["name"] == "starter"
    assert web.get("/api/workshop/source/nowhere").status == 404


def test_a_misspelt_name_is_underlined_and_mended_by_its_fix(web: Web) -> None:
    text = STARTER.replace("top(heap).rank", "top(heep).rank")
    found = ask(web, "check", "fr", text=text)
    problem = found["problems"][0]
    assert found["title"] == "🂡 My game" and not found["ok"]
    assert (cut(text, problem["from"], problem["to"]), problem["severity"]) == ("heep", "error")
    assert text.splitlines()[problem["line"] - 1].count("heep") == 1
    assert "Remplacer" in problem["fixes"][0]["title"]
    mended = apply(text, problem["fixes"][0]["edits"])
    found = ask(web, "check", text=mended)
    assert mended == STARTER and found["ok"] and found["title"] == "🂡 My game"
    marks = {(cut(mended, start, end), token) for start, end, token in found["marks"]}
    assert {("heap", "namespace"), ("fits", "function"), ("card", "variable"), ("top", "keyword")} <= marks


def test_problems_of_a_parent_stand_in_the_variant(web: Web) -> None:
    text = OPEN.replace("fits(card, to): ", "next_below(card): card is top(waste)\n  fits(card, to): ")
    problems = ask(web, "check", text=text)["problems"]
    assert problems and all(problem["to"] <= len(text) for problem in problems)
    renamed = ask(web, "check", name="klondike", text=KLONDIKE.replace("take_back", "undo_it"))
    assert renamed["problems"] == [], "nor of the words that the shelf has for another name"


def test_completion_goes_on_in_texts_that_cannot_be_read(web: Web) -> None:
    ask(web, "complete", text=STARTER, at=0)
    for text, after, label, insert in CASES["completions"]:
        whole = text.replace("STARTER", STARTER)
        at = find(whole, after)
        found = ask(web, "complete", "fr", text=whole, at=at)
        assert label.startswith(cut(whole, found["from"], at))
        assert {item["label"]: item["insert"] for item in found["items"]}[label] == insert


def test_hover_and_the_rulebook_tell_what_stands_at_a_place(web: Web) -> None:
    hover = ask(web, "hover", "fr", text=STARTER, at=find(STARTER, "some p in players has ha"))
    assert cut(STARTER, hover["from"], hover["to"]) == "hand" and "pile" in hover["text"]
    assert ask(web, "hover", text=STARTER, at=10**9) == {}
    passages = {
        part: ask(web, "rules", "fr", name="klondike", text=KLONDIKE, at=find(KLONDIKE, part))
        for part in ("\n  to the foundation", "\n  draw:  ", "\n  next_below(", "\nresult:", "\nexamples:")
    }
    assert "de l&#39;as au roi" in passages["\n  to the foundation"]["html"]
    assert "retournées" in passages["\n  draw:  "]["html"] and passages["\nresult:"]["title"]
    assert passages["\nexamples:"] == {} and "<li" in passages["\n  next_below("]["html"], "a rule that uses the term"
    text = STARTER.replace("must have the suit", "must <script>x</script>have the suit")
    book = ask(web, "book", text=text, options={"cards_each": 7})["html"]
    assert "<script" not in book and "&lt;script" in book
    assert f'id="move-play-a-card" data-from="{find(text, chr(10) + "  play a card") - len("play a card")}"' in book


def test_a_table_goes_on_after_an_edit_as_far_as_the_moves_are_legal(web: Web) -> None:
    new = ask(web, "table", text=OPEN, seats={}, options={"draw": 1}, seed=1, moves=[])
    (token,) = new["tokens"].values()
    seat = web.sit(token)
    for _ in range(6):
        seat.move()
    seat.say(t="rules")
    assert seat.hear("rules")["title"] == "Open"
    made = ask(web, "moves", token=token)
    assert len(made["moves"]) == 6 and made["seed"] == 1
    order: dict[str, Any] = {"options": {"draw": 1, "gone": 3}, "seats": {"A": "human", "Z": "easy"}, **made}
    again = ask(web, "table", text=OPEN + "# more\n", **order)
    assert (again["played"], again["stopped"]) == (6, None)
    assert web.sit(again["tokens"]["A"]).table["svg"] == seat.table["svg"]
    stuck = ask(web, "table", "fr", text=OPEN, **order | {"moves": [*made["moves"][:2], "to-the-foundation column 9"]})
    assert (stuck["played"], stuck["stopped"]["index"]) == (2, 2) and stuck["stopped"]["lines"]
    last = [ask(web, "table", text=OPEN, **order)["tokens"]["A"] for _ in range(4)][-1]
    tokens = {"visited": token, "oldest": stuck["tokens"]["A"], "newest": last}
    status = {name: web.post("/api/workshop/moves", {"token": one}).status for name, one in tokens.items()}
    assert status == {"visited": 200, "oldest": 400, "newest": 200}, "four tables at most"


def test_other_people_at_a_table_learn_nothing_of_hidden_cards(web: Web) -> None:
    new = ask(web, "table", text=STARTER, seats={"A": "human", "B": "human"}, options={"players": 2}, seed=4, moves=[])
    one, other = web.sit(new["tokens"]["A"]), web.sit(new["tokens"]["B"])
    own = {piece[0] for pile in one.table["piles"] if pile["key"] == "hand of A" for piece in pile["pieces"]}
    assert len(own) == 5 and not any(f'"{sign}"' in text for sign in own for text in other.bytes)
    one.say(t="links")
    link = one.hear("links")["seats"][0][1]
    links = [item for item in one.bytes[-1].split('"') if len(item) == 43]
    assert links and link, "links of the other seat and of spectators"
    assert {web.post("/api/workshop/moves", {"token": token}).status for token in links} == {400}


def test_a_new_example_holds_or_fails_as_it_is_claimed(web: Web) -> None:
    """In the first position a card fits, so that drawing is refused."""
    seat = web.sit(ask(web, "table", text=STARTER, seats={"A": "human", "B": "human"}, seed=5)["tokens"]["A"])
    fitting = seat.table["moves"][0]["id"]
    start: dict[str, Any] = {"text": STARTER, "options": {"cards_each": 5}, "seed": 5, "moves": []}
    for claim, move, holds in (
        ("legal", fitting, True),
        ("illegal", fitting, False),
        ("illegal", "draw a card", True),
        ("legal", "draw a card", False),
    ):
        new = ask(web, "example", claim=claim, move=move, **start)
        text = apply(STARTER, new["edits"])
        assert cut(text, new["at"], new["at"] + len(new["name"])) == new["name"]
        assert ask(web, "check", text=text)["problems"] == []
        examples: list[dict[str, Any]] = [{"ok": None}]
        while any(one["ok"] is None for one in examples):
            examples = ask(web, "examples", text=text)["examples"]
        example = next(one for one in examples if one["name"] == new["name"])
        assert example["ok"] == holds == (example["lines"] == [])
        assert all(one["ok"] for one in examples if one is not example)


@pytest.mark.whole
def test_inherited_rules_are_copied_to_be_changed(web: Web) -> None:
    text = "ruleset: 1\ngame: mine\nextends: hearts\ntitle: Mine\n"
    book = ask(web, "book", text=text)["html"]
    entries = re.findall(r'data-section="(\w+)" data-entry="([^"]+)"', book)
    assert {"moves", "obligations", "flow", "options"} <= {section for section, _ in entries}
    for section, entry in (("moves", "play a card"), ("obligations", "follow suit"), ("options", "moon")):
        assert (section, entry) in entries
        found = ask(web, "override", text=text, section=section, entry=entry)
        text = apply(text, found["edits"])
        assert cut(text, found["at"], found["at"] + len(entry)) == entry
        assert ask(web, "check", text=text)["problems"] == []
    assert ask(web, "override", text=text, section="moves", entry="play a card") == {}
    assert 'data-from="' in ask(web, "book", text=text)["html"]


def test_the_number_of_players_chooses_the_seats(web: Web) -> None:
    text = "ruleset: 1\ngame: mine\nextends: hearts\ntitle: Mine\n"
    found = [ask(web, "check", text=text, options={"players": count}) for count in (5, 99)]
    assert [len(one["seats"]) for one in found] == [5, 4] and found[0]["players"] == [3, 6, 4]


def test_coverage_counts_what_a_game_used(web: Web) -> None:
    start = ask(web, "table", text=STARTER, seed=3, moves=[])
    seat = web.sit(next(iter(start["tokens"].values())))
    seat.move()
    made = ask(web, "moves", token=next(iter(start["tokens"].values())))
    rules = ask(web, "coverage", "en", text=STARTER, options={}, **made)["rules"]
    moves = {rule["name"]: rule["count"] for rule in rules if rule["sort"] == "rule"}
    assert moves["play a card"] + moves["draw a card"] == len(made["moves"])
    fits = next(rule for rule in rules if rule["text"] == "fits(card)")
    assert fits["yes"] + fits["no"] == fits["count"] > 0 and cut(STARTER, fits["from"], fits["to"]) == "fits(card)"


def test_a_comparison_grows_and_finds_what_a_change_does(web: Web) -> None:
    before, after = ({"text": STARTER, "options": {"cards_each": count}} for count in (3, 8))
    for games in (10, 40):
        while (found := ask(web, "compare", "fr", before=before, after=after, games=games, seed=1))["games"] < games:
            assert found["games"] > 0, "it took a second"
        assert all(one["low"] <= one["difference"] <= one["high"] for one in found["measures"])
    choices = next(one for one in found["measures"] if one["name"] == "vrais choix par partie")
    assert choices["certain"] and choices["low"] > 0 and choices["after"] > choices["before"]


def test_hostile_orders_are_refused(web: Web) -> None:
    for what, order in [*CASES["refused"], ["check", {"text": "x" * 300_001}]]:
        filled = json.loads(json.dumps(order).replace('"STARTER"', json.dumps(STARTER)))
        answer = web.post(f"/api/workshop/{what}?lang=fr", filled)
        assert answer.status == 400 and answer.json()["text"] and "/workshop" not in answer.text, (what, order)


def test_drafts_reach_rulesets_by_name_only(web: Web) -> None:
    text = "ruleset: 1\ngame: x\ntitle: X\nextends: "
    for name in CASES["names"]:
        problems = ask(web, "check", text=text + name)["problems"]
        assert problems and problems[0]["severity"] == "error", name
    assert ask(web, "check", text=text + "watched")["ok"], "the server's own"


@pytest.mark.whole
def test_work_that_takes_too_long_is_interrupted(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "SERIES_SECONDS", 0.1)
    order: dict[str, Any] = {"before": {"text": STARTER + "# 1\n"}, "after": {"text": STARTER + "# 2\n"}, "games": 500}
    answer = web.post("/api/workshop/compare?lang=fr", order)
    assert (answer.status, answer.json()["why"]) == (503, "heavy")
    assert ask(web, "compare", **order | {"games": 2})["games"] >= 2, "the thread goes on"


@pytest.mark.whole
def test_a_table_whose_rules_take_too_long_holds_up_nobody(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once something lies on the first card, listing the moves would take seconds."""
    each = "count(r for r in ranks where r.order + a.rank.order > b.rank.order + n + {}) > n"
    slow = "count(heap) is 1 or count(a for a in pack where count(b for b in pack where {each}) > n) < 40 + count(pack)"
    conditions = ", ".join(f"c{n}: {slow.format(each=each.format(n))}" for n in range(8))
    wait = f"  wait:\n    with: {{n: 1..500}}\n    if: {{{conditions}}}\n    rule: {{at: §3, en: One may wait.}}\n"
    text = STARTER.replace("  draw a card:\n", f"{wait}  draw a card:\n").replace("choose: [", "choose: [wait, ")
    text = text.replace("{face: down", "{face: up").replace(", obey: [play if you can]", "")
    new = ask(web, "table", text=text, seats={"A": "human", "B": "human"}, seed=5)
    seat = web.sit(new["tokens"]["A"])
    first = next(move["id"] for move in seat.table["moves"] if move["id"].startswith("play"))
    monkeypatch.setattr(table_manager, "LONGEST_WORK", 0.3)
    seat.say(t="move", n=seat.table["n"], id=first)
    began = time.monotonic()
    assert ask(web, "check", text=STARTER)["ok"] and time.monotonic() - began < 3
    assert seat.hear("refused")["why"] == "heavy"
