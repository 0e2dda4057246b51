"""Candidate recall, ranking and decision."""
