"""From statements to what they say about phenomena: predicates, rulings, and predicates derived from texts."""
