"""Decides for each statement: known, new, or unclear and left to a person."""
