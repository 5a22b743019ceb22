"""Takes the native engine of a compiled game from the cache, or builds it."""

from __future__ import annotations

import warnings
from pathlib import Path

from hoyle.diagnostics import Diagnostic, Refused
from hoyle.language.model import Ruleset
from hoyle.native.compiler import NoCompiler
from hoyle.native.engine import Native, NativeMachine
from hoyle.native.inference import describe_constants
from hoyle.native.layout import Untranslatable
from hoyle.native.toolchain import Unwritten, is_built, loaded, prebuilt
from hoyle.running.machine import Machine

FLAGS = ("-fno-strict-aliasing", "-ffp-contract=off", "-w")
"""`-ffp-contract=off` makes fractions round the same way on all machines."""


def native(ruleset: Ruleset, machine: Machine, flags: tuple[str, ...] = ()) -> Native | NoCompiler | Untranslatable:
    """Return the engine of a machine's game, or why there is none.

    `flags` are appended to the usual ones of the compiler. Raises Refused if the compiler fails.
    """

    try:
        found = loaded(_text(ruleset, machine), ruleset.name, (*FLAGS, *flags))
        return found if isinstance(found, NoCompiler) else Native(found, machine)
    except Untranslatable as reason:
        return reason


def engine_of(ruleset: Ruleset, machine: Machine, wanted: bool = True) -> Native | None:
    """Return the engine of a game, or None after one warning. Raises Refused only if the engine is `wanted`."""
    try:
        found = native(ruleset, machine)
    except Refused as refused:
        if wanted:
            raise
        warn(ruleset.name, refused.diagnostics[0])
        return None
    if isinstance(found, Native):
        return found
    warn(ruleset.name, found)
    return None


Missing = NoCompiler | Diagnostic | Untranslatable
"""Reasons for no native engine: no compiler works, the build fails, or the game cannot be translated to C."""


class NoNativeEngine(UserWarning):
    """Warns that Python plays although the native engine was requested. `missing` has the reason."""

    def __init__(self, game: str, missing: Missing) -> None:
        self.game, self.missing = game, missing
        told = missing.message if isinstance(missing, Diagnostic) else str(missing)
        super().__init__(
            f"{game} is played by the Python engine: {told}{_MORE * (not isinstance(missing, Untranslatable))}"
        )


_MORE = " (see `hoyle doctor`)"
_warned: set[str] = set()


def warn(game: str, missing: Missing) -> None:
    """Warn once that Python plays, and why."""
    warning = NoNativeEngine(game, missing)
    if str(warning) not in _warned:
        _warned.add(str(warning))
        warnings.warn(warning, stacklevel=3)


def is_ready(ruleset: Ruleset, machine: Machine) -> bool:
    """Return whether the engine is cached, so that it loads at once."""
    return is_built(_text(ruleset, machine), ruleset.name, FLAGS)


def engine_file(ruleset: Ruleset, machine: Machine) -> Path:
    """Return the file of the engine in WebAssembly."""
    return prebuilt(_text(ruleset, machine))


def write_engine(ruleset: Ruleset, machine: Machine) -> str:
    """Return the C text of the engine. Raises Untranslatable."""
    return _text(ruleset, machine).write()


def with_native(machine: Machine, engine: Native) -> NativeMachine:
    """Return a copy of the machine that plays with its native engine."""
    return NativeMachine(**{name: getattr(machine, name) for name in machine.__struct_fields__}, native=engine)


def _text(ruleset: Ruleset, machine: Machine) -> Unwritten:
    counted = bool(machine.counters)
    of = "\n".join(
        (
            ruleset.digest,
            *ruleset.seats,
            "counted" if counted else "plain",
            machine.source,
            describe_constants(machine.space),
        )
    )

    def write() -> str:
        from hoyle.compiling.game import lower_ruleset
        from hoyle.native.unit import write_unit  # a cache hit does not need it

        return write_unit(lower_ruleset(ruleset, counted)).text

    return Unwritten(of, write)
