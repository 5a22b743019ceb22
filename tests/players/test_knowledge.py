"""A seat knows all that it has seen and been told, and what follows from it; sampled worlds agree with that."""

from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

import pytest
from exchange import exchanged, walked
from games import game
from rules import change_rules, load_rules
from sights import knowledges, seen_in, truth_is_possible
from tiers import in_tiers, sized

from hoyle import State
from hoyle.players.inference.determinization import Dealer, deal_by_exchanges, iterate_worlds, sample_world
from hoyle.players.inference.knowledge import Knowledge, know_game, know_view
from hoyle.players.inference.piece_tracking import Bag
from hoyle.players.inference.proofs import Proof
from hoyle.running.chance import Chance
from hoyle.running.state import Core

ALONE = ["barbu", "coinchee", "cribbage", "ecarte", "gin-rummy", "golf", "hearts", "klondike", "oh-hell", "scopa"]
"""Games in which no piece has an equal, and moves do not depend on the order of a hand."""
OF_EVERY_SORT = [*ALONE, "crapette", "grabuge", "piquet", "president", "spite-and-malice"]


def drawn(state: State, knowledge: Knowledge, count: int) -> list[Core]:
    """Worlds as the seat may draw them."""
    return [*iterate_worlds(state.game.compiled, seen_in(state, knowledge.player), knowledge, Chance.stream(1), count)]


def found_in(state: State, cores: Sequence[Core], pile: str) -> list[set[str]]:
    """The pieces of a pile in each state, by their signs."""
    number = next(n for n in range(len(state.core.piles)) if state.game.namer.key(n) == pile)
    return [{state.game.namer.signs[piece >> 1] for piece in core.piles[number]} for core in cores]


# ---- shipped games ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", in_tiers(OF_EVERY_SORT, quick=["hearts"], whole=["crapette"]))
def test_truth_is_always_possible(name: str) -> None:
    history = walked(game(name), 2, sized(24, 50))
    for seat in game(name).seats[:2]:
        for state, known in [*zip(history.states, knowledges(history, seat), strict=True)][::8]:
            assert state.is_over or truth_is_possible(state, known)


@pytest.mark.whole
@pytest.mark.parametrize("name", in_tiers(OF_EVERY_SORT, quick=["cribbage"], whole=["president"]))
def test_hidden_pieces_change_no_world(name: str) -> None:
    compared, history = 0, walked(game(name), 3, 9)
    for seat in game(name).seats if not history.states[-1].is_over else ():
        for other, _, _ in exchanged(history, seat, 9):
            pair = [(h.states[-1], knowledges(h, seat)[-1]) for h in (history, other)]
            one, two = ([world.key() for world in drawn(state, known, 6)] for state, known in pair)
            assert one == two
            compared += 1
            break
    assert compared


@pytest.mark.whole
@pytest.mark.parametrize("name", in_tiers(OF_EVERY_SORT, whole=["president"]))
def test_marks_of_the_past_are_not_forgotten(name: str) -> None:
    """Also through several deals: a mark is known, or that of a piece which lies somewhere, or one of what was mixed later."""
    history = walked(game(name), 1, sized(160, 400))
    for known in knowledges(history, game(name).seats[0]):
        there = {*known.known, *(mark for pile in known.piles for mark in pile)}
        for past in reversed(known.past):
            if isinstance(past, Proof):
                assert past.marks <= there
            else:
                there |= {*past.before}


@pytest.mark.parametrize("name", ["hearts", "whist"])
def test_seat_that_did_not_follow_suit_has_none_of_it(name: str) -> None:
    history, failed = walked(game(name), 4, 44), 0
    signs = game(name).namer.signs
    known, void = knowledges(history, "A"), set[tuple[str, str]]()
    for state, (seat, ident), after, knowledge in zip(
        history.states, history.moves, history.states[1:], known[1:], strict=False
    ):
        leader = state.value("leader").plain
        lead = [signs[p >> 1] for p in state.core.piles[_pile(state, f"trick of {leader}")]]
        if ident.startswith("play-a-card") and seat != "A" and lead and lead[0][1] != ident[-1]:
            void.add((seat, lead[0][1]))
        for world in drawn(after, knowledge, 4) if void and not after.is_over else ():
            for holder, suit in void:
                (hand,) = found_in(after, [world], f"hand of {holder}")
                assert not [card for card in hand if card[1] == suit]
                failed += 1
    assert failed


