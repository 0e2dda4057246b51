"""Ways: how something of a system is seen, by whom, and what is to be known of an act that is named."""
