"""Moves, results and reasons as lines of text, for the terminal and the browser."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from hoyle.game.events import list_told_events
from hoyle.game.results import can_continue, win_progress, win_progress_name
from hoyle.language.sentences import FALLBACK, format_integer, join_names
from hoyle.language.syntax import parse_integer
from hoyle.presentation.catalogue import lang, t
from hoyle.presentation.look import (
    Look,
    draw_plain_text,
    draw_text,
    get_hand_order,
    pad,
    wrap_cells,
)
from hoyle.printable import printable, width
from hoyle.running.naming import slug

if TYPE_CHECKING:
    from hoyle.game.explain.reasons import Reason, Why
    from hoyle.game.game import State
    from hoyle.game.moves.legal import Move
    from hoyle.game.views.view import View


DEEPEST = 8
"""Formula parts nested deeper than this are not indented further."""
_ASKED = ("asked of",)
FEW = 40
"""More moves than this are listed in full only on request."""


def sort_moves(moves: Sequence[Move], look: Look) -> list[Move]:
    """Sort moves by name, then by cards in hand order, numbers, and the order of the game's tables."""
    names = list(dict.fromkeys(move.name for move in moves))
    words = {word: at for at, word in enumerate(dict.fromkeys(w for move in moves for w in move.id.split()[1:]))}

    def order(word: str) -> tuple[tuple[int, ...], int, int]:
        number = parse_integer(word)
        return get_hand_order(word, look), -1 if number is None else number, words[word] if number is None else 0

    return sorted(moves, key=lambda move: (names.index(move.name), *map(order, _sort_move_words(move, look))))


def _sort_move_words(move: Move, look: Look) -> list[str]:
    """Return the words of a move's id. If they are a set of pieces, they are in hand order."""
    words = move.id.split()[1:]
    return sorted(words, key=lambda sign: get_hand_order(sign, look)) if move.sets == (tuple(words),) else words


def use_hand_order(look: Look, view: View) -> Look:
    """Return a look that names the viewer's own cards in the order in which they are shown."""
    own = (pile for pile in view.piles if pile.owner == view.seat and pile.layout == "row")
    shown = [pile.pieces[place] for pile in own for place in pile.order]
    signs = [piece.sign for piece in shown if piece.sign is not None and not piece.up]
    held = {sign: at for at, sign in reversed([*enumerate(signs)])}
    return replace(look, pieces=replace(look.pieces, held=held))


def list_moves(moves: Sequence[Move], look: Look, most: int = FEW, faults: bool = False) -> list[str]:
    """Return numbered moves in words, each with its short notation or id beside or below it."""
    places = [n for n, move in enumerate(moves) if n < most or is_bare_move(move)]
    shown = [moves[n] for n in places]
    texts = [format_move(move, look) + (_format_fault(move, look) if faults else "") for move in shown]
    ids = [_format_notation(move, look) for move in shown]
    room = look.width - 5 - max(map(width, ids), default=0) - 2
    wide = min(max(map(width, texts), default=0), room)
    lines = [
        _format_move_line(n + 1, text, ident, wide, look) for n, text, ident in zip(places, texts, ids, strict=True)
    ]
    return lines + (_format_more(len(moves) - len(shown), look) if len(moves) > len(shown) else [])


def is_bare_move(move: Move) -> bool:
    """Return whether a move names no piece, number or place, such as `pass`."""
    return " " not in move.id


def _format_more(count: int, look: Look) -> list[str]:
    indent = "     "
    return [
        indent + line for line in wrap_cells(t("play.more_moves", count=count).split(" "), look.width - len(indent))
    ]


def _format_notation(move: Move, look: Look) -> str:
    """Return the game's notation of a move, or its English id."""
    return draw_text(move.short(look.lang), look) or (printable(move.id) if look.lang == FALLBACK else "")


def format_move(move: Move, look: Look) -> str:
    """Return a move in words; a set of pieces is in hand order."""
    text = move.text(lang())
    for signs in move.sets:
        told = sorted(signs, key=lambda sign: look.pieces.places.get(sign, ()))
        held = sorted(signs, key=lambda sign: get_hand_order(sign, look))
        text = text.replace(_write_pieces(told, look), _write_pieces(held, look))
    return draw_text(text, look)


