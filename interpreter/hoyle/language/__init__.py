"""What a checked ruleset is: the syntax and kinds of formulas, the intermediate form, the words, and what they mean."""
