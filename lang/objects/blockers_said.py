"""The sessions that words place in a queue of locks: that of a DDL, the one that is waited for, one that is idle."""

from __future__ import annotations

from collections.abc import Iterator

from lang import deferred_re as re
from lang.objects.kinds_and_roles import PID, Role, Seen

_SENTENCE = re.compile(r"(?<=[。！？!?;；\n])|(?<=[^\d\W]\.)(?=\s)|(?<=\d\.)(?=\s)")
_CLAUSE = re.compile(r"[，,]")
# A number that counts or measures nothing.
_SESSION = re.compile(
    r"(?<![\w.:/-])(\d{4,7})(?![\w%]|[.:/-]\w)(?!\s*(?:ms|s|secs?|seconds?|min\w*|hours?|rows?|sessions?|connections?"
    r"|times|users|requests|[kmgt]b|行|条|个|秒|分|毫秒|次|倍|万|年|人|张|兆)(?![a-z]))",
    re.IGNORECASE | re.ASCII,
)
_HOLDS = re.compile(
    r"\b(?:every(?:one|body|thing)(?: else)?|they all|all|(?:the )?(?:others|rest|(?:whole )?(?:queue|line)))\b"
    r"(?:\W+(?:of them|others|sessions|is|are|just|seems? to|hangs?))*\W+"
    r"(?:wait\w*|stuck|queue[sd]?|queu\w*|hang\w*|blocked|pil\w+ up)\s+(?:up )?(?:for|on|behind|by|because of)\b"
    r"|\b(?:block(?:s|ing)?|hold(?:s|ing)? up|lock(?:s|ing)?)\s+(?:up )?"
    r"(?:every(?:one|body|thing)|all|the (?:others|rest|whole|entire)|them all)\b"
    r"|\b(?:on top|at the (?:top|head|front|root)|head of the queue|the root|the blocker|the culprit)\b"
    r"|(?:都|全|大家|所有人?|其[他它]人?|别人|后面)[^，。\d]{0,8}(?:在等|等着|等它|等他|卡在|排在|堵在)"
    r"|(?:堵|挡|锁|卡)(?:着|住|了)*\s*(?:所有|其[他它]|别人|大家|全部|后面|一[排堆片])"
    r"|(?:源头|罪魁|元凶|队头|最前面|最前头|堵路)",
    re.IGNORECASE,
)
_IDLE = re.compile(
    r"\bidle[ -]in[ -](?:transaction|tx|xact|trx|txn)\b|空闲事务|事务(?:里|中)?(?:空闲|闲着|挂着)", re.IGNORECASE
)
_DENIES = re.compile(
    r"\b(?:nobody|no one|none|not|never|(?:is|are|was|does|do|did)n'?t)\b"
    r"|没有?(?:人|谁|会话|在)|不是|没(?:堵|挡|锁|卡)",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"[?？]\s*$|[吗么呢]\W*$|^\W*(?:is|are|does|do|did|could|can|should|will|whether|if)\b|是不是|会不会|难道|要是|如果",
    re.IGNORECASE,
)
_POINTS = re.compile(r"\b(?:him|it|that (?:one|guy|session|pid)|he|she|her)\b|[它他她]|这个|那个", re.IGNORECASE)
# "the ALTER (pid 5120)": the session right after its statement; "waiting for 4410", "被 4410 挡住": the one in the way.
_DDL_OF = re.compile(
    r"\b(?:alter(?:\s+table)?|create\s+index|truncate|reindex|migration|ddl)\b[^\d，。;\n]{0,40}?"
    r"(?:pid|session|会话|进程)\s*[:=]?\s*(\d{3,7})(?!\d)",
    re.IGNORECASE,
)
_WAITED_FOR = re.compile(
    r"(?<!nobody )(?<!no one )(?<!没人)(?<!没有人)"
    r"(?:wait(?:s|ing)?\s+(?:for|on)|blocked\s+by|held\s+(?:up\s+)?by|(?:stuck|queued)\s+behind|在等|都等|被)\s*"
    r"(?:the\s+)?(?:pid|session|会话|进程)?\s*(\d{3,7})(?![\d.])(?!\s*(?:s|ms|sec|min|秒|分))",
    re.IGNORECASE,
)
# "20411 blocks the alter", "18833 一直堵着": the one in the way, unless that is asked.
_BLOCKS = re.compile(
    r"(?<![\d.:])(\d{3,7})\s*(?:(?:is|was|still|just|really)\s+)*"
    r"(?:(?:blocks|blocking|blocked|locks|locking|holds up|holding up)\s+"
    r"(?:it|them|us|everyone|everything|everybody|all|the|that|others|\d)"
    r"|(?:就是|一直|还|都|正|在)*(?:堵|挡|锁|占)(?:着|住))(?![^.。\n]*[?？吗])",
    re.IGNORECASE,
)


def blockers_said(text: str) -> Iterator[Seen]:
    """The session of each sentence that says so, where it is the only number there or the one that was just named."""
    before: list[str] = []
    for sentence in _SENTENCE.split(text):
        named = list(dict.fromkeys(_SESSION.findall(sentence)))
        meant = named or (before if _POINTS.search(sentence) else [])
        told = _told(_IDLE, sentence) or _told(_HOLDS, sentence)
        if told and len(meant) == 1 and not _ASKS.search(sentence.strip()):
            yield Seen(PID, meant[0], True)
        before = named or before


def _told(words: re.Pattern[str], sentence: str) -> bool:
    """Whether a clause says this and denies nothing."""
    return any(words.search(clause) and not _DENIES.search(clause) for clause in _CLAUSE.split(sentence))


def queue_said(text: str) -> Iterator[Seen]:
    """The session of a DDL, named right after its statement, and the one that is said to be waited for."""
    waited_for = [*_WAITED_FOR.findall(text), *_BLOCKS.findall(text)]
    yield from (Seen(PID, name, role=Role.DDL) for name in _DDL_OF.findall(text) if name not in waited_for)
    yield from (Seen(PID, name, culprit=True) for name in waited_for)
