"""Intents compiled to SQL of DuckDB: joins that keep rows as they are, figures, periods, comparisons, shares, ranks."""
