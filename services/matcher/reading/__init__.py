"""Text read for matching: tokens, numbers, polarity, pasted columns."""
