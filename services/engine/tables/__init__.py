"""The snapshot and the probability tables computed from it when it is opened."""
