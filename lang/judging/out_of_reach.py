"""What and whom a person cannot reach: "no shell, only psql", "日志在运维那边，看不了", "the DBA is asleep".

A limit is a fact about the person, not about the system: a check that cannot be made shows nothing. What an application
or a standby cannot reach is a fault, and none of these.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lang import deferred_re as re
from lang.listed import lists_beside

_LISTED = lists_beside(__file__)

HOST, SERVER_LOG, MONITORING, DATABASE = "host", "server_log", "monitoring", "database"
# The name of a limit that tells that there is no such thing.
NONE = "none"
WRITES, PRIMARY, STANDBY, VIEW = "writes", "primary", "standby", "view"
_OWN_RIGHTS = _LISTED.pattern("own_rights")
_NOBODY = _LISTED.pattern("nobody", re.IGNORECASE)


class Reachable(NamedTuple):
    """A thing that is out of reach, or within it again; empty: all that was out of it.

    name: of a view; `none` where there is no such server.
    """

    thing: str
    name: str
    words: str
    within: bool = False


# Chinese characters end a word of Latin letters.
_FLAGS = re.IGNORECASE | re.ASCII
_THINGS = {
    SERVER_LOG: r"(?:(?:pg|postgres(?:ql)?|server|database|db|error)[ _-]?logs?\b(?! ?in\b)"
    r"|\blogs?\b(?! ?in\b)|log files?"
    r"|(?:数据库|服务器|库|pg)?的?\s?日志(?![里中]))",
    HOST: r"(?:\b(?:box|host|machine|server|shell|ssh|bastion|jump host|hypervisor"
    r"|top|iostat|dmesg|df|journalctl|vmstat)\b"
    r"|主机|机器|服务器|操作系统|堡垒机|跳板机)",
    MONITORING: r"(?:\b(?:grafana|prometheus|datadog|cloudwatch|monitoring|dashboards?"
    r"|(?:(?!admin\b)\w+ )?(?<!admin )(?:console|graphs?))\b"
    r"|监控|(?<!管理)控制台|仪表盘|看板)",
    PRIMARY: r"(?:\b(?:primary|master)\b|主库|主节点)",
    STANDBY: r"(?:\b(?:standbys?|replicas?|slaves?)\b|备库|从库|备机|备节点)",
    VIEW: r"(?:\b(?:pg_(?!basebackup|dump|restore|rewind|upgrade|receivewal|ctl)\w+"
    r"|pgstattuple|performance_schema|information_schema)\b)",
}
_THING = "|".join(f"(?P<{name}>{words})" for name, words in _THINGS.items())
_NO = r"(?:没有?|无)"
_OUT = _LISTED.pattern("out", _FLAGS)
# What needs no thing to be named, or is not said of the thing that is out of reach.
_PLAIN = {
    HOST: _LISTED.pattern("host", _FLAGS),
    DATABASE: _LISTED.pattern("database", _FLAGS),
    WRITES: _LISTED.pattern("writes", _FLAGS),
    STANDBY: _LISTED.pattern("standby", _FLAGS),
}
_WITHIN = _LISTED.pattern("within", _FLAGS)
_NO_LONGER = _LISTED.pattern("no_longer", _FLAGS)
# Of somebody else's things, supposed, of another day, or what was never said.
_OF_OTHERS = _LISTED.pattern("of_others", _FLAGS)
_NOT_THE_PERSON = re.compile(r"应用|业务|程序|客户端|订阅|连接池|\bapps?\b|\bclients?\b", _FLAGS)
_PERSON = re.compile(r"我|\b(?:i|we|my|me)\b", _FLAGS)
_SENTENCE = re.compile(r"[^.!?。！？；;\n]+(?:\.(?=\w)[^.!?。！？；;\n]*)*[.!?。！？；;\n]?")
_COMMA = ",，"
_PLACES = ("unable", "lacks", "without", "down", "broken", "seen", "unseen", "unowned", "uninstalled")


def reachable_in(message: str) -> tuple[Reachable, ...]:
    """What a message says is out of the person's reach, or within it again, in the order in which it is said."""
    plain = message.replace("’", "'")
    found: dict[tuple[str, str], Reachable] = {}
    for sentence in _SENTENCE.finditer(plain):
        for _, each in sorted(_said_in(sentence[0]), key=lambda pair: pair[0]):
            found.pop((each.thing, each.name), None)
            found[each.thing, each.name] = each
    return tuple(found.values())


def out_of_reach_in(words: str) -> bool:
    """Whether words name something that the person cannot reach."""
    return any(each.thing and not each.within for each in reachable_in(words))


def _said_in(sentence: str) -> Iterator[tuple[int, Reachable]]:
    for found in _OUT.finditer(sentence):
        words = _clause(sentence, found.start(), found.end())
        if not _counts(words):
            continue
        said = next(part for part in found.groupdict().items() if part[1] is not None and part[0] in _PLACES)[1]
        for name, view in _things(said) or [(HOST, "")]:
            yield found.start(), Reachable(name, view, words)
    for name, pattern in _PLAIN.items():
        for found in pattern.finditer(sentence):
            words = _clause(sentence, found.start(), found.end())
            if _counts(words):
                yield found.start(), Reachable(name, NONE if name == STANDBY else "", words)
    yield from _within(sentence)


def _things(words: str) -> list[tuple[str, str]]:
    """The things that words name, each once, a view with its name."""
    named = [(each.lastgroup or "", each[0].lower()) for each in re.finditer(_THING, words, _FLAGS)]
    return list(dict.fromkeys((thing, name if thing == VIEW else "") for thing, name in named))


def _within(sentence: str) -> Iterator[tuple[int, Reachable]]:
    """What can be reached by now; a question and a wish lift nothing."""
    for found in _WITHIN.finditer(sentence):
        words = _clause(sentence, found.start(), found.end())
        asks = sentence.rstrip().endswith(("?", "？", "吗", "么"))
        if asks or _PLAIN[WRITES].search(words) or _NO_LONGER.search(sentence[: found.start()]):
            continue
        for name, view in _things(words) or [("", "")]:
            yield found.start(), Reachable(name, view, words, within=True)


def _counts(words: str) -> bool:
    """Whether a clause speaks of the person, and of now."""
    others = _NOT_THE_PERSON.search(words) and not _PERSON.search(words)
    return not others and _OF_OTHERS.search(words) is None


def _clause(sentence: str, start: int, end: int) -> str:
    """The words between the commas around a place."""
    before = max(sentence.rfind(mark, 0, start + 1) for mark in _COMMA) + 1
    after = min((at for mark in _COMMA if (at := sentence.find(mark, end)) >= 0), default=len(sentence))
    return sentence[before:after].strip(" ,，.!?。！？;；\n")


def tells_own_rights(words: str) -> bool:
    """True if words tell who the person is to the server: "im just a normal user w pg_monitor", 我只有只读权限."""
    return bool(_OWN_RIGHTS.search(words))


def nobody_in(said: str) -> bool:
    """Whether somebody with the right is said not to answer, or nobody to."""
    return _NOBODY.search(said.replace("’", "'")) is not None
