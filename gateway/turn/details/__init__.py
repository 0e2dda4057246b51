"""What a turn came to, as plain data beside its answer."""
