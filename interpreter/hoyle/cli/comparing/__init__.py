"""`compare` and `sweep`: what is asked for, and how it is told."""
