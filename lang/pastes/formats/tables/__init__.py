"""Tables of cells in every form in which people copy them."""
