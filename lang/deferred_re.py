"""The standard `re`, except that `compile` defers its work to the first use of the pattern.

Rooms have hundreds of patterns at module level, and compiling them all would take a fifth of a second of every start.
Import as `from lang import deferred_re as re`, except where the `re` of a match is compared: it is compiled.
"""

from __future__ import annotations

import re
from re import *  # noqa: F403
from re import Pattern, RegexFlag
from typing import Any, cast

__all__ = ["compile"]
__all__ += re.__all__

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split", "scanner")


class Deferred:
    """Stands for a pattern: compiled when anything but its text is asked for, and used directly from then on."""

    def __init__(self, text: str, flags: int | RegexFlag) -> None:
        self.pattern = text
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            # Copying looks for its own methods, before there is anything to compile.
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self._flags)
        vars(self).update({method: getattr(compiled, method) for method in _METHODS})
        return getattr(compiled, name)


def compile(pattern: str, flags: int | RegexFlag = 0) -> Pattern[str]:  # type: ignore[no-redef]
    """A pattern that works as that of `re.compile`; a malformed one raises re.error at its first use."""
    return cast("Pattern[str]", Deferred(pattern, flags))
