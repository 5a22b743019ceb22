"""Click commands, options and errors whose texts come from the catalogue."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Sequence
from typing import Any

import click

from hoyle.presentation.catalogue import get_lines, has_sentence, t
from hoyle.presentation.terminal import WIDTH, format_table

INTERRUPTED = 130
"""Exit code after Ctrl-C."""
_ARGUMENTS = "hoyle.written"
"""Key of the arguments as typed, in a context."""


class Option(click.Option):
    """An option whose help is `option.COMMAND.NAME` or `option.NAME` in the catalogue."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        names = ", ".join(self.opts)
        metavar = "" if self.is_flag or self.count else f" {self.make_metavar(ctx)}"
        return names + metavar, t(_find_key(f"option.{ctx.command.name}.{self.name}", f"option.{self.name}"))


class Argument(click.Argument):
    """An argument shown as `metavar.NAME` in usage lines."""

    def make_metavar(self, ctx: click.Context) -> str:
        word = t(f"metavar.{self.name}")
        return word if self.required else f"[{word}]"


class Command(click.Command):
    """A command whose help and examples are in the catalogue."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("add_help_option", False)
        super().__init__(*args, **kwargs)
        self.params.append(make_help_option())

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write(format_help(ctx))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.allow_extra_args = True  # refused here, in the user's language
        ctx.meta[_ARGUMENTS] = tuple(args)
        try:
            super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # so that the help of this command is named
            raise
        if ctx.args and not ctx.resilient_parsing:
            raise click.UsageError(t("usage.extra", words=" ".join(ctx.args)), ctx)
        return ctx.args


def _find_key(*keys: str) -> str:
    return next(key for key in keys if has_sentence(key) or key == keys[-1])


def make_help_option() -> Option:
    def show(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
        if asked and not ctx.resilient_parsing:
            from hoyle.cli.output import say

            say(ctx.get_help())
            ctx.exit()

    return Option(["-h", "--help"], is_flag=True, is_eager=True, expose_value=False, callback=show)


def format_help(ctx: click.Context, extra: Sequence[str] = ()) -> str:
    """Return usage, description, arguments, options and examples."""
    name = ctx.command.name or ""
    parts = [f"{t('help.usage')} {_format_usage(ctx)}", *_fill_paragraphs(t(f"command.{name}.help")), *extra]
    parts += _format_section(t("help.arguments"), _list_arguments(ctx))
    parts += _format_section(
        t("help.options"), [p.get_help_record(ctx) for p in ctx.command.params if isinstance(p, Option)]
    )
    examples = get_lines(f"command.{name}.examples")
    if examples:
        parts.append("\n".join([t("help.examples"), *(f"  {_fill_example(line)}" for line in examples)]))
    return "\n\n".join(parts) + "\n"


def _format_usage(ctx: click.Context) -> str:
    words = [ctx.command_path, *(p.make_metavar(ctx) for p in ctx.command.params if isinstance(p, click.Argument))]
    return " ".join([*words, t("help.some_options")])


def _fill_paragraphs(text: str) -> list[str]:
    """Fill paragraphs; indented ones are kept."""
    return [p if p.startswith(" ") else textwrap.fill(p, WIDTH) for p in text.split("\n\n")]


def _list_arguments(ctx: click.Context) -> list[tuple[str, str]]:
    found = [p for p in ctx.command.params if isinstance(p, click.Argument)]
    keys = [(p, _find_key(f"argument.{ctx.command.name}.{p.name}", f"argument.{p.name}")) for p in found]
    return [(p.make_metavar(ctx), t(key)) for p, key in keys]


def _format_section(title: str, rows: Sequence[tuple[str, str]]) -> list[str]:
    return ["\n".join([title, *format_table(rows)])] if rows else []


EXAMPLES = {"game": "game:", "several": r"players: \{count: (?!1\b)", "chosen": r"players: \{count: 2\.\.[3-9]"}
"""Patterns for the shipped games that examples name: any, for several players, with a choice of players."""


def _fill_example(line: str) -> str:
    return line.format(**{word: find_example_game(head) for word, head in EXAMPLES.items() if f"{{{word}}}" in line})


def find_example_game(head: str) -> str:
    """Return a shipped game that matches, so that examples work as they stand."""
    from hoyle.resources import shipped

    for name, path in shipped().items():
        with path.open(encoding="utf-8", errors="replace") as file:
            if any(re.match(head, line) for line in file):
                return name
    return "game.yaml"


def explain_error(error: click.ClickException) -> str:
    """Return what is wrong with the command line."""
    match error:
        case click.NoSuchOption():
            return t("usage.no_option", name=error.option_name) + _suggest(error.possibilities)
        case click.exceptions.NoSuchCommand():
            return t("usage.no_command", name=error.command_name) + _suggest(error.possibilities)
        case click.MissingParameter():
            return t("usage.missing", name=_name_parameter(error))
        case click.BadParameter():
            return t("usage.bad_value", name=_name_parameter(error), problem=error.message)
        case click.BadOptionUsage():
            return t("usage.no_value" if _is_flag(error) else "usage.needs_value", name=error.option_name)
        case _:
            return error.message


def _is_flag(error: click.BadOptionUsage) -> bool:
    params = error.ctx.command.params if error.ctx is not None else []
    return any(p.is_flag and error.option_name in p.opts for p in params if isinstance(p, click.Option))


def _suggest(possibilities: Sequence[str] | None) -> str:
    return " " + t("usage.meant", names=", ".join(f"`{p}`" for p in possibilities)) if possibilities else ""


def _name_parameter(error: click.BadParameter) -> str:
    if error.param is None or error.ctx is None:
        return str(error.param_hint or "")
    if isinstance(error.param, click.Option):
        return _find_name_as_typed(error.param.opts, error.ctx.meta.get(_ARGUMENTS, ()))
    return error.param.make_metavar(error.ctx)


def _find_name_as_typed(names: Sequence[str], words: Sequence[str]) -> str:
    """Return the name of an option as last typed, else its longest name."""
    given = (name for word in reversed(words) for name in names if _is_option(word, name))
    return next(given, max(names, key=len))


def _is_option(word: str, name: str) -> bool:
    """Return whether a word names this option. A value may follow a short name at once."""
    return word.partition("=")[0] == name if name.startswith("--") else word.startswith(name)


def refer_to_help(ctx: click.Context | None) -> str:
    return t("usage.see_help", command=f"{ctx.command_path if ctx else 'hoyle'} --help")


Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def option(*names: str, **settings: Any) -> Decorator:
    return click.option(*names, cls=Option, **settings)


def argument(name: str, **settings: Any) -> Decorator:
    return click.argument(name, cls=Argument, **settings)


def command(name: str) -> Callable[[Callable[..., Any]], click.Command]:
    return click.command(name, cls=Command)
