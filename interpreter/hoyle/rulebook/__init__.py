"""Rulebooks: a checked ruleset and what it shows as a document, and that as HTML, Markdown or PDF."""
