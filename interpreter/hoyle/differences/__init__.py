"""Compare two rulesets, or one under two settings of its options, and describe the changes."""
