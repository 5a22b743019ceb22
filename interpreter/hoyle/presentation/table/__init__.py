"""A view of a game as lines of text, drawn or described in words."""
