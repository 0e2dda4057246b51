"""Answers on how something is seen and on acts that are no step of a remedy."""
