"""Reading a text into a tree: what scalars mean, where things stand, and what is refused."""

import ast
import io
import os
from pathlib import Path
from typing import Any

import pytest
import yaml
from diagnostic_lines import one_line
from english import left_in_english
from games import FEW
from hypothesis import given, settings
from hypothesis import strategies as st
from rules import read_cases
from tiers import examples, some_now

from hoyle.diagnostics import Diagnostic, Refused, Source
from hoyle.reading import sources
from hoyle.reading import yaml_tree as loading
from hoyle.reading.tree import Node
from hoyle.reading.yaml_errors import syntax_error
from hoyle.resources import shipped

CASES = read_cases("reading/yaml_tree")

LOADERS = [yaml.SafeLoader, *([yaml.CSafeLoader] if hasattr(yaml, "CSafeLoader") else [])]


@pytest.fixture(params=LOADERS, autouse=True)
def _both_readers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "_LOADER", request.param)


def tree(text: str) -> Node:
    return loading.load(Source("test.yaml", text))


def refusal(text: str) -> tuple[Diagnostic, ...]:
    with pytest.raises(Refused) as refused:
        tree(text)
    return refused.value.diagnostics


def codes(text: str) -> list[str]:
    return [d.code for d in refusal(text)]


def nodes(node: Node) -> list[Node]:
    inside = [*node.items, *(part for pair in node.pairs.values() for part in pair)]
    return [node, *(deeper for part in inside for deeper in nodes(part))]


@pytest.mark.parametrize(
    ("text", "value"),
    [*CASES["scalars"], ("9" * 5000, "9" * 5000)],
)
def test_a_scalar_means_what_yaml_1_2_says(text: str, value: Any) -> None:
    node = tree(f"a: {text}\n").get("a")
    assert node is not None
    assert node.value == value
    assert type(node.value) is type(value)


def test_keys_are_text() -> None:
    assert list(tree("1: a\ntrue: b\n~: c\n").pairs) == ["1", "true", "~"]


@pytest.mark.parametrize(("text", "spans"), CASES["a span is exactly the text"])
def test_a_span_is_exactly_the_text(text: str, spans: list[str]) -> None:
    assert [node.span.text for node in nodes(tree(text))[1:]] == spans


@pytest.mark.parametrize("text", ["\ufeffa: b\n", "a: b\r\n", "\ufeff# x\ra: b\r"])
def test_marks_and_line_ends_do_not_move_columns(text: str) -> None:
    key, value = tree(text).pairs["a"]
    assert (key.span.text, key.span.column, value.span.text, value.span.column) == ("a", 1, "b", 4)


def test_an_alias_is_what_it_repeats() -> None:
    found = tree("a: &x {b: 1}\nc: *x\n")
    assert found.plain() == {"a": {"b": 1}, "c": {"b": 1}}


GOLDEN = Path(__file__).parent / "refused.out"
"""Each line is a text with a mistake, as Python writes it, and the diagnostics that it gets (`support/diagnostic_lines.py`)."""


def test_texts_that_are_refused() -> None:
    texts = [line.partition("  =>  ")[0] for line in GOLDEN.read_text(encoding="utf-8").splitlines()]
    told = {text: refusal(ast.literal_eval(text)) for text in texts}
    lines = {text: "  ||  ".join(one_line(d, "test.yaml") for d in problems) for text, problems in told.items()}
    found = "".join(f"{text}  =>  {line}\n" for text, line in lines.items())
    if os.environ.get("UPDATE_GOLDEN"):
        GOLDEN.write_text(found, encoding="utf-8")
    assert found == GOLDEN.read_text(encoding="utf-8")
    assert [problem for problems in told.values() for problem in left_in_english(problems)] == []


@pytest.mark.whole
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[" + "x, " * 10_001 + "]", "R025"),
        ("a: " + "[" * 61, "R026"),
        ("{a: " * 61, "R026"),
        ("a: &a " + "[" * 40 + "]" * 40 + "\nb: " + "[" * 30 + "*a" + "]" * 30, "R026"),
        ("a0: &a0 x\n" + "".join(f"a{n + 1}: &a{n + 1} [" + f"*a{n}," * 10 + "]\n" for n in range(9)), "R025"),
        ("a0: &a0 x\n" + "".join(f"a{n + 1}: &a{n + 1} {{b: *a{n}, c: *a{n}, d: *a{n}}}\n" for n in range(9)), "R025"),
    ],
    ids=["many nodes", "deep lists", "deep maps", "deep aliases", "many aliases", "many aliases in maps"],
)
def test_trees_that_are_too_large(text: str, code: str) -> None:
    assert codes(text) == [code]


