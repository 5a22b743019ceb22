"""Keys that should not be there, and keys that should."""

from __future__ import annotations

from functools import partial

from hoyle.diagnostics import UNSAID, Problems, Said, replacing, similar, told
from hoyle.language.sentences import in_each, said
from hoyle.reading import shape_errors, value_errors
from hoyle.reading.grammar import (
    Schema,
    all_keys,
    either,
    flow,
    grammar,
    keys_beside,
    keys_with,
    of_grammar,
    quoted,
    verbs,
)
from hoyle.reading.shape import Finding, Path, Rule, Shaped, shape_of
from hoyle.reading.tree import Node


def unknown_keys(finding: Finding) -> list[str]:
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


# --- keys that should not be there ---


def _unknown_key(finding: Finding, typos: list[str], problems: Problems) -> None:
    noun = of_grammar(finding.schema["x-noun"]) if "x-noun" in finding.schema else said("keys.this_map")
    known = _known_keys(finding)
    for name in typos:
        key, value = finding.place.value.pairs[name]
        help, meant = _key_help(finding.place.value, value, name, known)
        problems.add(
            "R102",
            said("keys.unknown", name=name, noun=noun),
            key.span,
            label=said("keys.not_of", noun=noun),
            notes=[_known_note(finding, known)],
            help=help,
            fixes=replacing(key.span, name, meant),
        )


def _known_keys(finding: Finding) -> list[str]:
    """The keys that may stand there: for a step, those that go with its verb."""
    for part in finding.schema.get("allOf", []):
        names = part.get("then", {}).get("propertyNames", {}).get("enum")
        if names and all(needed in finding.place.value.pairs for needed in part["if"]["required"]):
            return sorted(names)
    return sorted(finding.schema.get("properties", {}))


def _known_note(finding: Finding, known: list[str]) -> Said:
    verbs = finding.schema.get("x-verbs")
    if verbs and not any(verb in finding.place.value.pairs for verb in verbs):
        return said("keys.verbs_of_step", verbs=", ".join(sorted(verbs)))
    return said("known_keys", known=", ".join(known))


def _key_help(holder: Node, value: Node, name: str, known: list[str]) -> tuple[Said, str | None]:
    """What helps, and what to write instead of the name where that is known."""
    close = similar(name, [other for other in known if other not in holder.pairs])
    is_alone = value.is_null and value.raw == ""
    if is_alone and name.split(":")[0] in known:
        return said("keys.space_after", name=name.split(":")[0]), name.replace(":", ": ", 1)
    if close:
        return said("keys.similar_key", close=close), close
    if is_alone and holder.style == "flow" and holder.pairs:
        return said("keys.comma_ends"), None
    nouns = _nouns_with(name)
    return said(f"keys.key_of_{len(nouns)}", name=name, noun=nouns[0], other=nouns[-1]) if nouns else UNSAID, None


def _nouns_with(name: str) -> list[Said]:
    """The things that do have this key."""
    parts = [grammar(), *grammar()["definitions"].values()]
    nouns = [part["x-noun"] for part in parts if name in part.get("properties", {}) and "x-noun" in part]
    return [of_grammar(noun) for noun in dict.fromkeys(nouns)][:2]


def _key_pattern(finding: Finding, _: list[str], problems: Problems) -> None:
    key = finding.place.value.key(finding.name)
    expects = of_grammar(finding.schema["x-expects"]) if "x-expects" in finding.schema else said("formula.a_name")
    problems.add("R112", said("keys.no_name", name=key.raw), key.span, label=said("keys.must_be", expects=expects))


def _key_with_verb(finding: Finding, _: list[str], problems: Problems) -> None:
    """A key of another verb. Unknown keys and second verbs have been reported as what they are."""
    name, verb = finding.name, str(finding.schema["x-verb"])
    if name not in all_keys() or sum(v in finding.place.value.pairs for v in verbs()) > 1:
        return
    own = [key for key in finding.wanted if key != verb and key not in keys_beside()]
    problems.add(
        "R108",
        said("keys.not_with", name=name, verb=verb),
        finding.place.value.key(name).span,
        label=said("keys.unused_with", verb=verb),
        notes=[said("keys.with_go", verb=verb, keys=", ".join([*own, *keys_beside()]))],
        help=said("keys.goes_with", name=name, verbs=either([v for v, keys in keys_with().items() if name in keys])),
    )


# --- keys that should be there ---

_OWN_NAMES = ("pieces", "piles", "flow", "result")


def _required(finding: Finding, typos: list[str], problems: Problems) -> None:
    for name in finding.wanted:
        if name not in finding.place.value.pairs and not similar(name, typos):
            _missing(finding, name, problems)


