"""How steps of a remedy and their statements are shown."""
