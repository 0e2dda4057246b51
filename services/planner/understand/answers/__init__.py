"""Answers to what was asked, and what they stand on."""
