"""Snapshots: compiled, stored, published, compared, merged, pruned."""
