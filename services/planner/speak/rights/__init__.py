"""Who may take a step, and what is left to whoever may not."""
