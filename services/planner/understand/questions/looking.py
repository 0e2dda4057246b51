"""That the assistant is to look for itself: asked for in so many words, or said yes or no to when it offered.

A bare yes is an answer to what was asked where one thing was; beside an offer and several questions it can only be meant
for the offer.
"""

from __future__ import annotations

from lang import deferred_re as re
from services.planner.model import Language, LookStep, SessionView
from services.planner.understand.text import messages
from services.planner.understand.text.messages import read
from services.planner.understand.text.word_lists import compile_words

COMMAND = "/look"
_PART = re.compile(r"[^,，。.;；!！?？\n]+")
_ENDS = " \t\n,，。.;；!！?？~、:："

_SELF_ZH = r"(?:自己|亲自|自行|直接|自动)"
_GO_ZH = r"(?:去|来|上去|过去|进去|(?:连|登|登录|进|上)(?:到|上|进|去)*(?:数据库|库|实例|目标|主机|机器|服务器)?(?:里|上)?(?:去)?)"
_LOOK_ZH = r"(?:看|查|检查|瞧|瞅|排查|诊断|巡检|采集|采证)"
_ONCE_ZH = r"(?:看|查|瞧|一下子?|下|一眼|一遍|一圈|一轮)?"
_ABOUT_ZH = r"\s*(?:数据库|库|实例|系统|主机|机器|服务器|现场|线上|目标|情况|状态|它|[a-z0-9][\w.-]*)?(?:上|里)?(?:的)?(?:情况|状态)?\s*"
_WHAT_ZH = r"(?:到底)?(?:(?:是)?(?:怎么回事|怎么了|什么情况|啥情况))?"
_TAIL_ZH = r"(?:吧|呗|吗|么|呢|啊|呀|嘛|行吗|行不行|可以吗|好吗|成吗)?"
_REQUEST_ZH = re.compile(
    rf"(?:(?:其他|其它|其余|剩下|别的|另外)的?)?(?:那|那就|要不|不如|还是|干脆|麻烦|请|劳驾)*(?:你|您|dbdiag|助手)(?:就|能不能|能否|能|可以|"
    rf"可不可以|会不会|会|要不要|先|也|帮我|帮忙|替我)*{_SELF_ZH}(?:再|重新)?{_GO_ZH}*{_LOOK_ZH}{_ONCE_ZH}{_ABOUT_ZH}{_WHAT_ZH}{_TAIL_ZH}"
    rf"|(?:那|麻烦|请)?你(?:再|重新)(?:去)?{_LOOK_ZH}(?:看|查|下|一下|一眼|一遍|一次){_TAIL_ZH}"
    rf"|(?:那|要不|麻烦|请|你|您|能不能|能|可以|帮我|帮忙|替我|直接|就)*(?:连|登|登录|进|上)(?:到|上|进|去)*(?:数据库|库|实例|主机|机器|服务器)"
    rf"(?:里|上)?(?:去)?{_LOOK_ZH}{_ONCE_ZH}{_WHAT_ZH}{_TAIL_ZH}"
)
_YOU_EN = r"(?:(?:can|could|would|will|can't|couldn't|won't|why don't|please|maybe|perhaps|just|then|so|and|ok|okay|the rest) )*"
_IT_EN = r"(?: (?:at|into|over|on|around))?(?: (?:it|this|that|these|them|there|the \w+(?: \w+)?|our \w+|my \w+))?"
_LOOK_EN = r"(?:(?:go |have |take |run )?(?:and )?(?:a )?(?:quick )?(?:look|check|see|inspect|investigate|examine|find out|diagnose))"
_SELF_EN = r"(?: (?:for )?(?:yourself|on your own|by yourself|directly)| live)"
_REQUEST_EN = re.compile(
    rf"{_YOU_EN}(?:you )?(?:(?:just|please|also|go|go and|actually|try to|maybe) )*{_LOOK_EN}{_IT_EN}{_SELF_EN}(?: please| instead| then| first| now)?"
    rf"|{_YOU_EN}(?:you )?(?:please )?(?:connect|log (?:in|on))(?: to)?(?: (?:it|the \w+|our \w+))? and {_LOOK_EN}{_IT_EN}(?: {_SELF_EN})?(?: please)?"
    rf"|{_YOU_EN}(?:you )?(?:please )?(?:look again|(?:take|have) another look)(?: please)?"
    rf"|{_YOU_EN}(?:you )?(?:please )?run (?:the|your|some) (?:read-only )?checks(?: yourself)?(?: please)?"
)
# What was pasted or is spoken of is not the live system.
_OTHER = compile_words("questions.other", r"\b(?:logs?|paste\w*|screenshots?|output|attached|below|above)\b")

