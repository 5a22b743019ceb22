"""What the server answers: the pages, the shelf, new tables, records, and the socket of each seat."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles

from interpreter.diagnostics import Refused
from interpreter.game.game import Game
from interpreter.players.seats import is_kind
from interpreter.web import books, shelf, speech
from interpreter.web.drawing import drawn
from interpreter.web.guards import LONGEST_BODY, Buckets, Guarded, Names
from interpreter.web.house import House, NoGame
from interpreter.web.opened import Opened, Shelved
from interpreter.web.sockets import table_socket
from interpreter.web.tables import HUMAN, NotNow
from interpreter.web.taste import Taste

STATIC = Path(__file__).resolve().parent / "static"
LONGEST_ORDER = 20_000
MOST_SEED = 1 << 53


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
    app.state.house, app.state.opened = house, Opened()
    app.state.orders = Buckets(1.0, 60.0)
    return Guarded(app, names)


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
    return JSONResponse({"why": wrong.key, "text": speech.word(lang, f"refused.{wrong.key}")}, wrong.status)


async def _refused(request: Request, refused: Any) -> Response:
    """A ruleset or a record that is not as it must be: its own words say why."""
    lang = _lang(request)
    told = str(refused.diagnostics[0].in_language(lang).message)
    return JSONResponse({"why": "refused", "text": told}, 400)


async def _no_game(request: Request, _: Any) -> Response:
    return await _wrong(request, Wrong(404, "game"))


async def _failed(request: Request, _: Any) -> Response:
    """What goes wrong here is told in the way of the pages; the server notes it."""
    return await _wrong(request, Wrong(500, "error"))


_HANDLERS: Mapping[Any, Any] = {Wrong: _wrong, Refused: _refused, NoGame: _no_game, Exception: _failed}


# ---- questions -------------------------------------------------------------------------------------------------------


def _lang(request: Request) -> str:
    return speech.language(request.query_params.get("lang"))


def _house(request: Request) -> House:
    found: House = request.app.state.house
    return found


async def _words(request: Request) -> Response:
    return JSONResponse(speech.page_words(_lang(request)))


async def _games(request: Request) -> Response:
    return JSONResponse({"games": await _house(request).aside(shelf.shelf, _lang(request), _house(request).own)})


async def _game(request: Request) -> Game:
    """The game that a path names, with the options that are asked for."""
    try:
        options = json.loads(request.query_params.get("options", "{}"))
    except (ValueError, RecursionError):
        raise Wrong from None
    return await _house(request).game(request.path_params["name"], _options(options))


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
    return JSONResponse({"games": await _house(request).aside(shelf.near, text, _lang(request), _house(request).own)})


async def _one_game(request: Request) -> Response:
    """What may be chosen in a game. Somebody who has `chosen` it will play it, so it is made ready."""
    game, lang = await _game(request), _lang(request)
    if request.query_params.get("chosen") == "true":
        _house(request).preparing.begin(game)
    levels = [[level, speech.word(lang, f"level.{level}")] for level in (HUMAN, *shelf.LEVELS)]
    told = {"name": game.name, "title": game.title(lang), "seats": shelf.seats(game.ruleset, lang), "levels": levels}
    may = game.ruleset.may_play
    options = shelf.options(game.ruleset, lang)
    return JSONResponse({**told, "options": options, "may_play": [may[0], may[-1]], "values": game.options})


async def _picture(request: Request) -> Response:
    """How the table looks at the start of a game."""
    game, lang = await _game(request), _lang(request)
    taste = Taste(lang, "dark" if request.query_params.get("tone") == "dark" else "light")
    state = game.start(1)
    headers = {
        "Cache-Control": "max-age=3600",
        "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    }
    return Response(drawn(game, state.view(game.seats[0]), taste), media_type="image/svg+xml", headers=headers)


async def _book(request: Request) -> Response:
    """The rules of a game with its options, as a page of their own."""
    game, lang = await _game(request), _lang(request)
    return HTMLResponse(await _house(request).aside(books.page, game, lang), headers=books.HEADERS)


# ---- what is begun ---------------------------------------------------------------------------------------------------


async def _body(request: Request, most: int) -> bytes:
    """What is sent along, if it is not too long. A form of another page could only send plain text."""
    if not _orders(request):
        raise Wrong(429, "often")
    found = bytearray()
    async for part in request.stream():
        found += part
        if len(found) > most:
            raise Wrong(413, "long")
    return bytes(found)


def _orders(request: Request) -> bool:
    who = request.client.host if request.client is not None else ""
    return bool(request.app.state.orders.take(who))


async def _new_table(request: Request) -> Response:
    """Begins a game: what may open each seat of a person is told once, to who begins it."""
    try:
        order = json.loads(await _body(request, LONGEST_ORDER))
        name, options, kinds, seed = (
            order["game"],
            _options(order.get("options", {})),
            order["seats"],
            order.get("seed"),
        )
    except (ValueError, KeyError, TypeError, RecursionError):
        raise Wrong from None
    game = await _house(request).game(str(name), options)
    begun = await _house(request).begin(str(name), options, _kinds(game, kinds), _seed(seed))
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
    body = await _body(request, LONGEST_BODY)
    opened: Opened = request.app.state.opened
    try:
        shelved = await _house(request).aside(opened.open, body, _house(request).own)
    except NotNow as refused:
        raise Wrong(400, refused.key) from None
    except Refused as refused:
        lang = _lang(request)
        why = str(refused.diagnostics[0].in_language(lang).message)
        return JSONResponse({"why": "refused", "text": speech.word(lang, "said.record", why=why)}, 400)
    return JSONResponse({"id": shelved.id, "steps": len(shelved.states), **_head(shelved, _lang(request))}, 201)


def _head(shelved: Shelved, lang: str) -> dict[str, Any]:
    state = shelved.states[-1]
    return {"title": state.game.title(lang), "over": state.is_over, "seats": shelf.seats(state.game.ruleset, lang)}


async def _record_log(request: Request) -> Response:
    """All that happened in it, by the number of the move."""
    opened: Opened = request.app.state.opened
    found = opened.log(request.path_params["ident"], _lang(request))
    if found is None:
        raise Wrong(404, "record")
    return JSONResponse({"steps": found})


async def _record_step(request: Request) -> Response:
    opened: Opened = request.app.state.opened
    params = request.query_params
    width = int(params.get("width", "")[:4]) if params.get("width", "").isdecimal() else 0
    taste = Taste(_lang(request), params.get("tone", "light"), params.get("four") == "true", width)
    found = opened.step(request.path_params["ident"], request.path_params["step"], taste)
    if found is None:
        raise Wrong(404, "record")
    return JSONResponse(found)
