"""Names of players as users type them (`--seats human,random`), and the workers of a series."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

from hoyle.diagnostics import find_close_name
from hoyle.presentation.catalogue import UserError, find_translated_names, join_sentences, t

if TYPE_CHECKING:
    from hoyle.series.workers import Workers


HUMAN = "human"


def parse_seats(given: str | None, seats: Sequence[str], people: bool, usual: str) -> dict[str, str]:
    """Parse `--seats` into kinds by seat. Seats without a name are `usual`; with `people` and no names, the first is human."""
    words = given.split(",") if given is not None else [HUMAN] * people
    named = [parse_player(word.strip(), people) for word in words]
    if len(named) > len(seats):
        names = ", ".join(seats)
        raise UserError(t("usage.many_seats", given=len(named), seats=len(seats), names=names), code=2)
    return dict(zip(seats, [*named, *[usual] * (len(seats) - len(named))], strict=True))


def warn_of_clock(kinds: Iterable[str]) -> list[str]:
    """Return a warning if a player is limited by time, so that its moves are not reproducible."""
    from hoyle.players.bots import is_timed

    return [t("simulate.timed")] if any(map(is_timed, kinds)) else []


def name_player(kind: str) -> str:
    """Return the translated kind of a player, with its argument."""
    head, colon, rest = kind.partition(":")
    return f"{t(f'kind.{head}')}{colon}{rest}"


def parse_player(word: str, people: bool = False) -> str:
    """Return the kind of player for a name in any language. Raises UserError."""
    from hoyle.players.bots import KINDS, is_kind

    head, colon, rest = word[:40].partition(":")
    known = [*[HUMAN] * people, *KINDS]
    meant = find_translated_names("kind").get(head, head)
    kind = f"{meant}{colon}{rest}" if len(word) <= 40 else word
    if is_kind(kind) or (people and kind == HUMAN):
        return kind
    raise UserError(
        _explain_argument(head, meant, rest)
        if meant in known and colon
        else _explain_unknown(head, colon, rest, known),
        code=2,
    )


def _explain_argument(head: str, kind: str, rest: str) -> str:
    from hoyle.players.bots import is_searching

    key = "bad_search" if kind == "search" else "bad_level" if is_searching(kind) else "bad_plain"
    return t(f"usage.{key}", kind=f"{head}:{rest}", head=head, **get_search_bounds())


def get_search_bounds() -> dict[str, object]:
    """Return the limits of a search, as values for sentences."""
    from hoyle.players.bots import LEAST_SECONDS, MOST_GAMES, MOST_SECONDS

    return {"games": MOST_GAMES, "least": str(LEAST_SECONDS), "most": str(MOST_SECONDS)}


def _explain_unknown(head: str, colon: str, rest: str, known: Sequence[str]) -> str:
    """Return the known kinds, and a suggestion if one is close."""
    from hoyle.players.bots import MORE_KINDS, is_kind

    called = {word: kind for kind in known for word in (kind, name_player(kind))}
    close = find_close_name(head, called)
    meant = f"{close}{colon}{rest}" if close and is_kind(f"{called[close]}{colon}{rest}") else close
    advice = [t("play.close_move", move=meant)] if meant and close != head else []
    kinds = ", ".join(map(name_player, [*known, *MORE_KINDS]))
    return join_sentences(t("usage.bad_seat", kind=f"{head}{colon}{rest}", kinds=kinds), *advice)


def make_workers(jobs: int, cluster: str | None) -> Workers:
    """Raises UserError if a cluster is asked for and `distributed` is not installed."""
    from hoyle.series.workers import Workers

    if cluster is not None and find_spec("distributed") is None:
        raise UserError(t("keep.no_cluster"))
    return Workers(jobs, cluster or "")
