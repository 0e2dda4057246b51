"""A snapshot as one page that can be looked at: causes, phenomena, tickets and what links them."""
