"""What the server refuses: strangers, what is not of its protocol, too much, and what is not the time for. And what goes wrong on its own side."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from spaces import spaced
from webbed import Web
from websockets.exceptions import ConnectionClosed, InvalidStatus

from interpreter.cli import catalogue
from interpreter.cli.output import Trouble
from interpreter.web.command import _door
from interpreter.web.guards import Bucket, Names, is_same_origin


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Web]:
    found = Web(tmp_path / "games.sqlite")
    yield found
    found.stop()


# ---- strangers -------------------------------------------------------------------------------------------------------


def test_other_names_and_other_pages_are_refused(web: Web) -> None:
    order = {"game": "klondike", "seats": {"A": "human"}}
    assert web.ask("GET", "/", host="evil.example").status == 421
    assert web.post("/api/tables", order, origin="http://evil.example").status == 403
    assert web.post("/api/tables", order, origin="http://localhost:81").status == 403
    assert web.post("/api/tables", order, origin="null").status == 403
    with pytest.raises(InvalidStatus):
        web.sit("", origin="http://evil.example")
    assert not is_same_origin("", "localhost")
    assert Names(["table.local"]).is_own("table.local:8808")
    assert not any(
        Names([]).is_own(host) for host in ("", "localhost.evil.example", "localhost@evil", "[::", "1.2.3.4")
    )


def test_a_link_that_leads_nowhere(web: Web) -> None:
    web.begin("klondike", "human")
    for token in ("", "x" * 43, "' OR 1=1 --"):
        assert web.sit(token, lang="fr").first["why"] == "link"


@pytest.mark.parametrize(
    "said", ["[]", "no json", "1", "[" * 4000, '{"t": "move"}', '{"t": "sit"}', '{"t": 7}', "x" * 20_000]
)
def test_what_is_not_of_the_protocol_ends_it(web: Web, said: str) -> None:
    tokens = web.begin("klondike", "human")
    at = web.sit(tokens["A"])
    at.line.send(said)
    with pytest.raises(ConnectionClosed):
        at.hear("never")
    assert web.sit(tokens["A"]).table["n"] == 0  # the table stands


def test_orders_that_cannot_be(web: Web) -> None:
    def answer(**order: Any) -> int:
        return web.post("/api/tables", order).status

    assert answer(game="klondike", seats={"A": "human"}) == 201
    assert answer(game="../klondike", seats={"A": "human"}) == 404
    assert answer(game="klondike", seats={}) == 400
    assert answer(game="klondike", seats={"A": "random"}) == 400
    assert answer(game="klondike", seats={"A": "search:999999999"}) == 400
    assert answer(game="klondike", seats={"A": "human"}, options={"draw": [1]}) == 400
    assert answer(game="klondike", seats={"A": "human"}, options={"draw": 99}) == 400
    assert answer(game="klondike", seats={"A": "human"}, seed=-1) == 400
    assert answer(seats=7) == 400
    assert web.post("/api/tables", b"x" * 50_000).status == 413
    assert {web.post("/api/tables", b"x").status for _ in range(80)} == {400, 429}


def test_a_bucket_lets_so_many_through() -> None:
    bucket = Bucket(0.0, 3)
    assert [bucket.take() for _ in range(5)] == [True, True, True, False, False]


def test_too_much_too_fast_ends_it(web: Web) -> None:
    at = web.sit(web.begin("klondike", "human")["A"])
    for _ in range(400):
        at.say(t="look", lang="en")
    with pytest.raises(ConnectionClosed):
        at.hear("never")


# ---- what is not the time for, and what goes wrong here -----------------------------------------------------------------


def test_whose_turn_it_is_not_is_told_whose_it_is(web: Web) -> None:
    tokens = web.begin("cribbage", "human", "human")
    a, b = web.sit(tokens["A"]), web.sit(tokens["B"], lang="fr")
    first, other = (a, b) if a.table["moves"] else (b, a)
    other.say(t="move", n=0, id=first.table["moves"][0]["id"])
    told = other.hear("refused")
    assert told["why"] == "turn" and str(first.table["seat"]) in told["text"].split()[-1]
    for what, why in (("hint", "turn_hint"), ("why", "turn_why")):
        other.say(t=what, move="x")
        assert other.hear("refused", what)["why"] == why
    assert first.move()["n"] == 1


def lost(*_: object) -> None:
    raise KeyError("lost")


def wrong(*_: object) -> None:
    raise ValueError("wrong")


def test_what_goes_wrong_here_is_told_and_nothing_is_lost(
    web: Web, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A mistake of the server is none of the browser: it is noted with its place, and the game goes on."""
    tokens = web.begin("cribbage", "human", "human")
    a, b = web.sit(tokens["A"]), web.sit(tokens["B"])
    first, other = (a, b) if a.table["moves"] else (b, a)
    with monkeypatch.context() as broken:
        broken.setattr("interpreter.web.tables.watched", lost)
        assert first.move()["why"] == "error"
    with monkeypatch.context() as broken:
        broken.setattr("interpreter.web.protocol.choices", wrong)
        assert first.move()["why"] == other.hear("refused")["why"] == "error"
    own = [record for record in caplog.records if record.name.startswith("interpreter.web")]
    assert [type(one.exc_info[1]) for one in own if one.exc_info] == [KeyError, ValueError, ValueError]
    again = web.sit(tokens[first.table["seat"]])
    assert again.table["n"] == 1, "the move that could not be shown was made"
    assert first.line.close_code is None
    with monkeypatch.context() as broken:
        broken.setattr("interpreter.web.shelf.shelf", lost)
        answer = web.get("/api/games?lang=fr")
    assert answer.status == 500 and answer.json()["why"] == "error"


# ---- where it cannot be ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("host", "port", "why"),
    [
        ("127.0.0.1", 0, "un autre programme s'en sert"),
        ("127.0.0.1", 80_999, "les ports vont de 0 à 65535"),
        ("::zz::", 8999, "aucune machine n'a ce nom"),
        ("a" * 70, 8999, "aucune machine n'a ce nom"),
        ("203.0.113.7", 8999, "cette machine n'a pas cette adresse"),
    ],
)
def test_an_address_that_cannot_be_had_is_told_in_the_language_chosen(
    host: str, port: int, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue, "_chosen", "fr")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        wanted = port or int(taken.getsockname()[1])
        with pytest.raises(Trouble) as refused:
            _door(host, wanted)
    assert spaced(str(refused.value)) == f"`{host}`, port {wanted}, ne peut servir : {why}"
