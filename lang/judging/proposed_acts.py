"""What others want done, advise or write somewhere: neither how this system is, nor that anybody did it.

"The boss says set it to 2000" proposes; "the dba says it is 500" and "ops says they raised it" tell.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from lang import deferred_re as re
from lang.listed import lists_beside

_LISTED = lists_beside(__file__)
_EN = _LISTED.pattern("proposes_en", re.IGNORECASE)
_SAYS_ZH = _LISTED.pattern("says_zh", re.IGNORECASE)
_ASKS_ZH = _LISTED.pattern("asks_zh", re.IGNORECASE)
_AS_ADVISED = _LISTED.pattern("as_advised", re.IGNORECASE)
_DONE, _AS_ADVICE = _LISTED.pattern("done_zh"), _LISTED.pattern("ends_as_advice", re.IGNORECASE)
_COMMA = re.compile("[，,、；;]")
_TAKEN, _TURNS = _LISTED.pattern("taken", re.IGNORECASE), _LISTED.pattern("turns", re.IGNORECASE)
_ENDS = _LISTED.pattern("ends")
# So far behind it words tell that it was done as proposed, and so far before it whose advice it only was.
_NEAR, _BEFORE = 60, 40


@lru_cache(maxsize=64)
def proposed_in(said: str) -> tuple[tuple[int, int], ...]:
    """The spans of a text, in order, that tell what others propose."""
    return tuple(sorted({*_found(said)}))


def is_proposed(said: str, span: tuple[int, int]) -> bool:
    """Whether the words in a span of a text are what others propose, in whole or in part."""
    return any(first < span[1] and span[0] < last for first, last in proposed_in(said))


def _found(said: str) -> Iterator[tuple[int, int]]:
    told = (each for each in _SAYS_ZH.finditer(said) if not _is_told(said, *each.span()))
    for found in (*_EN.finditer(said), *_ASKS_ZH.finditer(said), *told):
        first, last = found.span()
        end = _end_of(said, first, last)
        advised = _AS_ADVISED.search(said[max(first - _BEFORE, 0) : first])
        if not (advised or _TAKEN.search(said[last : end + _NEAR])):
            yield first, end


def _is_told(said: str, first: int, last: int) -> bool:
    """Whether somebody tells what was done, or is so: 同事说他改成 4GB 了, and not 同事说改成 4GB 就好了."""
    words = said[first : _end_of(said, first, last)]
    clause = words[: last - first] + _COMMA.split(words[last - first :])[0]
    return _DONE.search(clause.strip()) is not None and not _AS_ADVICE.search(words)


def _end_of(said: str, first: int, last: int) -> int:
    """Where a proposal that begins with these words ends: with its sentence, or where something else is told."""
    ends = [found.start() for pattern in (_ENDS, _TURNS) if (found := pattern.search(said, last))]
    return min(ends, default=len(said))
