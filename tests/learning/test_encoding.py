"""Observations tell all that a seat sees and remembers, and nothing else. Each legal action has its own number."""

import random
from collections import Counter
from collections.abc import Iterator

import pytest
from environments import SORTS, seen_by
from exchange import beginning, exchanged, walked
from games import game, loaded
from sights import knowledges
from tiers import in_tiers, sized

from hoyle import State
from hoyle.learning.encoding import Numbers
from hoyle.learning.layout import Group
from hoyle.learning.numbering import Numbering, Offer, TooMany
from hoyle.learning.plays import Form, Play
from hoyle.players.inference.knowledge import Knowledge
from hoyle.running.chance import Chance

GAMES = in_tiers(SORTS, quick=["cribbage"], whole=["klondike", "yams"])
HIDING = in_tiers(SORTS, quick=["cribbage"], whole=["gin-rummy"])


def some_plays(name: str, moves: int) -> Iterator[Play]:
    play, pick = Play(Form(game(name)), 0), random.Random(0)
    yield play
    while not play.over and play.moves < moves:
        play.choose(pick.choice(play.offer.legal))
        yield play


def value(form: Form, seat: int, found: Numbers, name: str, sort: str) -> list[float]:
    """The numbers of one part of the first member of a group."""
    group = next(g for g in form.layouts[seat].groups if g.name == name and any(p.sort == sort for p in g.parts))
    part = next(part for part in group.parts if part.sort == sort)
    return [*found[group.at + part.at : group.at + part.at + part.size]]


@pytest.mark.whole
@pytest.mark.parametrize("name", GAMES)
def test_every_number_is_within_its_bounds(name: str) -> None:
    for play in some_plays(name, sized(40, 120)):
        for seat, layout in enumerate(play.form.layouts):
            least, most = layout.bounds()
            found = play.observed(seat)
            assert len(found) == layout.size == len(least)
            outside = [n for n, v in enumerate(found) if not least[n] <= v <= most[n]]
            assert not outside, [
                (group.about, group.name) for group in layout.groups if group.at <= outside[0] < group.end
            ]


@pytest.mark.whole
@pytest.mark.parametrize("name", in_tiers(SORTS, quick=["cribbage"], whole=["klondike", "crapette"]))
def test_visible_changes_and_no_others_change_the_observation(name: str) -> None:
    form = Form(game(name), memory=False)
    views: list[dict[bytes, object]] = [{} for _ in range(form.seats)]
    found: list[dict[object, bytes]] = [{} for _ in range(form.seats)]
    for play in some_plays(name, sized(40, 120)):
        state = State(play.form.game, play.core)
        for seat in range(form.seats):
            seen = seen_by(state, form.game.seats[seat])
            told = form.encoders[seat](play.core).tobytes()
            assert views[seat].setdefault(told, seen) == seen
            assert found[seat].setdefault(seen, told) == told
    assert max(map(len, views)) > 5


def told_of(play: Play, found: Numbers, group: Group, member: int) -> dict[str, list[float]]:
    begins = group.at + member * group.stride
    return {part.sort: [*found[begins + part.at : begins + part.at + part.size]] for part in group.parts}


@pytest.mark.parametrize("name", HIDING)
def test_hidden_pieces_change_no_observation(name: str) -> None:
    """Two histories that a seat cannot tell apart are the same to it in every number, and offer the same numbers."""
    form, compared = Form(game(name)), 0
    for seed in range(sized(1, 2)):
        history = beginning(walked(game(name), seed, 12), 12)
        for seat, agent in enumerate(form.game.seats):
            for other, _, _ in exchanged(history, agent, seed, tries=2):
                known = zip(knowledges(history, agent), knowledges(other, agent), strict=True)
                for one, two, (mine, theirs) in zip(history.states, other.states, known, strict=True):
                    encoder = form.encoders[seat]
                    assert encoder(one.core, mine) == encoder(two.core, theirs)
                    compared += 1
                    if one.core.actor == seat and not one.is_over:
                        paths = [{form.numbering.path(s.core, a) for a in s.core.acts} for s in (one, two)]
                        assert paths[0] == paths[1]
    assert compared or not any(group.about == "memory" for group in form.layouts[0].groups) or len(form.game.seats) == 1


@pytest.mark.whole
def test_a_seat_counts_from_itself_on() -> None:
    """What A sees of the next seat stands where B sees his next seat."""
    form = Form(game("hearts"))
    play = Play(form, 3)
    deciding = [[*play.observed(seat)[4:8]].index(1) for seat in range(4)]
    assert deciding == [(play.actor - seat) % 4 for seat in range(4)]
    assert [[*play.observed(seat)[:4]].index(1) for seat in range(4)] == [0, 1, 2, 3]
    dealer = [value(form, seat, play.observed(seat), "dealer", "which").index(1) for seat in range(4)]
    assert dealer == [(dealer[0] - seat) % 4 for seat in range(4)]


