"""What is in a text for people that should not be: formulas, names of authors, English where another language is spoken."""

import re

ENGLISH = re.compile(r"\b(?:the|of|is|and|from|with|for|each|player|cards|not|if|by|his|at)\b")
FORMULA = re.compile(r"\b\w+\([a-z]|[{}]|\w_\w|[<>=]=|\b\d\.\.\d")


def foreign(text: str, lang: str) -> bool:
    """Is some of it no language that a player reads, or another than his?"""
    return FORMULA.search(text) is not None or (lang != "en" and ENGLISH.search(text) is not None)
