"""Options and arguments that several commands share, and the kinds of value they take."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from hoyle.cli.catalogue import t
from hoyle.cli.shell import argument, option
from hoyle.language.sentences import LANGUAGES
from hoyle.language.syntax import whole

if TYPE_CHECKING:
    from hoyle.diagnostics import Diagnostic, Refused
    from hoyle.game.game import Game
    from hoyle.language.model import Ruleset

Opened = TypeVar("Opened")
Settings = tuple[tuple[str, Any], ...]


class Whole(click.ParamType[Any]):
    """A whole number, at least `least`."""

    name = "number"

    def __init__(self, least: int | None = None) -> None:
        self.least = least

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return "N"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        found = whole(str(value))
        if found is None:
            self.fail(t("usage.not_whole", value=value), param, ctx)
        if self.least is not None and found < self.least:
            self.fail(t("usage.too_small", value=value, least=self.least), param, ctx)
        return found


class Seconds(click.ParamType[Any]):
    """A number of seconds in some range."""

    name = "seconds"

    def __init__(self, least: float, most: float) -> None:
        self.least, self.most = least, most

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return t("metavar.seconds")

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            seconds = float(value)
        except ValueError:
            seconds = math.nan
        if not self.least <= seconds <= self.most:
            self.fail(t("usage.not_seconds", value=value), param, ctx)
        return seconds


class OneOf(click.ParamType[Any]):
    """One of a few words."""

    name = "choice"

    def __init__(self, *words: str) -> None:
        self.words = words

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return "|".join(self.words)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value not in self.words:
            self.fail(t("usage.not_one_of", value=value, words=", ".join(self.words)), param, ctx)
        return str(value)


class Setting(click.ParamType[Any]):
    """`option=value`."""

    name = "setting"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return t("metavar.setting")

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, Any]:
        if isinstance(value, tuple):
            return value[0], value[1]
        name, equals, given = str(value).partition("=")
        if not (name.strip() and equals and given.strip()):
            self.fail(t("usage.not_setting", value=value), param, ctx)
        return name.strip(), option_value(given.strip())


class File(click.ParamType[Any]):
    """A file name; `-` is the standard input or output."""

    name = "file"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return t("metavar.file")

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not value or "\0" in str(value):
            self.fail(t("usage.no_file_name"), param, ctx)
        return str(value)


class Named(File):
    """A ruleset that is found by name, or a file: shells that complete words are told the names, or look for files where none begins so."""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from hoyle import packs

        names = () if packs.is_path(incomplete) else sorted(packs.known())
        return [CompletionItem(incomplete, "file"), *(CompletionItem(n) for n in names if n.startswith(incomplete))]


class Word(click.ParamType[Any]):
    """Any text, called by a name in help: `metavar.NAME`."""

    def __init__(self, name: str) -> None:
        self.name = name

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return t(f"metavar.{self.name}")

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return str(value)


def option_value(text: str) -> object:
    """The value of an option as a ruleset would write it: a truth, a number or a word."""
    if text in ("true", "false"):
        return text == "true"
    found = whole(text)
    return text if found is None else found


def game_argument(function: Callable[..., Any]) -> Callable[..., Any]:
    return argument("game", type=Named())(function)


def lang_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--lang` is read before anything else; here it is only checked and shown."""
    return option("--lang", type=OneOf(*LANGUAGES), expose_value=False)(function)


set_option = option("--set", "settings", type=Setting(), multiple=True)
seed_option = option("--seed", type=Whole(0))
json_option = option("--json", "as_json", is_flag=True)
position_option = option("--position", type=File())


def open_game(name: str, settings: Settings = ()) -> Game:
    """The game, ready to be played, with the options of the command line; of several of that name it is told which one is meant."""
    from hoyle.cli.found import tell_which
    from hoyle.game.game import load

    opened = with_settings(load, name, settings)
    tell_which(name)
    return opened


def checked_ruleset(name: str, settings: Settings = ()) -> Ruleset:
    """The checked ruleset behind a game, to be described."""
    from hoyle.checking.build import ruleset

    return with_settings(lambda game, values: ruleset(game, values)[0], name, settings)


def with_settings(opened: Callable[[str, dict[str, Any]], Opened], name: str, settings: Settings) -> Opened:
    """A bad option is wrong usage; a ruleset that is bad without options too is a problem in what was given."""
    from hoyle.cli.output import diagnose
    from hoyle.diagnostics import Refused

    try:
        return opened(name, dict(settings))
    except Refused as refused:
        if not settings:
            raise
        opened(name, {})
        diagnose(_with_remedy(name, settings, refused))
        raise click.exceptions.Exit(2) from refused


def _with_remedy(name: str, settings: Settings, refused: Refused) -> list[Diagnostic]:
    """Return the refusal; if options exclude each other, its help names others to set as well."""
    from msgspec.structs import replace

    from hoyle.checking.constraints import EXCLUDED
    from hoyle.checking.remedies import find_remedy
    from hoyle.language.sentences import said

    if refused.cause.code != EXCLUDED:
        return list(refused.diagnostics)
    found = find_remedy(name, dict(settings), refused)
    added = " ".join(f"--set {option}={str(value).lower()}" for option, value in found.items())
    return [
        replace(d, help=said("set_as_well", added=added)) if found and d.code == EXCLUDED else d
        for d in refused.diagnostics
    ]


def some_seed(given: int | None) -> int:
    """The seed given, or a new one, which is told so that the run can be repeated."""
    import secrets

    from hoyle.cli.output import note

    if given is not None:
        return given
    seed = secrets.randbelow(1_000_000)
    note(t("run.seed", seed=seed))
    return seed
