"""HTTP routes of the server: pages, the shelf, new tables and records. Sockets of seats are served by `sockets`."""

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
from hoyle.web.display import DisplaySettings
from hoyle.web.guards import LONGEST_BODY, GuardedApp, HostNames, RateLimits, identify_client, parse_json
from hoyle.web.play.table_manager import TableManager, UnknownGame
from hoyle.web.play.tables import HUMAN, TableError
from hoyle.web.record_cache import RecordCache
from hoyle.web.sockets import serve_seat

STATIC = Path(__file__).resolve().parent / "static"
LONGEST_ORDER = 20_000
"""Bytes of the order of a new table."""
GREATEST_SEED = 1 << 53
IDLE_SECONDS, BODY_SECONDS = 5.0, 30.0
"""Time limits: for the next part of a body, and for all of it."""
UNREAD = (408, 413, 429)
"""Statuses that may be sent before the whole body was read. The connection ends with them."""
MOST_BODIES = 4
"""Records of one client that are being received or wait for verification."""
Result = TypeVar("Result")


class RequestError(Exception):
    """A wrong request, or one for something that does not exist. `key` names the sentence `refused.KEY`."""

    def __init__(self, status: int = 400, key: str = "asked") -> None:
        super().__init__(key)
        self.status, self.key = status, key


def create_app(manager: TableManager, names: HostNames) -> Any:
    """Return the server as an ASGI application."""

    @asynccontextmanager
    async def lifespan(_: Any) -> AsyncIterator[None]:
        yield
        manager.close()

    app = Starlette(routes=_list_routes(), lifespan=lifespan, exception_handlers=_EXCEPTION_HANDLERS)
    app.state.manager, app.state.records, app.state.bodies = manager, RecordCache(), Counter()
    app.state.orders, app.state.reads, app.state.steps = (
        RateLimits(1.0, 60.0),
        RateLimits(0.5, 30.0),
        RateLimits(20.0, 60.0),
    )
    return GuardedApp(app, names, RateLimits(30.0, 200.0))


def _list_routes() -> list[Any]:
    return [
        Route("/", _page("index.html")),
        Route("/table", _page("table.html")),
        Route("/record", _page("record.html")),
        Mount("/static", StaticFiles(directory=STATIC)),
        Route("/api/words", _page_texts),
        Route("/api/games", _games),
        Route("/api/near", _similar_games),
        Route("/api/games/{name}", _one_game),
        Route("/api/games/{name}/picture.svg", _picture),
        Route("/api/games/{name}/book", _rule_book),
        Route("/api/tables", _new_table, methods=["POST"]),
        Route("/api/records", _new_record, methods=["POST"]),
        Route("/api/records/{ident}", _record_log),
        Route("/api/records/{ident}/{step:int}", _record_step),
        WebSocketRoute("/api/seat", serve_seat),
    ]


def _page(name: str) -> Any:
    async def page(_: Request) -> Response:
        return FileResponse(STATIC / name, headers={"Cache-Control": "no-cache"})

    return page


# ---- errors ----------------------------------------------------------------------------------------------------------


async def _answer_error(request: Request, error: Exception) -> Response:
    """Answer in JSON. The server logs internal errors."""
    answer = RequestError(500, "error")
    match error:
        case RequestError():
            answer = error
        case TableError():
            answer = RequestError(503 if error.key == "disk" else 400, error.key)
        case UnknownGame():
            answer = RequestError(404, "game")
    text = display.translate(_language(request), f"refused.{answer.key}")
    headers = {"Connection": "close"} if answer.status in UNREAD else None
    return JSONResponse({"why": answer.key, "text": text}, answer.status, headers)


async def _answer_refused(request: Request, refused: Any) -> Response:
    """Answer with the first problem of a ruleset or record."""
    text = str(refused.diagnostics[0].in_language(_language(request)).message)
    return JSONResponse({"why": "refused", "text": text}, 400)


