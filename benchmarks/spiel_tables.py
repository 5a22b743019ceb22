"""One game in two systems at once, for `benchmarks.spiel_match`: the interpreter deals and throws, and OpenSpiel's state is brought along.

Moves are translated both ways. At each decision the same player must be asked in both, the legal moves must be the same one for one, and
both must stand alike; at the end they must come to the same result. What is not alike is told by `Unlike`: each system is the other's referee.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, ClassVar

from hoyle import Game, Move, State, load

Mover = Callable[[Move], None]
Step = tuple[int, int]
"""Of a checker: how many steps from the end of its track it stands (25: on the bar), and the number it is moved by."""


class Unlike(Exception):
    """The two systems do not agree."""


def alike(what: str, here: object, there: object, state: State) -> None:
    """Raises Unlike if something is not the same here and in OpenSpiel."""
    if here != there:
        raise Unlike(f"{what} after {state.decisions} decisions ({state.place}): {here} here, {there} in OpenSpiel")


def lying(state: State) -> dict[str, list[str]]:
    """What lies in each pile, by its name (`hand of A`): signs from bottom to top, whoever sees them."""
    namer = state.game.namer
    return {namer.key(n): [namer.signs[piece >> 1] for piece in pile] for n, pile in enumerate(state.core.piles[:-1])}


class Table(ABC):
    """A game in both systems, from its first decision. `options` and `parameters` make the rules the same; `refereed`: what else OpenSpiel is told
    where nobody plays to win, so that more can be compared."""

    options: ClassVar[Mapping[str, Any]] = {}
    parameters: ClassVar[Mapping[str, Any]] = {}
    refereed: ClassVar[Mapping[str, Any]] = {}
    passing: ClassVar[int] = -1
    """OpenSpiel's action where nothing can be done; here nobody is asked then."""

    def __init__(self, state: State, other: Any, moved: Mover) -> None:
        """`other`: a new game of OpenSpiel; `moved` makes a move in `state`."""
        self.state, self.other, self._moved = state, other, moved
        self._follow()

    @property
    def is_over(self) -> bool:
        return bool(self.other.is_terminal())

    @property
    def to_act(self) -> int:
        """The seat's number, which is OpenSpiel's player."""
        return self.state.core.actor

    @property
    def weight(self) -> float:
        """How many actions OpenSpiel has for one decision here."""
        return 1.0

    @abstractmethod
    def chance(self) -> int:
        """What falls by chance next, as OpenSpiel's outcome."""

    @abstractmethod
    def compare(self) -> None:
        """Raises Unlike if both do not stand alike or other moves are legal."""

    @abstractmethod
    def compare_ends(self) -> None:
        """Raises Unlike if both did not come to the same."""

    @abstractmethod
    def ours(self, choose: Callable[[], Move]) -> None:
        """Whoever acts is asked here, as often as it takes to come to one action of OpenSpiel at least."""

    @abstractmethod
    def theirs(self, choose: Callable[[Any], int]) -> None:
        """Whoever acts is asked in OpenSpiel, as often as it takes to come to one move here at least."""

    def scores(self) -> tuple[int, ...]:
        return tuple(self.state.scores.values())

    def wins(self) -> tuple[bool, ...]:
        return tuple(seat in self.state.winning_sides for seat in self.state.game.sides)

    def _follow(self) -> None:
        """OpenSpiel goes on to the next decision that is one here, too."""
        while not self.other.is_terminal():
            if self.other.is_chance_node():
                self.other.apply_action(self.chance())
            elif self.other.legal_actions() == [self.passing]:
                self.other.apply_action(self.passing)
            else:
                self._meet()
                return
        self.compare_ends()

    def _meet(self) -> None:
        if self.state.is_over:
            raise Unlike(f"over here after {self.state.decisions} decisions, not in OpenSpiel")
        alike("to act", self.to_act, self.other.current_player(), self.state)
        self.compare()


