"""The tools of a turn: each asks one service and returns what the loop folds into the turn."""
