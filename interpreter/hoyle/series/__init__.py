"""Play many games and measure the rules by them."""
