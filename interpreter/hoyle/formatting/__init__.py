"""Formatting of rulesets (`hoyle fmt`): the same rules and comments in a uniform layout."""