def _missing(finding: Finding, name: str, problems: Problems) -> None:
    verb = finding.schema.get("x-verb")
    message = (
        said("keys.needs", verb=verb, name=name) if verb else said("keys.has_no", place=finding.place.name, name=name)
    )
    problems.add(
        "R116" if name == "rule" else "R103",
        message,
        finding.place.value.key(verb).span if verb else finding.place.head,
        label=said("keys.missing", name=name),
        help=_add_help(finding, name, verb),
    )


def _add_help(finding: Finding, name: str, verb: str | None) -> Said:
    shape = grammar()["definitions"].get(finding.schema.get("x-of"), grammar())
    parts = [shape.get("properties", {}).get(name, {})]
    if verb:
        parts += [p["then"]["properties"].get(name, {}) for p in shape["allOf"] if p["if"].get("required") == [verb]]
    return for_example(name, parts[-1])


def for_example(name: str, shape: Schema | None = None) -> Said:
    """How a key might be written, from the schema's own examples; without a shape, a section of a ruleset. Sections that are made of a game's own
    names are told by what they hold: an example would have the names of another game."""
    section = grammar()["properties"].get(name)
    shape = section if shape is None else shape
    if shape is section and name in _OWN_NAMES:
        return in_each(partial(_described, name, of_grammar(shape["description"])))
    return said("shape.for_example", name=name, value=flow(shape["examples"][0])) if shape.get("examples") else UNSAID


def _described(name: str, description: Said, lang: str) -> str:
    text = told(description, lang)
    return told(said("keys.described", name=name, what=f"{text[0].lower()}{text[1:].rstrip('.')}"), lang)


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
    verbs = said("keys.verbs", verbs=", ".join(sorted(finding.schema["x-verbs"])))
    message = said("keys.no_verb", name=finding.place.name)
    problems.add("R106", message, finding.place.head, label=said("keys.what_does_it"), notes=[verbs])


def _none_chosen(finding: Finding, names: list[str], problems: Problems) -> None:
    asking = finding.schema.get("x-needs") or finding.schema.get("x-verb")
    head = finding.place.value.key(asking).span if asking else finding.place.head
    needs = said("keys.needs_one", asking=asking, names=either(names))
    message = needs if asking else said("keys.has_none", name=finding.place.name, names=either(names))
    problems.add("R117", message, head, label=said("keys.one_needed"))


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
        said(
            "keys.several_verbs" if is_step else "keys.several",
            name=finding.place.name,
            there=quoted(present if is_step else _choices(finding)),
        ),
        second,
        label=said("keys.second_verb") if is_step else said("keys.only_one"),
        help=said("keys.two_steps") if is_step else said("keys.keep_one"),
        related=[(first, said("keys.the_first"))],
    )


def _depends(finding: Finding, _: list[str], problems: Problems) -> None:
    for name, needed in finding.wanted.items():
        for other in needed:
            if name in finding.place.value.pairs and other not in finding.place.value.pairs:
                problems.add("R103", said("keys.needs", verb=name, name=other), finding.place.value.key(name).span)


RULES: dict[str, Rule] = {
    "additionalProperties": _unknown_key,
    "key pattern": _key_pattern,
    "key enum": _key_with_verb,
    "required": _required,
    "anyOf": _none_of,
    "oneOf": _one_of,
    "dependencies": _depends,
}


def check_shape(node: Node, problems: Problems, known: Shaped = frozenset()) -> Shaped:
    """Add everything that keeps a tree from having the shape of a ruleset; what of it has. `known`: what is known to have it, of the same tree."""
    return _check(node, problems, "ruleset", known)


def check_position(node: Node, problems: Problems) -> None:
    """Add everything that keeps a tree from having the shape of a position."""
    _check(node, problems, "position")


def _check(node: Node, problems: Problems, what: str, known: Shaped = frozenset()) -> Shaped:
    shape = shape_of(node, what, known)
    findings = shape.findings
    typos = {f.place.path: names for f in findings if (names := unknown_keys(f))}
    for finding in findings:
        if _is_under(finding.place.path, typos):
            continue  # what an unknown key holds cannot be judged
        rule = _RULES.get(finding.word, _anything_else)
        rule(finding, typos.get(finding.place.path, []), problems)
    return frozenset(shape.shaped)


def _is_under(path: Path, typos: dict[Path, list[str]]) -> bool:
    return any(path[at] in typos.get(path[:at], []) for at in range(len(path)))


def _anything_else(finding: Finding, _: list[str], problems: Problems) -> None:
    problems.add("R101", said("shape.not_so", subject=finding.place.subject), finding.place.shown)


_RULES = {**shape_errors.RULES, **value_errors.RULES}
