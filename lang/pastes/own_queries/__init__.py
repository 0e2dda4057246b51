"""Queries of the person's own: views, what columns are made of, and what their rows or no rows mean."""
