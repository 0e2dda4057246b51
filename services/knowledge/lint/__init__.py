"""What is valid and still not good in a library: `lint` finds it, says where, and what to do."""
