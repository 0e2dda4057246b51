"""What values settings should have: a table of rules, and what was told of this case."""
