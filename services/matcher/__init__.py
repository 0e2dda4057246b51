"""Matches free text to the phenomena of a snapshot: recall, rerank, polarity, clarification."""
