"""Checks a semantic layer against its data: errors in it, and drift between the two."""
