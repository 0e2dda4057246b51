"""What runs a check's look on a target: PostgreSQL, and the host this runs on."""
