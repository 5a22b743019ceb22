"""What of a problem is not told in another language."""

import re
from collections.abc import Iterable

from english import small

from hoyle.diagnostics import Diagnostic, LocalizedText

_WORD = re.compile(r"[^\W\d_]{2,}")
_TYPED = re.compile(r"`[^`]*`")
_LISTED = re.compile(r":\s+\w+(, \w+)+$|\w+_\w+|\w+ at \d+: \d+|attendu \w+, trouvé \w+")
"""Keys and verbs one after the other, names, piles with how much lies there, and values as examples write them."""
ALIKE = {"condition", "obligation"}
"""Words that are the same in French."""


def sentences(problem: Diagnostic) -> list[LocalizedText]:
    return [problem.message, problem.label, *problem.notes, problem.help, *(word for _, word in problem.related)]


def left_in_english(problems: Iterable[Diagnostic]) -> list[str]:
    """What is English of problems that are told in French: a sentence that is the same in both, or small words of English in one. What
    stands as it is in every language (`verbatim`), and the words of an author who has none in French, are none of ours."""
    found = []
    for problem in problems:
        french = problem.in_language("fr")
        assert french.lang == "fr", problem
        for own, other in zip(sentences(problem), sentences(french), strict=True):
            here, there = _LISTED.sub("", own), _LISTED.sub("", other)
            worded = bool(_WORD.search(_TYPED.sub("", here)))
            same = there == here and not set(_WORD.findall(_TYPED.sub("", here))) <= ALIKE
            if "fr" in own.texts and worded and (same or small(there)):
                found.append(f"{problem.code}: {there}")
    return found
