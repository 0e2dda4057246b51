"""The page: static files that the HTTP door serves as they are."""
