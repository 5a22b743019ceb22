"""Who plays the seats without a person: from what a seat sees to a move, and what speaks for it."""
