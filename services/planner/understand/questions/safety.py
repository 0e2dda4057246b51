"""Questions whether something that changes or destroys may be done: deleting files, killing, restarting, dropping.

They are recognised here for both jobs: such a question asks for help, and its answer never encourages.
"""

from __future__ import annotations

from lang import deferred_re as re

_ACT_ZH = (
    r"(?:删|清空|清掉|清理掉|移走|重启|杀|干掉|停掉|停库|关库|回滚|切换|切主|提升为主|重建|"
    r"rm(?![a-z])|kill|drop|truncate|reboot|restart|vacuum|reindex|analyze|建索引|加索引|加个索引)"
)
_MAY_ZH = r"(?:可以|能|应该|是不是(?:该|可以|能)|直接)"
_MAY_I_ZH = r"(?:可不可以|可否|能不能|能否|要不要|该不该|需不需要|敢不敢)"
_FINE_ZH = (
    r"(?:行不行|行吗|行么|可以吗|可以么|好吗|安全(?:吗|么|不)|安不安全|没事(?:吗|吧)|有没有(?:风险|事|问题|危险)|"
    r"有(?:风险|危险|问题)(?:吗|么)|要紧吗|会不会有(?:事|问题|风险)|会出事吗|危险吗)"
)
_ASKING_ZH = re.compile(
    rf"{_MAY_I_ZH}.{{0,16}}?{_ACT_ZH}|{_MAY_ZH}(?!看|查).{{0,16}}?{_ACT_ZH}.*[吗么?？]|{_ACT_ZH}.{{0,20}}?{_FINE_ZH}",
    re.IGNORECASE,
)
_ACT_EN = (
    r"(?:delet|remov|rm\b|drop\b|dropping|restart|reboot|bounce|kill|truncat|terminat|shut(?:ting)? ?down|"
    r"fail(?:ing)? ?over|promot|wipe|wiping|purg|vacuum|reindex|analy[sz]e|cancel|(?:create|creating|add|adding|build|building) (?:an |the |that )?index|roll(?:ing)? ?back|get(?:ting)? rid of)"
)
_SAFE_EN = r"(?:safe|ok|okay|fine|alright|all right|dangerous|risky|harmful|advisable|wise|allowed|a (?:good|bad) idea)"
_JUST_EN = r"(?: (?:just|simply|safely|now|also|really|maybe|please|go ahead and|try to|manually))*"
_ASKING_EN = re.compile(
    rf"(?<!how )\b(?:can|could|may|might|should|shall|must|do|can't|couldn't|shouldn't) (?:i|we|you|one)"
    rf"(?: (?:have|need|want|recommend|advise))?(?: to)?{_JUST_EN} {_ACT_EN}|"
    rf"\b{_SAFE_EN}(?: for (?:me|us))?(?: (?:if|when) (?:i|we)| to){_JUST_EN} {_ACT_EN}|"
    rf"\b(?:risk|harm|danger)\w* (?:in|of|to|if (?:i|we)) {_ACT_EN}|"
    rf"\b(?:does|do|will|would|is) (?:an? |the )?{_ACT_EN}.{{0,40}}(?:lock|block|hurt|break|interrupt|stop|safe|risky|dangerous)",
    re.IGNORECASE,
)
# The assistant's own record: "can I delete my second answer", "can we drop all this".
_OWN = re.compile(
    r"第[一二三四五六七八九十\d]+[条项个]|回答|答案|记录|"
    r"\b(?:answers?|items?|evidence|conversation|what i said|all (?:of )?this|start over)\b",
    re.IGNORECASE,
)
_WAL_FILES = re.compile(
    r"pg_?wal|pg_xlog|wal[ _-]*(?:files?|segments?|logs?|目录|文件|日志|段)|(?:旧|老|些|积压)的? ?wal|old(?:er)? wal|预写日志",
    re.IGNORECASE,
)
_REMOVING = re.compile(
    r"删|清|移走|\brm(?![a-z])|\b(?:delet|remov|purg|wip|drop|truncat)|get(?:ting)? rid of", re.IGNORECASE
)


# Words for things that were named before.
_BACK = re.compile(r"里面|里头|老的|旧的|那些|这些|它|\b(?:it|them|those|these|ones|files|stuff)\b", re.IGNORECASE)


def points_back(text: str) -> bool:
    """Whether it speaks of something that was named before."""
    return bool(_BACK.search(text))


def asks_permission(text: str) -> bool:
    """Whether it asks if something may be done that cannot be taken back, or that interrupts."""
    return bool(_ASKING_ZH.search(text) or _ASKING_EN.search(text)) and not _OWN.search(text)


def touches_wal_files(text: str) -> bool:
    """Whether it speaks of removing the files of the write-ahead log."""
    return bool(_WAL_FILES.search(text) and _REMOVING.search(text))
