"""What is not there: empty columns, and rows that no other row points at."""
