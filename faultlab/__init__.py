"""Real faults in a disposable PostgreSQL: each is injected, observed and removed."""
