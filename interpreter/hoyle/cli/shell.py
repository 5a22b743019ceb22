"""Click's commands, options and errors, speaking the user's language: every sentence comes from the catalogue."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Sequence
from typing import Any

import click

from hoyle.presentation.catalogue import get_lines, has_sentence, t
from hoyle.presentation.terminal import WIDTH, format_table

INTERRUPTED = 130
"""The exit code after Ctrl-C."""
_WRITTEN = "hoyle.written"
"""Where a context keeps the words of its command line as they were given."""


class Option(click.Option):
    """An option whose help is the sentence `option.COMMAND.NAME` or `option.NAME` of the catalogue."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        names = ", ".join(self.opts)
        metavar = "" if self.is_flag or self.count else f" {self.make_metavar(ctx)}"
        return names + metavar, t(_first_key(f"option.{ctx.command.name}.{self.name}", f"option.{self.name}"))


class Argument(click.Argument):
    """An argument that is written in usage lines as `metavar.NAME` of the catalogue."""

    def make_metavar(self, ctx: click.Context) -> str:
        word = t(f"metavar.{self.name}")
        return word if self.required else f"[{word}]"


class Command(click.Command):
    """A command whose help, arguments and examples are in the catalogue."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("add_help_option", False)
        super().__init__(*args, **kwargs)
        self.params.append(help_option())

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write(help_text(ctx))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.allow_extra_args = True  # refused here, in the user's language
        ctx.meta[_WRITTEN] = tuple(args)
        try:
            super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # so that the help of this command is named
            raise
        if ctx.args and not ctx.resilient_parsing:
            raise click.UsageError(t("usage.extra", words=" ".join(ctx.args)), ctx)
        return ctx.args


def _first_key(*keys: str) -> str:
    return next(key for key in keys if has_sentence(key) or key == keys[-1])


def help_option() -> Option:
    def show(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
        if asked and not ctx.resilient_parsing:
            from hoyle.cli.output import say

            say(ctx.get_help())
            ctx.exit()

    return Option(["-h", "--help"], is_flag=True, is_eager=True, expose_value=False, callback=show)


def help_text(ctx: click.Context, extra: Sequence[str] = ()) -> str:
    """The whole help of a command: usage, what it does, arguments, options, examples."""
    name = ctx.command.name or ""
    parts = [f"{t('help.usage')} {_usage(ctx)}", *_paragraphs(t(f"command.{name}.help")), *extra]
    parts += _section(t("help.arguments"), _arguments(ctx))
    parts += _section(t("help.options"), [p.get_help_record(ctx) for p in ctx.command.params if isinstance(p, Option)])
    examples = get_lines(f"command.{name}.examples")
    if examples:
        parts.append("\n".join([t("help.examples"), *(f"  {_example(line)}" for line in examples)]))
    return "\n\n".join(parts) + "\n"


def _usage(ctx: click.Context) -> str:
    words = [ctx.command_path, *(p.make_metavar(ctx) for p in ctx.command.params if isinstance(p, click.Argument))]
    return " ".join([*words, t("help.some_options")])


def _paragraphs(text: str) -> list[str]:
    """Filled paragraphs; one whose lines are indented is kept as it is."""
    return [p if p.startswith(" ") else textwrap.fill(p, WIDTH) for p in text.split("\n\n")]


def _arguments(ctx: click.Context) -> list[tuple[str, str]]:
    found = [p for p in ctx.command.params if isinstance(p, click.Argument)]
    keys = [(p, _first_key(f"argument.{ctx.command.name}.{p.name}", f"argument.{p.name}")) for p in found]
    return [(p.make_metavar(ctx), t(key)) for p, key in keys]


def _section(title: str, rows: Sequence[tuple[str, str]]) -> list[str]:
    return ["\n".join([title, *format_table(rows)])] if rows else []


EXAMPLES = {"game": "game:", "several": r"players: \{count: (?!1\b)", "chosen": r"players: \{count: 2\.\.[3-9]"}
"""What examples name, by the line that such a game has: any game, one for several players, and one whose number of players may be chosen."""


def _example(line: str) -> str:
    return line.format(**{word: example_game(head) for word, head in EXAMPLES.items() if f"{{{word}}}" in line})


def example_game(head: str) -> str:
    """A shipped game to name in examples, so that they run as they stand."""
    from hoyle.resources import shipped

    for name, path in shipped().items():
        with path.open(encoding="utf-8", errors="replace") as file:
            if any(re.match(head, line) for line in file):
                return name
    return "game.yaml"


def complaint(error: click.ClickException) -> str:
    """What is wrong with the command line, in the user's language."""
    match error:
        case click.NoSuchOption():
            return t("usage.no_option", name=error.option_name) + _meant(error.possibilities)
        case click.exceptions.NoSuchCommand():
            return t("usage.no_command", name=error.command_name) + _meant(error.possibilities)
        case click.MissingParameter():
            return t("usage.missing", name=_shown(error))
        case click.BadParameter():
            return t("usage.bad_value", name=_shown(error), problem=error.message)
        case click.BadOptionUsage():
            return t("usage.no_value" if _is_flag(error) else "usage.needs_value", name=error.option_name)
        case _:
            return error.message


def _is_flag(error: click.BadOptionUsage) -> bool:
    params = error.ctx.command.params if error.ctx is not None else []
    return any(p.is_flag and error.option_name in p.opts for p in params if isinstance(p, click.Option))


def _meant(possibilities: Sequence[str] | None) -> str:
    return " " + t("usage.meant", names=", ".join(f"`{p}`" for p in possibilities)) if possibilities else ""


def _shown(error: click.BadParameter) -> str:
    if error.param is None or error.ctx is None:
        return str(error.param_hint or "")
    if isinstance(error.param, click.Option):
        return _as_written(error.param.opts, error.ctx.meta.get(_WRITTEN, ()))
    return error.param.make_metavar(error.ctx)


def _as_written(names: Sequence[str], words: Sequence[str]) -> str:
    """An option by that of its names which was given, the last time that it was; where none was, by the longest."""
    given = (name for word in reversed(words) for name in names if _gives(word, name))
    return next(given, max(names, key=len))


def _gives(word: str, name: str) -> bool:
    """Is this option named by a word? Behind a short name its value may follow at once."""
    return word.partition("=")[0] == name if name.startswith("--") else word.startswith(name)


def see_help(ctx: click.Context | None) -> str:
    return t("usage.see_help", command=f"{ctx.command_path if ctx else 'hoyle'} --help")


Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def option(*names: str, **settings: Any) -> Decorator:
    return click.option(*names, cls=Option, **settings)


def argument(name: str, **settings: Any) -> Decorator:
    return click.argument(name, cls=Argument, **settings)


def command(name: str) -> Callable[[Callable[..., Any]], click.Command]:
    return click.command(name, cls=Command)
