"""What people ask in the middle of an incident beside their case, with the answers."""
