"""Training of the shipped topics.json and weights.json (`make train`). Not imported by a running matcher."""
