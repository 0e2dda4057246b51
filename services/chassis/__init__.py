"""The foundation of every service: a closed list of modules, free of domain terms.

server, health, interceptors, channel, errors, messages, settings, logs, llm. Nothing else belongs here.
"""
