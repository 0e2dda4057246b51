"""`dbdiag dataset`: semantic layers of data."""
