"""Targets: the file that lists them, and the schema of an entry."""
