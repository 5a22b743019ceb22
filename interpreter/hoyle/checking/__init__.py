"""check: the merged tree → a checked `Ruleset`, or every problem in it at once."""
