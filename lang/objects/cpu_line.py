"""The CPU line of top: its "si" is the share of soft interrupts, and no swapping."""

from __future__ import annotations

from lang import deferred_re as re

_INTERRUPTS = re.compile(r"(\bhi,\s*[\d.]+\s*%?\s*)si\b")


def hide_interrupts(words: str) -> str:
    """The words, as long as before, with the name for soft interrupts in a CPU line made unreadable."""
    return _INTERRUPTS.sub(r"\1..", words)
