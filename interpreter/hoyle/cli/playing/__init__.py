"""A game at the terminal: who sits there, what they are asked and told."""
