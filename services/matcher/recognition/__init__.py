"""Recognition: which phenomenon a sentence in everyday words is about, learned from sentences that people wrote."""
