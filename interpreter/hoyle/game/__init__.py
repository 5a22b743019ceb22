"""The Python API and what it is made of: games, states, moves, views, explanations, positions, records, examples."""
