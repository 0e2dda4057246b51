"""Benchmarks, run by `make bench`; they are not tests."""
