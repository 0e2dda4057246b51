"""Sessions: the evidence ledger, its store, the names it refers to."""
