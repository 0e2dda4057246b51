"""Which questions a message asks: of the case, or of the field; and the models that find them."""
