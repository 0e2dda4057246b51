"""Lint: finds weaknesses in a valid library, with their place and advice."""
