"""A board of another program → the position that it is of."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hoyle.diagnostics import Diagnostic, Refused, Source, Span
from hoyle.game.game import Game, State
from hoyle.game.importing.formats import Board, Row, lines_of, not_in_format
from hoyle.game.spelling import plain_sign, sign_codes
from hoyle.language.sentences import said
from hoyle.reading.tree import Node

MOST_LINES = 1000
"""So many lines a board may have: more are a text of something else."""


def read_board(form: Board, source: Source, game: Game) -> State:
    """The position of a board. Raises Refused with everything wrong in it."""
    piles: dict[str, tuple[Node, Node]] = {}
    blank: list[Span] = []
    for count, (_, span) in enumerate(lines_of(source)):
        if count >= MOST_LINES:
            raise not_in_format(form, span)
        if not span.text:
            blank.append(span)
            continue
        row, held = _held(form, span)
        _, lying = piles.setdefault(
            row.piles, (_scalar(span, row.piles), Node("map" if row.built_to else "list", held))
        )
        if row.built_to:
            for word in _words(held):
                _build(form, game, row, word, lying)
        elif row.alone:
            lying.items += [_scalar(word) for word in _words(held)]
        else:  # a blank line between piles is an empty one
            lying.items += [_scalar(empty) for empty in blank if lying.items]
            lying.items.append(_scalar(held))
        blank.clear()
    whole = Span(source, 0, len(source.text))
    said_so = {name: (_scalar(whole, name), _scalar(whole, value)) for name, value in form.position.items()}
    keys = {"piles": (_scalar(whole, "piles"), Node("map", whole, pairs=piles))}
    state = game.position(Node("map", whole, pairs=said_so | keys))
    _check_whole(state, whole)
    return state


def _held(form: Board, span: Span) -> tuple[Row, Span]:
    """Parse a line of a board into piles. Raises Refused if the format has no such line."""
    for pattern, row in form.lines.items():
        if (found := re.fullmatch(pattern, span.text)) is not None:
            return row, Span(span.source, span.start + found.start(1), span.start + found.end(1))
    raise not_in_format(form, span)


def _words(span: Span) -> Iterator[Span]:
    for word in re.finditer(r"\S+", span.text):
        yield Span(span.source, span.start + word.start(), span.start + word.end())


def _scalar(span: Span, text: str | None = None) -> Node:
    raw = span.text if text is None else text
    return Node("scalar", span, value=raw or None, raw=raw)


def _build(form: Board, game: Game, row: Row, word: Span, lying: Node) -> None:
    """Lay all pieces of a pile's member up to the one named on it. Raises Refused if the word says no such thing."""
    found = re.fullmatch(row.built_to, word.text)
    if found is None:
        if re.fullmatch(row.nothing, word.text):
            return
        raise not_in_format(form, word)
    family = game.ruleset.piles[row.piles]
    code = sign_codes(game.compiled, family.holds)[plain_sign(found[2] + found[1])] >> 1
    kind = game.namer.piece_kinds[code]
    own, by = sorted(kind.attributes, key=lambda name: kind.attributes[name] != family.each)
    top = kind.classes[code - kind.base]
    below = [n for n, each in enumerate(kind.classes) if each[own] == top[own] and each[by] <= top[by]]
    signs = [game.namer.signs[kind.base + n] for n in sorted(below, key=lambda n: kind.classes[n][by])]
    assert family.each is not None
    member = game.namer.key_name(family.each, top[own])
    if member in lying.pairs:
        raise Refused([Diagnostic("R823", said("pile_twice", name=word.text), word)])
    lying.pairs[member] = (_scalar(word, member), _scalar(word, " ".join(signs)))


def _check_whole(state: State, whole: Span) -> None:
    """Raises Refused if the board lacks pieces."""
    copies, namer = list(state.game.machine.copies), state.game.namer
    for pile in state.core.piles:
        for piece in pile:
            copies[piece >> 1] -= 1
    missing = [namer.signs[cls] for cls, left in enumerate(copies) if left > 0]
    if missing:
        shown = ", ".join(missing[:12]) + (" …" if len(missing) > 12 else "")
        end = Span(whole.source, len(whole.source.text.rstrip()), len(whole.source.text.rstrip()))
        raise Refused([Diagnostic("R824", said("pieces_missing", count=len(missing), signs=shown), end)])
