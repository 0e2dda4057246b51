"""Questions of the person on call, suppositions, and wishes that dbdiag looks."""
