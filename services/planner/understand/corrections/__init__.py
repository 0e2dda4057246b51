"""Corrections of what was said earlier."""
