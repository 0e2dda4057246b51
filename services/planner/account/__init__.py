"""What the person told of the case, in their own words: picked out of their messages, and read back."""
