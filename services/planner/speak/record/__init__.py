"""What was put on record: what was noted, what was set aside, and how things stand."""
