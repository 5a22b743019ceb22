"""Moves: legal moves, and the candidates of a typed line."""
