"""What goes wrong, in the language of the person who reads it."""
