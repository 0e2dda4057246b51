"""Answers questions about data with checked SQL: a layer, a question reader, a compiler and a locked DuckDB."""
