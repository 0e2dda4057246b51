"""Compiles an intent to DuckDB SQL."""
