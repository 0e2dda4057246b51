"""The HTTP doors: chat, sessions, knowledge, health, metrics, the page."""
