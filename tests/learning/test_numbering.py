"""Actions by their numbers: each legal one has its own, which mean the same in every state."""

import random

import pytest
from environments import SORTS
from games import game
from tiers import in_tiers, sized

from hoyle.learning.numbering import Numbering, Offer, TooMany
from hoyle.learning.plays import Form, Play
from hoyle.running.chance import Chance

GAMES = in_tiers([*SORTS, "scopa"], quick=["klondike", "cribbage"], whole=["barbu", "scopa", "yams"])


@pytest.mark.parametrize("name", GAMES)
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


@pytest.mark.parametrize("name", GAMES)
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
