"""The command `hoyle`: run a subcommand and turn errors into messages and exit codes.

0 success · 1 problems in the input · 2 wrong usage · 3 internal error · 130 Ctrl-C · 143 terminated
"""

from __future__ import annotations

import gc
import importlib
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

import click

from hoyle.cli import output
from hoyle.cli.options import OneOf
from hoyle.cli.shell import INTERRUPTED, Option, explain_error, format_help, make_help_option, refer_to_help
from hoyle.language.sentences import LANGUAGES
from hoyle.presentation.catalogue import UserError, choose_language, t
from hoyle.presentation.terminal import format_table

# command → the module that has it, as `NAME_command`; nothing is imported before it is needed. One with a dot is a room's own, which stands above this one
COMMANDS = {
    "list": "games",
    "describe": "describe",
    "validate": "validate",
    "diff": "games",
    "fmt": "validate",
    "explain": "validate",
    "test": "testing",
    "pairs": "testing",
    "mutants": "testing",
    "play": "play",
    "serve": "servers",
    "site": "sites",
    "publish": "sites",
    "moves": "position",
    "show": "records",
    "rules": "games",
    "why": "position",
    "eval": "position",
    "simulate": "series",
    "compare": "series",
    "sweep": "series",
    "match": "series",
    "bench": "machine",
    "replay": "records",
    "import": "records",
    "analyse": "analyse",
    "schema": "author",
    "new": "author",
    "words": "author",
    "lsp": "servers",
    "doctor": "machine",
}


class LazyGroup(click.Group):
    """The group of all commands; modules are imported when their command runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        place = COMMANDS[cmd_name]
        module = importlib.import_module(f"hoyle.cli.commands.{place}")
        found: click.Command = getattr(module, f"{cmd_name}_command")
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS:
            raise click.exceptions.NoSuchCommand(args[0], possibilities=COMMANDS, ctx=ctx)
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [(name, t(f"command.{name}.short")) for name in COMMANDS]
        formatter.write(format_help(ctx, ["\n".join([t("help.commands"), *format_table(rows)])]))


def _show_version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked:
        from importlib.metadata import PackageNotFoundError, version

        try:
            output.say(f"hoyle {version('hoyle')}")
        except PackageNotFoundError:  # run from a checkout that was never installed
            output.say("hoyle (checkout)")
        ctx.exit()


@click.pass_context
def _help_without_command(ctx: click.Context) -> None:
    if ctx.invoked_subcommand is None:
        raise click.exceptions.NoArgsIsHelpError(ctx)


hoyle = LazyGroup(
    "hoyle",
    add_help_option=False,
    invoke_without_command=True,
    callback=_help_without_command,
    params=[
        Option(["--lang"], type=OneOf(*LANGUAGES), expose_value=False),
        Option(["--version"], is_flag=True, is_eager=True, expose_value=False, callback=_show_version),
        make_help_option(),
    ],
)


class Terminated(BaseException):
    """Another program asked this one to end. `args` has the signal."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    choose_language(words)
    output.prepare_streams()
    with _handle_signals():
        code = _run_safely(words)
    if arguments is None:  # the process is at its end: looking for garbage in what it leaves would only take time
        gc.freeze()
    return code if output.finish() else max(code, 1)


@contextmanager
def _handle_signals() -> Iterator[None]:
    """Treat termination and hang-up like Ctrl-C, so that files are finished and processes ended."""

    def end(number: int, _: FrameType | None) -> None:
        raise Terminated(number)

    known = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    mine = [number for number in known if signal.getsignal(number) is signal.SIG_DFL]
    mine = mine if threading.current_thread() is threading.main_thread() else []
    for number in mine:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in mine:
            signal.signal(number, signal.SIG_DFL)


def _run_safely(words: list[str]) -> int:
    try:
        return _run_command(words)
    except KeyboardInterrupt:
        output.note(t("run.stopped"))
        return INTERRUPTED
    except Terminated as asked:
        return 128 + int(asked.args[0])
    except Exception as fault:
        return _report_internal_error(fault)


def _run_command(words: list[str]) -> int:
    from hoyle.diagnostics import Refused

    try:
        done = hoyle.main(words, prog_name="hoyle", standalone_mode=False)
        return done if isinstance(done, int) else 0
    except click.ClickException as error:
        return _report_usage(error)
    except click.Abort:
        raise KeyboardInterrupt from None
    except UserError as trouble:
        output.complain(str(trouble))
        return trouble.code
    except Refused as refused:
        output.diagnose(refused.diagnostics)
        return 1


def _report_usage(error: click.ClickException) -> int:
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        output.note(error.ctx.get_help().rstrip())
        return 2
    output.complain(explain_error(error))
    output.note(refer_to_help(error.ctx if isinstance(error, click.UsageError) else None))
    return 2


def _report_internal_error(fault: Exception) -> int:
    """Report an internal error in one line; `HOYLE_TRACEBACK=1` prints the traceback."""
    if os.environ.get("HOYLE_TRACEBACK"):
        import traceback

        traceback.print_exception(fault)
    output.complain(t("run.fault", kind=type(fault).__name__, what=str(fault)[:500]))
    output.note(t("run.fault_help"))
    return 3
