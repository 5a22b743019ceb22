"""What the server answers: the pages, the shelf, new tables, records, and the socket of each seat."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles

from hoyle.diagnostics import Refused
from hoyle.game.game import Game
from hoyle.players.bots import is_kind
from hoyle.web import display, shelf
from hoyle.web.display import Taste, drawn
from hoyle.web.guards import LONGEST_BODY, Buckets, Guarded, Names, client_of, parse_json
from hoyle.web.play.table_manager import House, NoGame
from hoyle.web.play.tables import HUMAN, NotNow
from hoyle.web.record_cache import Opened, Shelved
from hoyle.web.sockets import table_socket

STATIC = Path(__file__).resolve().parent / "static"
LONGEST_ORDER = 20_000
Done = TypeVar("Done")
MOST_SEED = 1 << 53
IDLE, SLOWEST = 5.0, 30.0
"""Seconds in which something of a body must come, and all of it."""
UNREAD = (408, 413, 429)
"""Answers that may come before the whole body has: the connection ends with them."""
MOST_BODIES = 4
"""Records of one client that are received or wait to be opened."""


class Wrong(Exception):
    """What was asked for is not there, or is no proper question."""

    def __init__(self, status: int = 400, key: str = "asked") -> None:
        super().__init__(key)
        self.status, self.key = status, key


def application(house: House, names: Names) -> Any:
    """The server, as an ASGI application."""

    @asynccontextmanager
    async def lifespan(_: Any) -> AsyncIterator[None]:
        yield
        house.close()

    app = Starlette(routes=_routes(), lifespan=lifespan, exception_handlers=_HANDLERS)
    app.state.house, app.state.opened, app.state.bodies = house, Opened(), Counter()
    app.state.orders, app.state.reads, app.state.steps = Buckets(1.0, 60.0), Buckets(0.5, 30.0), Buckets(20.0, 60.0)
    return Guarded(app, names, Buckets(30.0, 200.0))


def _routes() -> list[Any]:
    return [
        *(Route(path, _page(name)) for path, name in _PAGES.items()),
        Mount("/static", StaticFiles(directory=STATIC)),
        Route("/api/words", _words),
        Route("/api/games", _games),
        Route("/api/near", _near),
        Route("/api/games/{name}", _one_game),
        Route("/api/games/{name}/picture.svg", _picture),
        Route("/api/games/{name}/book", _book),
        Route("/api/tables", _new_table, methods=["POST"]),
        Route("/api/records", _new_record, methods=["POST"]),
        Route("/api/records/{ident}", _record_log),
        Route("/api/records/{ident}/{step:int}", _record_step),
        WebSocketRoute("/api/seat", table_socket),
    ]


_PAGES = {"/": "index.html", "/table": "table.html", "/record": "record.html"}


def _page(name: str) -> Any:
    async def page(_: Request) -> Response:
        return FileResponse(STATIC / name, headers={"Cache-Control": "no-cache"})

    return page


async def _wrong(request: Request, wrong: Any) -> Response:
    lang = _lang(request)
    told, unread = {"why": wrong.key, "text": display.word(lang, f"refused.{wrong.key}")}, wrong.status in UNREAD
    return JSONResponse(told, wrong.status, {"Connection": "close"} if unread else None)


async def _refused(request: Request, refused: Any) -> Response:
    """A ruleset or a record that is not as it must be: its own words say why."""
    lang = _lang(request)
    told = str(refused.diagnostics[0].in_language(lang).message)
    return JSONResponse({"why": "refused", "text": told}, 400)


async def _not_now(request: Request, refused: Any) -> Response:
    return await _wrong(request, Wrong(503 if refused.key == "disk" else 400, refused.key))


async def _no_game(request: Request, _: Any) -> Response:
    return await _wrong(request, Wrong(404, "game"))


async def _failed(request: Request, _: Any) -> Response:
    """What goes wrong here is told in the way of the pages; the server notes it."""
    return await _wrong(request, Wrong(500, "error"))


_HANDLERS: Mapping[Any, Any] = {
    Wrong: _wrong,
    Refused: _refused,
    NotNow: _not_now,
    NoGame: _no_game,
    Exception: _failed,
}


# ---- questions -------------------------------------------------------------------------------------------------------


def _lang(request: Request) -> str:
    return display.language(request.query_params.get("lang"))


def _house(request: Request) -> House:
    found: House = request.app.state.house
    return found


async def _read(request: Request, work: Callable[..., Done], *given: Any) -> Done:
    """Done by a thread that reads, when it is the client's turn."""
    return await _house(request).reading.do(client_of(request.scope), work, *given)


