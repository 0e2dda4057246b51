"""Closing a case: the proposal to learn from, and a preview of the effect."""
