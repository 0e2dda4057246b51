"""What the pieces of a message do, learned from examples."""
