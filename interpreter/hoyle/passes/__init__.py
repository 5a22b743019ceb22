"""Passes on formulas before they are written: each takes the intermediate form and gives it, worth the same and cheaper."""
