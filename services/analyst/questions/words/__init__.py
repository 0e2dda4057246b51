"""Finds the names of a dataset, the words of questions, numbers and times in a question."""
