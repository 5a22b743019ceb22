"""`hoyle pairs`: every pair of option choices of a ruleset, played."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from hoyle.cli.catalogue import lang, t
from hoyle.cli.files import stem_of, write_into
from hoyle.cli.options import (
    File,
    Settings,
    Whole,
    game_argument,
    json_option,
    lang_option,
    open_game,
    seed_option,
    set_option,
    some_seed,
)
from hoyle.cli.output import emit, say
from hoyle.cli.shell import command, option
from hoyle.diagnostics import told

if TYPE_CHECKING:
    from hoyle.series.option_pairs import Tried, Trouble


@command("pairs")
@game_argument
@option("-n", "--games", type=Whole(1), default=1)
@set_option
@seed_option
@option("--records", type=File())
@json_option
@lang_option
def pairs_command(
    game: str, games: int, settings: Settings, seed: int | None, records: str | None, as_json: bool
) -> int:
    from hoyle.series.option_pairs import tried

    opened, began = open_game(game, settings), some_seed(seed)
    found: list[Tried] = []
    for row in tried(game, dict(settings), games, began):
        kept = [_kept(opened.name, len(found), trouble, records) for trouble in row.troubles]
        found.append(row)
        if not as_json:
            _tell(row, kept)
    if as_json:
        emit("pairs", {"game": opened.name, "seed": began, "settings": [_data(row) for row in found]})
    else:
        say(_sum(opened.name, found))
    return 1 if any(row.troubles for row in found) else 0


def _kept(name: str, row: int, trouble: Trouble, folder: str | None) -> str:
    """The file that now holds the record of a game that went wrong, if a folder for them was given."""
    if folder is None or trouble.state is None:
        return ""
    from hoyle.game.records.records import lines

    text = "".join(f"{line}\n" for line in lines(trouble.state, trouble.seed, folder=Path(folder)))
    return write_into(folder, f"{stem_of(name)}-{row + 1}-{trouble.seed}.jsonl", text)


def _set(options: dict[str, Any]) -> str:
    return " ".join(f"--set {name}={str(value).lower()}" for name, value in options.items())


def _tell(row: Tried, kept: list[str]) -> None:
    for trouble, place in zip(row.troubles, kept, strict=True):
        say(t(f"pairs.{trouble.kind}", message=told(trouble.message, lang())))
        say(f"  {_set(row.options)} --seed {trouble.seed}".rstrip())
        if place:
            say("  " + t("pairs.kept", file=place))


def _sum(name: str, found: list[Tried]) -> str:
    excluded, games = sum(bool(row.excluded) for row in found), sum(row.games for row in found)
    troubles = sum(len(row.troubles) for row in found)
    key = "wrong" if troubles else "fine"
    return t(f"pairs.{key}", game=name, settings=len(found), excluded=excluded, games=games, troubles=troubles)


def _data(row: Tried) -> dict[str, Any]:
    troubles = [
        {"kind": found.kind, "message": told(found.message, lang()), "seed": found.seed} for found in row.troubles
    ]
    excluded = {"excluded": row.excluded} if row.excluded else {}
    return {
        "options": row.options,
        "games": row.games,
        "decisions": row.decisions,
        "troubles": troubles,
        **excluded,
    }
