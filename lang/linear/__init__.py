"""Linear models over the terms of a text: what they are, and how they are learned."""
