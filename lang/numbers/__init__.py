"""Numbers: their digits and words, their units, and what belongs together."""
