"""Options in words: name, value, label and other values, for `hoyle describe` and the comments of new rulesets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hoyle.language.model import Ruleset
from hoyle.presentation.catalogue import quote_name, t
from hoyle.presentation.description import describe_option


def make_option_row(data: Mapping[str, Any]) -> tuple[str, str]:
    choices = data["choices"]
    number = isinstance(choices[0], int) and not isinstance(choices[0], bool)
    values = f"{choices[0]}..{choices[1]}" if number else join_alternatives(list_choices(data))
    default = t(
        "describe.default", value=str(data["default"]) if number else quote_name(format_option_value(data["default"]))
    )
    default += f"; {t('describe.only_shown')}" if data["only_shown"] else ""
    return quote_name(f"{data['name']}={format_option_value(data['value'])}"), t(
        "describe.entry", label=data["label"], values=f"{values}, {default}"
    )


def list_choices(data: Mapping[str, Any]) -> list[str]:
    """Return the choices as `--set` takes them, each with its label if that says more."""
    names, labels = [format_option_value(c) for c in data["choices"]], data["choice_labels"]
    if names == ["false", "true"]:
        labels = [t("describe.false"), t("describe.true")]
    said = [label if label != name.replace("_", " ") else "" for name, label in zip(names, labels, strict=False)]
    return [
        f"{quote_name(n)} ({s})" if s else quote_name(n) for n, s in zip(names, said or [""] * len(names), strict=True)
    ]


def join_alternatives(values: Sequence[str]) -> str:
    return t("describe.or").join(values)


def format_option_value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def list_option_rows(ruleset: Ruleset) -> list[tuple[str, str, str]]:
    """Return name, value and description of every option, for comments in a new file."""
    rows = [(o, make_option_row(o)) for o in (describe_option(one, ruleset) for one in ruleset.options.values())]
    return [(o["name"], format_option_value(o["value"]), words) for o, (_, words) in rows]
