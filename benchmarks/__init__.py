"""How fast the interpreter is; see README.md."""
