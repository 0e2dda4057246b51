"""What a message asks for: text -> pieces -> labels -> steps -> the turn plan.

What a piece does is learned from examples; what it points at is parsed.
"""
