"""Evidence: redacted outputs with their hashes, and an audit log that shows any change."""
