"""Turn a checked ruleset into sentences: formulas, steps, moves and results."""
