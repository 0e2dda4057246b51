"""Words: a message as normalised text, its clauses, their tokens and the segments of an answer."""
