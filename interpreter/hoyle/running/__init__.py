"""Running games: states, chance, what verbs do, names and texts of moves. Imports no YAML, Lark or JSON Schema."""
