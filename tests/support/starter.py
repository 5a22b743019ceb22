"""The game that `hoyle new game` makes, in French."""

from __future__ import annotations

from pathlib import Path

_WORDS = """\
words: fr
game: game
title: Game
options: {cards_each: cartes données à chacun}
pieces: {card: carte}
piles: {pack: pioche, heap: tas, hand: main}
moves:
  play a card:
    words: jouer une carte
    rule: Une carte doit avoir la couleur ou la hauteur de celle qu'elle couvre.
    fits: convient
  draw a card: {words: piocher, rule: "Qui ne peut pas jouer pioche une carte, ou passe s'il n'y en a plus."}
obligations: {play if you can: {words: jouer si l'on peut, rule: On ne pioche pas si l'on peut jouer.}}
flow: {game: jeu, turn: {words: tour, a card: une carte}}
"""


def in_french(folder: Path) -> None:
    """Its words, beside it."""
    (folder / "game.fr.yaml").write_text(_WORDS, encoding="utf-8")
