"""Which answers a reply gives, and which questions it leaves without one."""
