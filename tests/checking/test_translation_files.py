"""Files of words for translators keep existing words and list all that can have words."""

import os
from functools import partial
from pathlib import Path
from shutil import copy

import pytest
from games import FEW
from tiers import some_now

from hoyle.checking.build import check_file, merge_files
from hoyle.checking.translations import list_translatable, write_word_file
from hoyle.diagnostics import Problems, Source
from hoyle.language.sentences import FALLBACK, LANGUAGES
from hoyle.reading.merge import Merged, merge
from hoyle.reading.sources import read
from hoyle.reading.translation import apply_translations, read_translation
from hoyle.reading.tree import Node, texts_of
from hoyle.reading.yaml_tree import load
from hoyle.resources import shipped


def said(merged: Merged, lang: str) -> dict[tuple[str, ...], str]:
    items = [item for item in list_translatable(merged.root) if item.node.kind == "map"]
    return {item.path: texts_of(item.node)[lang] for item in items if lang in texts_of(item.node)}


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(FEW, 1))
@pytest.mark.parametrize("lang", [lang for lang in LANGUAGES if lang != FALLBACK])
def test_a_file_of_words_keeps_the_words_there_are(name: str, lang: str) -> None:
    path = shipped()[name]
    found, _ = check_file(path, Problems())
    before = merge_files(path)
    text = write_word_file(found, before, lang)

    def again(place: Path) -> Node:
        return load(Source(str(place), text)) if place == path.with_suffix(f".{lang}.yaml") else read_translation(place)

    after = merge(path, lambda p: load(read(p)), translator=partial(apply_translations, reader=again))
    assert [d for d in after.problems if d.code in ("R615", "R616", "R617")] == []
    assert said(after, lang) == said(before, lang)


GAMES = Path(__file__).parent / "games"
GAME = GAMES / "small.yaml"


def test_everything_that_can_have_words_is_listed(tmp_path: Path) -> None:
    path = tmp_path / "small.yaml"
    copy(GAME, path)
    (tmp_path / "small.de.yaml").write_text(
        'words: de\ngame: small\nmoves: {lay: {words: "lege {card}", rule: "Eine Karte: gelegt."}}\n', encoding="utf-8"
    )
    found, _ = check_file(path, Problems())
    words, expected = write_word_file(found, merge_files(path), "de"), GAMES / "small.words.out"
    if os.environ.get("UPDATE_GOLDEN"):
        expected.write_text(words, encoding="utf-8")
    assert words == expected.read_text(encoding="utf-8")
