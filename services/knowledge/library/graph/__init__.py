"""A snapshot as an interactive page: causes, phenomena, tickets and their links."""
