"""Answers of the analyst as the doors hand them on: one value an answer, and its chart drawn."""
