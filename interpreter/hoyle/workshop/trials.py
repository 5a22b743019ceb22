"""Trials of a draft: its worked examples, the rules that a game used, and random games beside another draft."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from hoyle.diagnostics import Problems
from hoyle.game.examples.examples import Runner, example_options
from hoyle.game.examples.rule_parts import Part, list_rule_parts
from hoyle.game.game import Game, State
from hoyle.presentation.catalogue import use_language
from hoyle.presentation.series.comparison import is_shown, name_figures
from hoyle.reading.tree import Node
from hoyle.running.hit_counts import Counts
from hoyle.series.comparison import PROPORTIONS, Figure, compare_series
from hoyle.series.simulate import Chunk, Order, play_games
from hoyle.workshop.drafts import Draft, Options
from hoyle.workshop.offsets import Offsets

EXAMPLES_AIM, SERIES_AIM = 0.5, 1.0
"""Seconds after which no further example, or game of a comparison, begins for a call."""
MOST_GAMES, GAMES_AT_ONCE = 500, 5
"""Limits: games of a comparison, and games of each ruleset between two looks at the clock."""
Json = dict[str, Any]


# ---- worked examples -------------------------------------------------------------------------------------------------


def run_examples(draft: Draft, lang: str, pause: Callable[[], None]) -> Json:
    """Run worked examples for a short time, those with the usual options first.

    `ok` is None for those that had no turn yet; the next call goes on from there. `pause` is called between examples.
    Raises Refused if the draft has errors.
    """
    runner = draft.cached(("runner",), lambda: Runner(draft.load_for_examples))
    results: dict[str, Problems] = draft.cached(("examples",), dict)
    entries = _list_examples(runner.game({}).merged.root)
    until = time.monotonic() + EXAMPLES_AIM
    with draft.reading():
        for name, _, node in sorted(entries, key=lambda entry: bool(example_options(entry[2])[0])):
            if name not in results and time.monotonic() < until:
                results[name] = runner.example(node)
                pause()
    offsets = Offsets(draft.text)
    return {
        "examples": [_describe_example(draft, name, key, results.get(name), offsets, lang) for name, key, _ in entries]
    }


def _list_examples(root: Node) -> list[tuple[str, Node, Node]]:
    examples = root.get("examples")
    return [*examples.entries()] if examples is not None and examples.kind == "map" else []


def _describe_example(
    draft: Draft, name: str, key: Node, problems: Problems | None, offsets: Offsets, lang: str
) -> Json:
    start, end = draft.find_own_span(key.span) or (0, 0)
    return {
        "name": name,
        "ok": not problems.errors if problems is not None else None,
        "from": offsets.to_units(start),
        "to": offsets.to_units(end),
        "lines": list(_describe_problems(problems, lang)) if problems is not None else [],
    }


def _describe_problems(problems: Problems, lang: str) -> Iterator[str]:
    for problem in problems:
        texts = problem.in_language(lang)
        yield str(texts.message)
        yield from (str(note) for note in (*texts.notes, texts.help) if note)


# ---- coverage --------------------------------------------------------------------------------------------------------


def count_uses(draft: Draft, options: Options, seed: int, moves: Sequence[str], lang: str) -> Json:
    """Count what a game used of the draft's own rules, steps and conditions. Illegal moves end the game early."""
    game, offsets = draft.load_game(options, "formulas"), Offsets(draft.text)
    machine, watch = game.machine, game.machine.watch
    if watch is None or draft.tree is None:
        return {"rules": []}
    hits, before = machine.hits[:], watch.found()
    made = _make_moves(game.start(seed), moves)
    places = watch.found()
    for place, earlier in before.items():
        places[place].add(earlier, -1)
    rules = {rule: machine.hits[index] - hits[index] for rule, index in machine.counters.items()}
    rules |= {("move", name): made.count(name) for name in game.ruleset.moves}
    found = []
    for part in list_rule_parts(draft.tree, game.ruleset):
        place = part.counted.source.name, part.counted.start, part.counted.end
        counts = Counts(other=rules.get(part.rule, 0)) if part.rule is not None else places.get(place)
        if counts is not None:
            found.append(
                {
                    "sort": part.sort,
                    "name": part.rule[1] if part.rule is not None else part.name,
                    "text": _describe_part(part, game, lang),
                    "from": offsets.to_units(part.span.start),
                    "to": offsets.to_units(part.span.end),
                    "count": counts.all,
                    "yes": counts.yes,
                    "no": counts.no,
                }
            )
    return {"rules": found}


def _make_moves(state: State, moves: Sequence[str]) -> list[str]:
    """Make moves by their ids, as far as they are legal. Return the names of those made."""
    made = list[str]()
    for ident in moves:
        move = next((move for move in state.moves() if move.id == ident), None) if not state.is_over else None
        if move is None:
            break
        made.append(move.name)
        state.play_here(move)
    return made


def _describe_part(part: Part, game: Game, lang: str) -> str:
    """Return the sentence of a rule, or the text of a formula or verb."""
    rule = game.rules.get(part.rule[1]) if part.rule is not None else None
    return rule.text(lang) if rule is not None else " ".join(part.counted.text.split())


# ---- comparison ------------------------------------------------------------------------------------------------------


def compare_games(
    pair: Sequence[Game], cache: Draft, games: int, seed: int, lang: str, pause: Callable[[], None]
) -> Json:
    """Play the same random games with two rulesets that count their rules, and compare them in pairs.

    Games that were played for an earlier call are not played again: `cache` keeps them. Plays fewer than `games` if they
    take long. `pause` is called now and then.
    """
    orders = [Order(game.name, (), seed, (), "python") for game in pair]
    key = ("games", str(seed), *(f"{game.digest} {sorted(game.options.items())}" for game in pair))
    chunks: list[tuple[Chunk, Chunk]] = cache.cached(key, list)
    done, until = sum(len(first[0]) for first, _ in chunks), time.monotonic() + SERIES_AIM
    while done < games and (done == 0 or time.monotonic() < until):
        some = range(done, min(done + GAMES_AT_ONCE, games))
        first, second = (play_games(game, order, some) for game, order in zip(pair, orders, strict=True))
        chunks.append((first, second))
        done = some.stop
        pause()
    found = compare_series(pair, [[first for first, _ in chunks], [second for _, second in chunks]])
    with use_language(lang):
        words = name_figures(pair)
    measures = [
        _describe_figure(figure, words[figure.name], figure.name in found.beyond[0])
        for figure in found.figures
        if is_shown(figure, (0, 1))
    ]
    return {"games": found.games, "measures": measures}


def _describe_figure(figure: Figure, name: str, is_certain: bool) -> Json:
    """Describe a figure. A ruleset without it has None. `share`: the values are shares of games, not numbers."""
    before, after = (mean.mean if mean is not None else None for mean in figure.means)
    difference = figure.paired[0].difference if figure.paired[0] is not None else None
    return {
        "name": name,
        "section": figure.name[0],
        "share": figure.name[0] in PROPORTIONS,
        "before": before,
        "after": after,
        "difference": difference.mean if difference is not None else None,
        "low": difference.low if difference is not None else None,
        "high": difference.high if difference is not None else None,
        "certain": is_certain,
    }
