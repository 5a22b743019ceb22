"""What a checked ruleset says, in words: formulas, steps, moves and results as sentences of a language."""
