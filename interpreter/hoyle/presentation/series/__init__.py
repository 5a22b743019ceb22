"""Reports of many games: simulations, matches, comparisons, sweeps."""
