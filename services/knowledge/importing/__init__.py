"""From an export of closed tickets to library entries: generalise, recognise, cluster, identify, review, write."""
