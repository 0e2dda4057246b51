"""Removes secrets from a text: only redacted text may reach a model, a log, a page or a file."""

from redaction.redact import redact, redact_spoken

__all__ = ["redact", "redact_spoken"]