class Cards(Table):
    """A move here is one action there, or several in any order."""

    @staticmethod
    @abstractmethod
    def card(sign: str) -> int:
        """OpenSpiel's number of a card."""

    def actions(self, move: Move) -> frozenset[int]:
        return frozenset(self.card(sign) for sign in move.id.split()[1:])

    def compare(self) -> None:
        self._offered(self._spelt(), frozenset())

    def ours(self, choose: Callable[[], Move]) -> None:
        move = choose()
        self._moved(move)
        for action in sorted(self.actions(move)):
            self.other.apply_action(action)
        self._follow()

    def theirs(self, choose: Callable[[Any], int]) -> None:
        moves, chosen = self._spelt(), frozenset[int]()
        while chosen not in moves:
            self._offered(moves, chosen)
            action = choose(self.other)
            self.other.apply_action(action)
            chosen |= {action}
        self._moved(moves[chosen])
        self._follow()

    def _spelt(self) -> dict[frozenset[int], Move]:
        return {self.actions(move): move for move in self.state.moves()}

    def _offered(self, moves: Mapping[frozenset[int], Move], chosen: frozenset[int]) -> None:
        left = set(chain.from_iterable(move - chosen for move in moves if chosen <= move))
        alike("legal", sorted(left), sorted(self.other.legal_actions()), self.state)


