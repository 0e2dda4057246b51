"""Takes secrets out of a text: only what comes back may reach a model, a log, a page or a file."""

from services.collector.redaction.redact import redact

__all__ = ["redact"]
