"""Compiles a checked ruleset to Python code objects whose line numbers are those of the ruleset."""
