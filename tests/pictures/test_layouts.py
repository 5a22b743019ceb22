"""Layout of pictures: men, stacks, columns, tricks, tracks and sheets; and escaping of names."""

from xml.etree import ElementTree

import pytest
from drawn import SVG, boxes, parsed, pieces, piles
from games import game, loaded
from rules import load_rules

from hoyle import State


def groups(root: ElementTree.Element, **wanted: str) -> list[ElementTree.Element]:
    keys = {name.rstrip("_").replace("_", "-"): value for name, value in wanted.items()}
    return [node for node in root.iter(f"{SVG}g") if all(node.get(key) == value for key, value in keys.items())]


def texts(node: ElementTree.Element) -> list[str]:
    return [found.text or "" for found in node.iter(f"{SVG}text")]


def placed(root: ElementTree.Element, key: str) -> list[tuple[float, float]]:
    """Positions of the pieces of a pile, bottom to top."""
    found = {
        int(node.get("data-at", "")): node.get("transform", "") for node in groups(root, class_="piece", data_pile=key)
    }
    pairs = [found[n].removeprefix("translate(").rstrip(")").split() for n in sorted(found)]
    return [(float(x), float(y)) for x, y in pairs]


def position(name: str, piles_: dict[str, str], **more: object) -> State:
    return game(name).position({"piles": piles_, **more})


PLAYING = "game / match / one game / one game / race / turn / play the numbers"
DICE = {"thrown": "4 1", "pool": "4 1", "cup": "1 2 3 4 5 6"}


def test_a_sixth_man_lies_on_the_fifth_with_their_number() -> None:
    men = {"arrow of f": ["white"] * 7, "arrow of a": ["black"] * 5}
    state = position(
        "backgammon", {key: " ".join(found) for key, found in men.items()} | DICE, at=PLAYING, to_act="white"
    )
    root = parsed(state.picture("white"))
    assert len(set(placed(root, "arrow of f"))) == 5 and len(placed(root, "arrow of f")) == 7
    assert "7" in texts(groups(root, class_="pile", data_pile="arrow of f")[0])
    assert "5" not in texts(groups(root, class_="pile", data_pile="arrow of a")[0])


def test_a_stack_shows_its_top_the_piece_below_and_its_number() -> None:
    root = parsed(position("klondike", {"foundation of hearts": "AH 2H 3H"}).picture())
    assert [sign for (key, _), sign in pieces(root).items() if key == "foundation of hearts"] == ["2H", "3H"]
    assert len(set(placed(root, "foundation of hearts"))) == 1
    assert "3" in texts(groups(root, class_="pile", data_pile="foundation of hearts")[0])


@pytest.mark.whole
def test_cards_of_a_trick_lie_before_their_players() -> None:
    """The seat that looks sits at the bottom, and play goes to the left."""
    root = parsed(game("whist").start(1).picture("C"))
    where = {
        seat: _corner(groups(root, class_="pile", data_pile=f"trick of {seat}")[0]) for seat in game("whist").seats
    }
    assert where["C"][1] > where["D"][1] == where["B"][1] > where["A"][1]
    assert where["D"][0] < where["C"][0] < where["B"][0]


@pytest.mark.whole
@pytest.mark.parametrize(
    ("cube", "there"),
    [({}, "middle"), ({"cube": 2, "cube_owner": "white"}, "below"), ({"cube": 4, "cube_owner": "black"}, "above")],
)
def test_the_cube_lies_in_the_middle_or_at_its_owner(cube: dict[str, object], there: str) -> None:
    doubling = loaded("backgammon", doubling_cube=True)
    given = {"game": "backgammon", "options": {"doubling_cube": True}, "at": "turn / offer", "to_act": "white"}
    root = parsed(doubling.position({**given, "state": cube}).picture("white"))
    (found,) = groups(root, class_="cube")
    upper, lower = (_corner(groups(root, class_="pile", data_pile=f"arrow of {at}")[0])[1] for at in "sf")
    side = float(next(found.iter(f"{SVG}rect")).get("height", "0"))
    y = _corner(found)[1] + side / 2
    high = float(next(groups(root, class_="pile", data_pile="arrow of f")[0].iter(f"{SVG}rect")).get("height", "0"))
    middle = (upper + lower + high) / 2
    places = {"middle": abs(y - middle) < 1, "below": y > middle + high / 2, "above": y < middle - high / 2}
    assert [name for name, true in places.items() if true] == [there]
    assert texts(found) == [str(cube.get("cube", 1))]


