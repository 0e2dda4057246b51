"""What several tests need: real processes of dbdiag, and conversations with them."""
