"""Databases with data and questions on them."""
