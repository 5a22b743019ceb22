"""Optimization passes on the intermediate form of formulas: the same values at lower cost."""
