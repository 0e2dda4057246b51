"""Answers to what was asked, and the turn that collects them."""
