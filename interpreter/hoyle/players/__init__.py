"""Bots: choose a move from the view of a seat, and explain the choice."""
