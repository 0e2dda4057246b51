"""What was seen and done, kept: redacted outputs by their hashes, and an audit log that shows when it was changed."""
