"""Real faults in a real, disposable PostgreSQL: each made on purpose, seen, and taken away again."""