def _format_fault(move: Move, look: Look) -> str:
    return f" [{t('play.fault', rule=look.label(move.fault, 'obligations'))}]" if move.fault else ""


def _write_pieces(signs: Sequence[str], look: Look) -> str:
    known = look.pieces.written
    return " ".join(known[sign].text if sign in known else sign for sign in signs)


def _format_move_line(number: int, text: str, ident: str, wide: int, look: Look) -> str:
    if look.plain:
        return t("plain.value", what=number, value=text)
    head = look.ink(f"{number:>3}", "number")
    if not ident or text == ident:
        return f"{head}  " + "\n     ".join(wrap_cells(text.split(" "), look.width - 5))
    if width(text) > wide:
        lines = [*wrap_cells(text.split(" "), look.width - 5), look.ink(f"  {ident}", "dim")]
        return f"{head}  " + "\n     ".join(lines)
    return f"{head}  {pad(text, wide)}  {look.ink(ident, 'dim')}"


def format_place(place: str, look: Look) -> str:
    """Return the last two parts of a decision's path in words."""
    called, here = list[str](), ""
    for part in place.split(" / "):
        inside = part in look.labels.get(here, ())
        called.append(look.label(part, *([here] if inside else ["phases", "moves"])))
        outer = f"flow/{part}" if part in look.labels.get("phases", ()) else f"moves/{part}/then"
        here = f"{here}/{part}" if inside else outer
    return " / ".join(called[-2:])


def name_decision(state: State, look: Look) -> str:
    """Return the name of the current decision; empty if the game has only one kind of decision."""
    game = state.game.compiled
    asked: int | None = game.cache.get(_ASKED)
    if asked is None:
        asked = game.cache[_ASKED] = len({point.path[-1] for point in game.machine.points.values()})
    return format_place(state.place, look) if asked > 1 else ""


def format_result(state: State, look: Look) -> list[str]:
    """Return the winners, the scores, and the margin and stake if the rules count them."""
    if not state.is_over:
        return [t("play.unfinished")]
    lines = [look.ink(_format_winners(state, look), "title")]
    scores = [t("play.score", seat=look.seat(s), score=format_integer(n, look.lang)) for s, n in state.scores.items()]
    return [*lines, *(scores if look.plain else ["   ".join(scores)]), *_format_stakes(state)]


def _format_stakes(state: State) -> list[str]:
    rules = state.game.ruleset.result
    margin = [t("play.margin", margin=state.margin)] if rules.margin is not None else []
    stake = [t("play.stake", stake=state.stake)] if rules.stake is not None else []
    return [", ".join([*margin, *stake])] if margin or stake else []


def _format_winners(state: State, look: Look) -> str:
    won = state.winning_sides
    names = join_names([look.seat(side) for side in won], look.lang)
    key = {0: "play.nobody", 1: "play.winner"}.get(len(won), "play.winners")
    if len(state.game.seats) == 1 and state.game.ruleset.result.won is not None:
        return f"{t('play.over')} {t('play.solved') if won else _format_loss(state, look)}"
    return f"{t('play.over')} {t(key, names=names, n=len(state.winners))}"


def _format_loss(state: State, look: Look) -> str:
    """Return the reason for a loss and how far the player came, if the rules define a goal."""
    game, core = state.game.compiled, state.core
    why = "" if can_continue(game, core) else f"{t('play.no_move_left')} "
    found = win_progress(game, core)
    if found is None:
        return why + t("play.lost")
    what = win_progress_name(game)
    named = {"what": look.label(what, "state")} if what else {}
    return why + t("play.lost_with" if what else "play.lost_at", have=found[0], wanted=found[1], **named)


def fill_text(text: str, look: Look) -> list[str]:
    """Wrap a sentence with a hanging indent."""
    return _wrap_hanging(text, look.width, 2) if text else []


def wrap_lines(lines: Sequence[str], look: Look) -> Iterator[str]:
    """Wrap lines at words on a terminal; elsewhere leave them as they are."""
    for line in lines:
        yield from fill_text(line, look) if look.height and width(line) > look.width else [line]


_HUNG = re.compile(r" +\S.*? {2,}")


