"""Looks at live systems: allow-listed, read-only checks, what they showed, and the record of every step."""