def _pile(state: State, key: str) -> int:
    return next(n for n in range(len(state.core.piles)) if state.game.namer.key(n) == key)


def carried(state: State, seat: str, moves: list[str]) -> tuple[State, Knowledge]:
    """A state after moves, and what a seat knows then that knew what it saw before them."""
    compiled, player = state.game.compiled, state.game.seats.index(seat)
    known = know_view(compiled, state.core, player)
    for move in moves:
        after = state.play(move)
        known = known.after(state.core, state.find(move).action, after.core)
        state = after
    return state, known


@pytest.mark.whole
def test_card_taken_up_openly_stays_in_the_hand() -> None:
    piles = {"stock": "?*20", "discards": "QS", "hand of A": "2C 5D 9H KD 4S", "hand of B": "3S 3H 8D TC JC"}
    start = game("gin-rummy").position({"at": "turn / draw / a card", "to_act": "B", "piles": piles})
    state, known = carried(start, "A", ["take-the-discard", "discard 3S", "draw-from-the-stock", "discard 2C"])
    assert all("QS" in hand for hand in found_in(state, drawn(state, known, 20), "hand of B"))
    plain = know_view(state.game.compiled, state.core, 0)
    assert not all("QS" in hand for hand in found_in(state, drawn(state, plain, 20), "hand of B"))


@pytest.mark.whole
def test_cards_passed_on_or_laid_away_stay_known() -> None:
    history = walked(game("hearts"), 1, 4)
    passed = set(dict(history.moves)["A"].split(" ")[1:])
    state, known = history.states[-1], knowledges(history, "A")[-1]
    assert all(passed <= hand for hand in found_in(state, drawn(state, known, 20), "hand of B"))
    history = walked(game("cribbage"), 1, 4)
    state, (known, *_) = history.states[-1], reversed(knowledges(history, "A"))
    away = set(dict(history.moves[:2])["A"].split(" ")[1:])
    (pile,) = (key for key in ("crib", "laid_away of A") if found_in(state, [state.core], key)[0])
    assert all(away <= crib for crib in found_in(state, drawn(state, known, 20), pile))


def test_knowledge_is_a_value() -> None:
    """Carried on, it leaves what it was; and a whole game gives the same as move by move."""
    history = walked(game("hearts"), 1, 12)
    known = knowledges(history, "B")
    before = [world.key() for world in drawn(history.states[8], known[8], 3)]
    whole = know_game(game("hearts").compiled, [state.core for state in history.states], 1)
    for one, two in ((known[8], 8), (whole, 12)):
        again = [world.key() for world in drawn(history.states[two], one, 3)]
        assert again == (before if two == 8 else [world.key() for world in drawn(history.states[12], known[12], 3)])


# ---- a game that is small enough to be counted out -------------------------------------------------------------------


def counted_out(state: State, low: str) -> Counter[tuple[str, str]]:
    """Count the hands and discards that B may have, as A knows it, over all deals and choices of B."""
    start = state.game.start(5)
    (taken,), (own,) = found_in(start, [start.core], "table")[0], found_in(state, [state.core], "hand of A")
    found: Counter[tuple[str, str]] = Counter()
    for order in permutations(sorted({*state.game.namer.signs} - own - {taken})):
        hand = {*order[:2], taken}
        for first, second in permutations(sorted(hand), 2):
            left = hand - {first}
            if (first in low or not hand & {*low}) and (second in low or not left & {*low}):
                found["".join(left - {second}), first + second] += 1
    return found


@pytest.mark.whole
@pytest.mark.parametrize("low", ["", "abc"])
def test_worlds_are_as_likely_as_the_ways_that_lead_there(low: str, tmp_path: Path) -> None:
    stash = change_rules("players/stash", tmp_path, {"LOW": str(len(low))})
    state = stash.start(5)
    cores = [state.core]
    while state.to_act == "B":
        state = state.play(state.moves()[-1])
        cores.append(state.core)
    known = know_game(stash.compiled, cores, 0)
    expected = counted_out(state, low)
    worlds = drawn(state, known, 2500)
    held, number = found_in(state, worlds, "hand of B"), _pile(state, "stash of B")
    away = ["".join(stash.namer.signs[p >> 1] for p in world.piles[number]) for world in worlds]
    met = Counter(("".join(hand), put) for hand, put in zip(held, away, strict=True))
    assert met.keys() == expected.keys()
    for key, ways in expected.items():
        share = ways / expected.total()
        assert abs(met[key] / len(worlds) - share) < 5 * (share / len(worlds)) ** 0.5


