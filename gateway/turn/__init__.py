"""One turn: the message understood, the tools run, the answer spoken and recorded."""
