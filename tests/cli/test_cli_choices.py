"""Several moves on one line, other words for a move. `cases/sequences.yaml` has more choices."""

import pytest
from commands import Run, command_lines
from games import game
from rules import read_cases

from hoyle.cli.playing.offers import list_choices
from hoyle.game.moves.notation import split_moves
from hoyle.presentation.look import make_look

run = command_lines
CASES = read_cases("cli/ahead")


def played(run: Run, name: str, seed: int, *lines: str, lang: str = "en", seats: str = "human,random") -> str:
    seats = seats if game(name).seats[1:] else "human"
    words = ("play", name, "--seed", str(seed), "--lang", lang, "--seats", seats)
    code, out, _ = run(*words, stdin="\n".join([*lines, ""]))
    assert code == 0
    return str(out)


@pytest.mark.parametrize(("name", "line", "moves"), CASES["split"])
def test_line_is_split_into_moves(name: str, line: str, moves: list[str]) -> None:
    assert split_moves(game(name).compiled, line) == moves


def rest_after(out: str, *parts: str) -> str:
    for part in parts:
        assert part in out
        out = out.partition(part)[2]
    return out


@pytest.mark.parametrize(("lines", "parts", "absent"), CASES["played"])
def test_moves_on_one_line_are_played_up_to_the_first_illegal_one(
    lines: list[str], parts: list[str], absent: str, run: Run
) -> None:
    first = "first" if "last" in lines else "random"
    assert absent not in rest_after(played(run, "backgammon", 3, *lines, seats=f"human,{first}"), *parts)


@pytest.mark.whole
@pytest.mark.parametrize(("name", "words", "shown"), CASES["meant"])
def test_pile_or_another_verb_means_the_move(name: str, words: list[str], shown: str | None, run: Run) -> None:
    for word in words:
        out = played(run, name, 1, word)
        assert f"A> {word}\n{shown}\n" in out if shown else "A deals" not in out


def test_long_list_is_shown_in_notation_before_moves_are_left_out() -> None:
    state = game("backgammon").start(3)
    lines = list_choices(state, state.moves(), make_look(state.game), 3)
    text = "\n".join(lines)
    assert len(lines) <= 3 < len(state.moves())
    assert all(move.short() in text for move in state.moves())
    assert "more" not in text
