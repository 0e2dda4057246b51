"""Answers in words: the figure, how the question was understood, which condition empties a result, and a chart."""
