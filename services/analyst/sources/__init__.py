"""Brings the data of a dataset into DuckDB: files of seven kinds, a PostgreSQL database, rows handed in."""
