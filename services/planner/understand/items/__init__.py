"""What was asked: lists and their items, by number, by name and by amount."""