_YES_ZH = re.compile(
    r"(?=.*(?:好|行|可以|ok|嗯|要|看|查|去吧|来吧|请|麻烦))(?:好的?|行|可以的?|ok(?:ay)?|嗯+|要|那|就|请|麻烦|劳驾|你|您|自己|去|来|直接|帮我|帮忙|先|"
    r"看|查|检查|瞧|一下|一眼|看看|查查|吧|啊|呀|哈|哦|呗|嘛|谢谢|辛苦了|[\s,.!~])+"
)
_YES_EN = re.compile(
    r"(?=.*(?:go|do|look|check|please|sure|ok|yes|ye|course|absolutely|all means|right|definitely))"
    r"(?:yes|yeah|yep|yup|sure|ok(?:ay)?|alright|all right|please(?: do)?|go(?: right)? ahead|go for it|do (?:it|that|so)|by all means|"
    r"of course|absolutely|definitely|(?:you )?(?:can|may|have a|take a|go(?: and)?(?: (?:have|take) a)?)? ?look|look yourself|check(?: it)?(?: yourself)?|then|and|"
    r"thanks?|thank you|thx|[\s,.!~])+"
)
# A whole message that says no more than "please look" asks for it, offered or not, once there are questions to look at.
_TO_LOOK = compile_words("questions.to_look", r"\blook\b", r"\bcheck (?:it|yourself)\b")
_BARE_YES = re.compile(r"(?:是|是的|对|yes|yeah|yep|yup|y)[\s,.!~。]*")
_NO = re.compile(
    r"(?:不用|不必|不需要|先不|先别|别|不要|暂时不|算了)(?:了|看|查|吧|要|用|去|你|自己|[\s,.!~])*(?:谢谢|我自己(?:来|看|查)(?:吧)?)?[\s,.!~]*"
    r"|(?:no[\s,]+)?(?:thanks|thank you)?[\s,]*(?:not (?:now|yet)|rather not|no need|don't(?: look| check| do (?:it|that)| bother)?|"
    r"i'll (?:look|check|do it) myself|leave it)(?: please| thanks| thank you)?[\s.!~]*|no[\s,]+(?:thanks|thank you|thx)[\s.!~]*"
)
_LONGEST = 60
# A request is said, not found somewhere in what was pasted.
_MOST = 500


def asked_to_look(message: str, view: SessionView) -> tuple[LookStep, str] | None:
    """The step, and the rest of the message; None where it does not say whether to look."""
    reading = read(message)
    said = reading.normal.strip(_ENDS)
    if said == COMMAND or said.startswith(f"{COMMAND} "):
        return LookStep(words=message.strip()[len(COMMAND) :].strip()), ""
    if view.look_offered and len(said) <= _LONGEST:
        if _NO.fullmatch(said):
            return LookStep(True, message.strip()), ""
        if _accepts(said, view):
            return LookStep(False, message.strip()), ""
    if (view.pending or view.options) and len(said) <= _LONGEST and _says_look(said):
        return LookStep(False, message.strip()), ""
    for part in _PART.finditer(reading.normal if len(message) <= _MOST else ""):
        if _requests(part[0].strip(_ENDS)):
            return _with_rest(reading, part)
    return None


def _with_rest(reading: messages.Message, part: re.Match[str]) -> tuple[LookStep, str]:
    before, after = reading.words(0, part.start()), reading.words(part.end(), len(reading.normal))
    rest = " ".join(piece for piece in (before.rstrip(" ,，、"), after.strip(_ENDS)) if piece)
    return LookStep(False, reading.words(*part.span())), rest


def _says_look(said: str) -> bool:
    return bool(_TO_LOOK.search(said) and (_YES_ZH.fullmatch(said) or _YES_EN.fullmatch(said)))


def _accepts(said: str, view: SessionView) -> bool:
    if _BARE_YES.fullmatch(said):
        return len(view.options or view.pending) > 1
    return bool(_YES_ZH.fullmatch(said) or _YES_EN.fullmatch(said))


def _requests(said: str) -> bool:
    asked = _REQUEST_ZH.fullmatch(said) or _REQUEST_EN.fullmatch(said)
    return bool(asked) and len(said) <= _LONGEST and not _OTHER.search(said)


def language_of(message: str, view: SessionView) -> Language:
    """The language to answer in; a command has none of its own."""
    told = message.strip()[len(COMMAND) :] if message.strip().lower().startswith(COMMAND) else message
    return messages.language_of(told, view.language) if told.strip() else view.language or Language.EN
