"""HTTP routes of the server: pages, the shelf, new tables and records. Sockets of seats are served by `sockets`."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles

from hoyle.diagnostics import Refused
from hoyle.game.game import Game
from hoyle.players.bots import is_kind
from hoyle.web import display, shelf
from hoyle.web.display import DisplaySettings
from hoyle.web.guards import LONGEST_BODY, GuardedApp, HostNames, RateLimits
from hoyle.web.play.table_manager import TableManager, UnknownGame
from hoyle.web.play.tables import HUMAN, TableError
from hoyle.web.record_cache import RecordCache
from hoyle.web.requests import RequestError, get_client, get_language, limit_rate, parse_json, read_body
from hoyle.web.sockets import serve_seat

STATIC = Path(__file__).resolve().parent / "static"
PAGES = ("shelf", "table", "record", "workshop")
LONGEST_ORDER = 20_000
"""Bytes of the order of a new table."""
UNREAD = (408, 413, 429)
"""Statuses that may be sent before the whole body was read. The connection ends with them."""
MOST_BODIES = 4
"""Records of one client that are being received or wait for verification."""
Result = TypeVar("Result")
Options = Annotated[dict[str, bool | int | Annotated[str, msgspec.Meta(max_length=59)]], msgspec.Meta(max_length=200)]


class _Order(msgspec.Struct):
    """The order of a new table: the game, the kind of player by seat, and perhaps options and a seed."""

    game: str
    seats: dict[str, str]
    options: Options = {}
    seed: Annotated[int, msgspec.Meta(ge=0, lt=1 << 53)] | None = None


def create_app(manager: TableManager, names: HostNames, routes: Sequence[Route] = ()) -> Any:
    """Return the server as an ASGI application. `routes`: those of further rooms."""

    @asynccontextmanager
    async def lifespan(_: Any) -> AsyncIterator[None]:
        yield
        manager.close()

    app = Starlette(
        routes=[*_Api(manager).list_routes(), *routes], lifespan=lifespan, exception_handlers=_EXCEPTION_HANDLERS
    )
    app.state.manager = manager
    return GuardedApp(app, names, RateLimits(30.0, 200.0))


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
    text = answer.translate(get_language(request))
    headers = {"Connection": "close"} if answer.status in UNREAD else None
    return JSONResponse({"why": answer.key, "text": text}, answer.status, headers)


async def _answer_refused(request: Request, refused: Any) -> Response:
    """Answer with the first problem of a ruleset or record."""
    text = str(refused.diagnostics[0].in_language(get_language(request)).message)
    return JSONResponse({"why": "refused", "text": text}, 400)


_EXCEPTION_HANDLERS: Mapping[Any, Any] = {
    **dict.fromkeys((RequestError, TableError, UnknownGame, Exception), _answer_error),
    Refused: _answer_refused,
}


# ---- requests --------------------------------------------------------------------------------------------------------


def _parse_kinds(game: Game, given: Mapping[str, str]) -> dict[str, str]:
    """Check the kind of player of every seat, and return them in the order of the seats."""
    if set(given) != set(game.seats) or not all(kind == HUMAN or is_kind(kind) for kind in given.values()):
        raise RequestError
    if HUMAN not in given.values():
        raise RequestError(400, "nobody")
    return {seat: given[seat] for seat in game.seats}


def _serve_page(name: str) -> Any:
    async def page(_: Request) -> Response:
        return FileResponse(STATIC / name, headers={"Cache-Control": "no-cache"})

    return page


class _Api:
    """The endpoints, with their limits for each client."""

    def __init__(self, manager: TableManager) -> None:
        self.manager, self.records = manager, RecordCache()
        self.orders, self.reads, self.steps = RateLimits(1.0, 60.0), RateLimits(0.5, 30.0), RateLimits(20.0, 60.0)
        self.bodies: Counter[str] = Counter()
        """How many records of each client are being received or wait."""

    def list_routes(self) -> list[Any]:
        return [
            Route("/", _serve_page("shelf.html")),
            *(Route(f"/{page}{end}", _serve_page(f"{page}.html")) for page in PAGES for end in ("", ".html")),
            Mount("/static", StaticFiles(directory=STATIC, check_dir=False)),
            Route("/api/words", self.get_texts),
            Route("/api/games", self.list_games),
            Route("/api/near", self.find_similar_games),
            Route("/api/games/{name}", self.get_game),
            Route("/api/games/{name}/picture.svg", self.get_picture),
            Route("/api/games/{name}/book", self.get_rule_book),
            Route("/api/tables", self.create_table, methods=["POST"]),
            Route("/api/records", self.add_record, methods=["POST"]),
            Route("/api/records/{ident}", self.get_log),
            Route("/api/records/{ident}/{step:int}", self.get_step),
            WebSocketRoute("/api/seat", serve_seat),
        ]

    async def _run(self, request: Request, work: Callable[..., Result], *args: Any) -> Result:
        """Run reading work in a thread when it is the client's turn."""
        return await self.manager.reading.run(get_client(request), work, *args)

    async def _load_game(self, request: Request) -> Game:
        """Load the game that the path names, with the options of the query."""
        name, options = request.path_params["name"], parse_json(request.query_params.get("options", "{}"), Options)
        if options and not self.manager.is_loaded(name, options):
            limit_rate(request, self.reads)
        return await self.manager.load_game(name, options, get_client(request))

    # ---- games -------------------------------------------------------------------------------------------------------

    async def get_texts(self, request: Request) -> Response:
        return JSONResponse(display.load_page_texts(get_language(request)))

    async def list_games(self, request: Request) -> Response:
        return JSONResponse(
            {"games": await self._run(request, shelf.list_games, get_language(request), self.manager.own)}
        )

    async def find_similar_games(self, request: Request) -> Response:
        """Return the games that a misspelt search may mean."""
        text, lang = request.query_params.get("text", "")[:60], get_language(request)
        return JSONResponse({"games": await self._run(request, shelf.find_similar, text, lang, self.manager.own)})

    async def get_game(self, request: Request) -> Response:
        """Return what can be chosen in a game. With `chosen=true` prepare its bots, since it will probably be played."""
        game, lang = await self._load_game(request), get_language(request)
        if request.query_params.get("chosen") == "true":
            self.manager.preparation.start(game, get_client(request))
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

    async def get_picture(self, request: Request) -> Response:
        """Return a picture of the table at the start of a game."""
        game, tone = await self._load_game(request), request.query_params.get("tone")
        settings = DisplaySettings(get_language(request), "dark" if tone == "dark" else "light")
        headers = {
            "Cache-Control": "max-age=3600",
            "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
        }
        svg = await self._run(request, lambda: display.draw_table(game, game.start(1).view(game.seats[0]), settings))
        return Response(svg, media_type="image/svg+xml", headers=headers)

    async def get_rule_book(self, request: Request) -> Response:
        """Return the rules of a game with its options as a page."""
        game = await self._load_game(request)
        page = await self._run(request, display.render_rule_book, game, get_language(request))
        return HTMLResponse(page, headers=display.BOOK_HEADERS)

    # ---- tables ------------------------------------------------------------------------------------------------------

    async def create_table(self, request: Request) -> Response:
        """Create a table. The answer has the tokens of all seats of people, for its creator alone."""
        limit_rate(request, self.orders)
        order: _Order = parse_json(await read_body(request, LONGEST_ORDER), _Order)
        game = await self.manager.load_game(order.game, order.options, get_client(request))
        kinds = _parse_kinds(game, order.seats)
        created = await self.manager.create_table(order.game, order.options, kinds, order.seed, get_client(request))
        return JSONResponse({"id": created.id, "tokens": created.tokens}, 201)

    # ---- records -----------------------------------------------------------------------------------------------------

    async def add_record(self, request: Request) -> Response:
        """Verify a record and cache it."""
        limit_rate(request, self.orders)
        manager, client, lang = self.manager, get_client(request), get_language(request)
        if self.bodies[client] >= MOST_BODIES:
            raise RequestError(429, "often")
        self.bodies[client] += 1
        try:
            body = await read_body(request, LONGEST_BODY)
            record = await manager.records.run(
                client, self.records.open, body, manager.own, manager.pause_for_short_work
            )
        except Refused as refused:
            why = str(refused.diagnostics[0].in_language(lang).message)
            return JSONResponse({"why": "refused", "text": display.translate(lang, "said.record", why=why)}, 400)
        finally:
            self.bodies[client] -= 1
            if not self.bodies[client]:
                del self.bodies[client]
        seats = shelf.describe_seats(record.game.ruleset, lang)
        head = {"title": record.game.title(lang), "over": record.is_over, "seats": seats}
        return JSONResponse({"id": record.id, "steps": len(record.ends), **head}, 201)

    async def get_log(self, request: Request) -> Response:
        """Return all events of a record in words, by the number of the move."""
        limit_rate(request, self.orders)
        pool, ident = self.manager.records, request.path_params["ident"]
        args = ident, get_language(request), self.manager.pause_for_short_work
        steps = await pool.run(get_client(request), self.records.describe_log, *args)
        if steps is None:
            raise RequestError(404, "record")
        return JSONResponse({"steps": steps})

    async def get_step(self, request: Request) -> Response:
        """Return the table after some moves of a record."""
        limit_rate(request, self.steps)
        params, path = request.query_params, request.path_params
        width = int(params["width"][:4]) if params.get("width", "").isdecimal() else 0
        settings = DisplaySettings(
            get_language(request), params.get("tone", "light"), params.get("four") == "true", width
        )
        step = await self._run(request, self.records.describe_step, path["ident"], path["step"], settings)
        if step is None:
            raise RequestError(404, "record")
        return JSONResponse(step)
