"""Imports an export of closed tickets into a library: read, split, match, decide, review, write."""
