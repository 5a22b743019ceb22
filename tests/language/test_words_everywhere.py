"""Each built-in word is known to the evaluator, to Python, to C, and to the sentences of each language."""

import random
from functools import cache

import pytest
from everything import RULESET
from oracle import agree, checked

from hoyle import Game, load
from hoyle.compiling.game import compile_formula
from hoyle.game.values import check_formula as checked_in
from hoyle.language.sentences import LANGUAGES, Sentence
from hoyle.language.vocabulary import WORDS, Role, Word
from hoyle.native.unit import write_formula_unit
from hoyle.prose.conditions import describe_formula, make_voice

ARGUMENTS: dict[Role, str] = {
    "pile": "tableau at debt",
    "piles": "tableau",
    **dict.fromkeys(("list", "list or pair", "list or number"), "(x.rank.worth for x in tableau at 1)"),
    **dict.fromkeys(("number", "present number"), "debt"),
    **dict.fromkeys(("player", "side"), "leader"),
    "perhaps a player": "friend",
    "piece": "top(pack)",
}
"""A value of each role that is not known before play."""


@cache
def game() -> Game:
    return load(RULESET)


def calls(word: Word) -> list[str]:
    """A call with each number of arguments, as a formula whose value is no list."""
    texts = [ARGUMENTS[role] for role in word.takes]
    several = [["debt", "2"]] if "list or number" in word.takes else []
    lists = [*(texts[:n] for n in range(len(texts) - word.optional, len(texts) + 1)), *several]
    found = [f"{word.name}({', '.join(given)})" for given in lists]
    return [f"count({call})" if checked(call)[0].type.name == "list" else call for call in found]


@pytest.mark.parametrize("reader", ["python", "c", *LANGUAGES])
@pytest.mark.parametrize(("word", "formula"), [(word, call) for word in WORDS for call in calls(WORDS[word])])
def test_each_word_is_known(word: str, formula: str, reader: str) -> None:
    if reader == "python":
        agree(checked(formula)[0], random.Random(formula), states=2)
        return
    expr, me = checked_in(game().compiled, formula, False)
    if reader == "c":
        assert write_formula_unit(compile_formula(expr, me, game().machine)[1], ())
        return
    text = describe_formula(expr, make_voice(game().compiled.ruleset, reader))
    assert text is not None and "{" not in text and Sentence(f"word.{word}.meaning")[reader]
    assert not WORDS[word].condition or Sentence(f"word.{word}.phrase_not")[reader]
