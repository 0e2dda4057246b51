"""Facts in the person's own words: what is passed on, and how sure it was said."""

from __future__ import annotations

from lang import deferred_re as re
from services.planner.understand.text.word_lists import compile_words, words

_HEDGE = compile_words(
    "text.hedge",
    r"(?:要|你)?说(?:没有?|有|是|不是)(?:吧|呢)?也(?:没有?|有|算|行|对|是|不是)",
    r"半[有真信是在][^,，\s]?半[没疑假不无]\S{0,2}",
    r"[^,，\s]{0,4}(?:也行|也可以|也对|也成)[^,，\s]{0,6}(?:也行|也可以|也对|也成)",
)
_OPENING = re.compile(
    r"^(?:[\s,.:;、>*-]|而且|另外|还有|然后|同时|此外|并且|不过|但是?|可是|顺便|就是|那个|嗯+|呃|哦|噢|啊|对了|我(?:们|这边)?(?:看到|发现|注意到|看了一?下|刚看了?|查了一?下|查到)|"
    r"(?:补充|再补充|另外说)(?:一下|一点|个)?|目前|现象是?|情况是?|是这样的?|你好|您好|请问|大家好|"
    + words(
        r"and|also|but|plus|so|then|well|oh|um|uh|hmm+|hi|hello|hey|ok|okay|btw|by the way|additionally|besides|i (?:just )?(?:noticed|see|saw|found)(?: that)?|we (?:see|saw|found|noticed)(?: that)?|there(?:'s| is| are)|it (?:looks|seems) like|yes|yeah|anyway|fyi|however|while|as well"
    )
    + r")+",
    re.ASCII,
)


def fact_span(clause: str) -> tuple[int, int]:
    """Where in a normalised clause the fact stands, without openings such as "and also"."""
    opening = _OPENING.match(clause)
    start = opening.end() if opening else 0
    end = len(clause)
    return (start, end) if start < end else (0, len(clause))


def certainty_of(clause: str) -> float | None:
    """How surely a fact was said, in (0, 1]; None when it was not hedged."""
    return 0.7 if _HEDGE.search(clause) else None
