"""Answers to what people ask once a cause is named: how to be sure, who may, which of two, when again."""
