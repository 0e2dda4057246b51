"""What has to hold before an action, whether the person has said that it does, and the figures of a pool's size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import yaml

from lang import deferred_re as re
from lang.terms import Found, Terms
from lang.tokens import read_text
from services.planner.treatment.sentences import clauses_of, sentences_of
from services.planner.understand.text.word_lists import listed

_FILE = Path(__file__).with_name("agreed.yaml")
_INSTANCES, _LIMIT = listed("treatment.instances"), listed("treatment.connection_limit")
_OPEN, _DENIES, _OWNERS, _SAYERS = "open", "denies", "owners", "sayers"
_OWNER, _UNUSED = "owner", "unused"
# Words of somebody else, quoted: whoever asks where they come from does not say them.
_QUOTED = re.compile(r"(?<![说道:：])[\"“「][^\"”」]*[\"”」]")


# The share of a disk in use, and the space that is left on it.
_DISK = r"(?:disks?|pg_wal|volume|array|partition|mount|df|raid|磁盘|硬盘|数据盘|盘|卷|阵列|空间)"
_USED = re.compile(
    rf"{_DISK}[^.,;，。；]{{0,24}}?(?P<before>\d+(?:\.\d+)?)\s*%\s*(?:used|full|in use|已用|满)"
    rf"|{_DISK}[^.,;，。；\d]{{0,8}}(?:用了?|占了?|使用率?)[^.,;，。；\d]{{0,6}}(?P<used>\d+(?:\.\d+)?)\s*%"
    r"|(?<![\d.])(?P<after>\d+(?:\.\d+)?)\s*%\s*(?:used|full)\b",
    re.IGNORECASE,
)
_FREE = re.compile(
    r"(?<![\d.])(?P<amount>\d+(?:\.\d+)?)\s*(?P<unit>gb?|tb?|gib|tib)\s*(?:is |are )?"
    r"(?:free|available|left|空闲|可用|剩余?|没用)"
    r"|(?:free|available|left|空闲|可用|还剩|剩余?|还有)\D{0,6}(?P<left>\d+(?:\.\d+)?)\s*(?P<of>gb?|tb?|gib|tib)\b",
    re.IGNORECASE,
)
_LARGE = re.compile(
    rf"(?<![\d.])(?P<amount>\d+(?:\.\d+)?)\s*(?P<unit>g|t)i?b?\s*(?:的|ssd |nvme |data )?{_DISK}"
    rf"|{_DISK}\s*(?:is|has|of|was|有|是|一共|总共)?\s*(?P<is>\d+(?:\.\d+)?)\s*(?P<of>g|t)i?b?(?![a-z])(?!\s*(?:used|full))",
    re.IGNORECASE,
)
# A disk of so many GB that is full to so many percent has twice the room that a step takes, as so many free GB are.
_DISK_GB, _MOST_USED, _FREE_GB, _GB_IN_TB = 120, 70, 32, 1024
_SPACE, _SHARE, _SIZE = "space", "share", "size"


class _Content(NamedTuple):
    words: Terms[str]
    actions: dict[str, tuple[str, ...]]
    spared: dict[str, str]


@cache
def _content() -> _Content:
    content = yaml.load(_FILE.read_bytes(), yaml.CSafeLoader)
    terms: Terms[str] = Terms()
    lists = ((name, content[name]) for name in (_OPEN, _DENIES, _OWNERS, _SAYERS))
    for name, words in (*content["words"].items(), *lists):
        for word in words:
            terms.add(str(word), str(name))
    actions = {action: tuple(names) for action, names in content["actions"].items()}
    return _Content(terms, actions, dict(content["spared"]))


def conditions_of(action: str) -> tuple[str, ...]:
    """What has to hold before an action; none where nothing can be told in a word."""
    return _content().actions.get(action, ())


def needed_beside(action: str, met: Iterable[str]) -> tuple[str, ...]:
    """What has to hold before an action, without what is spared by a condition that is met."""
    held, spared = frozenset(met), _content().spared
    return tuple(each for each in conditions_of(action) if each in held or spared.get(each) not in held)


def conditions_told(said: str) -> frozenset[str]:
    """The conditions that words state as met; of each what is said last holds, and a doubt states nothing."""
    last = {condition: met for clause in _clauses(said) for condition, met in _told_in(clause).items()}
    return frozenset(condition for condition, met in last.items() if met)


def clauses_that_tell(action: str, texts: Iterable[str]) -> tuple[str, ...]:
    """The last clause on each condition of an action, met or not; of any action where none is named."""
    needed = {*(conditions_of(action) if action else chain(*_content().actions.values()))}
    last: dict[str, str] = {}
    for clause in (clause for text in texts for clause in _clauses(text)):
        for condition in needed & _told_in(clause).keys():
            last.pop(condition, None)
            last[condition] = clause
    return tuple(dict.fromkeys(last.values()))


def _clauses(said: str) -> Iterator[str]:
    return (clause for sentence in sentences_of(said) for clause in clauses_of(sentence))


def _told_in(clause: str) -> Mapping[str, bool]:
    """The conditions that a clause tells of, and whether they hold."""
    found = tuple(_content().words.find(read_text(_QUOTED.sub(" ", clause))))
    told = {each.payload for each in found if not _is_part(each, found)}
    if _OPEN in told or "?" in clause or "？" in clause:
        return {}
    met = told - {_OPEN, _DENIES, _OWNERS, _SAYERS, _UNUSED}
    if room := _room_told(clause):
        return {**dict.fromkeys(met, _DENIES not in told), **room}
    if _SPACE in met:
        return dict.fromkeys((_SHARE, _SIZE), _DENIES not in told)
    if _DENIES in told:
        return dict.fromkeys((*met, *((_OWNER,) if _OWNERS in told else ())), False)
    return dict.fromkeys((*met, *((_OWNER,) if {_UNUSED, _SAYERS} <= told else ())), True)


def _room_told(clause: str) -> Mapping[str, bool]:
    """Whether a disk has the room for more WAL: by how full it is, how large, or what is left on it."""
    if free := _FREE.search(clause):
        return dict.fromkeys(
            (_SHARE, _SIZE), _in_gb(free["amount"] or free["left"], free["unit"] or free["of"]) >= _FREE_GB
        )
    used, large = _USED.search(clause), _LARGE.search(clause)
    told = {_SHARE: float(used["before"] or used["after"] or used["used"]) <= _MOST_USED} if used else {}
    size = _in_gb(large["amount"] or large["is"], large["unit"] or large["of"]) if large else 0.0
    return {**told, **({_SIZE: size >= _DISK_GB} if large else {})}


def _in_gb(amount: str, unit: str) -> float:
    return float(amount) * (_GB_IN_TB if unit.lower().startswith("t") else 1)


def _is_part(each: Found[str], found: Iterable[Found[str]]) -> bool:
    """Whether words that leave open or deny stand within others, as in "nobody uses it"."""
    if each.payload not in (_OPEN, _DENIES):
        return False
    return any(
        other.first <= each.first and each.last <= other.last and other.length > each.length
        for other in found
        if other.payload != each.payload
    )


def clauses_with_figures(texts: Iterable[str]) -> tuple[str, ...]:
    """The clauses that tell how many instances there are or how many connections the server takes."""
    clauses = (clause for text in texts for sentence in sentences_of(text) for clause in clauses_of(sentence))
    return tuple(each for each in clauses if _INSTANCES.search(each) or _LIMIT.search(each))


def pool_figures(asked: str) -> tuple[int, int] | None:
    """The limit of the server and the number of instances: as asked, else as told last; None if one is not known."""
    question, _, told = asked.partition("\n")
    limits = [int(found["limit"]) for found in _LIMIT.finditer(asked)]
    instances = _instances_in(question)[:1] or _instances_in(told)[-1:]
    return (limits[-1], instances[0]) if limits and instances and instances[0] else None


def _instances_in(text: str) -> list[int]:
    return [int(found["after"] or found["number"]) for found in _INSTANCES.finditer(text)]
