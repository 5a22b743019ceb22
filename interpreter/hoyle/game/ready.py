"""A checked ruleset, compiled."""

from __future__ import annotations

import copyreg
from typing import Any

from hoyle.compiling.game import compile_game
from hoyle.game.compiled import Compiled
from hoyle.language.model import Ruleset
from hoyle.reading.merge import Merged
from hoyle.running.hit_counts import Watch
from hoyle.running.naming import Namer

Rules = tuple[Ruleset, Merged]
"""All that a game is compiled from: who is sent this needs none of its files."""


def compiled(ruleset: Ruleset, merged: Merged, trace: bool = False, watch: Watch | None = None) -> Compiled:
    """A checked ruleset, ready to be played. `trace`: count how often each rule is used; `watch`: and all that is come to. Raises Refused."""
    machine = compile_game(ruleset, trace, watch)
    return Compiled(ruleset, merged, machine, Namer(machine))


def _pickled(game: Compiled) -> tuple[Any, ...]:
    """Generated functions cannot be pickled: it is compiled again from its rules, without counting what is used."""
    return compiled, (game.ruleset, game.merged)


copyreg.pickle(Compiled, _pickled)
