"""Diagnostics for values that violate the schema of rulesets: types, choices, names, lengths. `shape_errors` does those for keys."""

from __future__ import annotations

from hoyle.diagnostics import NO_TEXT, LocalizedText, Problems, build_replacement, find_close_name, verbatim
from hoyle.language.sentences import join_row, make_message
from hoyle.reading.grammar import one_of_names, schema_message, to_flow_yaml
from hoyle.reading.shape import Rule, Violation
from hoyle.reading.tree import Node, bracket_fix

_TYPES = {
    "object": "a_map",
    "array": "a_list",
    "string": "a_text",
    "integer": "a_whole",
    "number": "a_number",
    "boolean": "a_truth",
}
"""Keys of sentences that name the types."""


def _type(violation: Violation, _: list[str], problems: Problems) -> None:
    place, schema = violation.place, violation.schema
    node, is_formula = place.value, "x-formula" in schema and "object" not in violation.wanted
    code = "R110" if node.is_null else "R109" if is_formula else "R101"
    is_plain_text = node.kind == "scalar" and not node.is_null and "(" not in node.raw
    is_lone_item = is_plain_text and "x-help" not in schema and violation.wanted in (["array", "null"], "array")
    if "x-help" in schema:
        help = schema_message(schema["x-help"])
    else:
        help = make_message("shape.in_brackets", written=node.raw) if is_lone_item else _example(violation)
    actual = _describe(node)
    problems.add(
        code,
        make_message("shape.must_be", subject=place.subject, expected=_expected_type(violation), found=actual),
        place.shown,
        label=make_message("shape.this_is", found=actual),
        help=help,
        fixes=bracket_fix(node) if is_lone_item else (),
    )


def _expected_type(violation: Violation) -> LocalizedText:
    if "x-expects" in violation.schema:
        return schema_message(violation.schema["x-expects"])
    if "x-formula" in violation.schema:
        return make_message("shape.a_formula")
    wanted = [violation.wanted] if isinstance(violation.wanted, str) else violation.wanted
    return join_row(
        (make_message(f"shape.{_TYPES[name]}") for name in wanted if name != "null"), make_message("between.or")
    )


def _describe(node: Node) -> LocalizedText:
    if node.kind != "scalar":
        return make_message("shape.keys") if node.kind == "map" else make_message("shape.a_list")
    if node.is_null:
        return make_message("shape.nothing")
    if isinstance(node.value, bool):
        return verbatim(f"`{node.raw}`")
    return (
        make_message("shape.the_number", number=node.raw)
        if isinstance(node.value, int | float)
        else make_message("shape.a_text")
    )


def _example(violation: Violation, key: str = "for_example") -> LocalizedText:
    """The first example of the schema in a sentence; NO_TEXT if there is none. `key`: the sentence."""
    examples, name = violation.schema.get("examples"), violation.place.key
    if not examples or name is None:
        return NO_TEXT
    return make_message(f"shape.{key}", name=name.raw, value=to_flow_yaml(examples[0]))


def _enum(violation: Violation, _: list[str], problems: Problems) -> None:
    choices = [str(choice) for choice in violation.wanted if choice is not None]
    place, node = violation.place, violation.place.value
    if node.kind != "scalar":
        expected = one_of_names(choices)
        message = make_message("shape.must_be", subject=place.subject, expected=expected, found=_describe(node))
        problems.add("R101", message, place.shown)
        return
    close = find_close_name(node.raw, choices)
    problems.add(
        "R104",
        make_message("shape.no_value", value=node.raw, name=place.name),
        place.shown,
        label=make_message("shape.must_be_one", choices=one_of_names(choices)),
        help=make_message("shape.similar", close=close) if close else NO_TEXT,
        fixes=build_replacement(node.span, node.raw, close),
    )


def _version(violation: Violation, _: list[str], problems: Problems) -> None:
    node, known = violation.place.value, to_flow_yaml(violation.schema["examples"][0])
    message = make_message("shape.no_version", version=node.raw or _describe(node))
    label = make_message("shape.must_be_one", choices=to_flow_yaml(violation.wanted))
    fixes, help = build_replacement(node.span, node.raw, known), _example(violation, "write")
    problems.add("R115", message, violation.place.shown, label=label, help=help, fixes=fixes)


def _pattern(violation: Violation, _: list[str], problems: Problems) -> None:
    message = make_message("keys.no_name", name=violation.place.value.raw)
    problems.add(
        "R112", message, violation.place.shown, label=make_message("formula.letters"), help=_example(violation)
    )


def _null(violation: Violation, _: list[str], problems: Problems) -> None:
    """Null where nothing is inherited that it could remove."""
    place = violation.place
    written = place.value.raw or make_message("shape.after_colon")
    problems.add(
        "R110",
        make_message("shape.says_nothing", name=place.name),
        place.shown,
        label=make_message("shape.nothing_said"),
        notes=[make_message("shape.removes", written=written) if written == "~" else NO_TEXT],
        help=make_message("shape.remove_it"),
    )


def _empty(violation: Violation, _: list[str], problems: Problems) -> None:
    message, label = make_message("shape.is_empty", subject=violation.place.subject), make_message("shape.at_least_one")
    problems.add("R113", message, violation.place.shown, label=label, help=_example(violation))


def _too_many(violation: Violation, _: list[str], problems: Problems) -> None:
    message = make_message("shape.more_than_one", subject=violation.place.subject)
    problems.add("R114", message, violation.place.shown, label=make_message("shape.one_allowed"))


def _too_small(violation: Violation, _: list[str], problems: Problems) -> None:
    message = make_message("shape.too_small", subject=violation.place.subject, number=violation.place.value.raw)
    problems.add("R111", message, violation.place.shown, label=make_message("shape.at_least", least=violation.wanted))


def _duplicates(violation: Violation, _: list[str], problems: Problems) -> None:
    seen: dict[str, Node] = {}
    for item in violation.place.value.items:
        first = seen.setdefault(item.raw, item)
        if first is not item and item.kind == "scalar":
            message = make_message("shape.twice", item=item.raw, name=violation.place.name)
            related = [(first.span, make_message("shape.first_here"))]
            problems.add("R118", message, item.span, label=make_message("shape.again"), related=related)


RULES: dict[str, Rule] = {
    "type": _type,
    "enum": _enum,
    "const": _version,
    "pattern": _pattern,
    "not": _null,
    "minItems": _empty,
    "minProperties": _empty,
    "maxProperties": _too_many,
    "minimum": _too_small,
    "uniqueItems": _duplicates,
}
