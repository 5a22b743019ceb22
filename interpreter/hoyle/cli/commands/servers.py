"""`hoyle serve`, the web server, and `hoyle lsp`, the language server."""

from __future__ import annotations

import gc
import os
import socket
import sqlite3
import sys
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hoyle.cli import output
from hoyle.cli.options import FileName, RulesetName, Text, WholeNumber, lang_option
from hoyle.cli.shell import argument, command, option
from hoyle.presentation.catalogue import UserError, describe_error, get_requested_language, lang, t

if TYPE_CHECKING:
    from hoyle.web.play.store import Store
    from hoyle.web.shelf import OwnRulesets

SERVE_PACKAGES = ("starlette", "uvicorn", "websockets")
HOST, PORT = "127.0.0.1", 8808
SWITCH_SECONDS = 0.001
"""The longest time for which a worker thread delays the loop's thread."""
ALL_INTERFACES = ("0.0.0.0", "::", "")


@command("serve")
@argument("files", type=RulesetName(), nargs=-1)
@option("--host", type=Text("host"), default=HOST)
@option("--port", type=WholeNumber(0), default=PORT)
@option("--games", "games_file", type=FileName())
@lang_option
def serve_command(files: tuple[str, ...], host: str, port: int, games_file: str | None) -> int:
    missing = [name for name in SERVE_PACKAGES if find_spec(name) is None]
    if missing:
        raise UserError(t("serve.missing", names=", ".join(missing)), code=2)
    own, path = _load_rulesets(files), Path(games_file) if games_file is not None else default_store_path()
    store, listener = _open_store(path), _bind(host, port)
    _announce(host, listener.getsockname()[1], path)
    import asyncio

    sys.setswitchinterval(SWITCH_SECONDS)
    gc.set_threshold(100_000, 20, 50)  # games are large and stay: collecting more often took longer than playing
    try:
        asyncio.run(create_server(store, host, own).serve(sockets=[listener]))
    except KeyboardInterrupt:
        return 0
    return 0


def _load_rulesets(files: tuple[str, ...]) -> OwnRulesets:
    """Load the rulesets found by name and those of files and folders. Report problems, and leave such rulesets out."""
    from hoyle.cli.commands.validate import list_rulesets
    from hoyle.web.shelf import load_installed, load_rulesets

    installed, problems = load_installed()
    given, more = load_rulesets(Path(path) for path in list_rulesets(files))
    problems = [*problems, *more]
    if problems:
        output.diagnose(problems)
        names = dict.fromkeys(problem.span.source.name for problem in problems if problem.span is not None)
        output.note(t("serve.left_out", files=", ".join(names)))
    return {**installed, **given}


def default_store_path() -> Path:
    """Return the file of tables in `HOYLE_STATE`, or in the system's folder for the state of programs."""
    from platformdirs import user_state_path

    folder = os.environ.get("HOYLE_STATE")
    return (Path(folder) if folder else user_state_path("hoyle", appauthor=False)) / "tables.sqlite"


def _open_store(path: Path) -> Store:
    """Open a file of tables. A new one is readable by its owner alone. Raises UserError."""
    from hoyle.web.play.store import Store, StoreInUse, UnknownFormat

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
        return Store(path)
    except UnknownFormat:
        why = t("serve.other_format")
    except StoreInUse:
        why = t("serve.in_use")
    except (OSError, sqlite3.Error) as error:
        why = describe_error(error)
    raise UserError(t("serve.no_file", file=path, why=why))


def _bind(host: str, port: int) -> socket.socket:
    """Listen on an address. Raises UserError."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family, backlog=512)
    except OverflowError:
        why = t("serve.no_port")
    except UnicodeError:
        why = t("serve.no_host")
    except OSError as error:  # negative numbers are errors of looking up a name
        why = t("serve.no_host") if (error.errno or 0) < 0 else describe_error(error)
    raise UserError(t("serve.no_address", host=host, port=port, why=why), code=2)


def _announce(host: str, port: int, path: Path) -> None:
    """Print the addresses of the server and the file of tables."""
    output.say(t("serve.at", address=_format_address(HOST if host in ALL_INTERFACES else host, port)))
    output.note(t("serve.kept", file=path))
    if is_local(host):
        output.note(t("serve.alone"))
    else:
        output.note(t("serve.others"))
        for name in list_host_names() if host in ALL_INTERFACES else [host]:
            output.note(f"  {_format_address(name, port)}")
    output.flush()


def _format_address(host: str, port: int) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/?lang={lang()}"


def is_local(host: str) -> bool:
    """Return whether an address can be reached from this machine only."""
    return host == "localhost" or host.startswith("127.") or host == "::1"


def list_host_names() -> list[str]:
    """Return the name and the addresses of this machine in its networks."""
    names = [socket.gethostname()]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        with suppress(OSError):  # no network, or the name is not known there
            probe.connect(("192.0.2.1", 9))  # sends nothing, but chooses the address to send from
            names.append(str(probe.getsockname()[0]))
            names += [str(info[4][0]) for info in socket.getaddrinfo(names[0], None, socket.AF_INET)]
    return [name for name in dict.fromkeys(names) if name and not is_local(name)]


def create_server(store: Store, host: str, own: OwnRulesets | None = None) -> Any:
    """Return a uvicorn server, to be run by an event loop."""
    import uvicorn

    from hoyle.web.app import create_app
    from hoyle.web.guards import LONGEST_MESSAGE, HostNames
    from hoyle.web.play.table_manager import TableManager
    from hoyle.web.timed_protocol import TimedProtocol
    from hoyle.workshop.routes import list_routes

    manager = TableManager(store, own)
    names = HostNames([*list_host_names(), f"{socket.gethostname()}.local"] if host in ALL_INTERFACES else [host])
    config = uvicorn.Config(
        create_app(manager, names, list_routes(manager)),
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


LSP_PACKAGES = ("pygls", "lsprotocol")


@command("lsp")
@option("--stdio", is_flag=True)
@lang_option
def lsp_command(stdio: bool) -> int:
    lacking = [name for name in LSP_PACKAGES if find_spec(name) is None]
    if lacking:
        raise UserError(t("lsp.missing", names=", ".join(lacking)), code=2)
    from hoyle.editor.server import create_server

    create_server(get_requested_language()).start_io()
    return 0
