"""Reads a question in Chinese or English into an intent over the ids of a semantic layer."""
