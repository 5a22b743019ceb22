"""`--engine`: which engine plays, and what is told where the one that was wanted is not there."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from interpreter.cli import output
from interpreter.cli.catalogue import t
from interpreter.cli.options import OneOf
from interpreter.cli.shell import option

engine_option = option("--engine", type=OneOf("auto", "python", "native"), default="auto")


@contextmanager
def telling_of_engines() -> Iterator[None]:
    """What the API warns of is said as a note, once."""
    from interpreter.native.made import NoNativeEngine

    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always", NoNativeEngine)
        yield
    for one in heard:
        if isinstance(one.message, NoNativeEngine):
            output.note(
                t("engine.no_compiler") if one.message.no_compiler else t("engine.not_this", game=one.message.game)
            )
