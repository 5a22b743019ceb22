"""Diagnostics for a tree that violates the schema of rulesets, at the exact key or value. Violations that follow from others are left out.

The rules for keys are here, those for values in `value_errors`.
"""

from __future__ import annotations

from functools import partial

from hoyle.diagnostics import NO_TEXT, LocalizedText, Problems, build_replacement, find_close_name, localize
from hoyle.language.sentences import make_localized, make_message
from hoyle.reading import value_errors
from hoyle.reading.grammar import (
    Schema,
    grammar,
    keys_by_verb,
    one_of_names,
    quote_names,
    schema_message,
    shared_step_keys,
    step_keys,
    step_verbs,
    to_flow_yaml,
)
from hoyle.reading.shape import Rule, ValidParts, Violation, validate_shape
from hoyle.reading.tree import Node


def check_shape(node: Node, problems: Problems, known: ValidParts = frozenset()) -> ValidParts:
    """Report the violations of a ruleset; return its valid parts. `known`: parts of this tree that are known to be valid."""
    return _check(node, problems, "ruleset", known)


def check_position(node: Node, problems: Problems) -> None:
    """Report the violations of a position."""
    _check(node, problems, "position")


def _check(node: Node, problems: Problems, what: str, known: ValidParts = frozenset()) -> ValidParts:
    report = validate_shape(node, what, known)
    unknown = {v.place.path: names for v in report.violations if (names := unknown_keys(v))}
    for violation in report.violations:
        path = violation.place.path
        if any(path[at] in unknown.get(path[:at], []) for at in range(len(path))):
            continue  # the content of an unknown key cannot be judged
        if (rule := _RULES.get(violation.word)) is not None:
            rule(violation, unknown.get(path, []), problems)
        else:
            problems.add("R101", make_message("shape.not_so", subject=violation.place.subject), violation.place.shown)
    return frozenset(report.valid)


def unknown_keys(violation: Violation) -> list[str]:
    if violation.word != "additionalProperties":
        return []
    return [name for name in violation.place.value.pairs if name not in violation.schema.get("properties", {})]


# ---- keys that should not be there -----------------------------------------------------------------------------------


def _unknown_key(violation: Violation, unknown: list[str], problems: Problems) -> None:
    schema, node = violation.schema, violation.place.value
    noun = schema_message(schema["x-noun"]) if "x-noun" in schema else make_message("keys.this_map")
    known, verbs = _known_keys(violation), schema.get("x-verbs")
    note = make_message("known_keys", known=", ".join(known))
    if verbs and not any(verb in node.pairs for verb in verbs):
        note = make_message("keys.verbs_of_step", verbs=", ".join(sorted(verbs)))
    for name in unknown:
        key, value = node.pairs[name]
        help, meant = _suggest(node, value, name, known)
        problems.add(
            "R102",
            make_message("keys.unknown", name=name, noun=noun),
            key.span,
            label=make_message("keys.not_of", noun=noun),
            notes=[note],
            help=help,
            fixes=build_replacement(key.span, name, meant),
        )


def _known_keys(violation: Violation) -> list[str]:
    """The keys that may stand there: for a step, those that go with its verb."""
    for part in violation.schema.get("allOf", []):
        names = part.get("then", {}).get("propertyNames", {}).get("enum")
        if names and all(needed in violation.place.value.pairs for needed in part["if"]["required"]):
            return sorted(names)
    return sorted(violation.schema.get("properties", {}))


def _suggest(holder: Node, value: Node, name: str, known: list[str]) -> tuple[LocalizedText, str | None]:
    """Help for an unknown key, and its replacement if that is known."""
    close = find_close_name(name, [other for other in known if other not in holder.pairs])
    is_alone = value.is_null and value.raw == ""
    if is_alone and name.split(":")[0] in known:
        return make_message("keys.space_after", name=name.split(":")[0]), name.replace(":", ": ", 1)
    if close:
        return make_message("keys.similar_key", close=close), close
    if is_alone and holder.style == "flow" and holder.pairs:
        return make_message("keys.comma_ends"), None
    parts = [grammar(), *grammar()["definitions"].values()]
    owners = [part["x-noun"] for part in parts if name in part.get("properties", {}) and "x-noun" in part]
    nouns = [schema_message(noun) for noun in dict.fromkeys(owners)][:2]
    return make_message(
        f"keys.key_of_{len(nouns)}", name=name, noun=nouns[0], other=nouns[-1]
    ) if nouns else NO_TEXT, None


def _key_pattern(violation: Violation, _: list[str], problems: Problems) -> None:
    key, schema = violation.place.value.key(violation.name), violation.schema
    expects = schema_message(schema["x-expects"]) if "x-expects" in schema else make_message("formula.a_name")
    problems.add(
        "R112",
        make_message("keys.no_name", name=key.raw),
        key.span,
        label=make_message("keys.must_be", expects=expects),
    )


