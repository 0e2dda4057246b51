"""How results are said: sections composed from a phrase table in the person's language."""
