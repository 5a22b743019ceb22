"""The recipe of CONTRIBUTING.md for a word, followed in a copy of the project: tests fail if any step is left out."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COPIED = ("interpreter", "grammar", "rulesets", "docs", "tests", "*.md", "*.toml")
LANGUAGE = "interpreter/hoyle/language"
WORD = """    Word("sign", "sign(n)", ("present number",), of.sign, lambda P, n: (n > 0) - (n < 0), "(({0} > 0) - ({0} < 0))"),
]
WORDS"""
SENTENCES = '"word": {"sign": {"meaning": "-1, 0 %s 1", "phrase": "%s {a}"},'
STEPS = (
    (f"{LANGUAGE}/vocabulary.py", "]\nWORDS", WORD),
    (
        f"{LANGUAGE}/word_functions.py",
        "\n\ndef ",
        "\n\ndef sign(types: ValueTypes) -> ValueType:\n    return make_number_type(-1, 1)\n\n\ndef ",
    ),
    (f"{LANGUAGE}/en.json", '"word": {', SENTENCES % ("or", "the sign of")),
    (f"{LANGUAGE}/fr.json", '"word": {', SENTENCES % ("ou", "le signe de")),
    ("docs/language.md", "| word | value |\n|---|---|\n", "| word | value |\n|---|---|\n| `sign(n)` | -1, 0 or 1 |\n"),
    (
        "tests/language/values_of_words.yaml",
        "top:\n",
        "sign: [sign(-3) is -1, sign(debt) is 0 or debt is not 0]\ntop:\n",
    ),
)
TESTS = (
    *(f"language/test_{name}.py" for name in ("words_everywhere", "words", "values_of_words", "kinds_told")),
    "project/test_docs.py",
)


@pytest.mark.slow
@pytest.mark.parametrize("left_out", [None, *(file for file, _, _ in STEPS)])
def test_the_recipe_for_a_word(tmp_path: Path, left_out: str | None) -> None:
    ignored = shutil.ignore_patterns("__pycache__", "*.png", "node_modules")
    for path in [path for pattern in COPIED for path in ROOT.glob(pattern)]:
        copy = shutil.copy if path.is_file() else lambda a, b: shutil.copytree(a, b, ignore=ignored)
        copy(path, tmp_path / path.name)
    for file, before, after in STEPS:
        text = (tmp_path / file).read_text(encoding="utf-8")
        assert before in text, f"{file} has changed: change the recipe, too"
        if file != left_out:
            (tmp_path / file).write_text(text.replace(before, after, 1), encoding="utf-8")
    call = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "-k", "word"]
    found = subprocess.run(
        [*call, *(f"tests/{name}" for name in TESTS)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "interpreter")},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (found.returncode == 0) == (left_out is None), found.stdout + found.stderr
