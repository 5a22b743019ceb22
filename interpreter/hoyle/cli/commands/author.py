"""`hoyle schema`, `new` and `words`: the files that authors and translators start from."""

from __future__ import annotations

import keyword
import os
import sys
from collections.abc import Callable
from pathlib import Path

from hoyle import packs
from hoyle.cli.files import make_folder, write_into, write_new
from hoyle.cli.options import FileName, RulesetName, lang_option
from hoyle.cli.output import note, say
from hoyle.cli.shell import argument, command, option
from hoyle.presentation.catalogue import UserError, lang, t
from hoyle.presentation.starters import make_comment, make_starter, make_title, make_variant


@command("schema")
@lang_option
def schema_command() -> int:
    from hoyle.reading.grammar import schema_in

    say(schema_in(lang()).rstrip("\n"))
    return 0


@command("new")
@argument("name")
@option("--extends", type=RulesetName())
@option("--output", "-o", type=FileName())
@option("--pack", is_flag=True)
@lang_option
def new_command(name: str, extends: str | None, output: str | None, pack: bool) -> int:
    if not (name[:1].isalpha() and all(part.isalnum() for part in name.split("-"))):
        raise UserError(t("new.bad_name", name=name[:80]), code=2)
    if pack:
        return _make_pack(name, extends, output or name)
    place = output or f"{name}.yaml"
    text = _make_variant(name, extends, _get_folder(place)) if extends else make_starter(name)
    write_new(place, text)
    if place != "-":
        note(t("new.written", name=place))
    other = packs.find(name)
    if other is not None and (place == "-" or other.resolve() != Path(place).resolve()):
        note(t("new.shipped", name=name, meant=other))
    return 0


def _make_pack(name: str, extends: str | None, place: str) -> int:

    def ruleset(folder: Path) -> str:
        return _make_variant(name, extends, folder) if extends else make_starter(name)

    write_pack(name, place, make_title(name), ruleset)
    return 0


def _get_folder(place: str) -> Path:
    return Path() if place == "-" else Path(place).parent


def _make_variant(name: str, parent: str, folder: Path) -> str:
    """Return a variant that changes nothing yet, with the parent's options as comments."""
    from hoyle.cli.rulesets import load_ruleset
    from hoyle.resources import name_below

    found = load_ruleset(parent)
    is_name = not packs.is_path(parent) and packs.find(parent) is not None
    known = parent if is_name else name_below(Path(parent), folder)
    if known is None:
        raise UserError(t("new.elsewhere", name=parent))
    return make_variant(name, known, found)


@command("words")
@argument("game", type=RulesetName())
@argument("language")
@option("--output", "-o", type=FileName(), default="-")
@lang_option
def words_command(game: str, language: str, output: str) -> int:
    from hoyle.checking.build import check_file, find_ruleset, merge_files
    from hoyle.checking.translations import write_word_file
    from hoyle.diagnostics import Problems
    from hoyle.resources import is_language

    if not is_language(language):
        raise UserError(t("words.bad_language", name=language[:80]), code=2)
    problems = Problems()
    found, _ = check_file(game, problems)
    problems.stop_on_errors()
    write_new(output, write_word_file(found, merge_files(find_ruleset(game)), language))
    if output != "-":
        note(t("words.written", name=output))
    return 0


_TEMPLATES = Path(__file__).resolve().parent / "pack"


def write_pack(name: str, place: str, title: str, ruleset: Callable[[Path], str]) -> None:
    """Write a package of rulesets into a new folder. `ruleset` returns the first game's text for its folder. Raises UserError."""
    module = name.replace("-", "_").lower()
    _check_pack_name(name, module)
    text = ruleset(Path(place, module, packs.FOLDER))
    make_folder(place)
    values = {"name": name, "module": module, "title": title, **_make_comments()}
    for path, template in _list_files(module).items():
        folder, file = os.path.split(path)
        filled = (_TEMPLATES / template).read_text(encoding="utf-8").format(**values)
        write_into(os.path.join(place, folder), file, filled)
    write_into(os.path.join(place, module, packs.FOLDER), f"{name}.yaml", text)
    first, local = os.path.join(place, module, packs.FOLDER, f"{name}.yaml"), os.path.join(os.curdir, place)
    note(t("new.pack_written", place=place, local=local, ruleset=first))  # pip takes no bare name for a folder


def _list_files(module: str) -> dict[str, str]:
    """Map the files of a package to their templates."""
    return {
        "pyproject.toml": "pyproject.toml.txt",
        "README.md": f"README.{lang()}.md",
        os.path.join(module, "__init__.py"): "__init__.py.txt",
        os.path.join("tests", "test_rulesets.py"): "test_rulesets.py.txt",
        os.path.join(".github", "workflows", "rulesets.yml"): "workflow.yml.txt",
        ".pre-commit-config.yaml": "pre-commit.yaml.txt",
    }


def _make_comments() -> dict[str, str]:
    """Return the comments at the head of files that are not rulesets."""
    return {part: "\n".join(make_comment(t(f"new.{part}"))) for part in ("workflow", "hooks")}


def _check_pack_name(name: str, module: str) -> None:
    """Raise UserError unless Python can import the package and its names are free."""
    if not name.isascii() or keyword.iskeyword(module) or module in {*sys.stdlib_module_names, "hoyle", "tests"}:
        raise UserError(t("new.bad_pack", name=name[:80]), code=2)
    if (other := packs.find(name)) is not None:
        raise UserError(t("new.pack_taken", name=name, other=other), code=2)