_EXCEPTION_HANDLERS: Mapping[Any, Any] = {
    **dict.fromkeys((RequestError, TableError, UnknownGame, Exception), _answer_error),
    Refused: _answer_refused,
}


# ---- parts of requests -----------------------------------------------------------------------------------------------


def _language(request: Request) -> str:
    return display.choose_language(request.query_params.get("lang"))


def _manager(request: Request) -> TableManager:
    manager: TableManager = request.app.state.manager
    return manager


async def _run(request: Request, work: Callable[..., Result], *args: Any) -> Result:
    """Run reading work in a thread when it is the client's turn."""
    return await _manager(request).reading.run(identify_client(request.scope), work, *args)


def _limit(request: Request, limits: RateLimits) -> None:
    """Raises RequestError if the client asks too often."""
    if not limits.take(identify_client(request.scope)):
        raise RequestError(429, "often")


async def _load_game(request: Request) -> Game:
    """Load the game that the path names, with the options of the query."""
    try:
        options = _parse_options(parse_json(request.query_params.get("options", "{}")))
    except ValueError:
        raise RequestError from None
    name, manager = request.path_params["name"], _manager(request)
    if options and not manager.is_loaded(name, options):
        _limit(request, request.app.state.reads)
    return await manager.load_game(name, options, identify_client(request.scope))


def _parse_options(given: object) -> dict[str, Any]:
    """Check the form of options: numbers, truth values or names by name."""
    if not isinstance(given, dict) or len(given) > 200:
        raise RequestError
    if not all(isinstance(value, str | int) and len(str(value)) < 60 for value in given.values()):
        raise RequestError
    return {str(name): value for name, value in given.items()}


async def _read_body(request: Request, most: int) -> bytes:
    """Read a body of at most `most` bytes, within the time limits."""
    body, loop = bytearray(), asyncio.get_running_loop()
    end = loop.time() + BODY_SECONDS
    try:
        async with asyncio.timeout(IDLE_SECONDS) as timeout:
            async for part in request.stream():
                body += part
                if len(body) > most:
                    raise RequestError(413, "long")
                timeout.reschedule(min(end, loop.time() + IDLE_SECONDS))
    except TimeoutError:
        raise RequestError(408, "slow") from None
    except ClientDisconnect:
        raise RequestError from None
    return bytes(body)


# ---- games -----------------------------------------------------------------------------------------------------------


async def _page_texts(request: Request) -> Response:
    return JSONResponse(display.load_page_texts(_language(request)))


async def _games(request: Request) -> Response:
    return JSONResponse({"games": await _run(request, shelf.list_games, _language(request), _manager(request).own)})


async def _similar_games(request: Request) -> Response:
    """Return the games that a misspelt search may mean."""
    text, own = request.query_params.get("text", "")[:60], _manager(request).own
    return JSONResponse({"games": await _run(request, shelf.find_similar, text, _language(request), own)})


async def _one_game(request: Request) -> Response:
    """Return what can be chosen in a game. With `chosen=true` its bots are prepared, since it will probably be played."""
    game, lang = await _load_game(request), _language(request)
    if request.query_params.get("chosen") == "true":
        _manager(request).preparation.start(game, identify_client(request.scope))
    counts = game.ruleset.may_play
    return JSONResponse(
        {
            "name": game.name,
            "title": game.title(lang),
            "seats": shelf.describe_seats(game.ruleset, lang),
            "levels": [[level, display.translate(lang, f"level.{level}")] for level in (HUMAN, *shelf.LEVELS)],
            "options": shelf.describe_options(game.ruleset, lang),
            "may_play": [counts[0], counts[-1]],
            "values": game.options,
        }
    )


