"""Facts in the person's own words: what is passed on, and how sure it was said."""

from __future__ import annotations

from lang import deferred_re as re
from services.planner.understand.lexicon import HEDGE_EN, HEDGE_ZH, words

_HEDGE = re.compile(f"{HEDGE_ZH}|{HEDGE_EN}", re.ASCII)
_STRONG_HEDGE = re.compile(
    r"不太确定|据说|听说|印象中|隐约|没准|" + words(r"not (?:really|entirely|quite|too) sure|supposedly|rumou?r\w*")
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
_CLOSING = re.compile(
    r"(?:[\s,.:;、!~]|(?<![对])吧|啊|呀|哦|呢|哈|" + words(r"please|pls|thanks|help|too|as well|though|btw") + r")+$",
    re.ASCII,
)
_TO_YOU = re.compile(
    r"^(?:请|麻烦|帮忙?|求|拜托|能不能|可以|快|急).{0,10}(?:看|查|分析|处理|解决|诊断|帮|定位|排查|救)\S{0,6}$|^(?:帮忙|帮我|救命|求助|急|在线等|谢谢).{0,6}$|^(?:怎么回事|咋回事|怎么办|咋办|什么情况|啥情况)(?:啊|呀|呢)?$|"
    r"^(?:please|pls|can you|could you|kindly|any).{0,12}(?:help|advise|look|check|assist|ideas?)\b.{0,14}$|^(?:help|urgent|asap)\W*$"
)


def fact_span(clause: str) -> tuple[int, int]:
    """Where in a normalised clause the fact stands, without openings such as "and also" and closings."""
    opening = _OPENING.match(clause)
    start = opening.end() if opening else 0
    closing = _CLOSING.search(clause, start)
    end = closing.start() if closing else len(clause)
    return (start, end) if start < end else (0, len(clause))


def certainty_of(clause: str) -> float | None:
    """How surely a fact was said, in (0, 1]; None when it was not hedged."""
    if _STRONG_HEDGE.search(clause):
        return 0.5
    return 0.7 if _HEDGE.search(clause) else None


def is_plea(clause: str) -> bool:
    """Whether a clause only asks for help: "帮忙看看", "please help"."""
    return bool(_TO_YOU.match(clause.strip(" ,.!")))
