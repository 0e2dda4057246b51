"""`dbdiag ask`: questions about data."""
