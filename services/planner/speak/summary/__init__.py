"""The case for somebody else, and for the person again: texts that are written from its record."""
