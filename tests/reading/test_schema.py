"""The shape of rulesets: the schema itself, and what is said when a tree does not have it."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import in_tiers

from interpreter.diagnostics import Diagnostic, Problems, Refused, Source
from interpreter.language.sentences import LANGUAGES
from interpreter.reading import schema
from interpreter.reading.schema import check_position, check_shape
from interpreter.reading.shape import formulas, schema_text, shape_of
from interpreter.reading.tree import Node
from interpreter.reading.wording import flow
from interpreter.reading.yaml_tree import load, read
from interpreter.reporting.codes import Code, all_codes
from interpreter.reporting.codes import code as entry
from interpreter.resources import shipped

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


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)


def test_every_property_is_described_with_an_example() -> None:
    lenient = {**SCHEMA, "definitions": {k: v for k, v in SCHEMA["definitions"].items() if not k.startswith("strict_")}}
    properties = [(name, p) for part in parts(lenient) for name, p in part.get("properties", {}).items()]
    assert [name for name, p in properties if not {"title", "description", "examples"} <= set(p)] == []


NAMES = {name for part in parts(SCHEMA) for name in part.get("properties", {})} - set(LANGUAGES)
ROOMS = Path(schema.__file__).parents[1]
READ_WHOLE = {
    "publisher": '_strings(root.get("source"))',
    "year": '_strings(root.get("source"))',
}
"""Keys that no line asks for by name, each with the text of the line that reads it among others."""


def asked_for(program: ast.AST) -> Iterator[object]:
    """What a program looks up: constants given to calls, in brackets, as keys of a table, and in the series that a loop goes through."""
    for node in ast.walk(program):
        inside: list[Any] = []
        if isinstance(node, ast.Call):
            inside = list(node.args)
        elif isinstance(node, ast.Subscript):
            inside = [node.slice]
        elif isinstance(node, ast.Dict):
            inside = list(node.keys)
        elif isinstance(node, ast.For | ast.comprehension) and isinstance(node.iter, ast.Tuple):
            inside = list(node.iter.elts)
        yield from (part.value for part in inside if isinstance(part, ast.Constant))


@pytest.mark.whole
def test_every_key_is_read() -> None:
    """What is accepted does something."""
    programs = [path.read_text(encoding="utf-8") for path in ROOMS.rglob("*.py")]
    found = {word for text in programs for word in asked_for(ast.parse(text))}
    assert NAMES - found == set(READ_WHOLE)
    assert all(any(line in text for text in programs) for line in READ_WHOLE.values())


@pytest.mark.quick
def test_every_key_is_documented() -> None:
    page = (ROOMS.parent / "docs" / "language.md").read_text(encoding="utf-8")
    told = " ".join(re.findall(r"```.*?```|`[^`]*`", page, re.DOTALL))
    assert {key for key in NAMES if not re.search(rf"\b{key}\b", told)} == set()


def test_every_kind_of_formula_is_explained() -> None:
    kinds = {part[key]["kind"] for part in parts(SCHEMA) for key in ("x-formula", "x-formula-keys") if key in part}
    assert kinds - set(SCHEMA["x-formula-kinds"]) == set()


@pytest.mark.whole
@pytest.mark.parametrize("name", sorted(shipped()))
def test_what_is_shipped_has_the_shape(name: str) -> None:
    problems = Problems()
    check_shape(load(read(shipped()[name])), problems)
    assert list(problems) == []


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
        made.append((verb, flow(pairs)))
    return made


@pytest.mark.parametrize(("verb", "step"), verbs())
def test_every_verb_with_what_it_needs(verb: str, step: str) -> None:
    assert found(f"{HEAD}flow:\n  turn:\n    one: {step}\n") == []


@pytest.mark.parametrize(
    "text",
    [
        "piles: {pack: {}}",
        "flow: {turn: {en: the turn, fr: le tour, at: §1, one: {say: {en: hello}}}}",
        "moves: {a: {rule: {at: §1, fr: Jouer.}, take: [hand, pack], put: trick, if: {b: true, c: {is: x is 1}}}}",
        "moves: {a: {like: b, with: {k: suits}}}",
        "obligations: {a: {rule: {at: §1, en: A.}, prefer: [b], over: [c], callable: true}}",
        "examples: {a: {moves: [b], after: {c: {after: {d: {piles: {e: ~, f: [KS 7S, ~]}, over: true}}}}}}",
        "players: {count: 2..5, seats: [A, B, C, D, É], default: 4}",
        "state: {a: {range: 0..3, each: player, secret: owner}, b: {kind: player, optional: true}}",
        "tables: {a: {columns: {sign: text, points(p): 0..9}, rows: {two words: {sign: 2, points: p.a}}, one: b}}",
        "flow: {a: {b: {score: 1, to: me, as: r}, c: {score: 1, to: me, as: {en: c}}}}",
    ],
)
def test_good_shapes(text: str) -> None:
    assert codes(text) == []


def test_a_variant_may_give_parts_and_remove() -> None:
    text = """
      ruleset: 1
      game: sample
      extends: other
      piles: {pack: ~}
      moves: {play: {if: {fits: ~, more: {rule: {at: §3}}}}}
      obligations: {first: {over: [play]}, second: ~}
      options: {decks: {range: ~, choices: [one, two]}}
      flow: {turn: {draw: {at: §2}, end: ~, last: {run: ~, move: pack, to: hand}, begin: {before: draw, shuffle: pack}, pick: {obey: [first]}}}
    """
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("flow: {turn: {draw: {after: end, when: true}}}", ["R106"]),
        ("flow: {turn: {draw: {shuffle: a, turn: b}}}", ["R103", "R107"]),
        ("flow: {turn: {draw: {shufle: a}}}", ["R102"]),
        ("flow: {turn: {draw: [a]}}", ["R101"]),
        ("flow: {turn: {draw: {move: a, too: b}}}", ["R102"]),
        ("flow: {turn: {draw: {move: a, to: b, where: c}}}", ["R102"]),
        ("flow: {turn: {draw: {repeat: {a: {do: {b: {}}}}, at_most: 3}}}", ["R106"]),
        ("moves: {a: {rules: {at: b, en: c}}}", ["R102"]),
        ("moves: {a: {rule: ~}}", ["R110"]),
        ("moves: {a: {rule: {at: b, en: [c]}}}", ["R101"]),
        ("moves: {a: {like: b, if: {c: {is: [d]}}}}", ["R109"]),
        ("moves: {a: {like: b, if: {c: {rule: {at: d, en: e}}}}}", ["R103"]),
        ("terms: {f(a b): 1}", ["R112"]),
        ("pieces: {card: {from: pack, each: suits}}", ["R104"]),
        ("players: {count: two, seats: A}", ["R101"]),
    ],
)
def test_one_mistake_one_message(text: str, expected: list[str]) -> None:
    assert sorted(codes(text)) == expected


def test_what_is_under_an_unknown_key_is_not_judged() -> None:
    assert codes("move: {a: ~}\nmoves: {b: {like: a, iff: {c: [d]}}}") == ["R102", "R102"]


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
    return [entry for entry in all_codes() if entry.wrong and entry.code < "R2"]


def complete(text: str) -> str:
    return text if text.startswith(("ruleset:", "#")) else HEAD + text


@pytest.mark.parametrize("name", [entry.code for entry in with_examples()])
def test_the_examples_of_the_registry(name: str) -> None:
    example = entry(name)
    assert [d.code for d in found(complete(example.wrong))] == [name]
    assert found(complete(example.right)) == []


def test_the_registry_is_complete() -> None:
    for known in all_codes():
        assert known.title
        assert known.explanation.endswith(".")
        assert known.severity in ("error", "warning")


def test_every_code_that_is_used_here_is_in_the_registry() -> None:
    package = Path(schema.__file__).parent
    used = {name for module in package.glob("*.py") for name in re.findall(r"R[01]\d\d", module.read_text())}
    assert used == {known.code for known in all_codes() if known.code < "R2"}


KEYS = st.sampled_from(
    sorted({name for part in parts(SCHEMA) for name in part.get("properties", {})} | {"x y", "f(a, b)", "-"})
)
DATA = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.floats().filter(lambda x: not x.is_integer())
    | st.sampled_from(["a", "player", "a b", "1..3", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=25,
)


@settings(deadline=None)
@given(st.dictionaries(KEYS, DATA, max_size=6))
def test_any_tree_can_be_checked(data: dict[str, Any]) -> None:
    for d in found(json.dumps(data)):
        assert d.code in {known.code for known in all_codes()}


def as_another_validator_sees_it(data: Any) -> set[tuple[tuple[str | int, ...], str]]:
    """Where `data` is not as it must be, and by which word of the schema."""
    return {
        (tuple(e.absolute_path), f"{'key ' * ('propertyNames' in e.relative_schema_path)}{e.validator}")
        for e in jsonschema.Draft7Validator(SCHEMA).iter_errors(data)
    }


def as_we_see_it(node: Node) -> set[tuple[tuple[str | int, ...], str]]:
    return {(f.place.path, f.word) for f in shape_of(node).findings}


@settings(deadline=None)
@given(st.dictionaries(KEYS, DATA, max_size=6))
def test_another_validator_finds_the_same(data: dict[str, Any]) -> None:
    node = load(Source("any.yaml", json.dumps({"ruleset": 1, **data})))
    assert as_we_see_it(node) == as_another_validator_sees_it(node.plain())


CASES = sorted((Path(__file__).parents[1] / "checking" / "diagnostics").glob("*.yaml"))


@pytest.mark.parametrize("path", in_tiers([*CASES, *shipped().values()], whole=CASES[::3]), ids=lambda p: p.stem)
def test_another_validator_finds_the_same_in_files(path: Path) -> None:
    try:
        node = load(read(path))
    except Refused:
        return
    assert as_we_see_it(node) == as_another_validator_sees_it(node.plain())
