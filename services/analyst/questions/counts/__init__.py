"""What is counted, and by which figure."""
