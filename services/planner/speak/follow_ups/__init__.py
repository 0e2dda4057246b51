"""What people ask next of a case: how one sees it, where it is from, which of two, who may, and when again."""
