"""Formatting: `formatted` keeps what a text says and its comments, and changes nothing the second time."""

import json
import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rules import write_anew
from tiers import examples, some_now

from hoyle.checking.build import check_file
from hoyle.diagnostics import Problems, Refused, Source
from hoyle.formatting.formatter import format_ruleset
from hoyle.formatting.order import Look, inside, is_entry, items, ordered, whole
from hoyle.formatting.values import WIDTH
from hoyle.reading.grammar import grammar
from hoyle.reading.tree import Node
from hoyle.reading.yaml_tree import load
from hoyle.resources import folder

CASES = re.findall(
    r"^=== (.+)\n((?:.*\n)*?)--- becomes\n((?:(?!===).*\n)*)",
    (Path(__file__).parent / "cases.txt").read_text(encoding="utf-8"),
    re.MULTILINE,
)
TEXTS = {path.name: path.read_text(encoding="utf-8") for path in sorted(folder("rulesets").glob("*.yaml"))}
SMALL = [name for name, text in TEXTS.items() if len(text) < 8_000]


def tree(text: str) -> Node:
    return load(Source("a.yaml", text))


@pytest.mark.parametrize(
    ("before", "after"),
    [(before, f"{after.rstrip()}\n") for _, before, after in CASES],
    ids=[case[0] for case in CASES],
)
def test_how_it_is_written(before: str, after: str) -> None:
    assert format_ruleset(before) == after
    assert format_ruleset(after) == after


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(sorted(TEXTS, key=lambda name: (len(TEXTS[name]) > 12_000, name)), 30))
def test_shipped_files_are_in_order(name: str) -> None:
    assert format_ruleset(TEXTS[name], name) == TEXTS[name]


def test_what_cannot_be_read_is_refused_with_its_place() -> None:
    with pytest.raises(Refused) as refused:
        format_ruleset("ruleset: 1\ngame: [", "mine.yaml")
    found = refused.value.diagnostics[0]
    assert (found.code, found.span and found.span.line, found.span and found.span.source.name) == (
        "R015",
        2,
        "mine.yaml",
    )


def test_orders_name_what_the_grammar_has() -> None:
    from hoyle.formatting.order import _BEHIND, _ENDS_A_LINE, _ORDERS

    definitions = grammar()["definitions"]
    known = {name: {*definitions[name]["properties"]} for name in _ORDERS if name != "ruleset"}
    known["expectation"] = known["example"]
    known["ruleset"] = {*grammar()["properties"], "words"}
    for name, order in _ORDERS.items():
        keys = order.split()
        assert len({*keys}) == len(keys) and {*keys} <= known[name]
    assert {*_ENDS_A_LINE.values(), *_BEHIND, *(key for pair in _BEHIND.values() for key in pair)} <= known["step"]


# A shipped text in another style, with its keys and sections in random order


def thrown(node: Node, look: Look, root: Node, random: Random, depth: int = 0, in_flow: bool = False) -> str:
    """Write a value in a random style, as it stands behind a key or the sign of an item."""
    if node.kind == "scalar":
        return scalar(node, random, in_flow)
    pairs = [(key, value, inside(look, root, key.raw)) for key, value in node.pairs.values()]
    if is_entry(look):
        random.shuffle(pairs)
    if in_flow or not (pairs or node.items) or (depth and random.random() < 0.3):
        gap = random.choice(["", " ", "  "])
        parts = [
            f"{scalar(key, random, True)}: {thrown(value, below, root, random, depth, True)}"
            for key, value, below in pairs
        ]
        parts += [thrown(item, items(look), root, random, depth, True) for item in node.items]
        comma = random.choice([", ", ",  ", ","]) if not any(part[-1:] == ":" for part in parts) else ", "
        opened, closed = "{}" if node.kind == "map" else "[]"
        return opened + gap + comma.join(parts) + gap + closed
    indent = " " * (4 * depth)
    lines = [""] if depth else []
    for key, value, below in pairs:
        blanks = " " * random.choice([1, 1, 1, 3])
        lines += [""] * (random.random() < 0.05)
        lines.append(
            f"{indent}{scalar(key, random, False)}:{blanks}{thrown(value, below, root, random, depth + 1)}".rstrip()
        )
    lines += [f"{indent}- {thrown(item, items(look), root, random, depth + 1, True)}" for item in node.items]
    return "\n".join(lines)


