"""`hoyle test`, `mutants` and `pairs`: do examples hold, and what do they protect?"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hoyle.cli.commands.validate import list_rulesets
from hoyle.cli.files import make_stem, write, write_into
from hoyle.cli.options import (
    FileName,
    OneOf,
    RulesetName,
    Settings,
    WholeNumber,
    choose_seed,
    game_argument,
    json_option,
    lang_option,
    seed_option,
    set_option,
)
from hoyle.cli.output import diagnose, emit, note, say
from hoyle.cli.rulesets import open_game
from hoyle.cli.shell import argument, command, option
from hoyle.diagnostics import localize
from hoyle.presentation.catalogue import UserError, format_percent, lang, t
from hoyle.presentation.files import as_json as in_json

if TYPE_CHECKING:
    from hoyle.diagnostics import Diagnostic
    from hoyle.game.examples.coverage import Coverage, Formula, Line, Status
    from hoyle.game.examples.examples import Report
    from hoyle.running.hit_counts import Counts
    from hoyle.series.mutants import Mutant, Verdict
    from hoyle.series.option_pairs import Tried, Trouble


@command("test")
@argument("games", type=RulesetName(), nargs=-1)
@option("--coverage", is_flag=True)
@option("--games", "played", type=WholeNumber(1))
@seed_option
@set_option
@option("--format", "form", type=OneOf("text", "json", "html"), default="text")
@option("--out", type=FileName())
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
    from hoyle.game.examples.examples import run_examples

    form = "json" if as_json else form
    names = _select_rulesets(games)
    if coverage or played is not None or form == "html":
        return _report_coverage(names, settings, played or 0, _choose_seed(played, seed), form, out)
    output = _Output(out)
    reports = []
    for name in names:
        reports.append(run_examples(name, dict(settings)))
        if form == "text":
            output.add(_summarise_report(reports[-1]))
    if form == "json":
        write(out or "-", in_json("test", {"games": [_make_report_data(report) for report in reports]}) + "\n")
    else:
        output.finish()
    return _get_exit_code(reports)


class _Output:
    """Lines of text: printed at once, or collected for a file."""

    def __init__(self, file: str | None) -> None:
        self._file, self._lines = file, list[str]()

    def add(self, line: str) -> None:
        if self._file is None:
            say(line)
        else:
            self._lines.append(line)

    def finish(self) -> None:
        if self._file is not None:
            write(self._file, "".join(f"{line}\n" for line in self._lines))


def _get_exit_code(reports: Sequence[Report]) -> int:
    return 0 if all(found.passed for found in reports) else 1


def _choose_seed(played: int | None, seed: int | None) -> int:
    from hoyle.cli.options import choose_seed

    return choose_seed(seed) if played is not None else 0


# ---- what they come to -----------------------------------------------------------------------------------------------


def _report_coverage(
    names: Sequence[str], settings: Settings, games: int, seed: int, form: str, out: str | None
) -> int:
    from hoyle.cli.output import progress
    from hoyle.game.examples.coverage import cover
    from hoyle.presentation.coverage_page import render_page

    covered: list[Coverage] = []
    output = _Output(out)
    for name in names:
        with progress(t("test.playing", game=name), games) as tick:
            covered.append(cover(name, dict(settings), games, seed, tick))
        report = covered[-1].report
        if form == "text":
            output.add(_summarise_report(report))
            for line in _summarise_coverage(covered[-1]):
                output.add(f"  {line}")
        elif form == "html":
            _print_failures(report)
    if form == "text":
        output.finish()
    else:
        write(out or "-", render_page(covered, seed) if form == "html" else _make_json(covered, seed))
    return _get_exit_code([one.report for one in covered])


def _make_json(coverages: Sequence[Coverage], seed: int) -> str:
    games = [{**_make_report_data(one.report), **_make_coverage_data(one)} for one in coverages]
    played = {"seed": seed} if any(one.games for one in coverages) else {}
    return in_json("test", {"games": games, **played}) + "\n"


def _summarise_coverage(coverage: Coverage) -> Iterator[str]:
    unreached, game = coverage.unreached, coverage.report.game
    if unreached:
        yield t("test.unreached", game=game, names=_join_names(unreached))
    else:
        yield t("test.reached", game=game)
    if coverage.games and unreached:
        never = [rule for rule in unreached if rule not in coverage.of_games]
        if never:
            yield t("test.never", count=coverage.games, names=_join_names(never))
        else:
            yield t("test.by_games", count=coverage.games)
    wanted: dict[str, Status] = {"examples": "examples", "played": "games", "never": "never", "out": "out"}
    counts = {name: coverage.files[0].count(status) for name, status in wanted.items()}
    if any(counts.values()):
        yield t("test.lines" if coverage.games else "test.lines_alone", **counts)


def _join_names(rules: Sequence[tuple[str, str]]) -> str:
    return ", ".join(f"`{name}`" for _, name in rules)


def _make_coverage_data(coverage: Coverage) -> dict[str, Any]:
    rules = (*coverage.report.rules, *(rule for rule in coverage.unreached if rule not in coverage.report.rules))
    left = [rule for rule in rules if rule not in coverage.of_games] if coverage.games else []
    return {
        "unreached": [*map(_make_rule_data, coverage.unreached)],
        "unreached_by_games": [*map(_make_rule_data, left)],
        "played": coverage.games,
        "files": [
            {"file": file.path, "lines": [_make_line_data(line) for line in file.lines if line.status or line.formulas]}
            for file in coverage.files
        ],
    }


def _make_rule_data(rule: tuple[str, str]) -> dict[str, Any]:
    return {"section": rule[0], "name": rule[1]}


def _make_line_data(line: Line) -> dict[str, Any]:
    return {
        "line": line.number,
        "status": line.status or None,
        "examples": line.examples,
        "games": line.games,
        "formulas": [_make_formula_data(formula) for formula in line.formulas],
    }


def _make_formula_data(formula: Formula) -> dict[str, Any]:
    return {
        "column": formula.start + 1,
        "status": formula.status,
        "examples": _make_counts_data(formula.examples),
        "games": _make_counts_data(formula.games),
    }


def _make_counts_data(counts: Counts) -> dict[str, int]:
    return {"true": counts.yes, "false": counts.no, "other": counts.other}


def _select_rulesets(games: Sequence[str]) -> list[str]:
    """Return the given rulesets, those with examples in given folders, or all shipped ones with examples."""
    from hoyle.resources import shipped

    if not games:
        return [name for name, path in shipped().items() if _has_examples(path)]
    folders = {name: list_rulesets([name]) for name in games if os.path.isdir(name)}
    below = {name: [path for path in paths if _has_examples(path)] for name, paths in folders.items()}
    return [*dict.fromkeys(name for given in games for name in below.get(given, [given]))]


def _has_examples(path: str | Path) -> bool:
    from hoyle.reading.sources import read
    from hoyle.reading.yaml_tree import load

    return load(read(path), only=("examples",)).get("examples") is not None


def _summarise_report(report: Report) -> str:
    """Print the failing examples and return a summary line."""
    failed = _print_failures(report)
    key = "failed" if failed else "passed" if report.outcomes else "without"
    return t(f"test.{key}", game=report.game, count=len(report.outcomes), failures=failed)


def _print_failures(report: Report) -> int:
    """Print the failing examples and return their number."""
    failed = [outcome for outcome in report.outcomes if not outcome.passed]
    for outcome in failed:
        note(f"\n{outcome.name}:")
        diagnose(outcome.problems)
    return len(failed)


def _make_report_data(report: Report) -> dict[str, Any]:
    failures = [
        {"example": o.name, "problems": [_make_problem_data(d) for d in o.problems]}
        for o in report.outcomes
        if not o.passed
    ]
    return {"game": report.game, "examples": len(report.outcomes), "failures": failures}


def _make_problem_data(d: Diagnostic) -> dict[str, Any]:
    place = {"file": d.span.source.name, "line": d.span.line, "column": d.span.column} if d.span else {}
    return {"code": d.code, "message": d.in_language(lang()).message, **place}


Judged = tuple["Mutant", "Verdict"]


@command("mutants")
@game_argument
@option("--most", type=WholeNumber(1))
@option("-n", "--games", type=WholeNumber(1), default=10)
@seed_option
@option("--jobs", "-j", type=WholeNumber(1), default=1)
@json_option
@lang_option
def mutants_command(game: str, most: int | None, games: int, seed: int | None, jobs: int, as_json: bool) -> int:
    from hoyle.series.mutants import judge_mutants, list_failing_examples, list_mutants

    opened, every, wrong = open_game(game), list_mutants(game), list_failing_examples(game)
    if wrong:
        raise UserError(t("mutants.failing", count=len(wrong), names=", ".join(wrong), game=game))
    tried = _sample(every, most, seed or 0)
    found: list[Judged] = []
    for one in zip(tried, judge_mutants(game, tried, games, seed or 0, jobs), strict=True):
        found.append(one)
        if one[1].kind == "survived" and not as_json:
            _print_survivor(*one)
    if as_json:
        emit(
            "mutants", {"game": opened.name, "changes": len(every), "tried": [_make_mutant_data(*one) for one in found]}
        )
    else:
        _print_totals(opened.name, Counter(verdict.kind for _, verdict in found))
    return 0


def _sample(every: list[Mutant], most: int | None, seed: int) -> list[Mutant]:
    """Choose a reproducible sample, in the order of the file."""
    if most is None or most >= len(every):
        return every
    return [every[i] for i in sorted(random.Random(seed).sample(range(len(every)), most))]


def _print_survivor(mutant: Mutant, verdict: Verdict) -> None:
    say(f"{mutant.span.source.name}:{mutant.span.line}:{mutant.span.column}: {localize(mutant.what, lang())}")
    line = mutant.span.source.text.split("\n")[mutant.span.line - 1].strip()
    say(f"    {line}")
    if verdict.by:
        say("    " + t("mutants.where", options=verdict.by))


def _print_totals(name: str, kinds: Counter[str]) -> None:
    noticed, survived = kinds["noticed"], kinds["survived"]
    numbers = {kind: kinds[kind] for kind in ("refused", "noticed", "survived", "same")}
    say(t("mutants.sum", game=name, tried=kinds.total(), **numbers))
    if noticed + survived:
        say(t("mutants.rate", percent=format_percent(noticed / (noticed + survived), 0)))


def _make_mutant_data(mutant: Mutant, verdict: Verdict) -> dict[str, Any]:
    span = mutant.span
    place = {"file": span.source.name, "line": span.line, "column": span.column}
    return {**place, "change": localize(mutant.what, lang()), "verdict": verdict.kind, "by": verdict.by}


@command("pairs")
@game_argument
@option("-n", "--games", type=WholeNumber(1), default=1)
@set_option
@seed_option
@option("--records", type=FileName())
@json_option
@lang_option
def pairs_command(
    game: str, games: int, settings: Settings, seed: int | None, records: str | None, as_json: bool
) -> int:
    from hoyle.series.option_pairs import try_settings

    opened, began = open_game(game, settings), choose_seed(seed)
    found: list[Tried] = []
    for row in try_settings(game, dict(settings), games, began):
        kept = [_write_record(opened.name, len(found), trouble, records) for trouble in row.troubles]
        found.append(row)
        if not as_json:
            _print_troubles(row, kept)
    if as_json:
        emit("pairs", {"game": opened.name, "seed": began, "settings": [_make_row_data(row) for row in found]})
    else:
        say(_summarise(opened.name, found))
    return 1 if any(row.troubles for row in found) else 0


def _write_record(name: str, row: int, trouble: Trouble, folder: str | None) -> str:
    """Write the record of a failed game and return its file, if a folder is given."""
    if folder is None or trouble.state is None:
        return ""
    from hoyle.game.records.records import record_lines

    text = "".join(f"{line}\n" for line in record_lines(trouble.state, trouble.seed, folder=Path(folder)))
    return write_into(folder, f"{make_stem(name)}-{row + 1}-{trouble.seed}.jsonl", text)


def _format_options(options: dict[str, Any]) -> str:
    return " ".join(f"--set {name}={str(value).lower()}" for name, value in options.items())


def _print_troubles(row: Tried, kept: list[str]) -> None:
    for trouble, place in zip(row.troubles, kept, strict=True):
        say(t(f"pairs.{trouble.kind}", message=localize(trouble.message, lang())))
        say(f"  {_format_options(row.options)} --seed {trouble.seed}".rstrip())
        if place:
            say("  " + t("pairs.kept", file=place))


def _summarise(name: str, rows: list[Tried]) -> str:
    excluded, games = sum(bool(row.excluded) for row in rows), sum(row.games for row in rows)
    troubles = sum(len(row.troubles) for row in rows)
    key = "wrong" if troubles else "fine"
    return t(f"pairs.{key}", game=name, settings=len(rows), excluded=excluded, games=games, troubles=troubles)


def _make_row_data(row: Tried) -> dict[str, Any]:
    troubles = [
        {"kind": found.kind, "message": localize(found.message, lang()), "seed": found.seed} for found in row.troubles
    ]
    excluded = {"excluded": row.excluded} if row.excluded else {}
    return {
        "options": row.options,
        "games": row.games,
        "decisions": row.decisions,
        "troubles": troubles,
        **excluded,
    }
