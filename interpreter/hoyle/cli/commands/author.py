"""`hoyle schema` and `hoyle new`: what an author of rules begins with."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from hoyle import packs
from hoyle.cli.catalogue import lang, t
from hoyle.cli.files import comment, write_new
from hoyle.cli.options import File, Named, lang_option
from hoyle.cli.output import Trouble, note, say
from hoyle.cli.shell import argument, command, option


@command("schema")
@lang_option
def schema_command() -> int:
    from hoyle.reading.grammar import schema_in

    say(schema_in(lang()).rstrip("\n"))
    return 0


@command("new")
@argument("name")
@option("--extends", type=Named())
@option("--output", "-o", type=File())
@option("--pack", is_flag=True)
@lang_option
def new_command(name: str, extends: str | None, output: str | None, pack: bool) -> int:
    if not (name[:1].isalpha() and all(part.isalnum() for part in name.split("-"))):
        raise Trouble(t("new.bad_name", name=name[:80]), code=2)
    if pack:
        return _new_pack(name, extends, output or name)
    place = output or f"{name}.yaml"
    text = _variant(name, extends, _folder_of(place)) if extends else starter(name)
    write_new(place, text)
    if place != "-":
        note(t("new.written", name=place))
    other = packs.named(name)
    if other is not None and (place == "-" or other.resolve() != Path(place).resolve()):
        note(t("new.shipped", name=name, meant=other))
    return 0


def _new_pack(name: str, extends: str | None, place: str) -> int:
    from hoyle.cli.commands.packing import write_pack

    def ruleset(folder: Path) -> str:
        return _variant(name, extends, folder) if extends else starter(name)

    write_pack(name, place, _title(name), ruleset)
    return 0


def starter(name: str) -> str:
    """What a game begins with."""
    template = (Path(__file__).resolve().parent / "starter.yaml").read_text(encoding="utf-8")
    head = "\n".join(line for part in ("checks", "change") for line in comment(t(f"new.{part}", name=name)))
    return template.format(name=name, title=_title(name), head=head, cards=t("new.cards"))


def _folder_of(place: str) -> Path:
    return Path() if place == "-" else Path(place).parent


def _variant(name: str, parent: str, folder: Path) -> str:
    """A variant that changes nothing yet, with the parent's options to choose from."""
    from hoyle.cli.commands.describe import option_entries
    from hoyle.cli.options import checked_ruleset
    from hoyle.resources import name_below

    found = checked_ruleset(parent)
    is_name = not packs.is_path(parent) and packs.named(parent) is not None
    known = parent if is_name else name_below(Path(parent), folder)
    if known is None:
        raise Trouble(t("new.elsewhere", name=parent))
    head = ["ruleset: 1", f"game: {name}", f"extends: {_quoted(known)}", f"title: {_title(name)}"]
    return "\n".join([*head, *_choices(option_entries(found)), ""])


def _choices(options: Sequence[tuple[str, str, str]]) -> list[str]:
    """The options as comments that become a section where `# ` is taken away."""
    if not options:
        return []
    lines = ["", *comment(t("new.options")), "#", "# set:"]
    for name, value, words in options:
        lines += [*comment(words, "  # "), f"#   {name}: {value}"]
    return lines


def _title(name: str) -> str:
    return name.replace("-", " ").capitalize()


def _quoted(name: str) -> str:
    """A name as YAML takes it for a text."""
    return name if all(part.isalnum() for part in name.replace(".", "-").split("-")) else json.dumps(name)
