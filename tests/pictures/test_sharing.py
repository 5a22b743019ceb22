"""What is drawn more than once is defined once: pictures of several packs do not weigh that much more."""

from __future__ import annotations

import pytest
from drawn import SVG, defined, parsed, used
from test_shipped import states

from interpreter.pictures.sharing import shared

FACE = '<rect width="1"/><g fill="#000" color="#000"><use href="#hoyle-heart"/></g>'


def test_only_what_is_there_twice_is_shared_and_by_what_it_is() -> None:
    once, none = shared(f"<g>{FACE}</g>")
    assert once == f"<g>{FACE}</g>" and not none
    twice, faces = shared(f"<g>{FACE}</g><g>{FACE}</g>")
    other, again = shared(f"<a/>{FACE}{FACE}{FACE}")
    assert twice.count("<use") == 2 and faces.count(FACE) == 1
    assert faces == again and other.count("<use") == 3


@pytest.mark.whole
def test_all_that_is_used_is_defined_and_equal_cards_show_the_same() -> None:
    state = states("grabuge-8")[-1]
    root = parsed(state.picture("A"))
    known, shown = defined(root), dict[str, set[tuple[str, ...]]]()
    for node in root.iter(f"{SVG}g"):
        if node.get("class") == "piece" and node.get("data-sign"):
            shown.setdefault(node.get("data-sign", ""), set()).add(tuple(used(node, known)))
    assert shown and all(len(found) <= 2 for found in shown.values())  # in columns they lie beside their suits
    assert any("-face-" in node.get("href", "") for node in root.iter(f"{SVG}use"))
