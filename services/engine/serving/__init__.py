"""Snapshots in service: their source, the cache of models, the lists of their contents."""
