"""Does a tree have the shape of a ruleset? The only module that knows JSON Schema.

The shape is data, `grammar/ruleset.schema.json`, which editors use too. What the validator finds is put in our own words
at the exact key or value, and what follows from another mistake is left out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from interpreter.diagnostics import Problems, Span, similar
from interpreter.reading.tree import Node
from interpreter.resources import folder

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

Path = tuple[str | int, ...]

_TYPES = {
    "object": "a map (`name: value`)",
    "array": "a list",
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "`true` or `false`",
}


@dataclass(frozen=True, slots=True)
class FormulaPlace:
    """A place where a formula stands, and the kind it must have. `is_key` if the formula is the key of the pair."""

    path: Path
    node: Node
    kind: str
    is_key: bool = False


def schema_text() -> str:
    """The JSON Schema of rulesets, for editors."""
    return (folder("grammar") / "ruleset.schema.json").read_text(encoding="utf-8")


def check_shape(node: Node, problems: Problems) -> None:
    """Add everything that keeps a tree from having the shape of a ruleset."""
    _check(node, problems, "ruleset")


def check_position(node: Node, problems: Problems) -> None:
    """Add everything that keeps a tree from having the shape of a position."""
    _check(node, problems, "position")


def formulas(node: Node) -> Iterator[FormulaPlace]:
    """Every formula of a ruleset with the kind the schema asks of it, in the order of the schema."""
    for error in _errors(node, "ruleset", _with_formulas()):
        path = tuple(error.absolute_path)
        place = _Place.find(node, path)
        if error.validator == "x-formula":
            yield FormulaPlace(path, place.value, str(error.validator_value))
        elif error.validator == "x-formula-keys" and place.key is not None:
            yield FormulaPlace(path, place.key, str(error.validator_value), is_key=True)


def _check(node: Node, problems: Problems, what: str) -> None:
    findings = [_Finding.of(node, error) for error in _errors(node, what)]
    typos = {f.path: names for f in findings if (names := f.unknown_keys)}
    for finding in findings:
        if _is_under(finding.path, typos):
            continue  # what an unknown key holds cannot be judged
        rule = _RULES.get(finding.keyword, _anything_else)
        rule(finding, typos.get(finding.path, []), problems)


def _is_under(path: Path, typos: dict[Path, list[str]]) -> bool:
    return any(path[at] in typos.get(path[:at], []) for at in range(len(path)))


@lru_cache(maxsize=1)
def _schema() -> dict[str, Any]:
    return dict(json.loads(schema_text()))


@lru_cache(maxsize=4)
def _validator(what: str, kind: Any = None) -> Any:
    from jsonschema import Draft7Validator

    wanted = _schema()
    if what != "ruleset":
        wanted = {"$ref": f"#/definitions/{what}", "definitions": wanted["definitions"]}
    return (kind or Draft7Validator)(wanted)


def _errors(node: Node, what: str, kind: Any = None) -> Iterable[ValidationError]:
    found: Iterable[ValidationError] = _validator(what, kind).iter_errors(node.plain())
    return found


@lru_cache(maxsize=1)
def _with_formulas() -> Any:
    """A validator that also reports, as if they were errors, the places where formulas stand."""
    from jsonschema import Draft7Validator, validators
    from jsonschema.exceptions import ValidationError

    extend: Any = validators.extend

    def here(_: Any, wanted: Any, value: Any, __: Any) -> Iterator[ValidationError]:
        if isinstance(value, str | int | bool):
            yield ValidationError("a formula", validator="x-formula", validator_value=wanted["kind"])

    def keys(_: Any, wanted: Any, value: Any, __: Any) -> Iterator[ValidationError]:
        for name in value if isinstance(value, dict) else ():
            yield ValidationError("a formula", validator="x-formula-keys", validator_value=wanted["kind"], path=(name,))

    return extend(Draft7Validator, {"x-formula": here, "x-formula-keys": keys})


# --- one finding of the validator, with its place in the file ---


@dataclass(frozen=True, slots=True)
class _Place:
    """A value with its key, or with the key of the list it is an item of."""

    path: Path
    key: Node | None
    value: Node

    @classmethod
    def find(cls, root: Node, path: Path) -> _Place:
        key, value = None, root
        for step in path:
            if isinstance(step, int):
                value = value.items[step]
            else:
                key, value = value.pairs[step]
        return cls(path, key, value)

    @property
    def name(self) -> str:
        return f"`{self.key.raw}`" if self.key else "this file"

    @property
    def subject(self) -> str:
        """What a message calls it."""
        in_list = bool(self.path) and isinstance(self.path[-1], int)
        return f"what stands in {self.name}" if in_list else self.name

    @property
    def head(self) -> Span:
        """The name that something is missing from: its key, or the first key of the file."""
        in_list = bool(self.path) and isinstance(self.path[-1], int)
        if self.key is not None and not in_list:
            return self.key.span
        return next(iter(self.value.pairs.values()))[0].span if self.value.pairs else self.shown

    @property
    def shown(self) -> Span:
        """The value if it can be pointed at, else its key: a block may be long, and nothing cannot be seen."""
        is_visible = self.value.style != "block" and self.value.span.end > self.value.span.start
        return self.value.span if is_visible or self.key is None else self.key.span


@dataclass(frozen=True, slots=True)
class _Finding:
    """An error of the validator. `schema` is the part of the schema that was not met."""

    keyword: str
    wanted: Any
    schema: dict[str, Any]
    instance: Any
    place: _Place
    about_key: bool

    @classmethod
    def of(cls, root: Node, error: ValidationError) -> _Finding:
        about_key = "propertyNames" in error.relative_schema_path
        keyword = f"key {error.validator}" if about_key else str(error.validator)
        schema = error.schema if isinstance(error.schema, dict) else {}
        place = _Place.find(root, tuple(error.absolute_path))
        return cls(keyword, error.validator_value, schema, error.instance, place, about_key)

    @property
    def path(self) -> Path:
        return self.place.path

    @property
    def node(self) -> Node:
        return self.place.value

    @property
    def unknown_keys(self) -> list[str]:
        if self.keyword != "additionalProperties":
            return []
        return [name for name in self.node.pairs if name not in self.schema.get("properties", {})]

    @property
    def choices(self) -> list[str]:
        """The keys that `oneOf` or `anyOf` chooses between."""
        return [option["required"][0] for option in self.wanted]

    @property
    def present(self) -> list[str]:
        return [name for name, _, value in self.node.entries() if name in self.choices and not value.is_null]

    @property
    def example(self) -> str:
        examples = self.schema.get("examples")
        if not examples or self.place.key is None:
            return ""
        return f"for example `{self.place.key.raw}: {flow(examples[0])}`"


Rule = Callable[[_Finding, list[str], Problems], None]


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


# --- keys that should not be there ---


def _unknown_key(finding: _Finding, typos: list[str], problems: Problems) -> None:
    noun = finding.schema.get("x-noun", "this map")
    known = _known_keys(finding)
    for name in typos:
        key, value = finding.node.pairs[name]
        problems.add(
            "R102",
            f"unknown key `{name}` in {noun}",
            key.span,
            label=f"not a key of {noun}",
            notes=[_known_note(finding, known)],
            help=_key_help(finding.node, value, name, known),
        )


def _known_keys(finding: _Finding) -> list[str]:
    """The keys that may stand there: for a step, those that go with its verb."""
    for part in finding.schema.get("allOf", []):
        names = part.get("then", {}).get("propertyNames", {}).get("enum")
        if names and all(needed in finding.node.pairs for needed in part["if"]["required"]):
            return sorted(names)
    return sorted(finding.schema.get("properties", {}))


def _known_note(finding: _Finding, known: list[str]) -> str:
    verbs = finding.schema.get("x-verbs")
    if verbs and not any(verb in finding.node.pairs for verb in verbs):
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
    parts = [_schema(), *_schema()["definitions"].values()]
    nouns = [part["x-noun"] for part in parts if name in part.get("properties", {}) and "x-noun" in part]
    return list(dict.fromkeys(nouns))[:2]


def _key_pattern(finding: _Finding, _: list[str], problems: Problems) -> None:
    key = finding.node.key(str(finding.instance))
    expects = finding.schema.get("x-expects", "a name")
    problems.add("R112", f"`{key.raw}` cannot be a name here", key.span, label=f"must be {expects}")


def _key_with_verb(finding: _Finding, _: list[str], problems: Problems) -> None:
    """A key of another verb. Unknown keys and second verbs have been reported as what they are."""
    name, verb = str(finding.instance), str(finding.schema["x-verb"])
    step = _schema()["definitions"]["step"]
    verbs = step["x-verbs"]
    if name not in step["properties"] or sum(v in finding.node.pairs for v in verbs) > 1:
        return
    own = [key for key in finding.wanted if key != verb and key not in _modifiers(step)]
    problems.add(
        "R108",
        f"`{name}` does not go with `{verb}`",
        finding.node.key(name).span,
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


def _required(finding: _Finding, typos: list[str], problems: Problems) -> None:
    for name in finding.wanted:
        if name not in finding.node.pairs and not similar(name, typos):
            _missing(finding, name, problems)


def _missing(finding: _Finding, name: str, problems: Problems) -> None:
    verb = finding.schema.get("x-verb")
    message = f"`{verb}` needs `{name}` beside it" if verb else f"{finding.place.name} has no `{name}`"
    problems.add(
        "R116" if name == "rule" else "R103",
        message,
        finding.node.key(verb).span if verb else finding.place.head,
        label=f"`{name}` is missing",
        help=_add_help(finding, name, verb),
    )


def _add_help(finding: _Finding, name: str, verb: str | None) -> str:
    shape = _schema()["definitions"].get(finding.schema.get("x-of"), _schema())
    parts = [shape.get("properties", {}).get(name, {})]
    if verb:
        parts += [p["then"]["properties"].get(name, {}) for p in shape["allOf"] if p["if"].get("required") == [verb]]
    examples = parts[-1].get("examples")
    return f"for example `{name}: {flow(examples[0])}`" if examples else ""


def _none_of(finding: _Finding, typos: list[str], problems: Problems) -> None:
    """None of the keys of which there must be one."""
    names = finding.choices
    if finding.node.kind != "map":
        return
    if any(similar(typo, names) for typo in typos) or (typos and "x-verbs" in finding.schema):
        return
    if "rule" in names:
        _missing(finding, "rule", problems)
    elif "x-verbs" in finding.schema:
        _no_verb(finding, problems)
    else:
        _none_chosen(finding, names, problems)


def _no_verb(finding: _Finding, problems: Problems) -> None:
    verbs = f"verbs: {', '.join(sorted(finding.schema['x-verbs']))}"
    message = f"the step {finding.place.name} has no verb"
    problems.add("R106", message, finding.place.head, label="what does it do?", notes=[verbs])


def _none_chosen(finding: _Finding, names: list[str], problems: Problems) -> None:
    asking = finding.schema.get("x-needs") or finding.schema.get("x-verb")
    head = finding.node.key(asking).span if asking else finding.place.head
    needs = f"`{asking}` needs {_either(names)} beside it"
    message = needs if asking else f"{finding.place.name} has no {_either(names)}"
    problems.add("R117", message, head, label="one of them is needed")


def _one_of(finding: _Finding, typos: list[str], problems: Problems) -> None:
    """Not exactly one of some keys."""
    present = finding.present
    if len(present) < 2:
        _none_of(finding, typos, problems)
        return
    first, second = (finding.node.key(name).span for name in present[:2])
    is_step = "shuffle" in finding.choices
    problems.add(
        "R107" if is_step else "R114",
        f"{finding.place.name} has {'more than one verb' if is_step else 'several of ' + _quoted(finding.choices)}"
        + f": {_quoted(present)}" * is_step,
        second,
        label="a second verb" if is_step else "only one of them can stand here",
        help="make two steps of it, each with its own name" if is_step else "keep one of them",
        related=[(first, "the first")],
    )


def _depends(finding: _Finding, _: list[str], problems: Problems) -> None:
    for name, needed in finding.wanted.items():
        for other in needed:
            if name in finding.node.pairs and other not in finding.node.pairs:
                problems.add("R103", f"`{name}` needs `{other}` beside it", finding.node.key(name).span)


# --- values ---


def _type(finding: _Finding, _: list[str], problems: Problems) -> None:
    place = finding.place
    is_formula = "x-formula" in finding.schema and "object" not in finding.wanted
    code = "R110" if finding.node.is_null else "R109" if is_formula else "R101"
    message = f"{place.subject} must be {_expected(finding)}, not {_described(finding.node)}"
    problems.add(code, message, place.shown, label=f"this is {_described(finding.node)}", help=finding.example)


def _expected(finding: _Finding) -> str:
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


def _enum(finding: _Finding, _: list[str], problems: Problems) -> None:
    choices = [str(choice) for choice in finding.wanted if choice is not None]
    if finding.node.kind != "scalar":
        return _not_scalar(finding, choices, problems)
    close = similar(finding.node.raw, choices)
    problems.add(
        "R104",
        f"`{finding.node.raw}` is not a value of {finding.place.name}",
        finding.place.shown,
        label=f"must be {_either(choices)}",
        help=f"a similar one exists: `{close}`" if close else "",
    )
    return None


def _not_scalar(finding: _Finding, choices: list[str], problems: Problems) -> None:
    message = f"{finding.place.subject} must be {_either(choices)}, not {_described(finding.node)}"
    problems.add("R101", message, finding.place.shown)


def _version(finding: _Finding, _: list[str], problems: Problems) -> None:
    label = f"must be {flow(finding.wanted)}"
    message = f"this is not a version of the language: {finding.node.raw or _described(finding.node)}"
    problems.add(
        "R115", message, finding.place.shown, label=label, help=finding.example.replace("for example", "write")
    )


def _pattern(finding: _Finding, _: list[str], problems: Problems) -> None:
    message = f"`{finding.node.raw}` cannot be a name here"
    problems.add("R112", message, finding.place.shown, label="letters, digits and `_`", help=finding.example)


def _nothing(finding: _Finding, _: list[str], problems: Problems) -> None:
    """Nothing where nothing is inherited."""
    place = finding.place
    written = finding.node.raw or "nothing after the colon"
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


def _empty(finding: _Finding, _: list[str], problems: Problems) -> None:
    place = finding.place
    problems.add("R113", f"{place.subject} is empty", place.shown, label="at least one is needed", help=finding.example)


def _too_many(finding: _Finding, _: list[str], problems: Problems) -> None:
    problems.add("R114", f"{finding.place.subject} has more than one key", finding.place.shown, label="one is allowed")


def _number(finding: _Finding, _: list[str], problems: Problems) -> None:
    message = f"{finding.place.subject} is too small: {finding.node.raw}"
    problems.add("R111", message, finding.place.shown, label=f"at least {finding.wanted}")


def _twice(finding: _Finding, _: list[str], problems: Problems) -> None:
    seen: dict[str, Node] = {}
    for item in finding.node.items:
        first = seen.setdefault(item.raw, item)
        if first is not item and item.kind == "scalar":
            message = f"`{item.raw}` stands twice in {finding.place.name}"
            problems.add("R118", message, item.span, label="again", related=[(first.span, "first here")])


def _anything_else(finding: _Finding, _: list[str], problems: Problems) -> None:
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
