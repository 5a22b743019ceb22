"""What the seat that is to choose, or another, sees of a state, as players are handed it."""

from hoyle import State
from hoyle.game.views.redaction import RedactedState, redact
from hoyle.players.bots import LONGEST, Advice, advise
from hoyle.running.chance import PLAYER, Chance


def seen_in(state: State, player: int | None = None) -> RedactedState:
    return redact(state.game.compiled, state.core, state.core.actor if player is None else player)


def advised(state: State, games: int, longest: int = LONGEST) -> Advice | None:
    return advise(state.game, seen_in(state), games, Chance.stream(state.decisions, 1, PLAYER), longest)


def advised_move(state: State, games: int) -> tuple[str, Advice] | None:
    """The move that is advised, by its id, and what is said of it."""
    found = advised(state, games)
    return (state.moves()[found.number].id, found) if found is not None else None
