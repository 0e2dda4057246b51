"""Parameters that tickets choose, and the evaluation of the engine on cases."""
