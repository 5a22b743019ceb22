"""Readers of the sections of a ruleset, which check what they read."""