async def _picture(request: Request) -> Response:
    """Return a picture of the table at the start of a game."""
    game, lang = await _load_game(request), _language(request)
    settings = DisplaySettings(lang, "dark" if request.query_params.get("tone") == "dark" else "light")
    headers = {
        "Cache-Control": "max-age=3600",
        "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    }
    svg = await _run(request, lambda: display.draw_table(game, game.start(1).view(game.seats[0]), settings))
    return Response(svg, media_type="image/svg+xml", headers=headers)


async def _rule_book(request: Request) -> Response:
    """Return the rules of a game with its options as a page."""
    page = await _run(request, display.render_rule_book, await _load_game(request), _language(request))
    return HTMLResponse(page, headers=display.BOOK_HEADERS)


# ---- tables ----------------------------------------------------------------------------------------------------------


async def _new_table(request: Request) -> Response:
    """Create a table. The answer has the tokens of all seats of people, once and for its creator alone."""
    _limit(request, request.app.state.orders)
    body = await _read_body(request, LONGEST_ORDER)
    try:
        order = parse_json(body)
        name, options = str(order["game"]), _parse_options(order.get("options", {}))
        kinds, seed = order["seats"], order.get("seed")
    except (ValueError, KeyError, TypeError):
        raise RequestError from None
    client, manager = identify_client(request.scope), _manager(request)
    game = await manager.load_game(name, options, client)
    kinds = _parse_kinds(game, kinds)
    _check_seed(seed)
    created = await manager.create_table(name, options, kinds, seed, client)
    return JSONResponse({"id": created.id, "tokens": created.tokens}, 201)


def _parse_kinds(game: Game, given: object) -> dict[str, str]:
    """Check the kind of player of every seat, and return them in the order of the seats."""
    if not isinstance(given, dict) or set(given) != set(game.seats):
        raise RequestError
    if not all(isinstance(kind, str) and (kind == HUMAN or is_kind(kind)) for kind in given.values()):
        raise RequestError
    if HUMAN not in given.values():
        raise RequestError(400, "nobody")
    return {seat: given[seat] for seat in game.seats}


def _check_seed(seed: object) -> None:
    if seed is not None and (not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed < GREATEST_SEED):
        raise RequestError


# ---- records ---------------------------------------------------------------------------------------------------------


async def _new_record(request: Request) -> Response:
    """Verify a record and cache it."""
    _limit(request, request.app.state.orders)
    manager, records, client = _manager(request), request.app.state.records, identify_client(request.scope)
    lang, bodies = _language(request), request.app.state.bodies
    if bodies[client] >= MOST_BODIES:
        raise RequestError(429, "often")
    bodies[client] += 1
    try:
        body = await _read_body(request, LONGEST_BODY)
        record = await manager.records.run(client, records.open, body, manager.own, manager.pause_for_short_work)
    except Refused as refused:
        why = str(refused.diagnostics[0].in_language(lang).message)
        return JSONResponse({"why": "refused", "text": display.translate(lang, "said.record", why=why)}, 400)
    finally:
        bodies[client] -= 1
        if not bodies[client]:
            del bodies[client]
    seats = shelf.describe_seats(record.game.ruleset, lang)
    head = {"title": record.game.title(lang), "over": record.is_over, "seats": seats}
    return JSONResponse({"id": record.id, "steps": len(record.ends), **head}, 201)


async def _record_log(request: Request) -> Response:
    """Return all events of a record in words, by the number of the move."""
    _limit(request, request.app.state.orders)
    manager, describe_log = _manager(request), request.app.state.records.describe_log
    client, ident = identify_client(request.scope), request.path_params["ident"]
    steps = await manager.records.run(client, describe_log, ident, _language(request), manager.pause_for_short_work)
    if steps is None:
        raise RequestError(404, "record")
    return JSONResponse({"steps": steps})


async def _record_step(request: Request) -> Response:
    """Return the table after some moves of a record."""
    _limit(request, request.app.state.steps)
    params, records = request.query_params, request.app.state.records
    width = int(params["width"][:4]) if params.get("width", "").isdecimal() else 0
    settings = DisplaySettings(_language(request), params.get("tone", "light"), params.get("four") == "true", width)
    ident, step = request.path_params["ident"], request.path_params["step"]
    described = await _run(request, records.describe_step, ident, step, settings)
    if described is None:
        raise RequestError(404, "record")
    return JSONResponse(described)