def scalar(node: Node, random: Random, in_flow: bool) -> str:
    if isinstance(node.value, str) and node.raw:
        if random.random() < 0.2:
            return json.dumps(node.raw, ensure_ascii=False)
        if random.random() < 0.1 and "\n" not in node.raw:  # where lines end is a space there
            return "'" + node.raw.replace("'", "''") + "'"
        if node.style or (in_flow and re.search(r"[,\[\]{}]", node.raw)) or "(" in node.raw:
            return json.dumps(node.raw, ensure_ascii=False)
    return node.span.text


def noted(text: str, random: Random, share: float) -> str:
    """The text with comments above entries, and behind values that end a line; each says something else."""
    starts = {key.span.line: key for key in keys_of(tree(text))}
    lines, first = [], min(starts)
    for number, line in enumerate(text.split("\n"), 1):
        key = starts.get(number)
        begins = key is not None and line.strip().startswith(key.span.text)
        if key is not None and begins and number > first and random.random() < share:
            lines.append(" " * (len(line) - len(line.lstrip())) + f"# above {number}")
        ends = key is not None and (number + 1 in starts or line.endswith(":"))
        lines.append(
            f"{line}{' ' * random.randint(1, 9)}# behind {number}" if ends and random.random() < share else line
        )
    return "\n".join(lines)


def keys_of(node: Node) -> list[Node]:
    found = [key for _, value in node.pairs.values() for key in keys_of(value)] if node.style == "block" else []
    found += [key for item in node.items for key in keys_of(item)]
    return [*found, *(key for key, _ in node.pairs.values())] if node.style == "block" else found


Beside = dict[str, tuple[object, ...]]


def beside(text: str) -> Beside:
    """Each comment with the path of the entry on its line, or on the next that has one."""
    entries = dict(reversed([*paths(tree(text), ())]))
    found: Beside = {}
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        for comment in re.findall(r"# (?:above|behind) \d+", line):
            here = number if not line.lstrip().startswith("#") else min(at for at in entries if at > number)
            assert comment not in found
            found[comment] = entries[here]
    return found


def paths(node: Node, path: tuple[object, ...]) -> list[tuple[int, tuple[object, ...]]]:
    """The line of each entry of a block and its path, in the order of the text."""
    if node.style != "block":
        return []
    parts: list[tuple[object, int, Node]] = [(key.raw, key.span.line, value) for key, value in node.pairs.values()]
    parts += [(at, item.span.line, item) for at, item in enumerate(node.items)]
    return [one for name, line, value in parts for one in [(line, (*path, name)), *paths(value, (*path, name))]]


def same(one: Node, other: Node, look: Look, root: Node) -> bool:
    """Do two trees say the same, in the order in which they say it but for the keys of entries?"""
    if (one.kind, one.raw, one.value) != (other.kind, other.raw, other.value) or len(one.items) != len(other.items):
        return False
    names, others = [*one.pairs], [*other.pairs]
    if (sorted(names), sorted(others))[is_entry(look)] != ([*sorted(others)], sorted(names))[is_entry(look)]:
        return False
    if not is_entry(look) and names != others:
        return False
    below = all(same(one[name], other[name], inside(look, root, name), root) for name in names)
    return below and all(same(*pair, items(look), root) for pair in zip(one.items, other.items, strict=True))


