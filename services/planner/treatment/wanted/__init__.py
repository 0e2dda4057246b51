"""What a message wants done, shown or written, beside what it tells."""
