"""The language model's tasks: understanding, planning checks, rewording. Code validates every answer."""
