"""Answers of the server: pages, the list of games, seats at a table, records."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from games import game

from hoyle.web import protocol
from hoyle.web.guards import HEADERS
from hoyle.web.protocol import DeltaEncoder

if TYPE_CHECKING:
    from webbed import Web

STATIC = Path(__file__).parents[2] / "interpreter" / "hoyle" / "web" / "static"


# ---- pages -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/table", "/record", "/api/words", "/static/table.js", "/nowhere"])
def test_every_answer_has_the_security_headers(web: Web, path: str) -> None:
    answer = web.get(path)
    assert answer.status == (404 if path == "/nowhere" else 200)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy
    assert all(answer.headers[name.lower()] for name in HEADERS)


def test_pages_load_nothing_from_elsewhere_and_nothing_inline() -> None:
    pages = [path for path in STATIC.iterdir() if path.suffix in (".html", ".js", ".css")]
    assert len(pages) > 5
    for path in pages:
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"(https?:)?//\w", text), path
        if path.suffix == ".html":
            assert not re.search(r"<style|\sstyle=|\son\w+=", text), path
            assert all(" src=" in part.partition(">")[0] for part in text.split("<script")[1:])


@pytest.mark.whole
def test_the_shelf_has_all_games_by_family_and_other_names(web: Web) -> None:
    french, english = (
        {g["name"]: g for g in web.get(f"/api/games?lang={lang}").json()["games"]} for lang in ("fr", "en")
    )
    assert french["klondike"]["title"] == "Le Klondike"
    assert french["barbu-plain"]["extends"] == "barbu-ammoun"
    assert french["barbu-plain"]["family"] == french["barbu"]["family"] != ""
    assert all(one["players"] for one in french.values())
    assert all(kind in english["klondike"]["words"] for kind in ("solitaire", "patience", "réussite"))
    assert "Jeux de levées" in english["whist"]["words"]
    near = {text: web.get("/api/near", text=text).json()["games"] for text in ("klondyke", "kribage", "zzzz", "")}
    assert near["klondyke"][0] == "klondike" and "cribbage" in near["kribage"]
    assert near["zzzz"] == near[""] == []


@pytest.mark.whole
def test_options_of_a_game_and_its_picture(web: Web) -> None:
    told = web.get("/api/games/klondike?lang=fr").json()
    assert {one["name"] for one in told["options"]} >= {"draw", "take_back"}
    assert all(one["label"] for one in told["options"])
    assert web.get("/api/games/nothing").status == 404
    assert web.get("/api/games/klondike", options='{"draw": 99}').status == 400
    assert web.get("/api/games/klondike", options="[" * 5000).status == 400
    picture = web.get("/api/games/klondike/picture.svg")
    assert picture.headers["content-type"].startswith("image/svg") and "<svg" in picture.text


# ---- a game ----------------------------------------------------------------------------------------------------------


@pytest.mark.whole
def test_a_move_is_shown_to_the_other_seat(web: Web) -> None:
    first, other = web.sit_all(web.begin("cribbage", "human", "human"))
    assert {first.table["seat"], other.table["seat"]} == {"A", "B"} and not other.table["moves"]
    other.say(t="move", n=0, id=first.table["moves"][0]["id"])
    told = other.hear("refused")
    assert told["why"] == "turn" and f" {first.table['seat']} " in told["text"]
    for what, why in (("hint", "turn_hint"), ("why", "turn_why")):
        other.say(t=what, move="x")
        assert other.hear("refused", what)["why"] == why
    answer = first.move()
    assert (answer["t"], answer["n"]) == ("table", 1)
    assert other.hear("table")["n"] == 1
    assert other.table["news"]["items"][-1]["text"].endswith(("has chosen", "chose"))
    other.say(t="move", n=0, id=answer["moves"][0]["id"] if answer["moves"] else "x")
    assert other.hear("refused")["why"] in ("late", "move", "turn")


@pytest.mark.whole
@pytest.mark.parametrize("kind", ["random", "first"])
def test_bots_move_by_themselves(web: Web, kind: str) -> None:
    at = web.sit(web.begin("watched", "human", kind)["A"])
    at.play_out()
    assert at.table["n"] > 8 and str(web.place.parent) not in "".join(at.bytes), "no path is sent"


def test_a_new_language_repeats_all_events(web: Web) -> None:
    at = web.sit(web.begin("klondike", "human")["A"])
    at.say(t="look", lang="fr", tone="dark", four=True, width=400)
    told = at.hear("table")
    assert told["news"]["from"] == 0
    assert any(move["text"].startswith("retourner") for move in told["moves"])


@pytest.mark.whole
def test_hint_why_and_rules(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hoyle.web.seat_requests.HINT_SECONDS", 0.05)
    at = web.sit(web.begin("klondike", "human")["A"], lang="fr")
    at.say(t="hint")
    hint = at.hear("hint", "refused")
    assert hint["id"] in [move["id"] for move in at.table["moves"]] and hint["lines"]
    assert hint["lines"][0][0] not in "0123456789", "there is no list with numbers here"
    at.say(**{"t": "why", "from": "column at 7", "at": 6, "to": "column at 1"})
    told = at.hear("why", "refused")
    assert len(told["lines"]) == 1 and "[K" in told["lines"][0]
    assert any("Morehead" in line for line in told["source"]) and told["more"]
    at.say(t="why", move="no such thing")
    assert "no such thing" in at.hear("why", "refused")["lines"][0]
    at.say(t="why", move="3D to column 5")
    assert len(at.hear("why")["lines"]) == 2, "how the words were read, and the answer"
    at.say(t="rules")
    rules = at.hear("rules")
    assert rules["title"] == "Le Klondike" and all(part["rules"] for part in rules["parts"])
    assert all(one["text"] for one in rules["parts"][0]["rules"]), "the chosen options"
    book, picture = web.ask("GET", f"/{rules['book']}"), web.ask("GET", f"/{rules['picture']}")
    assert (book.status, picture.status) == (200, 200)
    assert "<h1>Le Klondike</h1>" in book.text and "img-src data:" in book.headers["content-security-policy"]
    assert "<title>Le Klondike</title>" in picture.text


def test_undo_restores_the_table(web: Web) -> None:
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


@pytest.mark.whole
def test_games_survive_a_reload_and_a_restart(tmp_path: Path) -> None:
    from webbed import Web

    web = Web(tmp_path / "games.sqlite")
    token = web.begin("klondike", "human")["A"]
    at = web.sit(token)
    for n in range(5):
        at.move(n % len(at.table["moves"]))
    before = {key: at.table[key] for key in ("n", "piles", "moves", "svg")}
    at.leave()
    again = web.sit(token)
    assert {key: again.table[key] for key in before} == before
    web.stop()
    web = Web(tmp_path / "games.sqlite")
    there = web.sit(token)
    assert {key: there.table[key] for key in before} == before
    assert there.move()["n"] == before["n"] + 1
    web.stop()


# ---- delta encoding --------------------------------------------------------------------------------------------------


def test_both_ends_forget_all_parts_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "MOST_PARTS", 3)
    sent = DeltaEncoder()
    sent.encode_picture("a\nb\nc")
    assert sent.encode_picture("a") == [None, "a"]
    assert sent.encode_picture("a") == [0]


@pytest.mark.whole
def test_moves_are_answered_by_small_messages(web: Web) -> None:
    token = next(iter(web.begin("klondike", "human").values()))
    at = web.sit(token, width=800, height=600)
    whole = len(at.bytes[-1])
    for n in range(8):
        at.move(n % len(at.table["moves"]))
    later = [len(text) for text in at.bytes if json.loads(text)["t"] == "table"][2:]
    assert sum(later) / len(later) < whole / 2
    other = web.sit(token, width=800, height=600)
    assert other.table["piles"] == at.table["piles"]
    signs = [table["svg"].count("data-sign") for table in (other.table, at.table)]
    assert signs[0] == signs[1] > 0 and other.table["n"] == at.table["n"]


# ---- records ---------------------------------------------------------------------------------------------------------


@pytest.mark.whole
def test_a_finished_game_and_its_record(web: Web) -> None:
    at = web.sit(web.begin("golf", "human")["A"])
    at.play_out()
    assert at.table["result"] and not at.table["moves"]
    record = at.record()
    answer = web.post("/api/records", record.encode())
    assert answer.status == 201
    told = answer.json()
    last = web.get(f"/api/records/{told['id']}/{told['steps'] - 1}?lang=fr").json()
    assert last["result"] and last["news"]["items"]
    for nowhere in (f"{told['id']}/{told['steps']}", "x/0", "x"):
        assert web.get(f"/api/records/{nowhere}").status == 404
    log = web.get(f"/api/records/{told['id']}?lang=fr").json()["steps"]
    assert len(log) == told["steps"] and log[-1][-1] == last["news"]["items"][-1]["text"]
    head, _, rest = record.partition("\n")
    for other in ({"digest": "0" * 16}, {"game": "klondike"}, {"options": {"holes": 9}}):
        answer = web.post("/api/records?lang=fr", f"{json.dumps({**json.loads(head), **other})}\n{rest}".encode())
        text = answer.json()["text"]
        assert answer.status == 400 and text.startswith("Cet enregistrement") and text.count(".") == 1, text


def test_wrong_records_are_refused(web: Web, tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_text("secret: of this machine")
    other = {"record": 1, "game": str(tmp_path / "own.yaml"), "options": {}, "seed": 1, "index": 0, "seats": {}}
    wrong = [json.dumps(one).encode() for one in (other, {**other, "game": "../x"})]
    for body in (b"", b"\xff\xfe", b"{}", b"[" * 9000, *wrong):
        answer = web.post("/api/records", body)
        assert answer.status == 400, body[:40]
        assert "secret" not in answer.text and answer.json()["text"]
    assert web.post("/api/records", b"x" * 5_000_000).status == 413


# ---- links -----------------------------------------------------------------------------------------------------------


@pytest.mark.whole
def test_spectators_watch_and_the_same_people_play_again(web: Web) -> None:
    at = web.sit(web.begin("watched", "human", "first")["A"])
    at.say(t="again")
    assert at.hear("again", "refused")["why"] == "playing"
    at.say(t="links")
    looker = web.sit(at.hear("links")["onlooker"])
    assert looker.table["seat"] is None and looker.table["moves"] == []
    orders: list[dict[str, Any]] = [{"t": "move", "n": 0, "id": "x"}, {"t": "undo", "n": 0}, {"t": "links"}]
    for order in orders:
        looker.say(**order)
        assert looker.hear("refused", "table")["why"] == "guest"
    looker.say(t="hint")
    assert looker.hear("refused", "hint")["why"] == "turn_hint"
    at.move()
    assert looker.hear("table")["n"] > 0
    at.play_out()
    at.say(t="again")
    first = at.hear("again")["token"]
    at.say(t="again")
    assert at.hear("again")["token"] == first, "begun once, however many ask"
    again = web.sit(first)
    assert (again.table["moved"], again.table["title"], again.table["over"]) == (0, at.table["title"], False)


@pytest.mark.whole
def test_only_the_creator_gets_the_links(web: Web) -> None:
    tokens = web.begin("cribbage", "human", "human")
    first, other = web.sit(tokens["A"]), web.sit(tokens["B"])
    first.say(t="links")
    found = first.hear("links")
    ((seat, name, token),), onlooker = found["seats"], found["onlooker"]
    assert (seat, name) == ("B", "B") and token != tokens["B"]
    assert web.sit(token).table["piles"] == other.table["piles"]
    looker = web.sit(onlooker)
    assert all(piece is None for pile in looker.table["piles"] for piece in pile["pieces"])
    for guest, why in ((other, "began"), (looker, "guest")):
        guest.say(t="links")
        assert guest.hear("links", "refused")["why"] == why
        assert not any(secret in text for text in guest.bytes for secret in (token, onlooker, *tokens.values()))


# ---- contents of a table ---------------------------------------------------------------------------------------------


@pytest.mark.whole
def test_a_seat_that_was_passed_over_may_call(web: Web) -> None:
    tokens = web.begin("crapette", "human", "human", options={"faults": "callable"}, seed=5)
    a, b = web.sit(tokens["A"]), web.sit(tokens["B"], lang="fr")
    mover, other = (a, b) if a.table["moves"] else (b, a)
    mover.move(next((n for n, move in enumerate(mover.table["moves"]) if move["fault"]), 0))
    other.hear("table")
    assert mover.table["call"] is None and mover.table["n"] == 2
    assert re.sub(r"\s", " ", other.table["call"]["text"]) == "« Crapette ! »" and not other.table["moves"]
    ((made, after),) = other.table["call"]["places"]
    assert [item["text"] for item in other.table["news"]["items"] if item][-1] == after, "silence is not told"
    mover.say(t="call", n=2, made=made)
    assert mover.hear("refused")["why"] == "late" and mover.hear("table")["n"] == 2
    other.say(t="call", n=other.table["n"], made=made)
    other.hear("table")
    assert other.table["moves"] and other.table["call"] is None
    assert mover.hear("table")["called"] and not mover.table["moves"]
    other.move()
    assert other.table["call"] is None


@pytest.mark.whole
def test_points_of_a_board_have_the_labels_of_the_board(web: Web) -> None:
    for seat, token in web.begin("backgammon", "human", "human").items():
        (board,) = game("backgammon").start(5).view(seat).boards
        called = {pile["key"]: pile["words"] for pile in web.sit(token).table["piles"]}
        assert [called[point] for point in board.points] == [f"point {label}" for label in board.labels]
        assert {f">{label}<" for label in board.labels} <= set(re.findall(r">\d+<", web.seats[-1].table["svg"]))


@pytest.mark.slow
def test_searching_bots_are_prepared_before_they_move(web: Web) -> None:
    web.get("/api/games/golf", chosen="true")
    at = web.sit(web.begin("cribbage", "human", "search:20")["A"])
    at.move()
    at.until_asked()
    assert not at.table["preparing"] and at.table["moved"] >= 2
