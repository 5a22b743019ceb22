"""Texts of new rulesets: a small complete game, and a variant of a game that changes nothing yet."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence
from pathlib import Path

from hoyle.language.model import Ruleset
from hoyle.presentation.catalogue import t
from hoyle.presentation.option_rows import list_option_rows

COMMENT_WIDTH = 120


def make_starter(name: str) -> str:
    """Return the text of a small complete game."""
    template = (Path(__file__).resolve().parent / "starter.yaml").read_text(encoding="utf-8")
    head = "\n".join(line for part in ("checks", "change") for line in make_comment(t(f"new.{part}", name=name)))
    return template.format(name=name, title=make_title(name), head=head, cards=t("new.cards"))


def make_variant(name: str, parent: str, ruleset: Ruleset) -> str:
    """Return a variant of a ruleset that changes nothing yet, with the options as comments.

    parent: the name that `extends` needs.
    """
    head = ["ruleset: 1", f"game: {name}", f"extends: {_quote(parent)}", f"title: {make_title(name)}"]
    return "\n".join([*head, *_comment_options(list_option_rows(ruleset)), ""])


def _comment_options(options: Sequence[tuple[str, str, str]]) -> list[str]:
    """Return options as comments; without `# ` they are a section."""
    if not options:
        return []
    lines = ["", *make_comment(t("new.options")), "#", "# set:"]
    for name, value, words in options:
        lines += [*make_comment(words, "  # "), f"#   {name}: {value}"]
    return lines


def make_title(name: str) -> str:
    return name.replace("-", " ").capitalize()


def make_comment(words: str, indent: str = "") -> list[str]:
    """Wrap a sentence into comment lines."""
    return textwrap.wrap(
        words, COMMENT_WIDTH, initial_indent=f"# {indent}", subsequent_indent=f"# {indent}", break_on_hyphens=False
    )


def _quote(name: str) -> str:
    """Quote a name for YAML if necessary."""
    return name if all(part.isalnum() for part in name.replace(".", "-").split("-")) else json.dumps(name)