@pytest.mark.whole
def test_hidden_piece_that_was_seen_is_remembered() -> None:
    """In Klondike, what lies under the top of the waste was seen when it was turned."""
    form = Form(loaded("klondike", draw=1))
    play = Play(form, 1)
    turn = next(n for n in range(form.numbering.size) if form.numbering.words(n).startswith("turn cards"))
    play.choose(turn)
    first = value(form, 0, play.observed(0), "waste", "top").index(1)
    assert sum(value(form, 0, play.observed(0), "waste", "remembered")) == 0
    play.choose(turn)
    found = play.observed(0)
    assert value(form, 0, found, "waste", "remembered").index(1) == first
    assert value(form, 0, found, "waste", "recalled")[:3] == [1 + first, 0, 0]
    assert value(form, 0, found, "column", "possible")[first] == 0
    forgets = Form(loaded("klondike", draw=1), memory=False)
    assert forgets.layouts[0].size < form.layouts[0].size
    assert not [*forgets.layouts[0].about("memory")]


@pytest.mark.whole
@pytest.mark.parametrize("name", HIDING)
def test_possible_pieces_include_the_truth(name: str) -> None:
    looked = 0
    for play in some_plays(name, sized(15, 60)):
        for seat in range(play.form.seats):
            found, knowledge = play.observed(seat), play.knowledge(seat)
            for group in play.form.layouts[seat].about("memory"):
                for n, number in enumerate(group.members):
                    assert knowledge is not None
                    possible = told_of(play, found, group, n)["possible"]
                    hidden = unknown(play, knowledge, number).keys()
                    may = {group.first + sort for sort, bit in enumerate(possible) if bit}
                    assert hidden <= may
                    looked += 1
    assert looked or not [*play.form.layouts[0].about("memory")]  # where all is seen, nothing is remembered


def unknown(play: Play, knowledge: Knowledge, pile: int) -> Counter[int]:
    """The pieces of a pile that a seat does not know to lie there."""
    known = Counter(knowledge.known[mark] for mark in knowledge.piles[pile] if mark in knowledge.known)
    return Counter(piece >> 1 for piece in play.core.piles[pile]) - known


NUMBERED = in_tiers([*SORTS, "scopa"], quick=["klondike", "cribbage"], whole=["barbu", "scopa", "yams"])


@pytest.mark.parametrize("name", NUMBERED)
def test_numbers_of_a_legal_action_lead_to_it_alone(name: str) -> None:
    one, numbering, pick = game(name).compiled, Numbering(game(name).compiled), random.Random(2)
    core = one.machine.start(Chance.stream(2))
    for _ in range(sized(40, 150)):
        if core.over:
            break
        offer = Offer(numbering, core)
        for n in range(0, len(core.acts), max(1, len(core.acts) // 20)):
            assert chosen(offer.copy(), numbering.path(core, core.acts[n])) == [n]
        one.machine.play(core, pick.choice(core.acts))


def chosen(offer: Offer, path: tuple[int, ...]) -> list[int] | None:
    for number in path:
        assert number in offer.legal
        found = offer.choose(number)
        if found is not None:
            return found
    return None


@pytest.mark.parametrize("name", NUMBERED)
def test_words_of_numbers_differ(name: str) -> None:
    numbering = Numbering(game(name).compiled)
    heads = [numbering.words(n) for n in range(numbering.first_item)]
    assert len(set(heads)) == len(heads)
    assert numbering.size == numbering.first_item + numbering.items


def test_subset_is_composed_in_ascending_order() -> None:
    form = Form(game("cribbage"))
    play = Play(form, 1)
    (head,) = play.offer.legal
    play.choose(head)
    items = play.offer.legal
    assert len(items) == 5  # of six cards the last begins no pair
    play.choose(items[2])
    assert [n for n in play.offer.legal if n <= items[2]] == []
    assert play.choose(play.offer.legal[0])


def test_illegal_number_is_refused() -> None:
    play = Play(Form(game("klondike")), 1)
    never = next(n for n in range(play.form.numbering.size) if n not in play.offer.legal)
    with pytest.raises(ValueError, match=str(never)):
        play.choose(never)


def test_move_of_too_many_numbers_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hoyle.learning.numbering.MOST", 10)
    with pytest.raises(TooMany, match="column to column"):
        Form(game("klondike"))


@pytest.mark.parametrize(("number", "seat"), [(-1, 0), (10**6, 0), (0, 9), (0, -1)])
def test_words_of_unknown_numbers_and_seats_are_refused(number: int, seat: int) -> None:
    with pytest.raises(IndexError, match=r"numbered from 0 to \d+|there are A, B"):
        Form(game("cribbage"), memory=False).numbering.words(number, seat)
