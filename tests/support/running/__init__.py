"""Processes of dbdiag for tests."""
