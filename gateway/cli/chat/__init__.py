"""`dbdiag chat`: a conversation on the terminal or from a script."""
