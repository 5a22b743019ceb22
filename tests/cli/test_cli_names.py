"""A pile, a move and a phase may share a name. Each is shown in its own words."""

from pathlib import Path

from commands import Run, command_lines
from rules import write_rules

from hoyle import load
from hoyle.presentation.look import make_look
from hoyle.presentation.play_text import format_place, format_reasons
from hoyle.presentation.table.table import draw_table

run = command_lines


def test_parts_of_one_name_have_their_own_words(tmp_path: Path, run: Run) -> None:
    file = write_rules("cli/alike", tmp_path, {})
    game = load(file)
    state, look = game.start(1), make_look(game)
    drawn = "\n".join(draw_table(state.view("A"), game.seats, look))
    for words in ("buildings", "builder's red 2", "square 3", "as one builds 4", "side square"):
        assert words in drawn
    assert format_place(state.place, look) == "a turn / one stone"
    marks = [format_reasons(state.why(f"{move} -> 1"), look) for move in ("build", "lay")]
    assert ["enough in the bag" in "".join(lines) for lines in marks] == [True, False]
    assert ["not too many" in "".join(lines) for lines in marks] == [False, True]
    code, out, _ = run("simulate", str(file), "-n", "2", "--seed", "1")
    assert code == 0 and "build on … (build)" in out and "build on … (lay)" in out
