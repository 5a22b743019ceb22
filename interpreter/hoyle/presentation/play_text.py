"""Lines that several commands print: moves to choose from, what happened, how a game ended."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from hoyle.game.events import list_told_events
from hoyle.game.results import can_continue, win_progress, win_progress_name
from hoyle.language.sentences import FALLBACK, integer, listed
from hoyle.language.syntax import whole
from hoyle.presentation.catalogue import lang, t
from hoyle.presentation.look import (
    Look,
    in_hand,
    pad,
    suited,
    without_colour,
    wrap,
)
from hoyle.printable import printable, width
from hoyle.running.naming import slug

if TYPE_CHECKING:
    from hoyle.game.explain.reasons import Reason, Why
    from hoyle.game.game import State
    from hoyle.game.moves.legal import Move
    from hoyle.game.views.view import View


DEEPEST = 8  # parts of parts of a formula are set in so far, and no deeper
_ASKED = ("asked of",)
FEW = 40  # more moves than this are listed only when asked for


def in_order(moves: Sequence[Move], look: Look) -> list[Move]:
    """Moves of one kind together, by their cards as a hand is sorted, by their numbers, and else in the order in which the game has
    them, which is that of its tables."""
    names = list(dict.fromkeys(move.name for move in moves))
    words = {word: at for at, word in enumerate(dict.fromkeys(w for move in moves for w in move.id.split()[1:]))}

    def order(word: str) -> tuple[tuple[int, ...], int, int]:
        number = whole(word)
        return in_hand(word, look), -1 if number is None else number, words[word] if number is None else 0

    return sorted(moves, key=lambda move: (names.index(move.name), *map(order, _things(move, look))))


def _things(move: Move, look: Look) -> list[str]:
    """What its id names; a set of pieces as a hand is sorted."""
    words = move.id.split()[1:]
    return sorted(words, key=lambda sign: in_hand(sign, look)) if move.sets == (tuple(words),) else words


def holding(look: Look, view: View) -> Look:
    """A look for who sees this: cards that he alone sees are named in the order in which they are shown."""
    own = (pile for pile in view.piles if pile.owner == view.seat and pile.layout == "row")
    shown = [pile.pieces[place] for pile in own for place in pile.order]
    signs = [piece.sign for piece in shown if piece.sign is not None and not piece.up]
    held = {sign: at for at, sign in reversed([*enumerate(signs)])}
    return replace(look, pieces=replace(look.pieces, held=held))


def move_lines(moves: Sequence[Move], look: Look, most: int = FEW, faults: bool = False) -> list[str]:
    """The moves by number: in words, with another way to write it behind, or below where there is no room."""
    places = [n for n, move in enumerate(moves) if n < most or is_word(move)]
    shown = [moves[n] for n in places]
    texts = [move_text(move, look) + (_fault(move, look) if faults else "") for move in shown]
    ids = [_noted(move, look) for move in shown]
    room = look.width - 5 - max(map(width, ids), default=0) - 2
    wide = min(max(map(width, texts), default=0), room)
    lines = [_line(n + 1, text, ident, wide, look) for n, text, ident in zip(places, texts, ids, strict=True)]
    return lines + (_more(len(moves) - len(shown), look) if len(moves) > len(shown) else [])


def is_word(move: Move) -> bool:
    """Is it one thing to say, about no piece, number or place? Such stay in a list that is cut."""
    return " " not in move.id


def _more(count: int, look: Look) -> list[str]:
    indent = "     "
    return [indent + line for line in wrap(t("play.more_moves", count=count).split(" "), look.width - len(indent))]


def _noted(move: Move, look: Look) -> str:
    """How else a move may be written: in the notation of its game, or by its id, which is English."""
    return suited(move.short(look.lang), look) or (printable(move.id) if look.lang == FALLBACK else "")


def move_text(move: Move, look: Look) -> str:
    """A move in words, as a list has it: a set of pieces as they are shown in the hand."""
    text = move.text(lang())
    for signs in move.sets:
        told = sorted(signs, key=lambda sign: look.pieces.places.get(sign, ()))
        held = sorted(signs, key=lambda sign: in_hand(sign, look))
        text = text.replace(_written(told, look), _written(held, look))
    return suited(text, look)


def _fault(move: Move, look: Look) -> str:
    return f" [{t('play.fault', rule=look.label(move.fault, 'obligations'))}]" if move.fault else ""


def _written(signs: Sequence[str], look: Look) -> str:
    """Pieces as a move's text has them."""
    known = look.pieces.written
    return " ".join(known[sign].text if sign in known else sign for sign in signs)


