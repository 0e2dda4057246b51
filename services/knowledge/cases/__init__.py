"""Closed cases: proposals, their review, and learning from accepted ones."""
