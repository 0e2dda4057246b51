"""Libraries and tickets in, published snapshots out."""
