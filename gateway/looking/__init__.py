"""A diagnosis without a person: baseline, classification, rounds of planned checks, and a stop that rules decide."""