def test_impossible_knowledge_has_no_world(tmp_path: Path) -> None:
    stash = change_rules("players/stash", tmp_path, {"LOW": "3"})
    state = stash.start(5)
    known = know_view(stash.compiled, state.core, 0)
    unknown = [mark for mark in known.may if mark not in known.known]
    impossible = Knowledge(stash.compiled, 0, known.piles, known.known, dict.fromkeys(unknown, 0))
    assert sample_world(stash.compiled, seen_in(state, 0), impossible, Chance.stream(1)) is None
    assert sample_world(stash.compiled, seen_in(state, 0), known, Chance.stream(1)) is not None
    assert [*iterate_worlds(stash.compiled, seen_in(state, 0), known, Chance.stream(1), 9, lambda: True)] == []


def test_that_a_hidden_piece_is_not_an_open_one_proves_nothing(tmp_path: Path) -> None:
    never = "never: {when: some c in cards(hand of B) has c is top(table), shuffle: pack}\n    taken:"
    stash = change_rules("players/stash", tmp_path, {"LOW": "0", "taken:": never})
    assert not knowledges(walked(stash, 5, 1), "A")[0].past


def test_automatic_steps_prove_something() -> None:
    """A seat that was passed over could lay nothing; the one that began held the lowest card."""
    game, order, passed = load_rules("players/climb"), "A23456789TJQK", 0
    rank = {sign: order.index(sign[0]) for sign in game.namer.signs}
    for seed in (4, 8, 9, 17, 23):
        history = walked(game, seed, 20)
        for count, (state, known) in enumerate(zip(history.states[:-1], knowledges(history, "B"), strict=False)):
            actors = [seat for seat, _ in history.moves[: count + 1]]
            for world in drawn(state, known, 8):
                hands = {seat: found_in(state, [world], f"hand of {seat}")[0] for seat in game.seats}
                laid = max((rank[card] for card in found_in(state, [world], "table")[0]), default=-1)
                lowest = {seat: min(map(rank.__getitem__, hand), default=99) for seat, hand in hands.items()}
                assert count or min(lowest, key=lambda seat: lowest[seat]) == actors[0]
                for seat in _skipped(actors[-2:], game.seats) if count else ():
                    assert max(map(rank.__getitem__, hands[seat]), default=-1) < laid
                    passed += 1
    assert passed


def _skipped(last: Sequence[str], seats: Sequence[str]) -> list[str]:
    """Who sits between the last two who acted."""
    one, two = (seats.index(seat) for seat in last)
    between = (two - one - 1) % len(seats)
    return [seats[(one + 1 + n) % len(seats)] for n in range(between)]


@pytest.mark.parametrize(("depth", "certain"), [("depth", False), ("20", True)])
def test_pack_cut_at_an_unknown_depth_hides_its_pieces(depth: str, certain: bool, tmp_path: Path) -> None:
    """A new pack lies in order: all know what is dealt of it, unless it is not known where it was cut."""
    state = change_rules("players/lift", tmp_path, {"DEPTH": depth}).start(2)
    known = know_game(state.game.compiled, [state.core], 0)
    hands = [frozenset(hand) for hand in found_in(state, drawn(state, known, 20), "hand of B")]
    assert (len({*hands}) == 1) is certain


# ---- dealing ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_every_deal_that_fits_is_equally_likely() -> None:
    may = {1: 0b111111, 2: 0b000111, 3: 0b000111, 4: 0b111100, 5: 0b111111, 6: 0b111111}
    bags = (Bag(frozenset({1, 2, 4}), (0, 5)), Bag(frozenset({5, 6, 3}), (1,)))
    marks = [*may]
    fitting = {
        order
        for order in permutations(range(6))
        if all(may[mark] >> sort & 1 for mark, sort in zip(marks, order, strict=True))
        and all({*bag.classes} <= {order[marks.index(mark)] for mark in bag.marks} for bag in bags)
    }
    dealer, chance = Dealer(may, bags, Counter(range(6))), Chance.stream(7)
    each = sized(50, 150)
    for deal, slack in ((dealer.deal, 5.0), (lambda c: deal_by_exchanges(dealer, c), 9.0)):
        met: Counter[tuple[int, ...]] = Counter()
        for _ in range(each * len(fitting)):
            found = deal(chance)
            assert found is not None
            met[tuple(found[mark] for mark in marks)] += 1
        assert met.keys() == fitting
        assert all(abs(met[order] - each) < slack * each**0.5 for order in fitting)
