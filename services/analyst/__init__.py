"""Answers questions about data with checked SQL: a semantic layer, a question reader, a compiler and a locked DuckDB."""
