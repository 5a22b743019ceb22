"""compile: a checked ruleset → Python code objects whose lines are the ruleset's own."""