def _line(number: int, text: str, ident: str, wide: int, look: Look) -> str:
    if look.plain:
        return t("plain.value", what=number, value=text)
    head = look.ink(f"{number:>3}", "number")
    if not ident or text == ident:
        return f"{head}  " + "\n     ".join(wrap(text.split(" "), look.width - 5))
    if width(text) > wide:
        lines = [*wrap(text.split(" "), look.width - 5), look.ink(f"  {ident}", "dim")]
        return f"{head}  " + "\n     ".join(lines)
    return f"{head}  {pad(text, wide)}  {look.ink(ident, 'dim')}"


def place_words(place: str, look: Look) -> str:
    """The end of the path of a decision, in the user's language as far as it has words."""
    called, here = list[str](), ""
    for part in place.split(" / "):
        inside = part in look.labels.get(here, ())
        called.append(look.label(part, *([here] if inside else ["phases", "moves"])))
        outer = f"flow/{part}" if part in look.labels.get("phases", ()) else f"moves/{part}/then"
        here = f"{here}/{part}" if inside else outer
    return " / ".join(called[-2:])


def asked_of(state: State, look: Look) -> str:
    """What is to be decided, where a game asks for more than one thing; nothing where it is always the same."""
    game = state.game.compiled
    asked: int | None = game.cache.get(_ASKED)
    if asked is None:
        asked = game.cache[_ASKED] = len({point.path[-1] for point in game.machine.points.values()})
    return place_words(state.place, look) if asked > 1 else ""


def result_lines(state: State, look: Look) -> list[str]:
    """How the game ended: who won, the scores, and what else the rules count."""
    if not state.is_over:
        return [t("play.unfinished")]
    lines = [look.ink(_winners(state, look), "title")]
    scores = [t("play.score", seat=look.seat(s), score=integer(n, look.lang)) for s, n in state.scores.items()]
    return [*lines, *(scores if look.plain else ["   ".join(scores)]), *_stakes(state)]


def _stakes(state: State) -> list[str]:
    """What the rules count beside the scores, where they do."""
    rules = state.game.ruleset.result
    margin = [t("play.margin", margin=state.margin)] if rules.margin is not None else []
    stake = [t("play.stake", stake=state.stake)] if rules.stake is not None else []
    return [", ".join([*margin, *stake])] if margin or stake else []


def _winners(state: State, look: Look) -> str:
    won = state.winning_sides
    names = listed([look.seat(side) for side in won], look.lang)
    key = {0: "play.nobody", 1: "play.winner"}.get(len(won), "play.winners")
    if len(state.game.seats) == 1 and state.game.ruleset.result.won is not None:
        return f"{t('play.over')} {t('play.solved') if won else _lost(state, look)}"
    return f"{t('play.over')} {t(key, names=names, n=len(state.winners))}"


def _lost(state: State, look: Look) -> str:
    """Why, if nothing was left to do, and how far it came, where the rules say what there is to reach."""
    game, core = state.game.compiled, state.core
    why = "" if can_continue(game, core) else f"{t('play.no_move_left')} "
    found = win_progress(game, core)
    if found is None:
        return why + t("play.lost")
    what = win_progress_name(game)
    named = {"what": look.label(what, "state")} if what else {}
    return why + t("play.lost_with" if what else "play.lost_at", have=found[0], wanted=found[1], **named)


def filled(text: str, look: Look) -> list[str]:
    """A long sentence in lines that fit."""
    return _hanging(text, look.width, 2) if text else []


def fitting(lines: Sequence[str], look: Look) -> Iterator[str]:
    """At a terminal no word is broken at the edge of the screen; elsewhere lines are as long as they are."""
    for line in lines:
        yield from filled(line, look) if look.height and width(line) > look.width else [line]


_HUNG = re.compile(r" +\S.*? {2,}")


