"""Refused requests: foreign hosts, broken messages, too many, wrong orders. Also internal errors of the server."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from english import spaced
from rules import read_cases

from hoyle.cli.commands.servers import _bind
from hoyle.presentation import catalogue
from hoyle.presentation.catalogue import UserError
from hoyle.web.guards import HostNames, RateLimit, is_same_origin

if TYPE_CHECKING:
    from webbed import Web

CASES = read_cases("web/refused")
ORDER = {"game": "klondike", "seats": {"A": "human"}}


def test_other_names_and_other_pages_are_refused(web: Web) -> None:
    from websockets.exceptions import InvalidStatus

    assert web.ask("GET", "/", host="evil.example").status == 421
    for origin in ("http://evil.example", "http://localhost:81", "null"):
        assert web.post("/api/tables", ORDER, origin=origin).status == 403
    with pytest.raises(InvalidStatus):
        web.sit("", origin="http://evil.example")


def test_own_names_and_origins() -> None:
    assert not is_same_origin("", "localhost")
    assert HostNames(["table.local"]).is_own("table.local:8808")
    for host in ("", "localhost.evil.example", "localhost@evil", "[::", "1.2.3.4"):
        assert not HostNames([]).is_own(host)


def test_unknown_links_lead_nowhere(web: Web) -> None:
    for token in ("", "x" * 43, "' OR 1=1 --"):
        assert web.sit(token, lang="fr").first["why"] == "link"


POLICY = (1008, 1009)
"""Close codes of refused messages: not understood, or too long. 1011 would be an internal error."""


@pytest.mark.parametrize(
    "said", ["[]", "no json", "1", "[" * 4000, '{"t": "move"}', '{"t": "sit"}', '{"t": 7}', "x" * 20_000]
)
def test_messages_outside_the_protocol_close_the_connection(web: Web, said: str) -> None:
    from websockets.exceptions import ConnectionClosed

    token = web.begin("watched", "human", "human")["A"]
    at = web.sit(token)
    at.line.send(said)
    with pytest.raises(ConnectionClosed) as ended:
        at.hear("never")
    assert ended.value.rcvd is not None and ended.value.rcvd.code in POLICY
    assert web.sit(token).table["n"] == 0  # the table stands


@pytest.mark.parametrize(("change", "status"), CASES["orders"])
def test_wrong_orders_create_no_table(web: Web, change: dict[str, Any], status: int) -> None:
    assert web.post("/api/tables", {**ORDER, **change}).status == status


def test_long_orders_are_refused(web: Web) -> None:
    assert web.post("/api/tables", b"x" * 50_000).status == 413
    assert web.post("/api/tables", b"x").status == 400


@pytest.mark.whole
def test_too_many_orders_are_refused(tmp_path: Path) -> None:
    from webbed import Web

    web = Web(tmp_path / "games.sqlite")
    assert [web.post("/api/tables", b"x").status for _ in range(63)][::62] == [400, 429]
    assert web.get("/api/records/x").status == 429
    web.stop()


def test_a_rate_limit_allows_bursts() -> None:
    bucket = RateLimit(0.0, 3)
    assert [bucket.take() for _ in range(5)] == [True, True, True, False, False]


def test_too_many_messages_close_the_connection(server: Web) -> None:
    from websockets.exceptions import ConnectionClosed

    at = server.sit(server.begin("watched", "human", "human")["A"])

    def flood() -> None:
        for _ in range(90):
            at.say(t="record")  # refused without much work
        at.hear("never")

    with pytest.raises(ConnectionClosed):
        flood()
    server.leave()


# ---- internal errors -------------------------------------------------------------------------------------------------


def failing(error: Exception) -> Callable[..., None]:
    def fail(*_: object) -> None:
        raise error

    return fail


def test_internal_errors_are_reported_and_nothing_is_lost(
    web: Web, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The error is logged with its place, and the game goes on."""
    tokens = web.begin("watched", "human", "human")
    first, other = web.sit_all(tokens)
    with monkeypatch.context() as broken:
        broken.setattr("hoyle.web.play.tables.play_with_pauses", failing(KeyError("lost")))
        assert first.move()["why"] == "error"
    with monkeypatch.context() as broken:
        broken.setattr("hoyle.web.protocol.describe_moves", failing(ValueError("wrong")))
        assert first.move()["why"] == other.hear("refused")["why"] == "error"
    own = [record for record in caplog.records if record.name.startswith("hoyle.web")]
    assert [type(one.exc_info[1]) for one in own if one.exc_info] == [KeyError, ValueError, ValueError]
    again = web.sit(tokens[first.table["seat"]])
    assert again.table["n"] > 0, "the move that could not be shown was made"
    assert first.line.close_code is None
    with monkeypatch.context() as broken:
        broken.setattr("hoyle.web.shelf.list_games", failing(KeyError("lost")))
        answer = web.get("/api/games?lang=fr")
    assert answer.status == 500 and answer.json()["why"] == "error"


@pytest.mark.parametrize(("host", "port", "why"), CASES["addresses"])
def test_addresses_that_cannot_be_opened_are_reported_in_french(
    host: str, port: int, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue, "_chosen", "fr")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        wanted = port or int(taken.getsockname()[1])
        with pytest.raises(UserError) as refused:
            _bind(host, wanted)
    assert spaced(str(refused.value)) == f"`{host}`, port {wanted}, ne peut servir : {why}"
