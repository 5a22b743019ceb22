"""The endpoints of the workshop. Each gets the text of a draft, so the server stores none."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from hoyle.diagnostics import Refused
from hoyle.language.sentences import load_catalogue
from hoyle.presentation.catalogue import use_language
from hoyle.presentation.starters import make_starter, make_variant
from hoyle.reading.sources import read
from hoyle.web import display, shelf
from hoyle.web.guards import RateLimits
from hoyle.web.play.fair_pool import FairPool
from hoyle.web.play.open_table import NewTable
from hoyle.web.play.table_manager import TableManager, UnknownGame
from hoyle.web.play.tables import Table, TableError
from hoyle.web.requests import RequestError, get_client, get_language, limit_rate, parse_json, read_body
from hoyle.workshop import check_results, inherited_entries, rule_pages, suggestions, trials
from hoyle.workshop.draft_tables import choose_players, set_up_table
from hoyle.workshop.drafts import LONGEST_TEXT, USUAL_NAME, Draft, Workspace, Workspaces, hide_folder, is_name
from hoyle.workshop.example_writing import Claim, write_example

LONGEST_BODY = 4 * LONGEST_TEXT
"""Bytes of an order: a text of the greatest length in any script, and the moves."""
SECONDS, SERIES_SECONDS = 10.0, 30.0
"""The longest work for one request, and for a series of games."""
STARTER = "starter"
"""The name of the complete small game that `hoyle new` writes."""
_HERE = Path(__file__).resolve().parent
Json = dict[str, Any]
Result = TypeVar("Result")
Options = Annotated[dict[str, bool | int | Annotated[str, msgspec.Meta(max_length=59)]], msgspec.Meta(max_length=200)]
Moves = Annotated[list[Annotated[str, msgspec.Meta(max_length=2000)]], msgspec.Meta(max_length=5000)]
Seed = Annotated[int, msgspec.Meta(ge=0, lt=1 << 53)]
Place = Annotated[int, msgspec.Meta(ge=0)]


class _Text(Struct):
    """A draft. `name`: the name of its file without ending."""

    text: Annotated[str, msgspec.Meta(max_length=LONGEST_TEXT)]
    name: str = USUAL_NAME


class _TextAt(_Text, kw_only=True):
    at: Place


class _TextWithOptions(_Text, kw_only=True):
    options: Options = {}


class _EntryOrder(_Text, kw_only=True):
    section: Annotated[str, msgspec.Meta(max_length=60)]
    entry: Annotated[str, msgspec.Meta(max_length=1000)]


class _TableOrder(_TextWithOptions, kw_only=True):
    seats: dict[str, str] = {}
    seed: Seed | None = None
    moves: Moves = []


class _GameOrder(_TextWithOptions, kw_only=True):
    seed: Seed
    moves: Moves


class _ExampleOrder(_GameOrder, kw_only=True):
    claim: Claim
    move: Annotated[str, msgspec.Meta(min_length=1, max_length=300)]


class _MovesOrder(Struct):
    token: Annotated[str, msgspec.Meta(max_length=100)]


class _ComparisonOrder(Struct):
    before: _TextWithOptions
    after: _TextWithOptions
    games: Annotated[int, msgspec.Meta(ge=2, le=trials.MOST_GAMES)]
    seed: Seed = 0


def list_routes(manager: TableManager) -> list[Route]:
    """Return the endpoints of the workshop."""
    workshop = _Workshop(manager)
    posts = {
        "check": workshop.check,
        "complete": workshop.complete,
        "hover": workshop.describe_place,
        "table": workshop.create_table,
        "moves": workshop.list_moves,
        "examples": workshop.run_examples,
        "coverage": workshop.count_uses,
        "rules": workshop.get_passage,
        "book": workshop.get_book,
        "override": workshop.copy_entry,
        "compare": workshop.compare,
        "example": workshop.write_example,
    }
    return [
        Route("/api/workshop/games", workshop.list_games),
        Route("/api/workshop/source/{name}", workshop.get_source),
        Route("/api/workshop/skeleton/{name}", workshop.get_skeleton),
        *(Route(f"/api/workshop/{name}", handler, methods=["POST"]) for name, handler in posts.items()),
    ]


class _Workshop:
    """The endpoints, with their limits for each client."""

    def __init__(self, manager: TableManager) -> None:
        self.manager, self.workspaces = manager, Workspaces(manager.own)
        self.checks, self.tables, self.series = RateLimits(10.0, 100.0), RateLimits(4.0, 80.0), RateLimits(2.0, 30.0)

    async def _read(self, request: Request, expected: Any, limits: RateLimits) -> Any:
        limit_rate(request, limits)
        return parse_json(await read_body(request, LONGEST_BODY), expected)

    async def _run(self, request: Request, work: Callable[[], Json]) -> Response:
        """Do work on drafts when it is the client's turn, and answer with the result."""
        return JSONResponse(await self._compute(request, work))

    async def _compute(
        self, request: Request, work: Callable[[], Result], pool: FairPool | None = None, seconds: float = 0.0
    ) -> Result:
        """Do work when it is the client's turn. Raises RequestError, also for a draft that cannot be played.

        pool: that of short work by default
        seconds: the greatest time; 0: SECONDS
        """
        try:
            return await (pool or self.manager.reading).run_within(seconds or SECONDS, get_client(request), work)
        except TimeoutError:
            raise RequestError(503, "heavy") from None
        except Refused as refused:
            text = hide_folder(refused.cause.in_language(get_language(request)).message)
            raise RequestError(400, "refused", text) from None

    def _open(self, request: Request, order: _Text) -> tuple[Workspace, Draft]:
        """Return the draft of an order. Raises RequestError for a wrong name."""
        if not is_name(order.name):
            raise RequestError
        workspace = self.workspaces.of(get_client(request))
        return workspace, workspace.open(order.name, order.text)

    # ---- what a draft may begin with ---------------------------------------------------------------------------------

    async def list_games(self, request: Request) -> Response:
        """Return the games by family, and the skeletons of new ones."""
        lang = get_language(request)
        games = await self._compute(request, lambda: shelf.list_games(lang, self.manager.own))
        families = {game["family"]: game["family_title"] for game in games if game["family"]}
        families = {name: title or display.translate(lang, "page.alone") for name, title in families.items()}
        return JSONResponse(
            {
                "games": [{key: game[key] for key in ("name", "title", "family", "extends")} for game in games],
                "families": [{"name": name, "title": title} for name, title in families.items()],
                "skeletons": [{"name": STARTER, "title": load_catalogue(_HERE, lang)["skeleton.starter"]}],
            }
        )

    async def get_source(self, request: Request) -> Response:
        name, files = request.path_params["name"], shelf.list_files(self.manager.own)
        if name not in files:
            raise UnknownGame(name)
        return JSONResponse({"name": name, "text": read(files[name]).text})

    async def get_skeleton(self, request: Request) -> Response:
        """Return the text of a new game: the starter, or a variant of a game that changes nothing yet."""
        name, lang = request.path_params["name"], get_language(request)
        if name == STARTER:
            with use_language(lang):
                return JSONResponse({"name": "my-game", "text": make_starter("my-game")})
        game, new = await self.manager.load_game(name, {}, get_client(request)), f"my-{name}"
        with use_language(lang):
            return JSONResponse({"name": new, "text": make_variant(new, name, game.ruleset)})

    # ---- while typing ------------------------------------------------------------------------------------------------

    async def check(self, request: Request) -> Response:
        order, lang = await self._read(request, _TextWithOptions, self.checks), get_language(request)
        _, draft = self._open(request, order)
        return await self._run(request, lambda: check_results.describe_check(draft, order.options, lang))

    async def complete(self, request: Request) -> Response:
        order, lang = await self._read(request, _TextAt, self.checks), get_language(request)
        workspace, draft = self._open(request, order)
        return await self._run(request, lambda: suggestions.complete_draft(workspace, draft, order.at, lang))

    async def describe_place(self, request: Request) -> Response:
        order, lang = await self._read(request, _TextAt, self.checks), get_language(request)
        _, draft = self._open(request, order)
        return await self._run(request, lambda: suggestions.describe_place(draft, order.at, lang))

    async def get_passage(self, request: Request) -> Response:
        order, lang = await self._read(request, _TextAt, self.checks), get_language(request)
        _, draft = self._open(request, order)
        return await self._run(request, lambda: rule_pages.render_passage(draft, order.at, lang))

    async def get_book(self, request: Request) -> Response:
        order, lang = await self._read(request, _TextWithOptions, self.tables), get_language(request)
        _, draft = self._open(request, order)
        return await self._run(request, lambda: rule_pages.render_book(draft, order.options, lang))

    async def copy_entry(self, request: Request) -> Response:
        """Return the edit that writes an inherited entry into the draft; empty if there is none."""
        order = await self._read(request, _EntryOrder, self.checks)
        _, draft = self._open(request, order)
        return await self._run(request, lambda: inherited_entries.copy_entry(draft, order.section, order.entry))

    # ---- playing -----------------------------------------------------------------------------------------------------

    async def create_table(self, request: Request) -> Response:
        """Create a temporary table where the moves of the order were made again, as far as they are legal."""
        order, lang = await self._read(request, _TableOrder, self.tables), get_language(request)
        _, draft = self._open(request, order)
        seed, client = order.seed if order.seed is not None else secrets.randbelow(1 << 53), get_client(request)

        def set_up() -> tuple[Table, Json | None]:
            game = draft.load_game(order.options)
            table, stopped = set_up_table(game, choose_players(game, order.seats), seed, order.moves, lang)
            return table, msgspec.to_builtins(stopped) if stopped is not None else None

        table, stopped = await self._compute(request, set_up)
        created = self._add_table(table, client)
        return JSONResponse({"tokens": created.tokens, "played": len(table.moves), "stopped": stopped, "seed": seed})

    def _add_table(self, table: Table, client: str) -> NewTable:
        async def create_next() -> NewTable:
            seed, game = secrets.randbelow(1 << 53), table.game
            set_up = partial(set_up_table, game, table.kinds, seed, (), "en")
            try:
                again, _ = await self.manager.reading.run_within(SECONDS, client, set_up)
            except TimeoutError:
                raise TableError("heavy") from None
            return self._add_table(again, client)

        return self.manager.add_temporary_table(table, client, create_next)

    async def list_moves(self, request: Request) -> Response:
        """Return the moves of a temporary table and its seed, for its creator alone: they tell what is hidden."""
        order: _MovesOrder = await self._read(request, _MovesOrder, self.checks)
        at = self.manager.temporary.find_created(order.token)
        if at is None:
            raise TableError("link")
        return JSONResponse({"moves": [operation.move for operation in at.table.moves], "seed": at.table.seed})

    # ---- trials ------------------------------------------------------------------------------------------------------

    async def run_examples(self, request: Request) -> Response:
        """Run examples. Checking the draft is short work, the examples may be long work."""
        order, lang = await self._read(request, _Text, self.checks), get_language(request)
        _, draft = self._open(request, order)
        await self._compute(request, lambda: draft.load_game({}))
        run = partial(trials.run_examples, draft, lang, self.manager.pause_for_short_work)
        return JSONResponse(await self._compute(request, run, self.manager.records))

    async def count_uses(self, request: Request) -> Response:
        order, lang = await self._read(request, _GameOrder, self.tables), get_language(request)
        _, draft = self._open(request, order)
        return await self._run(request, lambda: trials.count_uses(draft, order.options, order.seed, order.moves, lang))

    async def write_example(self, request: Request) -> Response:
        order: _ExampleOrder = await self._read(request, _ExampleOrder, self.tables)
        _, draft = self._open(request, order)
        position = order.options, order.seed, order.moves
        lang = get_language(request)
        return await self._run(request, lambda: write_example(draft, *position, order.claim, order.move, lang))

    async def compare(self, request: Request) -> Response:
        """Play random games with two drafts. Loading them is short work, the games are long work."""
        order: _ComparisonOrder = await self._read(request, _ComparisonOrder, self.series)
        lang = get_language(request)
        sides = [(self._open(request, side)[1], side.options) for side in (order.before, order.after)]
        pair = await self._compute(request, lambda: [draft.load_game(options, "rules") for draft, options in sides])
        cache, pause = sides[1][0], self.manager.pause_for_short_work

        def play() -> Json:
            return trials.compare_games(pair, cache, order.games, order.seed, lang, pause)

        return JSONResponse(await self._compute(request, play, self.manager.analyses, SERIES_SECONDS))