class Cribbage(Cards):
    """To 121, the first seat deals first; four of a suit count in the crib, too. What stays different: here the hands are counted one after the other
    and whoever comes to 121 has won; OpenSpiel counts all three, and then gives the game to the dealer of the first deal, if both are there."""

    options: ClassVar = {"first_dealer": "first_seat", "crib_flush": "same_as_hand"}
    passing = 2756
    target = 121

    @staticmethod
    def card(sign: str) -> int:
        return "A23456789TJQK".index(sign[0]) + 13 * "CDHS".index(sign[1])

    def actions(self, move: Move) -> frozenset[int]:
        cards = [self.card(sign) for sign in move.id.split()[1:]]
        return frozenset({cards[0] if move.name == "lay" else laid_away(cards)})

    def chance(self) -> int:
        piles, dealt = lying(self.state), set(self.other_dealt())
        wanted = [*piles["hand of A"], *piles["hand of B"]] if len(dealt) < 12 else piles["starter"]
        return next(card for card in map(self.card, wanted) if card not in dealt)

    def other_dealt(self) -> list[int]:
        """The cards of this deal that OpenSpiel has."""
        drawn = [move.action for move in self.other.full_history() if move.player < 0]
        return drawn[len(drawn) // 13 * 13 :]

    def compare(self) -> None:
        alike("scores", [*map(float, self.scores())], self.other.returns(), self.state)
        super().compare()

    def compare_ends(self) -> None:
        bonus = self.other.get_game().get_parameters()["winner_bonus_reward"]
        here, there = self.scores(), [score - bonus if score > 0 else score + bonus for score in self.other.returns()]
        alike("over", self.state.is_over, True, self.state)
        winner = self.wins().index(True)
        counted = all(not pile for name, pile in lying(self.state).items() if name.startswith("hand of"))
        if there[winner] < self.target or (here[1 - winner] != there[1 - winner] and not counted):
            alike("scores at the end", here, there, self.state)


def laid_away(cards: Sequence[int]) -> int:
    """OpenSpiel's action for two cards of Cribbage: it has them in the order of its hand, by rank and then by suit."""
    low, high = sorted(cards, key=lambda card: (card % 13, card // 13))
    return 52 + 52 * low + high


class Hearts(Cards):
    """One deal, with three cards passed to the left: OpenSpiel has no more. Who has the fewest points has won."""

    options: ClassVar = {"passing": "left"}
    parameters: ClassVar = {"qs_breaks_hearts": False}
    to_the_left = 1

    @staticmethod
    def card(sign: str) -> int:
        return 4 * "23456789TJQKA".index(sign[0]) + "CDHS".index(sign[1])

    @property
    def weight(self) -> float:
        return 3.0 if self.state.place.endswith("passing") else 1.0

    def chance(self) -> int:
        done = len(self.other.history())
        if not done:
            return self.to_the_left
        hands = [pile for name, pile in lying(self.state).items() if name.startswith("hand of")]
        return self.card(hands[(done - 1) % 4][(done - 1) // 4])

    def compare_ends(self) -> None:
        alike("points", [26.0 - score for score in self.scores()], self.other.returns(), self.state)

    def wins(self) -> tuple[bool, ...]:
        return tuple(score == min(self.scores()) for score in self.scores())


class Backgammon(Table):
    """A single game, which OpenSpiel's players only want to win. There an action is two numbers; here each number is a move."""

    refereed: ClassVar = {"scoring_type": "full_scoring"}
    passing = 1351
    weight = 0.5

    def __init__(self, state: State, other: Any, moved: Mover) -> None:
        self._thrown = 0
        super().__init__(state, other, moved)

    def throws(self) -> list[tuple[int, int]]:
        """All throws so far; the first is White's die and Black's."""
        rolls = [event.data for event in self.state.events if event.kind == "roll"]
        opening = [int(roll["roll"][0]) for roll in rolls if roll["to"] != "thrown"]
        return [(opening[-2], opening[-1]), *(two(roll["roll"]) for roll in rolls if roll["to"] == "thrown")]

    def chance(self) -> int:
        first, second = self.throws()[self._thrown]
        self._thrown += 1
        return thrown(first, second)

    def compare(self) -> None:
        alike("checkers", standing(self.state), self._standing(), self.state)
        alike("legal", sorted(self._sequences()), sorted(self._actions()), self.state)

    def compare_ends(self) -> None:
        lead = self.scores()[0] - self.scores()[1]
        counted = self.other.get_game().get_parameters()["scoring_type"] == "full_scoring"
        here = lead if counted else 1 if lead > 0 else -1
        alike("points", [float(here), float(-here)], self.other.returns(), self.state)

    def ours(self, choose: Callable[[], Move]) -> None:
        actions, steps, throw = self._actions(), list[Step](), len(self.throws())
        while len(steps) < 2 and not self.state.is_over and len(self.throws()) == throw:
            move = choose()
            steps.append(step(move))
            self._moved(move)
        self.other.apply_action(actions[tuple(steps)])
        self._follow()

    def theirs(self, choose: Callable[[Any], int]) -> None:
        action = choose(self.other)
        for one in self._steps(action):
            self._moved(next(move for move in self.state.moves() if step(move) == one))
        self.other.apply_action(action)
        self._follow()

    def _standing(self) -> list[list[int]]:
        board, bar = self.other.board, 100
        return [[board(p, 24 - n) for n in range(1, 25)] + [board(p, bar)] for p in (0, 1)]

    def _actions(self) -> dict[tuple[Step, ...], int]:
        return {self._steps(action): action for action in self.other.legal_actions()}

    def _steps(self, action: int) -> tuple[Step, ...]:
        player = self.other.current_player()
        moves = self.other.spiel_move_to_checker_moves(player, action)
        return tuple((from_the_end(player, move.pos), move.num) for move in moves if move.num > 0)

    def _sequences(self) -> Iterator[tuple[Step, ...]]:
        """What can be played of this throw, two numbers at most."""
        throw = len(self.throws())
        for move in self.state.moves():
            after = self.state.play(move)
            goes_on = not after.is_over and sum(event.kind == "roll" for event in after.events) == self._rolls(throw)
            yield from ((step(move), step(more)) for more in after.moves()) if goes_on else [(step(move),)]

    def _rolls(self, throw: int) -> int:
        return sum(event.kind == "roll" for event in self.state.events)


def two(dice: Sequence[str]) -> tuple[int, int]:
    return int(dice[0]), int(dice[1])


def thrown(first: int, second: int) -> int:
    """OpenSpiel's outcome for two dice; where they say who begins, the player whose die comes first has the higher if it is even."""
    low, high = sorted((first, second))
    if low == high:
        return 29 + low
    pairs = [(a, b) for a in range(1, 7) for b in range(a + 1, 7)]
    return 2 * pairs.index((low, high)) + (first < second)


def step(move: Move) -> Step:
    """`play arrow f 4` of White, or `play bar 4`."""
    _, *place, number = move.id.split()
    arrow = "abcdefghijklmnopqrstuvwx".index(place[1]) + 1 if place[0] == "arrow" else None
    distance = 25 if arrow is None else arrow if move.seat == "white" else 25 - arrow
    return distance, int(number)


def from_the_end(player: int, position: int) -> int:
    """How many steps a checker has to go that stands at a position of OpenSpiel's; its player 0 goes up, 1 goes down."""
    on_board = 0 <= position < 24
    return 25 if not on_board else 24 - position if player == 0 else position + 1


def standing(state: State) -> list[list[int]]:
    """How many checkers White and Black have on each arrow, and on the bar."""
    piles = lying(state)
    arrows = [pile for name, pile in piles.items() if name.startswith("arrow")]
    return [[pile.count(seat) for pile in arrows] + [len(piles[f"bar of {seat}"])] for seat in ("white", "black")]


TABLES: Mapping[str, type[Table]] = {"cribbage": Cribbage, "hearts": Hearts, "backgammon": Backgammon}


def loaded(name: str, refereed: bool = False) -> tuple[Game, Any]:
    """A game here and in OpenSpiel, with the same rules. Raises ImportError if OpenSpiel is not installed."""
    import pyspiel

    table = TABLES[name]
    told = {**table.parameters, **(table.refereed if refereed else {})}
    return load(name, dict(table.options)), pyspiel.load_game(name, told)
