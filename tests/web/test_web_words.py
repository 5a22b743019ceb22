"""Sentences of the page: each is used, and each that is used exists in every language."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from games import names

from hoyle.language.sentences import LANGUAGES
from hoyle.web.play.tables import HUMAN
from hoyle.web.shelf import LEVELS

WEB = Path(__file__).parents[2] / "interpreter" / "hoyle" / "web"


def words(lang: str) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = json.loads((WEB / f"{lang}.json").read_text(encoding="utf-8"))
    return found


def text_of(*endings: str) -> str:
    found = (
        path
        for folder in (WEB, WEB.parent / "site" / "static")
        for path in sorted(folder.rglob("*"))
        if path.suffix in endings and path.parent.name != "vendor"
    )
    return "\n".join(path.read_text(encoding="utf-8") for path in found)


def places(sentence: str) -> set[str]:
    return set(re.findall(r"\{(\w+)", sentence))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_translations_have_the_same_keys_and_placeholders(lang: str) -> None:
    own, english = words(lang), words("en")
    assert {part: sorted(said) for part, said in own.items()} == {part: sorted(said) for part, said in english.items()}
    for part, said in own.items():
        for key, sentence in said.items():
            assert sentence and places(sentence) == places(english[part][key]), key


def test_every_sentence_of_the_page_exists_and_is_used() -> None:
    pages, scripts = text_of(".html"), text_of(".js")
    asked = set(re.findall(r'data-t(?:-label|-hint)?="(\w+)"', pages)) | set(re.findall(r'\bt\("(\w+)"', scripts))
    asked |= set(re.findall(r'"data-t": "(\w+)"', scripts))
    asked |= {key for pair in re.findall(r'\bt\(\w[\w.]* \? "(\w+)" : "(\w+)"', scripts) for key in pair}
    assert asked == set(words("en")["page"])


def test_every_refusal_and_level_has_a_sentence() -> None:
    scripts, said = text_of(".py"), words("en")
    found: set[Any] = set(re.findall(r'(?:Table|Request)Error\((?:\d+, )?"(\w+)"', scripts))
    found |= {"asked", "nothing", "idle"}
    found |= {key for pair in re.findall(r'TableError\("(\w+)" if .*? else "(\w+)"\)', scripts) for key in pair}
    assert found == set(said["refused"])
    assert set(re.findall(r'"said\.(\w+)"', scripts)) == set(said["said"])
    assert {HUMAN, *LEVELS} == set(said["level"])


@pytest.mark.whole
def test_no_game_is_known_in_the_browser() -> None:
    any_of = "|".join(re.escape(name) for name, _ in names())
    assert re.findall(rf"\b({any_of})\b", text_of(".js", ".html", ".css"), re.I) == []
