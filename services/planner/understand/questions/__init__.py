"""Questions of the person on call, and wishes that dbdiag looks."""
