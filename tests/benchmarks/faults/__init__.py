"""What the measurements of the lab's faults are made of."""
