"""Figures that the documents state, measured again."""
