"""`hoyle validate`, `hoyle explain`, `hoyle test`: are rulesets right, and what does a complaint mean?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.cli.options import File, OneOf, json_option, lang_option
from interpreter.cli.output import Trouble, colours, emit, note, say
from interpreter.cli.shell import argument, command, option
from interpreter.cli.texts import t

if TYPE_CHECKING:
    from interpreter.codes import Code
    from interpreter.diagnostics import Diagnostic


@command("validate")
@argument("files", type=File(), nargs=-1, required=True)
@option("--format", "form", type=OneOf("text", "json", "sarif", "github"), default="text")
@lang_option
def validate_command(files: tuple[str, ...], form: str) -> int:
    from interpreter.build import validate

    if files.count("-") > 1:
        raise Trouble(t("usage.one_stdin"), code=2)
    paths = list(dict.fromkeys(path for name in files for path in _rulesets(name)))
    found = validate(paths)
    _report(found, form)
    if not found and form == "text":
        note(t("validate.clean_one") if len(paths) == 1 else t("validate.clean", files=len(paths)))
    return 1 if any(d.severity == "error" for d in found) else 0


def _rulesets(name: str) -> list[str]:
    """The file named, or the rulesets in the folder named."""
    folder = Path(name)
    if name == "-" or not folder.is_dir():
        return [name]
    found = sorted(str(path) for end in ("*.yaml", "*.yml") for path in folder.rglob(end) if path.is_file())
    if not found:
        raise Trouble(t("validate.no_rulesets", name=name))
    return found


def _report(found: Sequence[Diagnostic], form: str) -> None:
    from interpreter import report

    if form == "text":
        text = report.text(found, colour=colours())
    else:
        text = {"json": report.as_json, "sarif": report.as_sarif, "github": report.as_github}[form](found)
    if text:
        say(text.rstrip("\n"))


@command("explain")
@argument("code", required=False)
@json_option
@lang_option
def explain_command(code: str | None, as_json: bool) -> int:
    from interpreter import codes

    if code is None:
        return _explain_all(codes.all_codes(), as_json)
    try:
        found = codes.code(code)
    except KeyError:
        raise Trouble(_no_code(code, [c.code for c in codes.all_codes()])) from None
    if as_json:
        emit("code", _code_data(found))
    else:
        say(_explained(found))
    return 0


def _no_code(given: str, known: Sequence[str]) -> str:
    from interpreter.diagnostics import similar

    close = similar(given, known)
    return t("explain.unknown", code=given[:80]) + (" " + t("usage.meant", names=f"`{close}`") if close else "")


def _explain_all(found: Sequence[Code], as_json: bool) -> int:
    if as_json:
        emit("codes", {"codes": [_code_data(code) for code in found]})
    else:
        say("\n".join(f"{code.code}  {code.title}" for code in found))
    return 0


def _code_data(found: Code) -> dict[str, Any]:
    names = ("code", "severity", "title", "explanation", "wrong", "right")
    return {name: getattr(found, name) for name in names}


def _explained(found: Code) -> str:
    import textwrap

    parts = [f"{found.code} ({found.severity}): {found.title}", textwrap.fill(found.explanation, 80)]
    for key in ("wrong", "right"):
        example = getattr(found, key)
        if example:
            parts.append(f"{t(f'explain.{key}')}\n\n{textwrap.indent(example.rstrip(), '    ')}")
    return "\n\n".join(parts)
