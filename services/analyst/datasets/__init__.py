"""The dataset that every installation has: its own tickets, causes and phenomena, its sessions and what they found."""