def _limit(request: Request, what: Buckets) -> None:
    """Raises Wrong if the client asks for this too often."""
    if not what.take(client_of(request.scope)):
        raise Wrong(429, "often")


async def _words(request: Request) -> Response:
    return JSONResponse(display.page_words(_lang(request)))


async def _games(request: Request) -> Response:
    return JSONResponse({"games": await _read(request, shelf.shelf, _lang(request), _house(request).own)})


async def _game(request: Request) -> Game:
    """The game that a path names, with the options that are asked for."""
    try:
        options = _options(parse_json(request.query_params.get("options", "{}")))
    except ValueError:
        raise Wrong from None
    name, house = request.path_params["name"], _house(request)
    if options and not house.is_read(name, options):
        _limit(request, request.app.state.reads)
    return await house.game(name, options, client_of(request.scope))


def _options(given: object) -> dict[str, Any]:
    """Names with numbers, truth values or names."""
    if not isinstance(given, dict) or len(given) > 200:
        raise Wrong
    if not all(isinstance(value, str | int) and len(str(value)) < 60 for value in given.values()):
        raise Wrong
    return {str(name): value for name, value in given.items()}


async def _near(request: Request) -> Response:
    """The games that may be meant by a word that is written otherwise."""
    text = request.query_params.get("text", "")[:60]
    return JSONResponse({"games": await _read(request, shelf.near, text, _lang(request), _house(request).own)})


async def _one_game(request: Request) -> Response:
    """What may be chosen in a game. Somebody who has `chosen` it will play it, so it is made ready."""
    game, lang = await _game(request), _lang(request)
    if request.query_params.get("chosen") == "true":
        _house(request).preparing.begin(game, client_of(request.scope))
    levels = [[level, display.word(lang, f"level.{level}")] for level in (HUMAN, *shelf.LEVELS)]
    told = {"name": game.name, "title": game.title(lang), "seats": shelf.seats(game.ruleset, lang), "levels": levels}
    may = game.ruleset.may_play
    options = shelf.options(game.ruleset, lang)
    return JSONResponse({**told, "options": options, "may_play": [may[0], may[-1]], "values": game.options})


