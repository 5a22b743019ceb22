"""Has a tree the shape of a ruleset? What keeps it from that, in our own words.

The shape is data, `grammar/ruleset.schema.json`, which editors use too. Each finding is told at the exact key or value, and what follows
from another mistake is left out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from interpreter.diagnostics import Problems, similar
from interpreter.reading.shape import Finding, Path, grammar, shape_of
from interpreter.reading.tree import Node

_TYPES = {
    "object": "a map (`name: value`)",
    "array": "a list",
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "`true` or `false`",
}


def check_shape(node: Node, problems: Problems) -> None:
    """Add everything that keeps a tree from having the shape of a ruleset."""
    _check(node, problems, "ruleset")


def check_position(node: Node, problems: Problems) -> None:
    """Add everything that keeps a tree from having the shape of a position."""
    _check(node, problems, "position")


def _check(node: Node, problems: Problems, what: str) -> None:
    findings = shape_of(node, what).findings
    typos = {f.place.path: names for f in findings if (names := _unknown_keys(f))}
    for finding in findings:
        if _is_under(finding.place.path, typos):
            continue  # what an unknown key holds cannot be judged
        rule = _RULES.get(finding.word, _anything_else)
        rule(finding, typos.get(finding.place.path, []), problems)


def _is_under(path: Path, typos: dict[Path, list[str]]) -> bool:
    return any(path[at] in typos.get(path[:at], []) for at in range(len(path)))


Rule = Callable[[Finding, list[str], Problems], None]


def flow(value: Any) -> str:
    """Plain data as YAML on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {flow(item)}" for name, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(flow(item) for item in value) + "]"
    if value is None:
        return "~"
    return json.dumps(value) if isinstance(value, bool) else str(value)


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _either(names: Sequence[str]) -> str:
    shown = [f"`{name}`" for name in names]
    return shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + " or " + shown[-1]


def _unknown_keys(finding: Finding) -> list[str]:
    if finding.word != "additionalProperties":
        return []
    return [name for name in finding.place.value.pairs if name not in finding.schema.get("properties", {})]


def _choices(finding: Finding) -> list[str]:
    """The keys that `oneOf` or `anyOf` chooses between."""
    return [option["required"][0] for option in finding.wanted]


def _present(finding: Finding) -> list[str]:
    """Those of them that are there."""
    pairs, names = finding.place.value.pairs, _choices(finding)
    return [name for name, (_, value) in pairs.items() if name in names and not value.is_null]


def _example(finding: Finding) -> str:
    examples = finding.schema.get("examples")
    if not examples or finding.place.key is None:
        return ""
    return f"for example `{finding.place.key.raw}: {flow(examples[0])}`"


# --- keys that should not be there ---


def _unknown_key(finding: Finding, typos: list[str], problems: Problems) -> None:
    noun = finding.schema.get("x-noun", "this map")
    known = _known_keys(finding)
    for name in typos:
        key, value = finding.place.value.pairs[name]
        problems.add(
            "R102",
            f"unknown key `{name}` in {noun}",
            key.span,
            label=f"not a key of {noun}",
            notes=[_known_note(finding, known)],
            help=_key_help(finding.place.value, value, name, known),
        )


def _known_keys(finding: Finding) -> list[str]:
    """The keys that may stand there: for a step, those that go with its verb."""
    for part in finding.schema.get("allOf", []):
        names = part.get("then", {}).get("propertyNames", {}).get("enum")
        if names and all(needed in finding.place.value.pairs for needed in part["if"]["required"]):
            return sorted(names)
    return sorted(finding.schema.get("properties", {}))


def _known_note(finding: Finding, known: list[str]) -> str:
    verbs = finding.schema.get("x-verbs")
    if verbs and not any(verb in finding.place.value.pairs for verb in verbs):
        return f"a step has one of these verbs: {', '.join(sorted(verbs))}"
    return f"known keys: {', '.join(known)}"


