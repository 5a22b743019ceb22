"""`hoyle import`: files of other programs as positions and records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hoyle.cli.catalogue import t
from hoyle.cli.files import write_new
from hoyle.cli.options import File, Named, Settings, lang_option, set_option, with_settings
from hoyle.cli.output import note
from hoyle.cli.shell import argument, command, option

if TYPE_CHECKING:
    from hoyle.game.game import Game, State


@command("import")
@argument("file", type=File())
@option("--output", "-o", type=File(), default="-")
@option("--game", type=Named())
@set_option
@lang_option
def import_command(file: str, output: str, game: str | None, settings: Settings) -> int:
    from hoyle.game.game import load
    from hoyle.game.records.importing import import_text
    from hoyle.game.records.records import lines
    from hoyle.reading.sources import read

    def opened(name: str, options: dict[str, Any]) -> Game:
        return with_settings(lambda one, values: load(one, {**options, **values}), name, settings)

    found = import_text(read(file), game or "", opened)
    state = found.state
    text = "\n".join(lines(state, None, folder=Path(output).parent)) if found.played else _position(state)
    write_new(output, f"{text}\n")
    key = "import.record" if found.played else "import.position"
    note(t(key, game=state.game.name, moves=state.decisions))
    if found.drew:
        note(t("import.drew"))
    return 0


def _position(state: State) -> str:
    """A position as YAML, a pile on each line."""
    from hoyle.game.positions import to_position

    found = to_position(state.game.compiled, state.core, everything=True)
    piles = [f"  {json.dumps(name)}: {json.dumps(held)}" for name, held in found["piles"].items()]
    other = [f"{name}: {json.dumps(value)}" for name, value in found.items() if name != "piles"]
    return "\n".join([*other, "piles:", *piles])
