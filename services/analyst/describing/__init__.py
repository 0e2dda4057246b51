"""Drafts the semantic layer of a database that nobody has described."""
