"""Reads a message into the steps of a turn plan: pieces, a label for each, and what the labels come to."""
