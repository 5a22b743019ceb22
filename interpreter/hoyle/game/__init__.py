"""The API and its parts: games, states, moves; what a seat sees, why a move is legal, positions, records, examples."""
