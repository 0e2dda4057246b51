"""What every service stands on: a closed list of modules without a word of the domain.

server, health, interceptors, channel, errors, settings, logs, llm. Nothing else belongs here.
"""
