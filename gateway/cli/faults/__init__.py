"""`dbdiag faults`: real faults in a disposable PostgreSQL."""
