"""The inference of one request: from evidence to the posterior, and from there to the next question."""
