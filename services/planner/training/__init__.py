"""Training of the planner's shipped weights (`make train`). Not imported by a running planner."""
