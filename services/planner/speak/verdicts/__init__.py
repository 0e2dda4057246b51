"""Whether it is what somebody asks: a verdict that says what it is of, the facts for it and against it, the times."""
