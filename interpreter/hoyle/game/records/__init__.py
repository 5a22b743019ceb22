"""Records of games, and files imported from other programs."""
