"""A view, moves and results as lines of text."""
