"""The schema of rulesets: its parts, its words in every language, and what is said of a tree that breaks it."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from english import small
from games import FEW
from tiers import spread

from hoyle.diagnostics import Diagnostic, Problems, Refused, Source
from hoyle.language.sentences import FALLBACK, LANGUAGES
from hoyle.reading.grammar import schema_in, schema_text, schema_translations, to_flow_yaml, translate_schema_text
from hoyle.reading.shape import formulas, validate_shape
from hoyle.reading.shape_errors import check_position, check_shape
from hoyle.reading.sources import read
from hoyle.reading.tree import Node
from hoyle.reading.yaml_tree import load
from hoyle.reporting.report import Code, list_codes
from hoyle.reporting.report import find_code as entry
from hoyle.resources import shipped

HEAD = "ruleset: 1\nlibrary: sample\n"
SCHEMA = json.loads(schema_text())


def found(text: str) -> list[Diagnostic]:
    problems = Problems()
    try:
        check_shape(load(Source("test.yaml", text)), problems)
    except Refused as refused:
        problems.extend(refused.diagnostics)
    return list(problems)


def codes(text: str) -> list[str]:
    return [d.code for d in found(HEAD + text)]


def parts(part: Any) -> list[dict[str, Any]]:
    """Every object in the schema that is a schema of a property."""
    if not isinstance(part, dict):
        return []
    inside = [*part.get("properties", {}).values(), *part.get("definitions", {}).values(), *part.get("allOf", [])]
    inside += [part[key] for key in ("then", "additionalProperties", "items") if key in part]
    return [part, *(deeper for smaller in inside for deeper in parts(smaller))]


@pytest.mark.whole
def test_the_schema_is_a_schema() -> None:
    from jsonschema import Draft7Validator

    Draft7Validator.check_schema(SCHEMA)


def test_every_property_is_described_with_an_example() -> None:
    lenient = {**SCHEMA, "definitions": {k: v for k, v in SCHEMA["definitions"].items() if not k.startswith("strict_")}}
    properties = [(name, p) for part in parts(lenient) for name, p in part.get("properties", {}).items()]
    assert [name for name, p in properties if not {"title", "description", "examples"} <= set(p)] == []


def test_every_kind_of_formula_is_explained() -> None:
    kinds = {part[key]["kind"] for part in parts(SCHEMA) for key in ("x-formula", "x-formula-keys") if key in part}
    assert kinds - set(SCHEMA["x-formula-kinds"]) == set()


def verbs() -> list[tuple[str, str]]:
    """Every verb, and a step that is made of the examples of the schema."""
    step = SCHEMA["definitions"]["step"]
    required = {
        part["then"]["x-verb"]: part["then"]
        for part in SCHEMA["definitions"]["strict_step"]["allOf"]
        if "x-verb" in part["then"]
    }
    made = []
    for part in step["allOf"][1:]:
        verb = part["then"]["propertyNames"]["x-verb"]
        needed = required.get(verb, {})
        keys = [*needed.get("required", []), *(any_of["required"][0] for any_of in needed.get("anyOf", [])[:1])]
        pairs = {verb: step["properties"][verb]["examples"][0]}
        pairs |= {key: part["then"]["properties"][key]["examples"][0] for key in keys}
        made.append((verb, to_flow_yaml(pairs)))
    return made


@pytest.mark.parametrize(("verb", "step"), verbs())
def test_every_verb_with_what_it_needs(verb: str, step: str) -> None:
    assert found(f"{HEAD}flow:\n  turn:\n    one: {step}\n") == []


SHAPES = yaml.safe_load((Path(__file__).parent / "shapes.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("text", SHAPES["good"])
def test_good_shapes(text: str) -> None:
    assert found(complete(text)) == []


@pytest.mark.parametrize(("text", "expected"), SHAPES["mistaken"])
def test_each_mistake_is_told_once(text: str, expected: str) -> None:
    assert sorted(codes(text)) == expected.split()


def test_the_deepest_nesting_can_be_checked() -> None:
    steps = "{a: {do: " * 28 + "{a: {leave: b}}" + "}}" * 28
    assert codes(f"flow: {{turn: {steps}}}") == []
    after = "{legal: [a], after: {b: " * 28 + "{legal: [c]}" + "}}" * 28
    assert codes(f"examples: {{one: {after}}}") == []


def test_positions() -> None:
    problems = Problems()
    check_position(load(Source("p.yaml", "game: a\npile: {b: c}\nstate: {d of A: 3}\nseed: x\n")), problems)
    assert [(d.code, d.span.text if d.span else "") for d in problems] == [("R102", "pile"), ("R101", "x")]


def test_formulas_with_their_kinds() -> None:
    text = """
      terms: {fits(c): c.rank is 1}
      flow:
        turn:
          draw: {move: pack, to: hand, when: true, else: {end: {leave: turn}}}
          score: {score: 1, to: me, in: points, as: {en: a point}}
          set: {set: {idle of A: 0}}
    """
    places = {(p.node.raw, p.kind, p.is_key) for p in formulas(load(Source("t.yaml", text)))}
    assert places == {
        ("fits(c)", "signature", True),
        ("c.rank is 1", "any", False),
        ("pack", "pieces", False),
        ("hand", "pile", False),
        ("true", "bool", False),
        ("1", "number", False),
        ("me", "player", False),
        ("points", "place", False),
        ("idle of A", "place", True),
        ("0", "any", False),
    }


def with_examples() -> list[Code]:
    return [entry for entry in list_codes() if entry.wrong and entry.code < "R2"]


def complete(text: str) -> str:
    return text if text.startswith(("ruleset:", "#")) else HEAD + text


@pytest.mark.parametrize("name", [entry.code for entry in with_examples()])
def test_the_examples_of_the_registry(name: str) -> None:
    example = entry(name)
    assert [d.code for d in found(complete(example.wrong))] == [name]
    assert found(complete(example.right)) == []


def as_another_validator_sees_it(data: Any) -> set[tuple[tuple[str | int, ...], str]]:
    """The places that break the schema, each with the word of the schema that says so."""
    from jsonschema import Draft7Validator

    return {
        (tuple(e.absolute_path), f"{'key ' * ('propertyNames' in e.relative_schema_path)}{e.validator}")
        for e in Draft7Validator(SCHEMA).iter_errors(data)
    }


def as_we_see_it(node: Node) -> set[tuple[tuple[str | int, ...], str]]:
    return {(f.place.path, f.word) for f in validate_shape(node).violations}


CASES = sorted((Path(__file__).parents[1] / "checking" / "diagnostics").glob("*.yaml"))


@pytest.mark.parametrize("path", spread([*CASES, *(shipped()[name] for name in FEW)], 20), ids=lambda p: p.stem)
def test_another_validator_finds_the_same_in_files(path: Path) -> None:
    try:
        node = load(read(path))
    except Refused:
        return
    assert as_we_see_it(node) == as_another_validator_sees_it(node.plain())


OTHERS = [lang for lang in LANGUAGES if lang != FALLBACK]


def said(part: Any) -> Iterator[str]:
    """Titles and descriptions, of the schema and of whatever is in it."""
    if isinstance(part, dict):
        yield from (part[key] for key in ("title", "description") if isinstance(part.get(key), str))
    for inner in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from said(inner)


def noted(part: Any) -> Iterator[str]:
    """Problems name things as authors do, and offer a remedy."""
    if isinstance(part, dict):
        yield from (part[key] for key in ("x-noun", "x-expects", "x-help") if isinstance(part.get(key), str))
    for inner in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from noted(inner)


def bare(part: Any) -> Any:
    """Without titles and descriptions."""
    if isinstance(part, dict):
        return {k: bare(v) for k, v in part.items() if not (k in ("title", "description") and isinstance(v, str))}
    return [bare(item) for item in part] if isinstance(part, list) else part


def test_what_it_says_in_english_is_what_stands_in_it() -> None:
    assert schema_in(FALLBACK) == schema_in("xx") == schema_text()
    assert translate_schema_text("Who plays.", FALLBACK) == "Who plays."


@pytest.mark.whole
@pytest.mark.parametrize("lang", OTHERS)
def test_all_of_it_is_said_in_every_language(lang: str) -> None:
    english, words = json.loads(schema_text()), schema_translations(lang)
    assert list(words) == list(dict.fromkeys([*said(english), *noted(english)]))
    found = json.loads(schema_in(lang))
    assert bare(found) == bare(english)
    assert [*said(found)] == [translate_schema_text(text, lang) for text in said(english)]


@pytest.mark.parametrize("lang", OTHERS)
def test_it_is_said_in_words_of_the_language(lang: str) -> None:
    """And what is typed is the same."""
    for english, text in schema_translations(lang).items():
        assert text and small(text) == set(), english
        typed = [sorted(re.findall(r"`([^`{]+)`", one)) for one in (english, text)]
        assert typed[0] == typed[1], english
        assert text != english or " " not in text, english
