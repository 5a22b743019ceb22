"""What a game played by itself is counted by, whichever engine plays it."""

from __future__ import annotations

from msgspec import Struct


class Tallies(Struct, frozen=True, array_like=True):
    """
    choices       decisions with more than one action
    turns         runs of decisions by one player
    offered       actions of all decisions together; `most_offered`: the most at one
    moves         how often each move was made, by its number
    scores, wins  of the sides
    early         how often each rule that acts by itself did before anybody decided, where uses are counted
    over          is it? Else it was stopped
    """

    decisions: int
    choices: int
    turns: int
    offered: int
    most_offered: int
    moves: tuple[int, ...]
    scores: tuple[int, ...]
    wins: tuple[bool, ...]
    early: tuple[int, ...]
    over: bool
