"""How a ruleset is written: a text in, a text out, with the same rules and the same comments."""
