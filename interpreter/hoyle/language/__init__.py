"""Data model of a checked ruleset: syntax and types of formulas, intermediate form, vocabulary and evaluation."""
