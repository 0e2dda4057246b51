"""Composes answers: sections filled from a phrase table in the user's language."""
