"""A snapshot made searchable, in memory and in Qdrant."""
