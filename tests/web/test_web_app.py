"""The server: what it answers to whom, and what it refuses."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from games import game
from webbed import Seat, Web
from websockets.exceptions import ConnectionClosed

from interpreter.web.guards import HEADERS

STATIC = Path(__file__).parents[2] / "interpreter" / "web" / "static"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


@pytest.fixture
def web(place: Path) -> Iterator[Web]:
    found = Web(place)
    yield found
    found.stop()


# ---- pages -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/table", "/record", "/api/games", "/api/words", "/static/table.js", "/nowhere"])
def test_every_answer_says_what_a_browser_may_do_with_it(web: Web, path: str) -> None:
    answer = web.get(path)
    assert answer.status == (404 if path == "/nowhere" else 200)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy
    assert all(answer.headers[name.lower()] for name in HEADERS)


def test_pages_need_nothing_from_elsewhere_and_nothing_inline(web: Web) -> None:
    pages = [path for path in STATIC.iterdir() if path.suffix in (".html", ".js", ".css")]
    assert len(pages) > 5
    for path in pages:
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"(https?:)?//\w", text), path
        if path.suffix == ".html":
            assert not re.search(r"<style|\sstyle=|\son\w+=", text), path
            assert all(" src=" in part.partition(">")[0] for part in text.split("<script")[1:])


def test_the_shelf_and_what_may_be_chosen_in_words(web: Web) -> None:
    games = {one["name"]: one for one in web.get("/api/games?lang=fr").json()["games"]}
    assert games["klondike"]["title"] == "Le Klondike"
    assert games["barbu-plain"]["extends"] == "barbu-ammoun"
    assert games["barbu-plain"]["family"] == games["barbu"]["family"] != ""
    assert all(one["players"] for one in games.values())
    told = web.get("/api/games/klondike?lang=fr").json()
    assert {one["name"] for one in told["options"]} >= {"draw", "take_back"}
    assert all(one["label"] for one in told["options"])
    assert web.get("/api/games/nothing").status == 404
    assert web.get("/api/games/klondike", options='{"draw": 99}').status == 400
    assert web.get("/api/games/klondike", options="[" * 5000).status == 400
    picture = web.get("/api/games/klondike/picture.svg")
    assert picture.headers["content-type"].startswith("image/svg") and "<svg" in picture.text


# ---- a game ----------------------------------------------------------------------------------------------------------


def test_a_seat_plays_and_others_see_what_they_may(web: Web) -> None:
    tokens = web.begin("cribbage", "human", "human")
    a, b = web.sit(tokens["A"]), web.sit(tokens["B"], lang="fr")
    assert (a.table["seat"], b.table["seat"]) == ("A", "B")
    first, other = (a, b) if a.table["moves"] else (b, a)
    assert not other.table["moves"]
    answer = first.move()
    assert (answer["t"], answer["n"]) == ("table", 1)
    assert other.hear("table")["n"] == 1
    assert other.table["news"]["items"][-1]["text"].endswith(("has chosen", "a choisi", "chose"))
    other.say(t="move", n=0, id=answer["moves"][0]["id"] if answer["moves"] else "x")
    assert other.hear("refused")["why"] in ("late", "move", "turn")


def test_two_windows_of_one_seat_and_a_message_that_comes_twice(web: Web) -> None:
    token = web.begin("klondike", "human", seed=1)["A"]
    one, two = web.sit(token), web.sit(token)
    moves = [move["id"] for move in one.table["moves"]]
    one.say(t="move", n=0, id=moves[0])
    assert one.hear("table")["n"] == two.hear("table")["n"] == 1
    one.say(t="move", n=0, id=moves[0])  # once more: nothing new, and no complaint
    assert one.hear("table", "refused")["n"] == 1
    two.say(t="move", n=0, id=moves[1])  # chosen before the other window's move was seen
    assert two.hear("refused")["why"] == "late"
    assert two.hear("table")["n"] == 1


def test_seats_without_a_person_move_by_themselves(web: Web) -> None:
    at = web.sit(web.begin("hearts", "human", "random", "first", "random")["A"])
    for _ in range(200):
        if at.table["over"] or len(at.table["news"]["items"]) > 10_000:
            break
        at.move() if at.table["moves"] else at.hear("table")
        if at.table["n"] > 150:
            break
    assert at.table["n"] > 100


def test_another_language_shows_everything_anew(web: Web) -> None:
    at = web.sit(web.begin("klondike", "human")["A"])
    at.say(t="look", lang="fr", tone="dark", four=True, width=400)
    told = at.hear("table")
    assert told["news"]["from"] == 0
    assert any(move["text"].startswith("retourner") for move in told["moves"])


def test_hint_and_why(web: Web) -> None:
    at = web.sit(web.begin("klondike", "human")["A"], lang="fr")
    at.say(t="hint")
    hint = at.hear("hint", "refused")
    assert hint["id"] in [move["id"] for move in at.table["moves"]] and hint["lines"]
    at.say(**{"t": "why", "from": "column at 7", "at": 6, "to": "column at 1"})
    told = at.hear("why", "refused")
    assert len(told["lines"]) == 1 and "[K" in told["lines"][0]
    assert any("Morehead" in line for line in told["source"]) and told["more"]
    assert all(line[0] not in "0123456789" for line in hint["lines"][:1]), "there is no list with numbers here"
    at.say(t="why", move="no such thing")
    assert "no such thing" in at.hear("why", "refused")["lines"][0]
    at.say(t="why", move="3D to column 5")
    assert len(at.hear("why")["lines"]) == 2, "what was taken for a move is not an answer yet"
    at.say(t="rules")
    rules = at.hear("rules")
    assert rules["title"] == "Le Klondike" and all(part["rules"] for part in rules["parts"])
    assert all(one["text"] for one in rules["parts"][0]["rules"]), "what was chosen"
    book = web.ask("GET", rules["book"])
    assert (
        book.status == 200
        and "<h1>Le Klondike</h1>" in book.text
        and "img-src data:" in book.headers["content-security-policy"]
    )
    picture = web.ask("GET", rules["picture"])
    assert picture.status == 200 and "<title>Le Klondike</title>" in picture.text, "of this variant"


def test_undo_and_what_is_told_only_at_the_end(web: Web) -> None:
    at = web.sit(web.begin("klondike", "human")["A"])
    before = at.table["piles"]
    at.say(t="undo", n=0)
    assert at.hear("refused")["why"] == "undo"
    at.move()
    assert at.table["undo"]
    at.say(t="undo", n=1)
    assert at.hear("table")["piles"] == before
    at.say(t="record")
    assert at.hear("refused")["why"] == "playing"


def test_reload_and_another_server_find_the_game_where_it_was(web: Web, place: Path) -> None:
    token = web.begin("klondike", "human")["A"]
    at = web.sit(token)
    for n in range(5):
        at.move(n % len(at.table["moves"]))
    before = {key: at.table[key] for key in ("n", "piles", "moves", "svg")}
    at.leave()
    again = web.sit(token)
    assert {key: again.table[key] for key in before} == before
    other = Web(place)
    there = other.sit(token)
    assert {key: there.table[key] for key in before} == before
    assert there.move()["n"] == before["n"] + 1
    with pytest.raises(ConnectionClosed) as ended:  # the other server has written that number
        again.move(-1)
    assert ended.value.rcvd is not None and ended.value.rcvd.code == 1012
    assert web.sit(token).table["n"] == before["n"] + 1, "who comes anew finds what was written"
    other.stop()


def test_a_game_to_its_end_its_record_and_what_moves_cost(web: Web) -> None:
    at = web.sit(web.begin("golf", "human")["A"])
    while not at.table["over"]:
        at.move()
    assert at.table["result"] and not at.table["moves"]
    at.say(t="record")
    record = at.hear("record")["text"]
    answer = web.post("/api/records", record.encode())
    assert answer.status == 201
    told = answer.json()
    last = web.get(f"/api/records/{told['id']}/{told['steps'] - 1}?lang=fr").json()
    assert last["result"] and last["news"]["items"]
    assert web.get(f"/api/records/{told['id']}/{told['steps']}").status == 404
    assert web.get("/api/records/x/0").status == 404
    log = web.get(f"/api/records/{told['id']}?lang=fr").json()["steps"]
    assert len(log) == told["steps"] and log[-1][-1] == last["news"]["items"][-1]["text"]
    assert web.get("/api/records/x").status == 404


def play_out(at: Seat) -> None:
    """To the end, and not too fast."""
    while not at.table["over"]:
        at.move()
        time.sleep(0.03)


def test_the_same_again_and_who_only_looks_on(web: Web) -> None:
    tokens = web.begin("golf", "human")
    at = web.sit(tokens["A"])
    at.say(t="again")
    assert at.hear("again", "refused")["why"] == "playing"
    at.say(t="links")
    links = at.hear("links")
    looker = web.sit(links["onlooker"])
    assert looker.table["seat"] is None and looker.table["moves"] == []
    for order in ({"t": "move", "n": 0, "id": at.table["moves"][0]["id"]}, {"t": "undo", "n": 0}, {"t": "links"}):
        looker.say(**order)
        assert looker.hear("refused", "table")["why"] == "guest"
    looker.say(t="hint")
    assert looker.hear("refused", "hint")["why"] == "turn_hint"
    at.move()
    assert looker.hear("table")["n"] == 1
    play_out(at)
    at.say(t="again")
    first = at.hear("again")["token"]
    at.say(t="again")
    assert at.hear("again")["token"] == first, "begun once, however many ask"
    again = web.sit(first)
    assert (again.table["n"], again.table["title"], again.table["over"]) == (0, at.table["title"], False)


@pytest.mark.slow
def test_who_began_is_told_the_links_once_more(web: Web) -> None:
    tokens = web.begin("cribbage", "human", "human")
    first, other = web.sit(tokens["A"]), web.sit(tokens["B"])
    first.say(t="links")
    found = first.hear("links")
    ((seat, name, token),), onlooker = found["seats"], found["onlooker"]
    assert (seat, name) == ("B", "B") and token != tokens["B"]
    assert web.sit(token).table["piles"] == other.table["piles"] == web.sit(tokens["B"]).table["piles"]
    looker = web.sit(onlooker)
    assert all(piece is None for pile in looker.table["piles"] for piece in pile["pieces"])
    for guest, why in ((other, "began"), (looker, "guest")):
        guest.say(t="links")
        assert guest.hear("links", "refused")["why"] == why
        assert not any(secret in text for text in guest.bytes for secret in (token, onlooker, *tokens.values()))


def test_a_seat_that_is_not_asked_may_call(web: Web) -> None:
    """In the words of the ruleset, and nobody is told that nothing was said."""
    tokens = web.begin("crapette", "human", "human", options={"faults": "callable"}, seed=5)
    a, b = web.sit(tokens["A"]), web.sit(tokens["B"], lang="fr")
    mover, other = (a, b) if a.table["moves"] else (b, a)
    fault = next((n for n, move in enumerate(mover.table["moves"]) if move["fault"]), 0)
    mover.move(fault)
    other.hear("table")
    assert mover.table["call"] is None and mover.table["n"] == 2
    assert re.sub(r"\s", " ", other.table["call"]["text"]) == "« Crapette ! »" and not other.table["moves"]
    ((made, after),) = other.table["call"]["places"]
    texts = [item["text"] for item in other.table["news"]["items"] if item]
    assert texts[-1] == after, "nobody is told that nothing was said"
    mover.say(t="call", n=2, made=made)
    assert mover.hear("refused")["why"] == "late" and mover.hear("table")["n"] == 2
    other.say(t="call", n=other.table["n"], made=made)
    other.hear("table")
    assert other.table["moves"] and other.table["call"] is None
    assert mover.hear("table")["called"] and not mover.table["moves"]
    other.move()
    assert other.table["call"] is None


def test_games_are_found_by_other_names_and_near_spellings(web: Web) -> None:
    words = {one["name"]: one["words"] for one in web.get("/api/games?lang=en").json()["games"]}
    assert all(kind in words["klondike"] for kind in ("solitaire", "patience", "réussite"))
    assert "Jeux de levées" in words["whist"]
    near = {text: web.get("/api/near", text=text).json()["games"] for text in ("klondyke", "kribage", "zzzz", "")}
    assert near["klondyke"] == ["klondike"] and "cribbage" in near["kribage"]
    assert near["zzzz"] == near[""] == []


def test_a_place_on_a_board_is_called_as_the_board_calls_it(web: Web) -> None:
    tokens = web.begin("backgammon", "human", "human")
    for seat, token in tokens.items():
        (board,) = game("backgammon").start(5).view(seat).boards
        called = {pile["key"]: pile["words"] for pile in web.sit(token).table["piles"]}
        assert [called[point] for point in board.points] == [f"point {label}" for label in board.labels]
        assert {f">{label}<" for label in board.labels} <= set(re.findall(r">\d+<", web.sit(token).table["svg"]))


def test_a_record_of_other_rules_is_refused_in_one_sentence(web: Web) -> None:
    at = web.sit(web.begin("golf", "human")["A"])
    play_out(at)
    at.say(t="record")
    record = at.hear("record")["text"]
    head, _, rest = record.partition("\n")
    for other in ({"digest": "0" * 16}, {"game": "klondike"}, {"options": {"holes": 9}}):
        answer = web.post("/api/records?lang=fr", f"{json.dumps({**json.loads(head), **other})}\n{rest}".encode())
        text = answer.json()["text"]
        assert answer.status == 400 and text.startswith("Cet enregistrement") and text.count(".") == 1, text


@pytest.mark.slow
def test_what_searches_is_made_ready_before_it_is_asked(web: Web) -> None:
    web.get("/api/games/golf", chosen="true")
    at = web.sit(web.begin("cribbage", "human", "search:20")["A"])
    at.move()
    at.until_asked()
    assert not at.table["preparing"] and at.table["moved"] >= 2


def test_records_that_are_none(web: Web, tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_text("secret: of this machine")
    other = {"record": 1, "game": str(tmp_path / "own.yaml"), "options": {}, "seed": 1, "index": 0, "seats": {}}
    for body in (
        b"",
        b"\xff\xfe",
        b"{}",
        b"[" * 9000,
        json.dumps(other).encode(),
        json.dumps({**other, "game": "../x"}).encode(),
    ):
        answer = web.post("/api/records", body)
        assert answer.status == 400, body[:40]
        assert "secret" not in answer.text and answer.json()["text"]
    assert web.post("/api/records", b"x" * 5_000_000).status == 413
