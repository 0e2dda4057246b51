"""Runs admitted SQL in a locked DuckDB inside a child process with limits."""
