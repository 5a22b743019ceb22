"""Worked examples of a ruleset: run, checked without playing, and measured for coverage."""
