"""Warnings about a checked ruleset as a whole."""
