"""What a person tells in words beside an output: a second reading, a number of rows, the cores of the host."""
