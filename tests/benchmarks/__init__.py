"""Measurements: `make bench` runs them all; none is a test."""
