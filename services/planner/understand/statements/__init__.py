"""Statements in the person's own words: facts, topics and opinions."""
