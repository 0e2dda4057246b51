"""What and whom a person cannot reach: "no shell, only psql", "日志在运维那边，看不了", "the DBA is asleep".

A limit is a fact about the person, not about the system: a check that cannot be made shows nothing. What an application
or a standby cannot reach is a fault, and none of these.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lang import deferred_re as re

HOST, SERVER_LOG, MONITORING, DATABASE = "host", "server_log", "monitoring", "database"
# The name of a limit that tells that there is no such thing.
NONE = "none"
WRITES, PRIMARY, STANDBY, VIEW = "writes", "primary", "standby", "view"
_OWN_RIGHTS = re.compile(
    r"(?i)\b(?:i ?'?m|i am|we ?'?re|we are)(?: only| just| not| no| merely)*(?: an?| the)?(?: \w+){0,2}?"
    r" ?\b(?:user|role|superuser|admin|dba|readonly|read-only|account|owner)s?\b"
    r"|^我们?(?:只是|就是|不是|是|也)?(?:只|就)?(?:个|一个)?有?.{0,4}(?:普通|只读|超级)?(?:用户|账号|权限|管理员)"
)
_ADMIN = r"(?:dbas?|(?:db |sys)?admins?|on-?call|ops|superusers?)"
_AWAY = (
    r"(?:asleep|sleeping|unreachable|gone|away|on (?:leave|holiday|vacation)|(?:not|n'?t|never|nt)\s+(?:\w+\s+)?"
    r"(?:pick\w*|answer\w*|respond\w*|repl\w*|there|around|reachable|available|awake|in))"
)
_NOBODY = re.compile(
    rf"\b{_ADMIN}\b[^.?!]{{0,30}}\b{_AWAY}\b"
    r"|\b(?:can'?t|cannot|couldn'?t)\s+(?:reach|get hold of|wake|find|get)\b"
    rf"[^.?!]{{0,16}}\b(?:{_ADMIN}|anybody|anyone)\b"
    rf"|\b(?:nobody|no one|no)\b[^.?!]{{0,12}}(?:\b{_ADMIN}\b[^.?!]{{0,12}})?"
    r"\b(?:answers|picks? up|reachable|awake|around|available)\b"
    r"|(?:dba|管理员|运维|管库的|有权限的)[^，。？！]{0,6}(?:睡|不接|没接|联系不上|找不到|不在|请假|休假|不回|没回|打不通)"
    r"|(?:联系不上|找不到|打不通)[^，。？！]{0,4}(?:dba|管理员|运维|管库的)",
    re.IGNORECASE,
)


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
# What is looked at on the host.
_GAUGES = r"(?:\b(?:disks?|cpu|memory)\b|磁盘|硬盘|内存)"
_THING = "|".join(f"(?P<{name}>{words})" for name, words in _THINGS.items())
_ANY = "|".join(_THINGS.values())
_DETERMINED = (
    r"(?:(?:the|that|this|these|those|our|your|any|my|an?|either|prod|production|db|database|actual|own|server)"
    r"\s+){0,3}"
)
_ITEM = rf"{_DETERMINED}(?:{_ANY})(?:\s+(?:itself|either|access|box|login|server|rights?))?"
_ITEMS = rf"{_ITEM}(?:(?:\s*[,/]\s*|\s+)(?:(?:or|and|nor)\s+)?{_ITEM})*"
# Who cannot: the person, or nobody that is named.
_ONE = r"(?:^|[.,;:!?(\n]\s*|\b(?:i|we|and|so|but|or|also|still|just|sorry|btw|yeah|that|cos|cause|because|rn)\s+)"
_UNABLE = (
    r"(?:can'?t|cannot|can not|couldn'?t|unable to|not able to|not allowed to|no way to)\s+(?:even\s+|really\s+)?"
    r"(?:see|look(?:\s+(?:at|into|in))?|check|read|reach|access|get\s+(?:at|to|into|on|onto)|log\s?(?:in|on)(?:\s?to)?"
    r"|open|ssh(?:\s+(?:in)?to)?|run|grep|tail|df)"
)
_LACKS = r"(?:no|without(?: any)?|don'?t have(?: any)?|do not have(?: any)?|haven'?t(?: got)?(?: any)?|lack|lost)"
_RIGHTS = r"(?:access|rights?|permissions?|perms?|login|account)"
_NO = r"(?:没有?|无)"
_NOT_SEEN = (
    r"(?:看不了|看不见|看不到|登不上|登不了|登不进去?|上不去|上不了|进不去|查不了|够不着|打不开|碰不到"
    r"|没法(?:看|登|上|进|查)|不能(?:看|登|上|进)|不让(?:看|登|上|进)"
    rf"|{_NO}权限(?:[看上登进查连]\w?)?|{_NO}(?:账号|账户)|(?:在|归|都?是)\S{{0,5}}(?:运维|dba|别的组|其他组|别人)\S{{0,3}})"
)
_ENDS = r"(?=[啊呀了的呢吧哦嘛那边手里管]*(?:$|[\s，。；？！、,.;!?)）]|我|你|，))"
# Behind "no" and a thing: nothing more is named, and nothing is said of it: "no server errors" and "no snapshot is
# running" tell how things are.
_NO_MORE = (
    r"(?=\s*(?:$|[.,;:!?()\n-])|\s+(?:here|there|access|on|at|either|for|to|right|today|tonight|now|yet|and|or|but|so"
    r"|because|cause|cos|in|from|of|since|until|installed|available|enabled|set|configured|extension|rights?|login|only|just"
    r"|i|we|atm|anymore|any more|sadly|sorry|whatsoever)\b)"
    r"(?![^.,;!?]*\b(?:running|runs?|going on|in progress|active|happening|shows?|says?|stands? out|waiting"
    r"|took place)\b)"
)
# A log or a host of another machine, by its name, is not the one that the case is about.
_ANOTHER = r"(?!\s+(?:of|on|from)\s+(?:the\s+(?:old|other|dead|former|failed)\b|[a-z_-]+[-_]?\d))"
_GAP = r"[^，。；？！,.;!?\s]"
_OUT = re.compile(
    rf"{_ONE}{_UNABLE}\s+(?P<unable>{_ITEMS}|{_DETERMINED}{_GAUGES})\b{_ANOTHER}"
    rf"|\b{_LACKS}\s+{_RIGHTS}\s+(?:to|on|for|in)\s+(?P<lacks>{_ITEMS})"
    rf"|\b{_LACKS}\s+(?P<without>{_DETERMINED}(?:{_THINGS[HOST]}|{_THINGS[MONITORING]}|{_THINGS[VIEW]})(?:\s+access)?)\b{_NO_MORE}"
    rf"|(?P<down>{_ITEM}),?\s+(?:is with (?:\w+ ){{1,3}}(?:and|so) )?"
    rf"(?:i\s+(?:can'?t|cannot)\s+(?:see|reach|look|check|get)|(?:i|we)\s+have\s+no\s+{_RIGHTS}"
    r"|(?:is|are)\s+(?:out of reach|off limits))"
    rf"|(?P<broken>{_THINGS[MONITORING]}\s+(?:for that\s+)?(?:is|are)\s+(?:down|broken)"
    rf"|{_THINGS[VIEW]}\s+(?:is not|isn'?t)\s+installed)"
    rf"|(?P<seen>{_ANY}|{_GAUGES})\s?(?:在{_GAP}{{1,12}}，)?{_GAP}{{0,10}}?{_NOT_SEEN}{_ENDS}"
    rf"|(?:看不了|看不见|看不到|登不上|登不了|登不进去?|上不去|上不了|进不去|查不了|打不开|{_NO}权限[看上登进查]?)"
    rf"(?:这个|那个|那台|那边的?|到|了|的是)?\s?(?P<unseen>{_ANY})"
    rf"|{_NO}\s?(?P<unowned>{_THINGS[HOST]}|{_THINGS[MONITORING]}|{_THINGS[PRIMARY]}|{_THINGS[STANDBY]}"
    rf"|{_THINGS[SERVER_LOG]})的?(?:登录|访问)?(?:权限|账号|账户)"
    rf"|(?P<uninstalled>{_THINGS[VIEW]})\s?(?:也|都|还)?(?:没装|没安装|未安装)",
    _FLAGS,
)
# What needs no thing to be named, or is not said of the thing that is out of reach.
_PLAIN = {
    HOST: re.compile(
        r"\b(?:only|just)\s+(?:\w+\s+){0,2}?(?:psql|sql)\b(?!\s+(?:shows|says|hangs))"
        r"|\b(?:psql|sql)\s+(?:is|only)\s*(?:all i have)?$"
        r"|(?:只能|只有|就能|就只有|只让)\s?(?:连|用|跑|走)?\s?(?:连接)?(?:psql|sql|库|数据库)(?!文件)",
        _FLAGS,
    ),
    DATABASE: re.compile(
        rf"\b{_LACKS}\s+(?:a\s+)?psql\b|{_NO}\s?psql|只能(?:看文件|\s?ssh|上机器|登机器|登主机)"
        r"|\b(?:only|just)\s+(?:have\s+|got\s+)?(?:ssh|a shell|the files)\b",
        _FLAGS,
    ),
    WRITES: re.compile(
        r"\b(?:i|we|my|only|just|as|an?)\b[^.,;!?]{0,24}\bread-?\s?only\s+(?:db\s+|database\s+)?"
        r"(?:login|user|role|account|access|rights?|permissions?|perms|connection)\b"
        r"|\b(?:i'?m|im|i am|we'?re)\s+(?:only\s+|just\s+)?read-?\s?only\b"
        r"|(?:我|只有|只给|手里|手上|这边|拿的)[^，。；？！,;!?]{0,8}只读的?(?:账号|账户|权限|用户|登录|连接|号)",
        _FLAGS,
    ),
    STANDBY: re.compile(
        r"\b(?:no|without a|don'?t have (?:a|any)|do not have (?:a|any)|there(?:'?s| is) no|not a single)\s+"
        r"(?:standbys?|replicas?|slaves?)\b(?!\s+(?:lag|conflict|delay|quer|error|is|was|are|has|block|read))"
        r"|(?:没有?|无|哪来的?|哪有)(?:任何|什么)?(?:备库|从库|备机|主从)(?![\u4e00-\u9fff]{0,4}(?:延迟|报错|问题|查询|异常|权限|账号))",
        _FLAGS,
    ),
}
_WITHIN = re.compile(
    rf"\b(?:got|have|had|gave me|given|granted)\s+(?:(?!no\b)\w+\s+){{0,3}}?(?:{_RIGHTS}|shell|ssh|psql|superuser)\b"
    r"(?=[^.,;!?]*\b(?:now|finally|today|back)\b|\s*(?:$|[.,;!]|to\b|on\b))"
    r"|\b(?:i|we)\s+can\s+(?:now\s+|finally\s+|actually\s+)?(?:see|read|get (?:at|to|into|on|onto)|ssh"
    rf"|log ?in(?:to)?|look at|reach|access)\b(?=[^.,;!?]*\b(?:now|finally)\b|\s+(?:in)?(?:to)?\s*{_ITEM})"
    r"|(?:拿到|开了|开通了|给了|申请到|借到|要到|找\S{0,6}要了)[^，。；？！,;!?]{0,6}(?:权限|账号|账户|超级用户)"
    r"|(?<!没)有[^，。；？！,;!?没]{0,4}权限了|(?:权限|账号)(?:也|已经|都)?(?:开了|开通了|下来了|好了|有了|给了)"
    r"|(?<![不只])能(?:看到?|登上?|上去?|进去?|连上?)[^，。；？！,;!?]{0,6}了(?![吗么])"
    rf"|(?:{_ANY})[^，。；？！,.;!?\s]{{0,3}}(?<![不只])(?:能|可以)(?:看到?|登上?|上|进|查)(?![不吗么])",
    _FLAGS,
)
_NO_LONGER = re.compile(
    r"(?:n'?t|\bnot|\bno|\bnever|\bif|\bonce|\bcan i|没有?|还没|如果|要是|等)\s*[^，。,.;]{0,8}$", _FLAGS
)
# Of somebody else's things, supposed, of another day, or what was never said.
_OF_OTHERS = re.compile(
    r"\bapp(?:lication)?(?:'s)?\s+logs?\b|应用(?:的|端|侧)?日志|他们的|他那台|\btheir\b|\b(?:if|when)\s+(?:i|we|you|u|one)\b"
    r"|如果|要是|假如|万一|\byesterday\b|昨天|(?:不是|没说|谁说|哪说)[^，。]{0,4}(?:看不|没权限)"
    r"|\b(?:never|didn'?t|not)\s+(?:say|said|saying|that)\b|(?:报错?|提示|error)[^，。]{0,4}(?:没权限|权限)",
    _FLAGS,
)
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
