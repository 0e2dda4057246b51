"""The claims of a statement beyond its words: a remedy's effect, a setting's value, a state, a size.

Two statements that differ in one of these say different things, however alike their words are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from services.knowledge.importing.matching.features import text_features
from services.knowledge.importing.matching.statement import normalise

_ACTION = (
    "执行|使用|启用|安装|创建|添加|增加|删除|修改|修复|调整|重建|手工|手动|跑完|改为|换成|扩容|清理|终止|回滚|analyze"
)
_EFFECT = "恢复|下降|稳定|正常|变快|立刻|立即|清理|使用了|仅|提升|消失|快|秒出"
_REMEDY = re.compile(
    rf"(?:{_ACTION}).{{0,30}}?后.*?(?:{_EFFECT})"
    r"|\bafter (?:running|adding|creating|dropping|enabling|disabling|setting|changing|raising|a manual|an?) .*"
    r"(?:recover|fast|back to normal|drop|fell|normal|gone)"
    r"|\bmakes? it fast|\bfixes it",
)
_SETTING = re.compile(
    r"(?P<name>[a-z]+(?:_[a-z]+)*) (?:参数 )?"
    r"(?:被?(?:手动)?(?:设置|配置|设)(?:为|过)|为 0|is set to|set to|is too|= ?(?:0|off|on)\b)"
)
# States that change what is said; how much (high, low, growing) is left to the likeness of the words.
_QUALIFYING = frozenset(
    f"state:{name}" for name in ("off", "missing", "stale", "conservative", "periodic", "unstable", "restored")
)
_UP, _DOWN = frozenset({"state:high", "state:grow"}), frozenset({"state:low", "state:fall"})
_SIZES = frozenset(f"state:{name}" for name in ("minor", "few", "tens", "hundreds", "thousands"))


@dataclass(frozen=True)
class Claims:
    """remedy: it reports the effect of a remedy. settings: names whose value it states. states, sizes: see the lexicon.

    direction: 1 when it says much or more only, -1 when little or less only, else 0.
    """

    remedy: bool
    settings: frozenset[str]
    states: frozenset[str]
    sizes: frozenset[str]
    direction: int


@lru_cache(maxsize=65536)
def claims_of(text: str) -> Claims:
    """The claims of a general statement."""
    key = normalise(text)
    found = frozenset(text_features(text))
    settings = frozenset(match["name"] for match in _SETTING.finditer(key) if len(match["name"]) > 3)
    direction = bool(found & _UP) - bool(found & _DOWN)
    return Claims(bool(_REMEDY.search(key)), settings, found & _QUALIFYING, found & _SIZES, direction)


def compatible(left: str, right: str) -> bool:
    """True if two statements may mean the same: equal claims and no contradicting directions."""
    one, other = claims_of(left), claims_of(right)
    if one.direction * other.direction < 0:
        return False
    return (one.remedy, one.settings, one.states) == (other.remedy, other.settings, other.states)


def sizes_differ(left: str, right: str) -> bool:
    """True if both state a size, and the sizes differ: `a few sessions`, `hundreds of sessions`."""
    one, other = claims_of(left).sizes, claims_of(right).sizes
    return bool(one and other and one != other)
