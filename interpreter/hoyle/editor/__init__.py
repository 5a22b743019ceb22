"""The language server: what an editor shows of a ruleset while somebody writes it."""
