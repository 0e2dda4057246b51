"""The deterministic Bayesian engine: evidence in; beliefs, next questions, a conclusion and an explanation out."""
