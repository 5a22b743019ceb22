"""Native engines: write C code for a whole game, compile it, and cache the library."""
