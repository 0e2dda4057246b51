"""The gateway: the loop, the sessions, and every door to the outside."""
