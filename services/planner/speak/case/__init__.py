"""Answers to questions of the case as a whole, and to what is told of its treatment."""
