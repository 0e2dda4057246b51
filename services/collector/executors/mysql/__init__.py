"""Checks on MySQL."""
