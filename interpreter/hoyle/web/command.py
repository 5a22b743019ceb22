"""`hoyle serve`: tables in the browser."""

from __future__ import annotations

import os
import socket
import sqlite3
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hoyle.cli import output
from hoyle.cli.catalogue import lang, system_words, t
from hoyle.cli.options import File, Named, Whole, Word, lang_option
from hoyle.cli.shell import argument, command, option

if TYPE_CHECKING:
    from hoyle.web.play.store import Store
    from hoyle.web.shelf import Owned

NEEDED = ("starlette", "uvicorn", "websockets")
HOST, PORT = "127.0.0.1", 8808
SWITCH = 0.001
"""Seconds after which a thread that works lets the loop have the interpreter."""
EVERYWHERE = ("0.0.0.0", "::", "")


@command("serve")
@argument("files", type=Named(), nargs=-1)
@option("--host", type=Word("host"), default=HOST)
@option("--port", type=Whole(0), default=PORT)
@option("--games", "games_file", type=File())
@lang_option
def serve_command(files: tuple[str, ...], host: str, port: int, games_file: str | None) -> int:
    lacking = [name for name in NEEDED if find_spec(name) is None]
    if lacking:
        raise output.Trouble(t("serve.missing", names=", ".join(lacking)), code=2)
    own, place = _own(files), Path(games_file) if games_file is not None else usual_place()
    store, door = _opened(place), _door(host, port)
    _tell(host, door.getsockname()[1], place)
    try:
        _serve(store, door, host, own)
    except KeyboardInterrupt:
        return 0
    return 0


def _own(files: tuple[str, ...]) -> Owned:
    """The rulesets of these files and folders, before them those that are found by name; what is wrong with one is told before anybody comes, and the others
    are there all the same."""
    from hoyle.cli.commands.checks import rulesets_of
    from hoyle.web.shelf import by_name, opened

    named, wrong = by_name()
    given, more = opened(Path(path) for path in rulesets_of(files))
    found, wrong = {**named, **given}, [*wrong, *more]
    if wrong:
        output.diagnose(wrong)
        places = dict.fromkeys(one.span.source.name for one in wrong if one.span is not None)
        output.note(t("serve.left_out", files=", ".join(places)))
    return found


def usual_place() -> Path:
    """Where this system keeps what programs note for their users."""
    from platformdirs import user_state_path

    folder = os.environ.get("HOYLE_STATE")
    return (Path(folder) if folder else user_state_path("hoyle", appauthor=False)) / "tables.sqlite"


def _opened(place: Path) -> Store:
    from hoyle.web.play.store import InUse, OtherFormat, Store

    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        if not place.exists():  # what is kept there is between those who play
            os.close(os.open(place, os.O_CREAT | os.O_WRONLY, 0o600))
        return Store(place)
    except OtherFormat:
        raise output.Trouble(t("serve.no_file", file=place, why=t("serve.other_format"))) from None
    except InUse:
        raise output.Trouble(t("serve.no_file", file=place, why=t("serve.in_use"))) from None
    except (OSError, sqlite3.Error) as error:
        raise output.Trouble(t("serve.no_file", file=place, why=system_words(error))) from None


def _door(host: str, port: int) -> socket.socket:
    """Where others knock. Raises Trouble."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family, backlog=512)
    except (OSError, OverflowError, UnicodeError) as error:
        raise output.Trouble(t("serve.no_address", host=host, port=port, why=_why(error)), code=2) from None


def _why(error: Exception) -> str:
    """What is wrong with an address, in the language chosen."""
    if isinstance(error, OverflowError):
        return t("serve.no_port")
    number = getattr(error, "errno", None) or 0
    unknown = (
        isinstance(error, UnicodeError) or number < 0
    )  # what is wrong with names has numbers of its own, below nothing
    return t("serve.no_host") if unknown else system_words(error)


def _tell(host: str, port: int, place: Path) -> None:
    """Where the table stands, and who can join."""
    shown = HOST if host in EVERYWHERE else host
    output.say(t("serve.at", address=_address(shown, port)))
    output.note(t("serve.kept", file=place))
    if is_alone(host):
        output.note(t("serve.alone"))
    else:
        output.note(t("serve.others"))
        for name in own_names() if host in EVERYWHERE else [host]:
            output.note(f"  {_address(name, port)}")
    output.flush()


def _address(host: str, port: int) -> str:
    named = f"[{host}]" if ":" in host else host
    return f"http://{named}:{port}/?lang={lang()}"


def is_alone(host: str) -> bool:
    """Does this address lead nowhere but to this machine?"""
    return host == "localhost" or host.startswith("127.") or host == "::1"


def own_names() -> list[str]:
    """What this machine is called in its networks, and its addresses there."""
    found = [socket.gethostname(), *_addresses(socket.AF_INET)]
    return [name for name in dict.fromkeys(found) if name and not is_alone(name)]


def _addresses(family: socket.AddressFamily) -> list[str]:
    """The address that it sends from, which nothing is sent to find out, and those that its name has."""
    found = []
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            found.append(str(probe.getsockname()[0]))
        except OSError:  # it is in no network
            return []
    try:
        named = socket.getaddrinfo(socket.gethostname(), None, family)
    except OSError:
        return found
    return [*found, *(str(one[4][0]) for one in named)]


def _serve(store: Store, door: socket.socket, host: str, own: Owned) -> None:
    import asyncio
    import gc
    import sys

    sys.setswitchinterval(SWITCH)
    gc.set_threshold(
        100_000, 20, 50
    )  # games are large and stay: to look through them for garbage took longer than to play
    asyncio.run(server_of(store, host, own).serve(sockets=[door]))


def server_of(store: Store, host: str, own: Owned | None = None) -> Any:
    """The server of these games, to be run by an event loop. `own`: rulesets of one's own."""
    import uvicorn

    from hoyle.web.app import application
    from hoyle.web.guards import LONGEST_MESSAGE, Names, TimedProtocol
    from hoyle.web.play.table_manager import House

    names = Names([*own_names(), f"{socket.gethostname()}.local"] if host in EVERYWHERE else [host])
    config = uvicorn.Config(
        application(House(store, own), names),
        http=TimedProtocol,
        ws="websockets-sansio",
        ws_max_size=4 * LONGEST_MESSAGE,
        ws_per_message_deflate=False,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=2,
    )
    return uvicorn.Server(config)
