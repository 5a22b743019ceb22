"""Who plays: `--seats human,random,…`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

from hoyle.diagnostics import similar
from hoyle.presentation.catalogue import UserError, both, known_as, t

if TYPE_CHECKING:
    from hoyle.series.workers import Workers


HUMAN = "human"


def kinds_of(given: str | None, seats: Sequence[str], people: bool, usual: str) -> dict[str, str]:
    """Seat → kind of player. Seats not named are `usual`; if none is named, and `people` may play, the first seat is one's own."""
    words = given.split(",") if given is not None else [HUMAN] * people
    named = [kind_of(word.strip(), people) for word in words]
    if len(named) > len(seats):
        names = ", ".join(seats)
        raise UserError(t("usage.many_seats", given=len(named), seats=len(seats), names=names), code=2)
    return dict(zip(seats, [*named, *[usual] * (len(seats) - len(named))], strict=True))


def warned(kinds: Iterable[str]) -> list[str]:
    """What is to be told of players whose moves are not the same again: a sentence, or none."""
    from hoyle.players.bots import is_timed

    return [t("simulate.timed")] if any(map(is_timed, kinds)) else []


def kind_words(kind: str) -> str:
    """What a kind of player is called; what stands behind says how far it looks, and for what."""
    head, colon, rest = kind.partition(":")
    return f"{t(f'kind.{head}')}{colon}{rest}"


def kind_of(word: str, people: bool = False) -> str:
    """The kind of player that is called so, in whatever language. Raises UserError if there is none."""
    from hoyle.players.bots import KINDS, is_kind

    head, colon, rest = word[:40].partition(":")
    known = [*[HUMAN] * people, *KINDS]
    meant = known_as("kind").get(head, head)
    kind = f"{meant}{colon}{rest}" if len(word) <= 40 else word
    if is_kind(kind) or (people and kind == HUMAN):
        return kind
    raise UserError(
        _wrongly(head, meant, rest) if meant in known and colon else _unknown(head, colon, rest, known), code=2
    )


def _wrongly(head: str, kind: str, rest: str) -> str:
    """What may stand behind a kind of player, where something else does."""
    from hoyle.players.bots import is_searching

    key = "bad_search" if kind == "search" else "bad_level" if is_searching(kind) else "bad_plain"
    return t(f"usage.{key}", kind=f"{head}:{rest}", head=head, **search_bounds())


def search_bounds() -> dict[str, object]:
    """How far a search may be told to go, for sentences that say so."""
    from hoyle.players.bots import LEAST_SECONDS, MOST_GAMES, MOST_SECONDS

    return {"games": MOST_GAMES, "least": str(LEAST_SECONDS), "most": str(MOST_SECONDS)}


def _unknown(head: str, colon: str, rest: str, known: Sequence[str]) -> str:
    """Who there is, and who was meant, if it shows."""
    from hoyle.players.bots import FURTHER, is_kind

    called = {word: kind for kind in known for word in (kind, kind_words(kind))}
    close = similar(head, called)
    meant = f"{close}{colon}{rest}" if close and is_kind(f"{called[close]}{colon}{rest}") else close
    advice = [t("play.close_move", move=meant)] if meant and close != head else []
    kinds = ", ".join(map(kind_words, [*known, *FURTHER]))
    return both(t("usage.bad_seat", kind=f"{head}{colon}{rest}", kinds=kinds), *advice)


def workers_of(jobs: int, cluster: str | None) -> Workers:
    """Raises UserError where what talks to clusters is not there."""
    from hoyle.series.workers import Workers

    if cluster is not None and find_spec("distributed") is None:
        raise UserError(t("keep.no_cluster"))
    return Workers(jobs, cluster or "")
