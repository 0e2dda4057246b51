"""Storage for immutable bytes: a directory, PostgreSQL or S3."""
