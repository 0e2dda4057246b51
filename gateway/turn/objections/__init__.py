"""What a person objects to: what was misheard, and answers that did not fit together."""
