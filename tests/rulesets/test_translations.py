"""The shipped rulesets read as rules in one language; what they are called in French stands beside them, all of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from games import FEW
from tiers import in_tiers

from interpreter.checking.build import checked
from interpreter.checking.untold import spoken
from interpreter.diagnostics import Problems
from interpreter.language.sentences import FALLBACK, LANGUAGES
from interpreter.reading.tree import Node, text_nodes
from interpreter.reading.yaml_tree import load, read
from interpreter.resources import shipped, words_beside

OTHERS = [lang for lang in LANGUAGES if lang != FALLBACK]


def inline(node: Node, path: str = "") -> Iterator[str]:
    """Where a tree says something in another language than English."""
    for name, _, value in node.entries():
        if name in OTHERS:
            yield f"{path}/{name}"
        yield from inline(value, f"{path}/{name}")


@pytest.mark.parametrize("name", shipped())
def test_a_ruleset_is_written_in_one_language(name: str) -> None:
    root = load(read(shipped()[name]))
    assert [path for path in inline(root) if not path.startswith("/examples/")] == []


@pytest.mark.parametrize("name", in_tiers(shipped(), whole=FEW))
def test_nothing_that_players_may_be_shown_lacks_words(name: str) -> None:
    problems = Problems()
    found, merged = checked(name, problems)
    assert [d for d in problems if d.code in ("R567", "R615", "R616", "R617")] == []
    assert [lang for lang in OTHERS if not any(f.stem == f"{name}.{lang}" for f in words_beside(shipped()[name]))] == []
    if found is not None and merged is not None:
        missing = [item.path for lang in OTHERS for item in spoken(merged.root, found) if not item.says(lang)]
        assert missing == []


@pytest.mark.parametrize("name", in_tiers(shipped(), whole=FEW))
def test_a_source_is_told_in_the_words_of_the_ruleset_that_names_it(name: str) -> None:
    """What a variant says of its own source is not hidden behind the French of what it is built on."""
    found, merged = checked(name, Problems())
    if found is None or merged is None or "fr" not in found.source:
        return
    own = load(read(shipped()[name])).get("source")
    if own is not None:
        assert text_nodes(merged.root["source"])["fr"].span.source.name.endswith(f"{name}.fr.yaml")
