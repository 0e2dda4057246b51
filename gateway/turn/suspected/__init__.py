"""What a person suspects or asks to be the cause, and how the case stands to it."""
