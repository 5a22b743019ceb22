"""Explanations why a move is legal or not."""