def test_a_board_is_drawn_from_the_side_of_its_viewer() -> None:
    state = game("backgammon").start(1)
    sides = {}
    for seat in state.game.seats:
        root = parsed(state.picture(seat))
        first = state.view(seat).boards[0].points[0]
        node = groups(root, class_="pile", data_pile=first)[0]
        assert "1" in texts(node)
        half = groups(root, class_="pile", data_pile=state.view(seat).boards[0].points[-1])[0]
        sides[seat] = first, _corner(node)[0], _corner(node)[1] - _corner(half)[1]
    assert sides["white"][0] != sides["black"][0] and sides["white"][1:] == pytest.approx(sides["black"][1:])


def _corner(node: ElementTree.Element) -> tuple[float, float]:
    x, y = node.get("transform", "").removeprefix("translate(").rstrip(")").split()
    return float(x), float(y)


def test_who_is_to_act_is_marked_and_told() -> None:
    state = game("hearts").start(1)
    root = parsed(state.picture("A", lang="fr"))
    marks = groups(root, class_="to-act")
    assert [mark.findtext(f"{SVG}title") for mark in marks] == [f"C'est à {state.to_act}."]
    assert f"C'est à {state.to_act}." in (root.findtext(f"{SVG}desc") or "")


def test_moved_pieces_and_the_place_they_left_are_lit() -> None:
    before = game("klondike").start(1)
    after = before.play("turn-cards")
    root = parsed(after.picture("A", since=before))
    lit = [
        (node.get("data-pile"), node.get("data-at"))
        for node in root.iter(f"{SVG}g")
        if any(inner.get("class") == "lit" for inner in node)
    ]
    top = next(pile.count for pile in after.view("A").piles if pile.key == "waste") - 1
    assert lit == [("stock", None), ("waste", str(top - 1)), ("waste", str(top))]
    assert not groups(parsed(after.picture("A")), class_="lit")
    one, other = game("hearts").start(1), game("hearts").start(2)
    assert not groups(parsed(other.picture(None, since=one)), class_="lit"), "another deal"


@pytest.mark.whole
def test_all_hands_are_seen_only_when_a_game_is_over() -> None:
    played = game("gin-rummy")
    for state in (played.start(3), played.playout(3)):
        for seat in (None, *played.seats):
            found = pieces(parsed(state.picture(seat)))
            seen = {key for (key, _), sign in found.items() if key.startswith("hand of") and sign is not None}
            assert seen == ({f"hand of {one}" for one in played.seats if state.is_over or one == seat})


def test_texts_of_a_ruleset_are_escaped() -> None:
    state = load_rules("pictures/hostile").start(1)
    for _ in range(3):
        text = state.picture("A")
        root = parsed(text)
        known = {"svg", "title", "desc", "defs", "g", "rect", "circle", "path", "use", "text"}
        assert {node.tag.removeprefix(SVG) for node in root.iter()} <= known
        assert not [key for node in root.iter() for key in dict(node.items()) if key.startswith("on") or key == "style"]
        assert (root.findtext(f"{SVG}title") or "").startswith("<script>")
        assert len(piles(root)) == 3
        state = state.play(state.moves()[0])


def test_a_notebook_shows_what_an_onlooker_sees() -> None:
    state = game("hearts").start(1)
    assert state._repr_html_() == state.picture(None)
    assert set(pieces(parsed(state._repr_html_())).values()) == {None}


@pytest.mark.parametrize("width", [360, 800])
def test_words_fit_on_their_card(width: int) -> None:
    root = parsed(load_rules("pictures/worded").start(1).picture("A", width=width))
    cards = groups(root, class_="piece")
    assert len(cards) == 4 and {"1000", "20000"} <= {said for node in cards for said in texts(node)}
    for node in cards:
        paper = next(node.iter(f"{SVG}rect"))
        for inner, box in boxes(node):
            origin = float(node.get("transform", "").removeprefix("translate(").split()[0])
            if inner.tag == f"{SVG}text":
                assert box.left - origin >= 0 and box.right - origin <= float(paper.get("width", "0")) + 1