def _key_of_other_verb(violation: Violation, _: list[str], problems: Problems) -> None:
    """A key that does not go with the verb of its step. Other rules report unknown keys and second verbs."""
    name, verb, node = violation.name, str(violation.schema["x-verb"]), violation.place.value
    if name not in step_keys() or sum(v in node.pairs for v in step_verbs()) > 1:
        return
    own = [key for key in violation.wanted if key != verb and key not in shared_step_keys()]
    owners = one_of_names([v for v, keys in keys_by_verb().items() if name in keys])
    problems.add(
        "R108",
        make_message("keys.not_with", name=name, verb=verb),
        node.key(name).span,
        label=make_message("keys.unused_with", verb=verb),
        notes=[make_message("keys.with_go", verb=verb, keys=", ".join([*own, *shared_step_keys()]))],
        help=make_message("keys.goes_with", name=name, verbs=owners),
    )


# ---- keys that should be there ---------------------------------------------------------------------------------------

_OWN_NAMES = ("pieces", "piles", "flow", "result")
"""Sections made of a game's own names: they are described, because an example would have the names of another game."""


def _required(violation: Violation, unknown: list[str], problems: Problems) -> None:
    for name in violation.wanted:
        if name not in violation.place.value.pairs and not find_close_name(name, unknown):
            _report_missing(violation, name, problems)


def _report_missing(violation: Violation, name: str, problems: Problems) -> None:
    place, verb = violation.place, violation.schema.get("x-verb")
    shape = grammar()["definitions"].get(violation.schema.get("x-of"), grammar())
    parts = [shape.get("properties", {}).get(name, {})]
    if verb:
        parts += [p["then"]["properties"].get(name, {}) for p in shape["allOf"] if p["if"].get("required") == [verb]]
    problems.add(
        "R116" if name == "rule" else "R103",
        make_message("keys.needs", verb=verb, name=name)
        if verb
        else make_message("keys.has_no", place=place.name, name=name),
        place.value.key(verb).span if verb else place.head,
        label=make_message("keys.missing", name=name),
        help=example_of_key(name, parts[-1]),
    )


def example_of_key(name: str, shape: Schema | None = None) -> LocalizedText:
    """An example of a key from its schema (default: the section of this name); NO_TEXT if it has none."""
    section = grammar()["properties"].get(name)
    shape = section if shape is None else shape
    if shape is section and name in _OWN_NAMES:
        return make_localized(partial(_describe_section, name, schema_message(shape["description"])))
    if not shape.get("examples"):
        return NO_TEXT
    return make_message("shape.for_example", name=name, value=to_flow_yaml(shape["examples"][0]))


def _describe_section(name: str, description: LocalizedText, lang: str) -> str:
    text = localize(description, lang)
    return localize(make_message("keys.described", name=name, what=f"{text[0].lower()}{text[1:].rstrip('.')}"), lang)


def _none_of(violation: Violation, unknown: list[str], problems: Problems) -> None:
    """None of the keys of which there must be one."""
    place, schema, names = violation.place, violation.schema, _alternatives(violation)
    if place.value.kind != "map":
        return
    if any(find_close_name(name, names) for name in unknown) or (unknown and "x-verbs" in schema):
        return
    if "rule" in names:
        _report_missing(violation, "rule", problems)
    elif "x-verbs" in schema:
        notes = [make_message("keys.verbs", verbs=", ".join(sorted(schema["x-verbs"])))]
        message, label = make_message("keys.no_verb", name=place.name), make_message("keys.what_does_it")
        problems.add("R106", message, place.head, label=label, notes=notes)
    else:
        asking = schema.get("x-needs") or schema.get("x-verb")
        head = place.value.key(asking).span if asking else place.head
        choices = one_of_names(names)
        needs = make_message("keys.needs_one", asking=asking, names=choices)
        message = needs if asking else make_message("keys.has_none", name=place.name, names=choices)
        problems.add("R117", message, head, label=make_message("keys.one_needed"))


def _alternatives(violation: Violation) -> list[str]:
    """The keys that `oneOf` or `anyOf` chooses between."""
    return [option["required"][0] for option in violation.wanted]


def _one_of(violation: Violation, unknown: list[str], problems: Problems) -> None:
    """Not exactly one of some keys."""
    node, names = violation.place.value, _alternatives(violation)
    present = [name for name, (_, value) in node.pairs.items() if name in names and not value.is_null]
    if len(present) < 2:
        _none_of(violation, unknown, problems)
        return
    first, second = (node.key(name).span for name in present[:2])
    is_step, name = "shuffle" in names, violation.place.name
    if is_step:
        message = make_message("keys.several_verbs", name=name, there=quote_names(present))
    else:
        message = make_message("keys.several", name=name, there=quote_names(names))
    problems.add(
        "R107" if is_step else "R114",
        message,
        second,
        label=make_message("keys.second_verb") if is_step else make_message("keys.only_one"),
        help=make_message("keys.two_steps") if is_step else make_message("keys.keep_one"),
        related=[(first, make_message("keys.the_first"))],
    )


def _dependencies(violation: Violation, _: list[str], problems: Problems) -> None:
    node = violation.place.value
    for name, needed in violation.wanted.items():
        for other in needed:
            if name in node.pairs and other not in node.pairs:
                problems.add("R103", make_message("keys.needs", verb=name, name=other), node.key(name).span)


_RULES: dict[str, Rule] = {
    **value_errors.RULES,
    "additionalProperties": _unknown_key,
    "key pattern": _key_pattern,
    "key enum": _key_of_other_verb,
    "required": _required,
    "anyOf": _none_of,
    "oneOf": _one_of,
    "dependencies": _dependencies,
}
