"""Automatic diagnosis: baseline, classification, rounds of planned checks, and stopping rules."""