def wrap_columns(line: str, look: Look) -> list[str]:
    """Wrap the second column of a line that has two columns."""
    head = _HUNG.match(line)
    return _wrap_hanging(line, look.width, head.end() if head else 2, head.end() if head else 0)


def _wrap_hanging(text: str, columns: int, indent: int, kept: int = 0) -> list[str]:
    """Wrap at plain spaces; the first `kept` characters stay as they are."""
    room = columns - indent
    first, *rest = wrap_cells(text[kept:].split(" "), columns - kept)
    follow = wrap_cells(" ".join(rest).split(" "), room) if rest else []
    return [text[:kept] + first, *(" " * indent + line for line in follow)]


def name_move(move: Move, look: Look) -> str:
    """Return the id of a move in English, else its text."""
    return move.id if look.lang == FALLBACK else draw_plain_text(move.text(look.lang), look)


def _name_asked_move(why: Why, look: Look, typed: str | None) -> str:
    words = draw_plain_text(why.text(look.lang), look)
    return why.move if look.lang == FALLBACK and typed in (None, why.move) else words


def format_reasons(why: Why, look: Look, moves: Sequence[Move] = (), typed: str | None = None) -> list[str]:
    """Explain why a move is legal or not.

    Args:
        moves: the legal moves, to suggest one if the move is unknown.
        typed: the text of the question at a prompt.

    """
    if not why.known:
        nearest = ", ".join(f"`{name_move(move, look)}`" for move in moves if move.id in why.nearest)
        return [t("why.unknown", move=why.move), *([t("why.nearest", moves=nearest)] if nearest else [])]
    verdict = t("why.legal") if why.legal else t("why.illegal")
    summary = draw_plain_text(why.summary(look.lang), look)
    lines = fill_text(t("why.first", move=_name_asked_move(why, look, typed), verdict=verdict, reason=summary), look)
    for reason in why.reasons:
        if reason.sort in ("condition", "obligation"):
            mark = _format_verdict(reason.holds, look)
            lines.append(f"  {mark} {look.label(reason.name, *_find_label_spaces(reason, why, look))}")
            lines += [] if reason.holds else _format_parts(reason, look)
    return lines


def _format_verdict(holds: bool, look: Look) -> str:
    if look.plain:
        return t("plain.holds" if holds else "plain.fails")
    return look.sign("✓", "+") if holds else look.sign("✗", "x")


def _find_label_spaces(reason: Reason, why: Why, look: Look) -> list[str]:
    """Return the name spaces of labels for a reason, those of the move in question first."""
    if reason.sort == "obligation":
        return ["obligations"]
    moves = [space for space in look.labels if space.startswith("moves/")]
    return sorted(moves, key=lambda space: slug(space.removeprefix("moves/")) != why.move.partition(" ")[0])


def _format_parts(reason: Reason, look: Look) -> list[str]:
    """Return the parts of the formula that explain a reason, indented.

    Formulas are English, so other languages get sentences instead.
    """
    if look.lang == FALLBACK:
        told = ((depth, t("why.part", formula=formula, value=value)) for depth, formula, value in reason.parts)
    else:
        told = ((0, text) for texts in reason.grounds if (text := dict(texts).get(look.lang)))
    found: list[str] = []
    for depth, text in told:
        indent, shown = " " * (6 + 2 * min(depth, DEEPEST)), printable(draw_plain_text(text, look))
        found += textwrap.wrap(shown, look.width, initial_indent=indent, subsequent_indent=f"{indent}    ")
    return found


def list_alternatives(state: State, look: Look) -> list[str]:
    """Return the names of the other moves where a player is not asked."""
    unasked = state.unasked
    names = dict.fromkeys(move.name for move in state.moves() if move != unasked)
    return [look.label(name, "moves").removesuffix("…").rstrip() for name in names]


def describe_last_move(state: State, look: Look) -> str:
    """Return the last move as told to the player to act."""
    log = state.core.log or ()
    begin = max((n for n, raw in enumerate(log) if raw[0] == "move"), default=0)
    texts = [event.text(lang(), state.to_act) for _, event in list_told_events(state.game.compiled, state.core, begin)]
    return draw_text(texts[0], look) if texts else ""
