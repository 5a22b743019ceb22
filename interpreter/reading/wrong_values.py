"""Values that are not what they should be."""

from __future__ import annotations

from interpreter.diagnostics import Problems, similar
from interpreter.reading.shape import Finding
from interpreter.reading.tree import Node
from interpreter.reading.wording import Rule, either, example, flow

_TYPES = {
    "object": "a map (`name: value`)",
    "array": "a list",
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "`true` or `false`",
}


def _type(finding: Finding, _: list[str], problems: Problems) -> None:
    place = finding.place
    is_formula = "x-formula" in finding.schema and "object" not in finding.wanted
    code = "R110" if finding.place.value.is_null else "R109" if is_formula else "R101"
    message = f"{place.subject} must be {_expected(finding)}, not {_described(finding.place.value)}"
    problems.add(
        code,
        message,
        place.shown,
        label=f"this is {_described(finding.place.value)}",
        help=finding.schema.get("x-help", _in_brackets(finding) or example(finding)),
    )


def _in_brackets(finding: Finding) -> str:
    """Where names or formulas are to stand in a list: what stands there, as one."""
    node = finding.place.value
    if finding.wanted != ["array", "null"] and finding.wanted != "array":
        return ""
    plain = node.kind == "scalar" and not node.is_null and "(" not in node.raw
    return f"write it in brackets: `[{node.raw}]`" if plain else ""


def _expected(finding: Finding) -> str:
    if "x-expects" in finding.schema:
        return str(finding.schema["x-expects"])
    if "x-formula" in finding.schema:
        return "a formula"
    wanted = [finding.wanted] if isinstance(finding.wanted, str) else finding.wanted
    return " or ".join(_TYPES[name] for name in wanted if name != "null")


def _described(node: Node) -> str:
    if node.kind != "scalar":
        return "a map" if node.kind == "map" else "a list"
    if node.is_null:
        return "nothing"
    if isinstance(node.value, bool):
        return f"`{node.raw}`"
    return f"the number {node.raw}" if isinstance(node.value, int | float) else "a text"


def _enum(finding: Finding, _: list[str], problems: Problems) -> None:
    choices = [str(choice) for choice in finding.wanted if choice is not None]
    if finding.place.value.kind != "scalar":
        return _not_scalar(finding, choices, problems)
    close = similar(finding.place.value.raw, choices)
    problems.add(
        "R104",
        f"`{finding.place.value.raw}` is not a value of {finding.place.name}",
        finding.place.shown,
        label=f"must be {either(choices)}",
        help=f"a similar one exists: `{close}`" if close else "",
    )
    return None


def _not_scalar(finding: Finding, choices: list[str], problems: Problems) -> None:
    message = f"{finding.place.subject} must be {either(choices)}, not {_described(finding.place.value)}"
    problems.add("R101", message, finding.place.shown)


def _version(finding: Finding, _: list[str], problems: Problems) -> None:
    label = f"must be {flow(finding.wanted)}"
    message = f"this is not a version of the language: {finding.place.value.raw or _described(finding.place.value)}"
    problems.add(
        "R115", message, finding.place.shown, label=label, help=example(finding).replace("for example", "write")
    )


def _pattern(finding: Finding, _: list[str], problems: Problems) -> None:
    message = f"`{finding.place.value.raw}` cannot be a name here"
    problems.add("R112", message, finding.place.shown, label="letters, digits and `_`", help=example(finding))


def _nothing(finding: Finding, _: list[str], problems: Problems) -> None:
    """Nothing where nothing is inherited."""
    place = finding.place
    written = finding.place.value.raw or "nothing after the colon"
    problems.add(
        "R110",
        f"{place.name} says nothing",
        place.shown,
        label="no value",
        notes=[
            f"`{written}` removes what another file says, but this file extends and uses none" if written == "~" else ""
        ],
        help="remove it, or give it a value; `{}` stands for an entry that needs no keys",
    )


def _empty(finding: Finding, _: list[str], problems: Problems) -> None:
    place = finding.place
    problems.add(
        "R113", f"{place.subject} is empty", place.shown, label="at least one is needed", help=example(finding)
    )


def _too_many(finding: Finding, _: list[str], problems: Problems) -> None:
    problems.add("R114", f"{finding.place.subject} has more than one key", finding.place.shown, label="one is allowed")


def _number(finding: Finding, _: list[str], problems: Problems) -> None:
    message = f"{finding.place.subject} is too small: {finding.place.value.raw}"
    problems.add("R111", message, finding.place.shown, label=f"at least {finding.wanted}")


def _twice(finding: Finding, _: list[str], problems: Problems) -> None:
    seen: dict[str, Node] = {}
    for item in finding.place.value.items:
        first = seen.setdefault(item.raw, item)
        if first is not item and item.kind == "scalar":
            message = f"`{item.raw}` stands twice in {finding.place.name}"
            problems.add("R118", message, item.span, label="again", related=[(first.span, "first here")])


RULES: dict[str, Rule] = {
    "type": _type,
    "enum": _enum,
    "const": _version,
    "pattern": _pattern,
    "not": _nothing,
    "minItems": _empty,
    "minProperties": _empty,
    "maxProperties": _too_many,
    "minimum": _number,
    "uniqueItems": _twice,
}
