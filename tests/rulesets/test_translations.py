"""The shipped rulesets read as rules in one language; what they are called in French stands beside them, all of it."""

from collections.abc import Iterator

import pytest
from tiers import in_tiers

from hoyle.checking.build import check_file
from hoyle.checking.translations import list_shown
from hoyle.diagnostics import Problems
from hoyle.language.sentences import FALLBACK, LANGUAGES
from hoyle.reading.sources import read
from hoyle.reading.tree import Node, text_nodes
from hoyle.reading.yaml_tree import load
from hoyle.resources import shipped, words_beside

OTHERS = [lang for lang in LANGUAGES if lang != FALLBACK]


def inline(node: Node, path: str = "") -> Iterator[str]:
    """Where a tree says something in another language than English."""
    for name, _, value in node.entries():
        if name in OTHERS:
            yield f"{path}/{name}"
        yield from inline(value, f"{path}/{name}")


@pytest.mark.whole
@pytest.mark.parametrize("name", in_tiers(shipped(), whole=["barbu", "cribbage-6p", "tricks"]))
def test_a_ruleset_is_in_english_and_its_words_beside_it_are_complete(name: str) -> None:
    own, problems = load(read(shipped()[name])), Problems()
    assert [path for path in inline(own) if not path.startswith("/examples/")] == []
    found, merged = check_file(name, problems)
    assert [d for d in problems if d.code in ("R567", "R615", "R616", "R617")] == []
    assert [lang for lang in OTHERS if not any(f.stem == f"{name}.{lang}" for f in words_beside(shipped()[name]))] == []
    if found is None or merged is None:
        return
    assert [item.path for lang in OTHERS for item in list_shown(merged.root, found) if not item.says(lang)] == []
    if "fr" in found.source and own.get("source") is not None:  # and not that of the ruleset it extends
        assert text_nodes(merged.root["source"])["fr"].span.source.name.endswith(f"{name}.fr.yaml")
