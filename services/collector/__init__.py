"""Checks of live systems: allow-listed and read-only, with their results and a record of every step."""
