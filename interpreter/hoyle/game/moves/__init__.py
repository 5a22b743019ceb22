"""Moves: the legal ones, and candidates for what a player types."""
