"""Types of the fixtures that say what a message is evidence of."""

from __future__ import annotations

from collections.abc import Callable

Evidence = dict[str, str]
Judged = Callable[..., Evidence]
