"""What the same thing is called: texts become tokens, words of both languages the concepts that they mean."""
