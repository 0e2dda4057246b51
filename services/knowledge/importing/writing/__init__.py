"""New library entries, and the plan by which they are written."""