def hung(line: str, look: Look) -> list[str]:
    """A line of a table of two columns, what does not fit below its second one."""
    head = _HUNG.match(line)
    return _hanging(line, look.width, head.end() if head else 2, head.end() if head else 0)


def _hanging(text: str, columns: int, indent: int, kept: int = 0) -> list[str]:
    """In lines of so many columns, as a terminal counts them, broken at plain spaces; the first `kept` characters stay as they are."""
    room = columns - indent
    first, *rest = wrap(text[kept:].split(" "), columns - kept)
    follow = wrap(" ".join(rest).split(" "), room) if rest else []
    return [text[:kept] + first, *(" " * indent + line for line in follow)]


def called(move: Move, look: Look) -> str:
    """A move as one may write it: ids are English."""
    return move.id if look.lang == FALLBACK else without_colour(move.text(look.lang), look)


def _asked(why: Why, look: Look, typed: str | None) -> str:
    """The move as it was typed or as it is listed; its id, where somebody who did not type asks."""
    words = without_colour(why.text(look.lang), look)
    return why.move if look.lang == FALLBACK and typed in (None, why.move) else words


def why_lines(why: Why, look: Look, moves: Sequence[Move] = (), typed: str | None = None) -> list[str]:
    """Why a move is legal or not: what decides, and what was looked at. `moves` are the legal ones; `typed`: how it was asked for at a prompt."""
    if not why.known:
        nearest = ", ".join(f"`{called(move, look)}`" for move in moves if move.id in why.nearest)
        return [t("why.unknown", move=why.move), *([t("why.nearest", moves=nearest)] if nearest else [])]
    verdict = t("why.legal") if why.legal else t("why.illegal")
    summary = without_colour(why.summary(look.lang), look)
    lines = filled(t("why.first", move=_asked(why, look, typed), verdict=verdict, reason=summary), look)
    for reason in why.reasons:
        if reason.sort in ("condition", "obligation"):
            mark = _holds(reason.holds, look)
            lines.append(f"  {mark} {look.label(reason.name, *_spaces(reason, why, look))}")
            lines += [] if reason.holds else _parts(reason, look)
    return lines


def _holds(holds: bool, look: Look) -> str:
    if look.plain:
        return t("plain.holds" if holds else "plain.fails")
    return look.sign("✓", "+") if holds else look.sign("✗", "x")


def _spaces(reason: Reason, why: Why, look: Look) -> list[str]:
    """Where a condition or an obligation has its words; of two moves with a condition of one name, the one that is asked about."""
    if reason.sort == "obligation":
        return ["obligations"]
    moves = [space for space in look.labels if space.startswith("moves/")]
    return sorted(moves, key=lambda space: slug(space.removeprefix("moves/")) != why.move.partition(" ")[0])


def _parts(reason: Reason, look: Look) -> list[str]:
    """What decides, to the last value: what does not fit a line goes on in the next. Formulas and the ids of the moves to make instead are
    English: in another language these stand in words in the sentence above, and of values those are told whose things have a name in it."""
    if look.lang == FALLBACK:
        told = ((depth, t("why.part", formula=formula, value=value)) for depth, formula, value in reason.parts)
    else:
        told = ((0, text) for texts in reason.grounds if (text := dict(texts).get(look.lang)))
    found: list[str] = []
    for depth, text in told:
        indent, shown = " " * (6 + 2 * min(depth, DEEPEST)), printable(without_colour(text, look))
        found += textwrap.wrap(shown, look.width, initial_indent=indent, subsequent_indent=f"{indent}    ")
    return found


def alternatives(state: State, look: Look) -> list[str]:
    """What might be chosen where somebody is not asked, as it is called."""
    unasked = state.unasked
    names = dict.fromkeys(move.name for move in state.moves() if move != unasked)
    return [look.label(name, "moves").removesuffix("…").rstrip() for name in names]


def done_before(state: State, look: Look) -> str:
    """What was done right before, in words, as whoever acts was told."""
    log = state.core.log or ()
    begin = max((n for n, raw in enumerate(log) if raw[0] == "move"), default=0)
    texts = [event.text(lang(), state.to_act) for _, event in list_told_events(state.game.compiled, state.core, begin)]
    return suited(texts[0], look) if texts else ""
