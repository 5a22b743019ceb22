"""`--engine`: which engine plays, and what is told where the one that was wanted is not there."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from hoyle.cli import output
from hoyle.cli.catalogue import lang, t
from hoyle.cli.options import OneOf
from hoyle.cli.shell import option
from hoyle.diagnostics import Diagnostic, told

if TYPE_CHECKING:
    from hoyle.native.cache import CacheTrouble
    from hoyle.native.compiler import Lack
    from hoyle.native.made import NoNativeEngine

engine_option = option("--engine", type=OneOf("auto", "python", "native"), default="auto")


@contextmanager
def telling_of_engines() -> Iterator[None]:
    """What the API warns of is said as a note, once."""
    from hoyle.native.cache import CacheTrouble
    from hoyle.native.made import NoNativeEngine

    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always", NoNativeEngine)
        warnings.simplefilter("always", CacheTrouble)
        yield
    heard_of = (_told(one.message) for one in heard if isinstance(one.message, NoNativeEngine | CacheTrouble))
    for text in dict.fromkeys(heard_of):
        output.note(text)


def _told(warning: NoNativeEngine | CacheTrouble) -> str:
    from hoyle.native.cache import CacheTrouble
    from hoyle.native.compiler import NoCompiler

    if isinstance(warning, CacheTrouble):
        key = "cache_elsewhere" if warning.instead else "cache_nowhere"
        return t(f"engine.{key}", folder=warning.folder, why=told(warning.why, lang()), instead=warning.instead)
    match warning.missing:
        case NoCompiler(failing=()):
            return t("engine.no_compiler")
        case NoCompiler(failing=failing):
            return t("engine.failing", lacks=", ".join(lack(name, why) for name, _, why in failing))
        case Diagnostic() as problem:
            return t("engine.not_built", game=warning.game, why=problem.in_language(lang()).message)
        case _:
            return t("engine.not_this", game=warning.game)


def lack(name: str, why: Lack) -> str:
    """Why a compiler will not do, in words."""
    return t("doctor.lack", name=name, why=t(f"doctor.lack_{why}"))
