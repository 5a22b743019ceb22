"""Options and arguments shared by commands, their value types, and warnings of the engines."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from hoyle.cli import output
from hoyle.cli.shell import argument, option
from hoyle.diagnostics import Diagnostic, localize
from hoyle.language.sentences import LANGUAGES
from hoyle.language.syntax import parse_integer
from hoyle.presentation.catalogue import lang, t

if TYPE_CHECKING:
    from hoyle.diagnostics import Diagnostic
    from hoyle.native.cache import CacheTrouble
    from hoyle.native.compiler import Lack
    from hoyle.native.engine_builder import NoNativeEngine


Settings = tuple[tuple[str, Any], ...]


class NamedType(click.ParamType[Any]):
    """A type that help calls `metavar.NAME`."""

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return t(f"metavar.{self.name}")


class WholeNumber(click.ParamType[Any]):
    """A whole number, at least `least`."""

    name = "number"

    def __init__(self, least: int | None = None) -> None:
        self.least = least

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return "N"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        found = parse_integer(str(value))
        if found is None:
            self.fail(t("usage.not_whole", value=value), param, ctx)
        if self.least is not None and found < self.least:
            self.fail(t("usage.too_small", value=value, least=self.least), param, ctx)
        return found


class Seconds(NamedType):
    """A number of seconds within limits."""

    name = "seconds"

    def __init__(self, least: float, most: float) -> None:
        self.least, self.most = least, most

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


class Setting(NamedType):
    """`option=value`"""

    name = "setting"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, Any]:
        if isinstance(value, tuple):
            return value[0], value[1]
        name, equals, given = str(value).partition("=")
        if not (name.strip() and equals and given.strip()):
            self.fail(t("usage.not_setting", value=value), param, ctx)
        return name.strip(), parse_value(given.strip())


class FileName(NamedType):
    """A file name; `-` is standard input or output."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not value or "\0" in str(value):
            self.fail(t("usage.no_file_name"), param, ctx)
        return str(value)


class RulesetName(FileName):
    """The name of a ruleset, or a file. Shells complete both."""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from hoyle import packs

        names = () if packs.is_path(incomplete) else sorted(packs.list_known())
        return [CompletionItem(incomplete, "file"), *(CompletionItem(n) for n in names if n.startswith(incomplete))]


class Text(NamedType):
    """Any text. Help shows `metavar.NAME`."""

    def __init__(self, name: str) -> None:
        self.name = name

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return str(value)


def parse_value(text: str) -> object:
    """Parse a truth value, a number or a word."""
    if text in ("true", "false"):
        return text == "true"
    found = parse_integer(text)
    return text if found is None else found


def game_argument(function: Callable[..., Any]) -> Callable[..., Any]:
    return argument("game", type=RulesetName())(function)


def lang_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """Declare `--lang` for help and validation; it is read before the command runs."""
    return option("--lang", type=OneOf(*LANGUAGES), expose_value=False)(function)


set_option = option("--set", "settings", type=Setting(), multiple=True)
seed_option = option("--seed", type=WholeNumber(0))
json_option = option("--json", "as_json", is_flag=True)
position_option = option("--position", type=FileName())


def choose_seed(given: int | None) -> int:
    """Return the given seed, or announce a random one."""
    import secrets

    from hoyle.cli.output import note

    if given is not None:
        return given
    seed = secrets.randbelow(1_000_000)
    note(t("run.seed", seed=seed))
    return seed


engine_option = option("--engine", type=OneOf("auto", "python", "native"), default="auto")


@contextmanager
def report_engine_warnings() -> Iterator[None]:
    """Print engine warnings as notes, each once."""
    from hoyle.native.cache import CacheTrouble
    from hoyle.native.engine_builder import NoNativeEngine

    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always", NoNativeEngine)
        warnings.simplefilter("always", CacheTrouble)
        yield
    heard_of = (
        _describe_warning(one.message) for one in heard if isinstance(one.message, NoNativeEngine | CacheTrouble)
    )
    for text in dict.fromkeys(heard_of):
        output.note(text)


def _describe_warning(warning: NoNativeEngine | CacheTrouble) -> str:
    from hoyle.native.cache import CacheTrouble
    from hoyle.native.compiler import NoCompiler

    if isinstance(warning, CacheTrouble):
        key = "cache_elsewhere" if warning.instead else "cache_nowhere"
        return t(f"engine.{key}", folder=warning.folder, why=localize(warning.why, lang()), instead=warning.instead)
    match warning.missing:
        case NoCompiler(failing=()):
            return t("engine.no_compiler")
        case NoCompiler(failing=failing):
            return t("engine.failing", lacks=", ".join(describe_lack(name, why) for name, _, why in failing))
        case Diagnostic() as problem:
            return t("engine.not_built", game=warning.game, why=problem.in_language(lang()).message)
        case _:
            return t("engine.not_this", game=warning.game)


def describe_lack(name: str, why: Lack) -> str:
    """Return why a compiler cannot be used."""
    return t("doctor.lack", name=name, why=t(f"doctor.lack_{why}"))


class Seats(NamedType):
    """Kinds of players, separated by commas."""

    name = "seats"


seats_option = option("--seats", type=Seats())
