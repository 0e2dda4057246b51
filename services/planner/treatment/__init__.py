"""What people do against the trouble or ask leave for, and what they want to know of it."""
