"""Compares general statements with each other and with the library."""
