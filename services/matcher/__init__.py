"""Turns free text into phenomena of a snapshot: recall, rerank, polarity, clarification."""
