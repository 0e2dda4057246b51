"""What each piece of a message does, learned from examples."""
