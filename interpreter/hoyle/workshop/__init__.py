"""The workshop: rulesets that people write in the browser, checked, explained and played while they are typed."""
