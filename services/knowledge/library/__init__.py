"""Libraries: the schema of their entries, loading, lint, the graph, and those that ship with dbdiag."""
