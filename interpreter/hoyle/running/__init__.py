"""run: states, chance and what verbs do. No YAML, no Lark, no JSON Schema here."""
