"""The language layer: what a message asks for, what comes next, and how the results are said. Stateless."""
