"""The command `hoyle`: finds the subcommand, runs it, and turns whatever happens into a message and an exit code.

0 fine · 1 problems in what was given · 2 wrong usage · 3 fault of the program · 130 stopped by Ctrl-C · 143 asked to end
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
from hoyle.cli.shell import INTERRUPTED, Option, complaint, help_option, help_text, see_help
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


class Lazy(click.Group):
    """The group of all commands; a command's module is imported when the command is run."""

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
        formatter.write(help_text(ctx, ["\n".join([t("help.commands"), *format_table(rows)])]))


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


hoyle = Lazy(
    "hoyle",
    add_help_option=False,
    invoke_without_command=True,
    callback=_help_without_command,
    params=[
        Option(["--lang"], type=OneOf(*LANGUAGES), expose_value=False),
        Option(["--version"], is_flag=True, is_eager=True, expose_value=False, callback=_show_version),
        help_option(),
    ],
)


class Ended(BaseException):
    """Another program asked this one to end. `args` has the number of the signal."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line; the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    choose_language(words)
    output.prepare()
    with _ending():
        code = _guarded(words)
    if arguments is None:  # the process is at its end: looking for garbage in what it leaves would only take time
        gc.freeze()
    return code if output.finish() else max(code, 1)


@contextmanager
def _ending() -> Iterator[None]:
    """To be asked to end, or to lose the terminal, is like Ctrl-C: files are finished and processes ended first."""

    def end(number: int, _: FrameType | None) -> None:
        raise Ended(number)

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


def _guarded(words: list[str]) -> int:
    try:
        return _run(words)
    except KeyboardInterrupt:
        output.note(t("run.stopped"))
        return INTERRUPTED
    except Ended as asked:
        return 128 + int(asked.args[0])
    except Exception as fault:
        return _fault(fault)


def _run(words: list[str]) -> int:
    from hoyle.diagnostics import Refused

    try:
        done = hoyle.main(words, prog_name="hoyle", standalone_mode=False)
        return done if isinstance(done, int) else 0
    except click.ClickException as error:
        return _usage(error)
    except click.Abort:
        raise KeyboardInterrupt from None
    except UserError as trouble:
        output.complain(str(trouble))
        return trouble.code
    except Refused as refused:
        output.diagnose(refused.diagnostics)
        return 1


def _usage(error: click.ClickException) -> int:
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        output.note(error.ctx.get_help().rstrip())
        return 2
    output.complain(complaint(error))
    output.note(see_help(error.ctx if isinstance(error, click.UsageError) else None))
    return 2


def _fault(fault: Exception) -> int:
    """A mistake of this program: said in one line; `HOYLE_TRACEBACK=1` shows where."""
    if os.environ.get("HOYLE_TRACEBACK"):
        import traceback

        traceback.print_exception(fault)
    output.complain(t("run.fault", kind=type(fault).__name__, what=str(fault)[:500]))
    output.note(t("run.fault_help"))
    return 3
