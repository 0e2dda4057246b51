"""`dbdiag knowledge`: libraries and tickets in, published snapshots out."""
