"""Rulebooks: turn a checked ruleset into a document, and write it as HTML, Markdown or PDF."""
