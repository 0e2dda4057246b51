"""Checks on PostgreSQL."""
