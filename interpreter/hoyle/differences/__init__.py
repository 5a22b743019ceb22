"""What two rulesets, or one with two settings of its options, do not have in common, as a list of changes that can be said in words."""
