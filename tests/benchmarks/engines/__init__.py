"""The engine's contenders, and what they and it are measured on."""