def _key_help(holder: Node, value: Node, name: str, known: list[str]) -> str:
    close = similar(name, [other for other in known if other not in holder.pairs])
    is_alone = value.is_null and value.raw == ""
    if is_alone and name.split(":")[0] in known:
        return f"put a space after `{name.split(':')[0]}:`"
    if close:
        return f"a key with a similar name exists: `{close}`"
    if is_alone and holder.style == "flow" and holder.pairs:
        return "inside { } a comma ends a value: put a text with a comma in quotes"
    nouns = _nouns_with(name)
    return f"`{name}` is a key of {' and of '.join(nouns)}" if nouns else ""


def _nouns_with(name: str) -> list[str]:
    """The things that do have this key."""
    parts = [grammar(), *grammar()["definitions"].values()]
    nouns = [part["x-noun"] for part in parts if name in part.get("properties", {}) and "x-noun" in part]
    return list(dict.fromkeys(nouns))[:2]


def _key_pattern(finding: Finding, _: list[str], problems: Problems) -> None:
    key = finding.place.value.key(finding.name)
    expects = finding.schema.get("x-expects", "a name")
    problems.add("R112", f"`{key.raw}` cannot be a name here", key.span, label=f"must be {expects}")


def _key_with_verb(finding: Finding, _: list[str], problems: Problems) -> None:
    """A key of another verb. Unknown keys and second verbs have been reported as what they are."""
    name, verb = finding.name, str(finding.schema["x-verb"])
    step = grammar()["definitions"]["step"]
    verbs = step["x-verbs"]
    if name not in step["properties"] or sum(v in finding.place.value.pairs for v in verbs) > 1:
        return
    own = [key for key in finding.wanted if key != verb and key not in _modifiers(step)]
    problems.add(
        "R108",
        f"`{name}` does not go with `{verb}`",
        finding.place.value.key(name).span,
        label=f"not used with `{verb}`",
        notes=[f"with `{verb}` go: {', '.join([*own, *_modifiers(step)])}"],
        help=f"`{name}` goes with {_either(_verbs_with(step, name))}",
    )


def _modifiers(step: dict[str, Any]) -> list[str]:
    """The keys that go with every verb."""
    shared = set.intersection(*(set(names) for _, names in _verb_keys(step)))
    return [key for key in step["properties"] if key in shared]


def _verb_keys(step: dict[str, Any]) -> list[tuple[str, list[str]]]:
    parts = [part["then"]["propertyNames"] for part in step["allOf"] if "propertyNames" in part["then"]]
    return [(part["x-verb"], part["enum"]) for part in parts]


def _verbs_with(step: dict[str, Any], name: str) -> list[str]:
    return [verb for verb, names in _verb_keys(step) if name in names]


# --- keys that should be there ---


def _required(finding: Finding, typos: list[str], problems: Problems) -> None:
    for name in finding.wanted:
        if name not in finding.place.value.pairs and not similar(name, typos):
            _missing(finding, name, problems)


def _missing(finding: Finding, name: str, problems: Problems) -> None:
    verb = finding.schema.get("x-verb")
    message = f"`{verb}` needs `{name}` beside it" if verb else f"{finding.place.name} has no `{name}`"
    problems.add(
        "R116" if name == "rule" else "R103",
        message,
        finding.place.value.key(verb).span if verb else finding.place.head,
        label=f"`{name}` is missing",
        help=_add_help(finding, name, verb),
    )


def _add_help(finding: Finding, name: str, verb: str | None) -> str:
    shape = grammar()["definitions"].get(finding.schema.get("x-of"), grammar())
    parts = [shape.get("properties", {}).get(name, {})]
    if verb:
        parts += [p["then"]["properties"].get(name, {}) for p in shape["allOf"] if p["if"].get("required") == [verb]]
    examples = parts[-1].get("examples")
    return f"for example `{name}: {flow(examples[0])}`" if examples else ""


def _none_of(finding: Finding, typos: list[str], problems: Problems) -> None:
    """None of the keys of which there must be one."""
    names = _choices(finding)
    if finding.place.value.kind != "map":
        return
    if any(similar(typo, names) for typo in typos) or (typos and "x-verbs" in finding.schema):
        return
    if "rule" in names:
        _missing(finding, "rule", problems)
    elif "x-verbs" in finding.schema:
        _no_verb(finding, problems)
    else:
        _none_chosen(finding, names, problems)


