"""Names in rulesets: declarations, uses, references and renaming."""
