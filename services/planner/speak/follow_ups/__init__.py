"""Answers to what people ask further of a case: how one sees it, and where it is from."""
