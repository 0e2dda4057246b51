"""The HTTP interface: chat, sessions, knowledge, health, metrics, the page."""