def test_keys_are_no_nodes() -> None:
    keys = "{" + ", ".join(f"k{n}: x" for n in range(10)) + "}"
    assert len(tree(f"a: &a {keys}\nb: &b [{'*a, ' * 30}]\nc: [{'*b, ' * 20}]\n").pairs) == 3


def test_an_unknown_yaml_error_is_quoted() -> None:
    told = syntax_error(Source("x.yaml", "a: b\n"), ValueError("found what nobody expects"))
    assert (told.code, told.notes) == ("R010", ("`found what nobody expects`",))
    assert not left_in_english([told])


def test_all_that_can_be_found_is_found_at_once() -> None:
    assert sorted(codes("a: 1\na: 2\nb: !c d\ne: {f: g(h, i)}\n")) == ["R020", "R023", "R027"]


def test_at_most_twenty_problems_are_told() -> None:
    assert codes("a: " + "\u202e" * 24) == ["R005"] * 20


def test_each_cut_is_told_once_and_mended() -> None:
    text = "a: {b: f(x, y, z) and (u), c: g(x, y), d: plain}\n"
    assert [d.span.text for d in refusal(text) if d.span] == ["f(x, y, z) and (u)", "g(x, y)"]


@pytest.mark.parametrize("text", ["a: {b: (c), d: e}", "a: {b: 'f(x', c: 'y)'}", "a: {b: f(x}", "a: [1, (b)]"])
def test_parentheses_that_no_comma_cuts(text: str) -> None:
    assert tree(text).kind == "map"


def test_reading_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "good.yaml").write_bytes("\ufeffa: é\r\n".encode())
    assert sources.read(tmp_path / "good.yaml").text == "a: é\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"a: b\n")))
    assert sources.read("-") == Source("<stdin>", "a: b\n")


@pytest.mark.parametrize(
    ("data", "code"), [(b"\x89PNG\r\n\x1a\n\0", "R004"), ("a".encode("utf-16"), "R004"), (b"a" * 1_000_001, "R003")]
)
def test_files_that_are_no_rulesets(tmp_path: Path, data: bytes, code: str) -> None:
    (tmp_path / "bad.yaml").write_bytes(data)
    with pytest.raises(Refused) as refused:
        sources.read(tmp_path / "bad.yaml")
    assert refused.value.diagnostics[0].code == code


@pytest.mark.parametrize(("name", "code"), [("nothing.yaml", "R001"), (".", "R002"), ("a\0b", "R001")])
def test_places_without_a_file(tmp_path: Path, name: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        sources.read(tmp_path / name)
    assert refused.value.diagnostics[0].code == code


# Mostly characters that mean something, so that many texts are nearly YAML.
YAMLISH = st.text(alphabet=st.sampled_from("ab1 \n\t:-,?#&*!|>'\"%@`{}[]().~<\\é\u2028\0"), max_size=60)


@pytest.mark.whole
@settings(max_examples=examples(2, 100, 5))
@given(YAMLISH | st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        root = tree(text)
    except Refused as refused:
        assert refused.diagnostics
        assert all(d.span is None or 0 <= d.span.start <= d.span.end <= len(text) for d in refused.diagnostics)
    else:
        assert all(0 <= node.span.start <= node.span.end <= len(text) for node in nodes(root))


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(["french", *FEW], 1))
def test_sections_read_alone_are_those_of_the_whole(name: str) -> None:
    source = sources.read(shipped()[name])
    whole = loading.load(source)
    for only in ({"title"}, {"moves", "use", "examples"}, set(whole.pairs), {"options", "nothing"}):
        assert loading.load(source, only).pairs == {k: v for k, v in whole.pairs.items() if k in only}


def test_a_missing_colon_before_a_brace_is_told_at_the_key() -> None:
    (told,) = refusal("a:\n  some deals {repeat: {one: {run: deal}}, until: c}\n")
    assert told.span is not None
    assert (told.code, told.span.text) == ("R012", "some deals")