def _no_verb(finding: Finding, problems: Problems) -> None:
    verbs = f"verbs: {', '.join(sorted(finding.schema['x-verbs']))}"
    message = f"the step {finding.place.name} has no verb"
    problems.add("R106", message, finding.place.head, label="what does it do?", notes=[verbs])


def _none_chosen(finding: Finding, names: list[str], problems: Problems) -> None:
    asking = finding.schema.get("x-needs") or finding.schema.get("x-verb")
    head = finding.place.value.key(asking).span if asking else finding.place.head
    needs = f"`{asking}` needs {_either(names)} beside it"
    message = needs if asking else f"{finding.place.name} has no {_either(names)}"
    problems.add("R117", message, head, label="one of them is needed")


def _one_of(finding: Finding, typos: list[str], problems: Problems) -> None:
    """Not exactly one of some keys."""
    present = _present(finding)
    if len(present) < 2:
        _none_of(finding, typos, problems)
        return
    first, second = (finding.place.value.key(name).span for name in present[:2])
    is_step = "shuffle" in _choices(finding)
    problems.add(
        "R107" if is_step else "R114",
        f"{finding.place.name} has {'more than one verb' if is_step else 'several of ' + _quoted(_choices(finding))}"
        + f": {_quoted(present)}" * is_step,
        second,
        label="a second verb" if is_step else "only one of them can stand here",
        help="make two steps of it, each with its own name" if is_step else "keep one of them",
        related=[(first, "the first")],
    )


def _depends(finding: Finding, _: list[str], problems: Problems) -> None:
    for name, needed in finding.wanted.items():
        for other in needed:
            if name in finding.place.value.pairs and other not in finding.place.value.pairs:
                problems.add("R103", f"`{name}` needs `{other}` beside it", finding.place.value.key(name).span)


# --- values ---


def _type(finding: Finding, _: list[str], problems: Problems) -> None:
    place = finding.place
    is_formula = "x-formula" in finding.schema and "object" not in finding.wanted
    code = "R110" if finding.place.value.is_null else "R109" if is_formula else "R101"
    message = f"{place.subject} must be {_expected(finding)}, not {_described(finding.place.value)}"
    problems.add(code, message, place.shown, label=f"this is {_described(finding.place.value)}", help=_example(finding))


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
        label=f"must be {_either(choices)}",
        help=f"a similar one exists: `{close}`" if close else "",
    )
    return None


def _not_scalar(finding: Finding, choices: list[str], problems: Problems) -> None:
    message = f"{finding.place.subject} must be {_either(choices)}, not {_described(finding.place.value)}"
    problems.add("R101", message, finding.place.shown)


def _version(finding: Finding, _: list[str], problems: Problems) -> None:
    label = f"must be {flow(finding.wanted)}"
    message = f"this is not a version of the language: {finding.place.value.raw or _described(finding.place.value)}"
    problems.add(
        "R115", message, finding.place.shown, label=label, help=_example(finding).replace("for example", "write")
    )


def _pattern(finding: Finding, _: list[str], problems: Problems) -> None:
    message = f"`{finding.place.value.raw}` cannot be a name here"
    problems.add("R112", message, finding.place.shown, label="letters, digits and `_`", help=_example(finding))


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
        "R113", f"{place.subject} is empty", place.shown, label="at least one is needed", help=_example(finding)
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


def _anything_else(finding: Finding, _: list[str], problems: Problems) -> None:
    problems.add("R101", f"{finding.place.subject} is not as it must be", finding.place.shown)


_RULES: dict[str, Rule] = {
    "additionalProperties": _unknown_key,
    "key pattern": _key_pattern,
    "key enum": _key_with_verb,
    "required": _required,
    "anyOf": _none_of,
    "oneOf": _one_of,
    "dependencies": _depends,
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
