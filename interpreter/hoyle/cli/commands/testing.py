"""`hoyle test`: the worked examples of rulesets, and what of the rules they and random games come to."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hoyle.cli.catalogue import lang, t
from hoyle.cli.commands.checks import rulesets_of
from hoyle.cli.files import write
from hoyle.cli.options import (
    File,
    Named,
    OneOf,
    Settings,
    Whole,
    json_option,
    lang_option,
    seed_option,
    set_option,
)
from hoyle.cli.output import as_json as in_json
from hoyle.cli.output import diagnose, note, say
from hoyle.cli.shell import argument, command, option

if TYPE_CHECKING:
    from hoyle.diagnostics import Diagnostic
    from hoyle.game.examples.coverage import Coverage, Formula, Line, Status
    from hoyle.game.examples.examples import Report
    from hoyle.running.hit_counts import Counts


@command("test")
@argument("games", type=Named(), nargs=-1)
@option("--coverage", is_flag=True)
@option("--games", "played", type=Whole(1))
@seed_option
@set_option
@option("--format", "form", type=OneOf("text", "json", "html"), default="text")
@option("--out", type=File())
@json_option
@lang_option
def test_command(
    games: tuple[str, ...],
    coverage: bool,
    played: int | None,
    seed: int | None,
    settings: Settings,
    form: str,
    out: str | None,
    as_json: bool,
) -> int:
    form = "json" if as_json else form
    names = _tested(games)
    if coverage or played is not None or form == "html":
        return _cover(names, settings, played or 0, _seed(played, seed), form, out)
    reports = list(_run(names, settings, form))
    if form == "json":
        write(out or "-", in_json("test", {"games": [_test_data(report) for report in reports]}) + "\n")
    return _code(reports)


def _run(names: Sequence[str], settings: Settings, form: str) -> Iterator[Report]:
    from hoyle.game.examples.examples import run

    for name in names:
        found = run(name, dict(settings))
        if form == "text":
            _tell(found)
        yield found


def _code(reports: Sequence[Report]) -> int:
    return 0 if all(found.passed for found in reports) else 1


def _seed(played: int | None, seed: int | None) -> int:
    from hoyle.cli.options import some_seed

    return some_seed(seed) if played is not None else 0


# ---- what they come to -----------------------------------------------------------------------------------------------


def _cover(names: Sequence[str], settings: Settings, games: int, seed: int, form: str, out: str | None) -> int:
    found = []
    for one in _covered(names, settings, games, seed):
        found.append(one)
        if form == "text":
            _tell(one.report)
            _tell_coverage(one)
        elif form == "html":
            _tell_failed(one.report)
    if form != "text":
        write(out or "-", _page(found, seed) if form == "html" else _data(found, seed))
    return _code([one.report for one in found])


def _covered(names: Sequence[str], settings: Settings, games: int, seed: int) -> Iterator[Coverage]:
    from hoyle.cli.drawing.progress import progress
    from hoyle.game.examples.coverage import cover

    for name in names:
        with progress(t("test.playing", game=name), games) as tick:
            one = cover(name, dict(settings), games, seed, tick)
        yield one


def _page(found: Sequence[Coverage], seed: int) -> str:
    from hoyle.cli.drawing.covered import page

    return page(found, seed)


def _data(found: Sequence[Coverage], seed: int) -> str:
    games = [{**_test_data(one.report), **_coverage_data(one)} for one in found]
    played = {"seed": seed} if any(one.games for one in found) else {}
    return in_json("test", {"games": games, **played}) + "\n"


def _tell_coverage(found: Coverage) -> None:
    unreached = found.unreached
    game = found.report.game
    say("  " + (t("test.unreached", game=game, names=_list(unreached)) if unreached else t("test.reached", game=game)))
    if found.games and unreached:
        never = [rule for rule in unreached if rule not in found.of_games]
        say(
            "  "
            + (
                t("test.never", count=found.games, names=_list(never))
                if never
                else t("test.by_games", count=found.games)
            )
        )
    wanted: dict[str, Status] = {"examples": "examples", "played": "games", "never": "never", "out": "out"}
    counts = {name: found.files[0].count(status) for name, status in wanted.items()}
    if any(counts.values()):
        say("  " + t("test.lines" if found.games else "test.lines_alone", **counts))


def _list(rules: Sequence[tuple[str, str]]) -> str:
    return ", ".join(f"`{name}`" for _, name in rules)


def _coverage_data(found: Coverage) -> dict[str, Any]:
    rules = (*found.report.rules, *(rule for rule in found.unreached if rule not in found.report.rules))
    left = [rule for rule in rules if rule not in found.of_games] if found.games else []
    return {
        "unreached": [*map(_rule_data, found.unreached)],
        "unreached_by_games": [*map(_rule_data, left)],
        "played": found.games,
        "files": [
            {"file": file.path, "lines": [_line_data(line) for line in file.lines if line.status or line.formulas]}
            for file in found.files
        ],
    }


def _rule_data(rule: tuple[str, str]) -> dict[str, Any]:
    return {"section": rule[0], "name": rule[1]}


def _line_data(line: Line) -> dict[str, Any]:
    return {
        "line": line.number,
        "status": line.status or None,
        "examples": line.examples,
        "games": line.games,
        "formulas": [_formula_data(formula) for formula in line.formulas],
    }


def _formula_data(formula: Formula) -> dict[str, Any]:
    return {
        "column": formula.start + 1,
        "status": formula.status,
        "examples": _counts_data(formula.examples),
        "games": _counts_data(formula.games),
    }


def _counts_data(counts: Counts) -> dict[str, int]:
    return {"true": counts.yes, "false": counts.no, "other": counts.other}


def _tested(games: Sequence[str]) -> list[str]:
    """The games that are named, and of folders those that have examples of their own; where nothing is named, of what is shipped."""
    from hoyle.resources import shipped

    if not games:
        return [name for name, path in shipped().items() if _has_examples(path)]
    folders = {name: rulesets_of([name]) for name in games if os.path.isdir(name)}
    below = {name: [path for path in paths if _has_examples(path)] for name, paths in folders.items()}
    return [*dict.fromkeys(name for given in games for name in below.get(given, [given]))]


def _has_examples(path: str | Path) -> bool:
    from hoyle.reading.sources import read
    from hoyle.reading.yaml_tree import load

    return load(read(path), only=("examples",)).get("examples") is not None


def _tell(found: Report) -> None:
    failed = _tell_failed(found)
    key = "failed" if failed else "passed" if found.outcomes else "without"
    say(t(f"test.{key}", game=found.game, count=len(found.outcomes), failures=failed))


def _tell_failed(found: Report) -> int:
    """Shows what does not hold of examples; how many fail."""
    failed = [outcome for outcome in found.outcomes if not outcome.passed]
    for outcome in failed:
        note(f"\n{outcome.name}:")
        diagnose(outcome.problems)
    return len(failed)


def _test_data(found: Report) -> dict[str, Any]:
    failures = [
        {"example": o.name, "problems": [_problem(d) for d in o.problems]} for o in found.outcomes if not o.passed
    ]
    return {"game": found.game, "examples": len(found.outcomes), "failures": failures}


def _problem(d: Diagnostic) -> dict[str, Any]:
    place = {"file": d.span.source.name, "line": d.span.line, "column": d.span.column} if d.span else {}
    return {"code": d.code, "message": d.in_language(lang()).message, **place}