@pytest.mark.whole
@settings(max_examples=examples(4, 120, 8))
@given(st.sampled_from(SMALL), st.integers(0, 1 << 32))
def test_a_shuffled_file_comes_into_order(file: str, seed: int) -> None:
    root, random = tree(TEXTS[file]), Random(seed)
    text = noted(thrown(root, whole(root), root, random), random, 0.3) + "\n"
    found = format_ruleset(text)
    assert format_ruleset(found) == found
    assert same(tree(text), tree(found), whole(root), root)
    assert same(root, tree(found), whole(root), root)
    assert beside(found) == beside(text)
    for node in keys_of(tree(found)):
        assert (node.span.column - 1) % 2 == 0
    assert in_order(tree(found), whole(root), tree(found))


def in_order(node: Node, look: Look, root: Node) -> bool:
    names = [*node.pairs]
    here = names == ordered(names, str, look, on_one_line=node.style == "flow")
    return here and all(in_order(value, inside(look, root, name), root) for name, _, value in node.entries())


@pytest.mark.whole
@pytest.mark.parametrize("file", some_now([name for name in SMALL if ".fr." not in name][::4], 1))
def test_formatting_keeps_digest_and_diagnostics(file: str, tmp_path: Path) -> None:
    root, random = tree(TEXTS[file]), Random(7)
    text = noted(thrown(root, whole(root), root, random), random, 0.2) + "\n"
    before, after = (judged(write_anew(tmp_path / file, one)) for one in (text, format_ruleset(text)))
    assert before == after


def judged(path: Path) -> tuple[str, list[tuple[str, str]]]:
    problems = Problems()
    found, _ = check_file(path, problems)
    return found.digest if found else "", sorted((d.code, str(d.message)) for d in problems)


SIGNS = [*" ,:#\"'{}[]&*|>-?~!@", "\n", "\t", " # c\n", "\n  # c\n", "  - ", ": &a ", ": *a"]


@pytest.mark.whole
@settings(max_examples=examples(20, 400, 6))
@given(st.sampled_from(SMALL), st.integers(0, 1 << 32))
def test_nothing_is_lost_of_what_is_damaged(file: str, seed: int) -> None:
    """A text with random changes either cannot be read, or says the same afterwards, with the same comments, and stays so."""
    random = Random(seed)
    text = TEXTS[file][:4_000]
    for _ in range(random.choice([1, 2, 5])):
        at, cut = random.randrange(len(text)), random.choice([0, 0, 1, 30])
        text = text[:at] + random.choice([*SIGNS, ""]) + text[at + cut :]
    try:
        before = tree(text)
    except Refused:
        return
    found = format_ruleset(text)
    after = tree(found)
    assert same(before, after, whole(before), before)
    assert bare(before).count("# c\n") == bare(after).count("# c\n")
    assert format_ruleset(found) == found


def test_an_explicit_key_ends_with_its_last_word() -> None:
    """A key that is written with `?` and has no value: for YAML what is not there begins with the next section."""
    found = format_ruleset("game: a\nflow:\n  b:\n    c:\n     ? d e.\n\nexamples:\n  f: {}\n")
    assert format_ruleset(found) == found
    assert found.count("\n\n\n") == 0


def bare(node: Node) -> str:
    """A text without its scalars, in which `#` may be a letter like any other."""
    text, spans = node.span.source.text, sorted((n.span.start, n.span.end) for n in scalars(node))
    starts = [0, *(end for _, end in spans)]
    return (
        "".join(text[begin:end] for begin, end in zip(starts, [*(start for start, _ in spans), None], strict=True))
        + "\n"
    )


def scalars(node: Node) -> list[Node]:
    below = [part for pair in node.pairs.values() for part in pair] + node.items
    return [node] if node.kind == "scalar" else [found for part in below for found in scalars(part)]


def test_lines_are_not_too_long() -> None:
    """Wraps texts, formulas, entries in braces and lists."""
    words = " ".join(["word"] * 90)
    text = f"ruleset: 1\ngame: x\nclauses:\n  A: {words}\n  B: {{en: {words}, home: terms/a}}\nterms:\n  a: {'x + ' * 90}1\n"
    text += f"moves:\n  m:\n    rule: {{at: A, en: {words}}}\n    take: [{', '.join(['card'] * 60)}]\n"
    assert max(map(len, format_ruleset(text).split("\n"))) <= WIDTH
