"""Machine code for a whole game: C text, the compiler of this machine, and what it built before."""
