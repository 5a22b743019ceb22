"""Values that are not what they should be."""

from __future__ import annotations

from hoyle.diagnostics import UNSAID, Problems, Said, replacing, similar, verbatim
from hoyle.language.sentences import in_row, said
from hoyle.reading.grammar import either, flow, of_grammar
from hoyle.reading.shape import Finding, Rule
from hoyle.reading.tree import Node, in_brackets

_TYPES = {
    "object": "a_map",
    "array": "a_list",
    "string": "a_text",
    "integer": "a_whole",
    "number": "a_number",
    "boolean": "a_truth",
}
"""The sentences that say what a value is."""


def _type(finding: Finding, _: list[str], problems: Problems) -> None:
    place = finding.place
    is_formula = "x-formula" in finding.schema and "object" not in finding.wanted
    code = "R110" if finding.place.value.is_null else "R109" if is_formula else "R101"
    message = said(
        "shape.must_be", subject=place.subject, expected=_expected(finding), found=_described(finding.place.value)
    )
    problems.add(
        code,
        message,
        place.shown,
        label=said("shape.this_is", found=_described(finding.place.value)),
        help=_helping(finding),
        fixes=in_brackets(finding.place.value) if _is_one_of_a_list(finding) else (),
    )


def _helping(finding: Finding) -> Said:
    if "x-help" in finding.schema:
        return of_grammar(finding.schema["x-help"])
    if _is_one_of_a_list(finding):
        return said("shape.in_brackets", written=finding.place.value.raw)
    return example(finding)


def _is_one_of_a_list(finding: Finding) -> bool:
    """Does a name or formula stand alone where several are to stand in a list?"""
    node = finding.place.value
    if "x-help" in finding.schema or finding.wanted not in (["array", "null"], "array"):
        return False
    return node.kind == "scalar" and not node.is_null and "(" not in node.raw


def _expected(finding: Finding) -> Said:
    if "x-expects" in finding.schema:
        return of_grammar(finding.schema["x-expects"])
    if "x-formula" in finding.schema:
        return said("shape.a_formula")
    wanted = [finding.wanted] if isinstance(finding.wanted, str) else finding.wanted
    return in_row((said(f"shape.{_TYPES[name]}") for name in wanted if name != "null"), said("between.or"))


def _described(node: Node) -> Said:
    if node.kind != "scalar":
        return said("shape.keys") if node.kind == "map" else said("shape.a_list")
    if node.is_null:
        return said("shape.nothing")
    if isinstance(node.value, bool):
        return verbatim(f"`{node.raw}`")
    return said("shape.the_number", number=node.raw) if isinstance(node.value, int | float) else said("shape.a_text")


def _enum(finding: Finding, _: list[str], problems: Problems) -> None:
    choices = [str(choice) for choice in finding.wanted if choice is not None]
    if finding.place.value.kind != "scalar":
        return _not_scalar(finding, choices, problems)
    close = similar(finding.place.value.raw, choices)
    problems.add(
        "R104",
        said("shape.no_value", value=finding.place.value.raw, name=finding.place.name),
        finding.place.shown,
        label=said("shape.must_be_one", choices=either(choices)),
        help=said("shape.similar", close=close) if close else UNSAID,
        fixes=replacing(finding.place.value.span, finding.place.value.raw, close),
    )
    return None


def _not_scalar(finding: Finding, choices: list[str], problems: Problems) -> None:
    message = said(
        "shape.must_be", subject=finding.place.subject, expected=either(choices), found=_described(finding.place.value)
    )
    problems.add("R101", message, finding.place.shown)


def _version(finding: Finding, _: list[str], problems: Problems) -> None:
    label = said("shape.must_be_one", choices=flow(finding.wanted))
    message = said("shape.no_version", version=finding.place.value.raw or _described(finding.place.value))
    written, known = finding.place.value, flow(finding.schema["examples"][0])
    fixes, help = replacing(written.span, written.raw, known), example(finding, "write")
    problems.add("R115", message, finding.place.shown, label=label, help=help, fixes=fixes)


def _pattern(finding: Finding, _: list[str], problems: Problems) -> None:
    message = said("keys.no_name", name=finding.place.value.raw)
    problems.add("R112", message, finding.place.shown, label=said("formula.letters"), help=example(finding))


def _nothing(finding: Finding, _: list[str], problems: Problems) -> None:
    """Nothing where nothing is inherited."""
    place = finding.place
    written = finding.place.value.raw or said("shape.after_colon")
    problems.add(
        "R110",
        said("shape.says_nothing", name=place.name),
        place.shown,
        label=said("shape.nothing_said"),
        notes=[said("shape.removes", written=written) if written == "~" else UNSAID],
        help=said("shape.remove_it"),
    )


def _empty(finding: Finding, _: list[str], problems: Problems) -> None:
    place = finding.place
    problems.add(
        "R113",
        said("shape.is_empty", subject=place.subject),
        place.shown,
        label=said("shape.at_least_one"),
        help=example(finding),
    )


def _too_many(finding: Finding, _: list[str], problems: Problems) -> None:
    problems.add(
        "R114",
        said("shape.more_than_one", subject=finding.place.subject),
        finding.place.shown,
        label=said("shape.one_allowed"),
    )


def _number(finding: Finding, _: list[str], problems: Problems) -> None:
    message = said("shape.too_small", subject=finding.place.subject, number=finding.place.value.raw)
    problems.add("R111", message, finding.place.shown, label=said("shape.at_least", least=finding.wanted))


def _twice(finding: Finding, _: list[str], problems: Problems) -> None:
    seen: dict[str, Node] = {}
    for item in finding.place.value.items:
        first = seen.setdefault(item.raw, item)
        if first is not item and item.kind == "scalar":
            message = said("shape.twice", item=item.raw, name=finding.place.name)
            problems.add(
                "R118", message, item.span, label=said("shape.again"), related=[(first.span, said("shape.first_here"))]
            )


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


def example(finding: Finding, key: str = "for_example") -> Said:
    """How it might be written, from the schema's own examples; `key`: the sentence that says so."""
    examples = finding.schema.get("examples")
    if not examples or finding.place.key is None:
        return UNSAID
    return said(f"shape.{key}", name=finding.place.key.raw, value=flow(examples[0]))
