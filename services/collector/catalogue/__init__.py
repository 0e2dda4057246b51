"""The checks: what each reads, the signals it yields, and what these say about phenomena."""