async def _picture(request: Request) -> Response:
    """How the table looks at the start of a game."""
    game, lang = await _game(request), _lang(request)
    taste = Taste(lang, "dark" if request.query_params.get("tone") == "dark" else "light")
    headers = {
        "Cache-Control": "max-age=3600",
        "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    }
    return Response(await _read(request, _drawn, game, taste), media_type="image/svg+xml", headers=headers)


def _drawn(game: Game, taste: Taste) -> str:
    return drawn(game, game.start(1).view(game.seats[0]), taste)


async def _book(request: Request) -> Response:
    """The rules of a game with its options, as a page of their own."""
    game, lang = await _game(request), _lang(request)
    return HTMLResponse(await _read(request, display.page, game, lang), headers=display.HEADERS)


# ---- what is begun ---------------------------------------------------------------------------------------------------


async def _body(request: Request, most: int) -> bytes:
    """What is sent along, if it is not too long. A form of another page could only send plain text."""
    found, loop = bytearray(), asyncio.get_running_loop()
    end = loop.time() + SLOWEST
    try:
        async with asyncio.timeout(IDLE) as limit:
            async for part in request.stream():
                found += part
                if len(found) > most:
                    raise Wrong(413, "long")
                limit.reschedule(min(end, loop.time() + IDLE))
    except TimeoutError:
        raise Wrong(408, "slow") from None
    except ClientDisconnect:
        raise Wrong from None
    return bytes(found)


async def _new_table(request: Request) -> Response:
    """Begins a game: what may open each seat of a person is told once, to who begins it."""
    _limit(request, request.app.state.orders)
    body = await _body(request, LONGEST_ORDER)
    try:
        order = parse_json(body)
        name, options, kinds, seed = (
            order["game"],
            _options(order.get("options", {})),
            order["seats"],
            order.get("seed"),
        )
    except (ValueError, KeyError, TypeError):
        raise Wrong from None
    client = client_of(request.scope)
    game = await _house(request).game(str(name), options, client)
    begun = await _house(request).begin(str(name), options, _kinds(game, kinds), _seed(seed), client)
    return JSONResponse({"id": begun.id, "tokens": begun.tokens}, 201)


def _kinds(game: Game, given: object) -> dict[str, str]:
    """Who plays: every seat by its name."""
    if not isinstance(given, dict) or set(given) != set(game.seats):
        raise Wrong
    if not all(isinstance(kind, str) and (kind == HUMAN or is_kind(kind)) for kind in given.values()):
        raise Wrong
    if HUMAN not in given.values():
        raise Wrong(400, "nobody")
    return {seat: given[seat] for seat in game.seats}


def _seed(given: object) -> int | None:
    if given is None:
        return None
    if not isinstance(given, int) or isinstance(given, bool) or not 0 <= given < MOST_SEED:
        raise Wrong
    return given


# ---- records ---------------------------------------------------------------------------------------------------------


async def _new_record(request: Request) -> Response:
    _limit(request, request.app.state.orders)
    house, opened, client = _house(request), request.app.state.opened, client_of(request.scope)
    bodies: Counter[str] = request.app.state.bodies
    if bodies[client] >= MOST_BODIES:
        raise Wrong(429, "often")
    bodies[client] += 1
    try:
        body = await _body(request, LONGEST_BODY)
        shelved = await house.opening.do(client, opened.open, body, house.own, house.make_way)
    except Refused as refused:
        lang = _lang(request)
        why = str(refused.diagnostics[0].in_language(lang).message)
        return JSONResponse({"why": "refused", "text": display.word(lang, "said.record", why=why)}, 400)
    finally:
        bodies[client] -= 1
        if not bodies[client]:
            del bodies[client]
    return JSONResponse({"id": shelved.id, "steps": len(shelved.ends), **_head(shelved, _lang(request))}, 201)


def _head(shelved: Shelved, lang: str) -> dict[str, Any]:
    game = shelved.game
    return {"title": game.title(lang), "over": shelved.over, "seats": shelf.seats(game.ruleset, lang)}


async def _record_log(request: Request) -> Response:
    """All that happened in it, by the number of the move."""
    _limit(request, request.app.state.orders)
    house, opened, ident = _house(request), request.app.state.opened, request.path_params["ident"]
    found = await house.opening.do(client_of(request.scope), opened.log, ident, _lang(request), house.make_way)
    if found is None:
        raise Wrong(404, "record")
    return JSONResponse({"steps": found})


async def _record_step(request: Request) -> Response:
    _limit(request, request.app.state.steps)
    params, opened = request.query_params, request.app.state.opened
    width = int(params.get("width", "")[:4]) if params.get("width", "").isdecimal() else 0
    taste = Taste(_lang(request), params.get("tone", "light"), params.get("four") == "true", width)
    found = await _read(request, opened.step, request.path_params["ident"], request.path_params["step"], taste)
    if found is None:
        raise Wrong(404, "record")
    return JSONResponse(found)
