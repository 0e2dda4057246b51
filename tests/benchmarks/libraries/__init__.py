"""Small libraries and messages for the matcher's measurements."""
