"""The deterministic Bayesian engine: evidence in, beliefs, next questions, a conclusion and its explanation out."""
