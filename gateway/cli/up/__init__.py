"""`dbdiag up`: every service, the HTTP doors and the page in one process."""
