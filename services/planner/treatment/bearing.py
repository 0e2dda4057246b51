"""What a person says that bears on what may be done: what has to be kept, what there is none of, what it came with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lang import deferred_re as re
from lang.judging.out_of_reach import nobody_in
from lang.modality import is_out_of_reach
from lang.numbers.filling import figures_in
from lang.objects import HOLDS, Role
from lang.objects.disk_rows import figures_shown
from services.planner.model import NamedObject, SessionView, Speaker
from services.planner.treatment.actions import actions_in, names_database, names_ddl, read_actions
from services.planner.treatment.durations import QUERY, now_in, runtimes_in
from services.planner.treatment.sentences import clauses_of, refused_in, sentences_of, told_clauses
from services.planner.treatment.shown_actions import NOTE, SESSION, shown_actions
from services.planner.treatment.wanted.wants import wants_in
from services.planner.understand.text.domain import is_technical
from services.planner.understand.text.word_lists import listed, names

# The kinds under which this is kept beside the objects of a case.
BEARING, RUNTIME, FIGURE, CLOCK = "bearing", "runtime", "figure", "clock"
# That nobody answers who may act, with the turn of it.
NOBODY = "nobody"
# The kind of what the person has no right to do: an action, or all that changes something. What is had since is fine.
LACKS, ALL, SUPERUSER = "lacks", "all", "superuser"
# The kind of a session that must not be ended: the turn, then its number or the words for it. Fine where it may be now.
SPARED = "spared"
# The kind of a session that stands in place of another: "20411>20877", or "ddl>20877" for the DDL that runs again.
REPLACED = "replaced"
# The kind of words by which a step is refused, cannot be taken, or is taken already.
ASIDE = "aside"
KEEP_QUERY, NO_LOSS, NO_JOB, PATRONI = "keep_query", "no_loss", "no_job", "patroni"
RELEASE, OWNER_KNOWN, GONE = "release", "owner_known", "consumer_gone"

_PATTERNS = {
    PATRONI: listed("treatment.patroni"),
    KEEP_QUERY: re.compile(
        rf"\b{QUERY}\b[^.,;?!]{{0,40}}\b(?:(?:get|gets|got|getting|being|was|were|keeps?|is|are)\s+(?:\w+\s+){{0,2}}"
        r"(?:cancel|kill|abort)\w*|(?:must|has to|have to|needs? to|should)\s+(?:finish|run|complete|go through))"
        rf"|\b(?:don'?t|can'?t|cannot|not)\s+(?:want to\s+)?(?:cancel|kill|stop|abort)\s+(?:\w+\s+){{0,2}}{QUERY}"
        rf"|\b(?:want|need)\s+(?:\w+\s+){{0,2}}{QUERY}\s+(?:to\s+)?(?:finish|run|complete|go through)"
        rf"|{QUERY}[^，。？！]{{0,8}}(?:被|老是?|总是?|又)[^，。？！]{{0,4}}(?:取消|砍|杀|中断|掐)"
        rf"|(?:要|得|必须|需要|让)[^，。？！]{{0,6}}{QUERY}[^，。？！]{{0,4}}(?:跑完|跑出来|出来|跑)"
        rf"|{QUERY}[^，。？！]{{0,4}}(?:要|得|必须)(?:能)?跑完|(?:别|不能|不要|不许|不想)[^，。？！]{{0,4}}(?:砍|取消|杀)[^，。？！]{{0,6}}{QUERY}",
        re.IGNORECASE,
    ),
    NO_LOSS: re.compile(
        r"\b(?:can'?t|cannot|mustn'?t|won'?t|don'?t want to|not want to|rather not|not allowed to|afford to|not)"
        r"\s+(?:afford to\s+)?los(?:e|ing)\b|\b(?:no|zero|without(?: any)?)\s+(?:data\s+)?loss\b|\bwithout losing\b"
        r"|(?:不能|不许|不可以|不想|不允许|不要|别|绝不能|千万别)[^，。？！]{0,6}丢|一[条笔单个](?:数据|订单|记录)?(?:都|也)(?:不能|不许|别)丢",
        re.IGNORECASE,
    ),
    NO_JOB: re.compile(
        r"\b(?:no|not a|isn'?t a|is not a|(?:don'?t|do not) have (?:any |a )?|there(?:'s| is| are) no)\s*"
        r"(?:such |single |batch |cron |background )*(?:jobs?|batch(?:es)?|crons?)\b"
        r"|(?:没有?|不是)(?:什么|任何|这种|那种|跑)?(?:批量|批处理|定时|后台)?的?(?:任务|作业|批处理|跑批|批量)(?!.{0,6}(?:报错|失败|成功))",
        re.IGNORECASE,
    ),
    OWNER_KNOWN: re.compile(
        r"\b(?:can'?t|cannot|couldn'?t|nobody|no one|unable to)\b[^.?!]{0,24}"
        r"\b(?:reach|reachable|answers?|picks? up|available)\b"
        r"|\b(?:asleep|on (?:leave|holiday|vacation)|out of office|left the company)\b"
        r"|\b(?:it'?s|its|it is|belongs? to|that'?s|comes? from)\s+(?:from\s+)?(?:my|our|some|the|a)\b[^.?!]{0,24}"
        r"\b(?:job|report|script|tool|app|service|session|laptop|query)\b"
        r"|(?:联系|找)不[上到]|(?:人|他|她|都)[^，。？！]{0,3}找不到|请假|休假|睡了|离职|没人(?:接|应|回)"
        r"|(?:是|属于)(?:我们?|自己|咱们?)的(?:会话|任务|脚本|报表)?",
        re.IGNORECASE,
    ),
}
_NO_RELEASE = re.compile(
    r"\b(?:no(?:body|thing)?|not?|didn'?t|haven'?t|hasn'?t|without|before)\b[^.;]{0,24}"
    r"\b(?:releas|deploy|roll|ship|new version)"
    r"|(?:没|没有|未|不)(?:人|做|有)?(?:发(?:过|布|版)|上线)",
    re.IGNORECASE,
)
# That what read from here was given up, and what says that it was not.
_GONE, _STAYS = listed("treatment.consumer_gone"), listed("treatment.consumer_stays")
# In so many sentences one after the other a release and the beginning belong together.
_NEAR = 3
_RIGHT = r"(?:rights?|permissions?|privileg\w*|grants?|superuser|admin(?: access)?)"
_LACKING = re.compile(
    rf"\b(?:no|without(?: \w+)?|lack(?:s|ing)?|missing|(?:do|does|have|has|am|is)(?: not|n'?t)(?: have| got)?)\s+"
    rf"(?:(?:the|any|enough|such|that|a|my|\w+)\s+){{0,2}}{_RIGHT}\b"
    r"|\b(?:am not|'?m not|is not|isn'?t|are not|aren'?t|not) (?:allowed|permitted|authori[sz]ed|entitled)\b"
    r"|\bmy (?:login|account|user|role)\s+(?:can'?t|cannot|can not|may not|isn'?t allowed)\b"
    r"|\bpermission denied\b|\bmust be (?:a )?(?:member of|superuser|owner of)\b"
    r"|(?:没有?|无|缺|缺少)[^，。？！]{0,6}权限|权限(?:不够|不足|没有)|不让我|账号不能|(?:不是|没有?|非)超级用户",
    re.IGNORECASE,
)
_NO_SUPERUSER = re.compile(
    r"(?:\b(?:no|not|without)|n'?t)\s+(?:(?:a|any|the|have|got|even)\s+){0,2}super ?user\b|(?:不是|没有?|非)超级用户",
    re.IGNORECASE,
)
# A role that looks at anything and changes nothing.
_MONITORS = r"\b(?:pg_monitor|monitor(?:ing)? (?:role|user|login|account|rights?))\b"
_READ_ONLY = re.compile(
    r"\bread[- ]?only\s+(?:\w+\s+)?(?:login|user|account|access|role|rights?|permissions?|credentials?)\b"
    r"|\b(?:i'?m|i am|im|we'?re|we are|only have|my \w+ is)\s+(?:only\s+)?read[- ]?only\b"
    rf"|\b(?:only|just|some|nothing but|all i have is)\b[^.?!]{{0,30}}{_MONITORS}"
    rf"|\b(?:login|user|account|role)\b[^.,;?!]{{0,16}}{_MONITORS}|(?:只有|只给了?|就)[^，。？！]{{0,6}}(?:pg_monitor|监控(?:角色|账号|用户|权限))"
    r"|(?:账号|用户|权限)[^，。？！]{0,3}只读|只读(?:的)?(?:账号|账户|权限|用户|登录)|只有?能?读(?:的)?权限",
    re.IGNORECASE,
)
_GRANTED = re.compile(
    rf"\b(?:got|have|given|granted|gave me)\b[^.,;?!]{{0,20}}\b{_RIGHT}\b[^.,;?!]{{0,12}}\bnow\b"
    rf"|\b(?:now|finally|just)\b[^.,;?!]{{0,12}}\b(?:got|have|gave me|granted)\b[^.,;?!]{{0,20}}\b{_RIGHT}\b"
    r"|(?:有|拿到|开了?|给(?:我)?(?:开|加)?)了?[^，。？！没]{0,4}权限了|权限(?:开好|开通|拿到|给)了"
    r"|\bi(?:'m| am| can be| can become| have)\s+(?:the\s+)?(?:root|postgres|superuser|admin)\b|\bsudo -u postgres\b"
    r"|我(?:们)?(?:就|也)?(?:有|是|能用|可以用)\s?(?:root|超级用户|postgres)",
    re.IGNORECASE,
)
# What cannot be seen, which is no right to act.
_END_ZH = r"(?:动|碰|杀|停|断|掐|踢|干掉|结束|取消|终止|kill)"
_END_EN = r"(?:touch|kill|end|terminat|stop|cancel|shoot)"
# Before an order there is nobody who does not do it: "i haven't", "we don't kill".
_NO_DOER = r"(?<!\bi )(?<!\bwe )(?<!\bthey )(?<!\bit )(?<!\bhe )(?<!\bshe )(?<!\bto )"
_FORBIDS = re.compile(
    rf"(?:(?<![能可要该])不(?:能|可以?|许|准|要|得|让)|(?<![特区性级差个分])别|勿)(?:再|去|给我|乱|随便|直接)?{_END_ZH}(?!不)"
    r"|动不得|碰不得|惹不起"
    rf"|{_NO_DOER}\b(?:do not|don'?t|dont|never)\s+(?:ever |just |you )*{_END_EN}\w*"
    rf"|\b(?:must not|mustn'?t|may not|should not|shouldn'?t|not (?:allowed|supposed) to)\s+(?:be |get )*{_END_EN}\w*"
    rf"|\b(?:can'?t|cant|cannot|can not)\s+(?:be {_END_EN}\w*|touch)\b"
    rf"|{_NO_DOER}\bleave\s+(?:[\w']+\s+){{1,3}}alone\b|\bhands off\b|\b(?:is|are)\s+off[- ]limits\b",
    re.IGNORECASE,
)
# What is only supposed, or the aim of something else, forbids nothing: "if i leave it alone", "so i don't kill it".
_SUPPOSES = re.compile(r"\b(?:if|unless|in case|so that|let)\b|如果|要是|万一|免得|以免|省得", re.IGNORECASE)
_ALLOWS = re.compile(
    rf"(?:可以|能)(?:放心)?{_END_ZH}(?:掉|了)?(?:它|他|她|那个)?了|(?:同意|答应|允许)[^，。？！]{{0,6}}{_END_ZH}"
    rf"|\b(?:ok|okay|fine|free|allowed|agreed?s?|says? we (?:can|may))\s+(?:to\s+|for us to\s+)?{_END_EN}\w*"
    rf"|\b(?:can|may)\s+(?:be\s+)?{_END_EN}\w*\b[^.,;?!]{{0,16}}\b(?:now|after all)\b",
    re.IGNORECASE,
)
# That nobody forbade it, or that whoever may say so agrees.
_NOT_FORBIDDEN = re.compile(
    r"(?:没有?|谁)说(?:过)?[^，。？！]{0,4}(?:不能|不许|不可以|别)"
    r"|(?:说|回)(?:了)?[^，。？！]{0,3}(?:可以|能|行|没问题|同意)|(?:可以|能)(?:放心)?关(?:掉|了)?"
    r"|\b(?:did not|didn'?t|never) (?:say|said)\b[^.,;?!]{0,24}\b(?:not|never|can'?t|cannot|don'?t)\b"
    r"|\b(?:says?|said|gave|gives)\b[^.,;?!]{0,16}\b(?:ok|okay|yes|fine|go ahead|we can|can go)\b",
    re.IGNORECASE,
)
_PID = r"(?<![A-Za-z0-9_.:])\d{3,7}(?![A-Za-z0-9_%.])"
_NOT_THE = r"(?:不是|不再是|而不是|\bnot|\binstead of|\bused to be|\bwas)"
_BECAME = r"(?:变成|变为|换成|改成|->|→|\bbecame|\bis now|\bturned into)"
_REPLACES = re.compile(
    rf"(?P<new>{_PID})[^\d.?!。？！]{{0,8}}{_NOT_THE}[^\d.?!。？！]{{0,8}}(?P<old>{_PID})"
    rf"|(?P<before>{_PID})[^\d?!。？！]{{0,8}}?{_BECAME}[^\d?!。？！]{{0,8}}(?P<now>{_PID})"
    rf"|不是[^\d。？！]{{0,4}}(?P<was>{_PID})[^\d。？！]{{0,6}}(?:是|变成)[^\d。？！]{{0,4}}(?P<is>{_PID})",
    re.IGNORECASE,
)
_MOST_WORDS = 60
# What the assistant has said before an end of a session, in either language.
_TOLD_OWNER = ("whose session it is", "这个会话是谁的")
_SETS_ASIDE = listed("treatment.set_aside")


def bearing_on_treatment(said: str, view: SessionView, message: str = "") -> tuple[NamedObject, ...]:
    """What a message, with its pastes, and the talk so far bring that bears on what may be done."""
    names = dict.fromkeys((*_wishes(said), *_began_with(said, view), *_told(view)))
    kept = [NamedObject(BEARING, name, said=True) for name in names]
    kept += (*_rights(said, view), *_spared(said, view), *_replaced(said, view), *_aside(said, view))
    figures = (*figures_in(said), *figures_shown(message))
    kept += (NamedObject(FIGURE, f"{view.turn} {each} {amount:.0f}", said=True) for each, amount in figures)
    kept += [NamedObject(CLOCK, f"{view.turn} {now}", said=True)] if (now := now_in(said)) else []
    kept += [NamedObject(NOBODY, str(view.turn), said=True)] if nobody_in(said) else []
    return (*kept, *(NamedObject(RUNTIME, minutes, said=True) for minutes in runtimes_in(said)))


def lacks_any(objects: Iterable[NamedObject]) -> bool:
    """Whether the person has said to lack a right, and not to have it since."""
    return any(each.kind == LACKS and each.role == HOLDS for each in objects)


def lacking_in(said: str) -> bool:
    """Whether words tell that the person has no right to something."""
    return _LACKING.search(said.replace("’", "'")) is not None or _READ_ONLY.search(said) is not None


def lacks_right(said: str) -> bool:
    """Whether a sentence tells that the person has no right to act, not only that something cannot be seen."""
    sentences = (each.replace("’", "'") for each in sentences_of(said))
    return any(
        _READ_ONLY.search(each) or (_LACKING.search(each) and not names("named.looking", each)) for each in sentences
    )


def _rights(said: str, view: SessionView) -> Iterator[NamedObject]:
    """What the person has no right to do, and what there is a right to by now: as named, else as it was shown last."""
    sentences = [each.replace("’", "'") for each in sentences_of(said)]
    if any(_GRANTED.search(each) for each in sentences):
        kept = {each for text in (said, *_said_before(view)) for each in actions_in(text)}
        yield from (
            NamedObject(LACKS, name, str(Role.FINE), True)
            for name in sorted({*kept, *shown_actions(view), ALL, SUPERUSER})
        )
        return
    if any(_READ_ONLY.search(each) for each in sentences):
        yield NamedObject(LACKS, ALL, HOLDS, True)
    if any(_NO_SUPERUSER.search(each) for each in sentences):
        yield NamedObject(LACKS, SUPERUSER, HOLDS, True)
    if any(names("named.pooler", each) and (_FORBIDS.search(each) or is_out_of_reach(each)) for each in sentences):
        yield NamedObject(LACKS, "resize_pool", HOLDS, True)
    for at, each in enumerate(sentences):
        if not _LACKING.search(each):
            continue
        near = (each, *sentences[max(at - 1, 0) : at])
        named = next((found for text in near if (found := actions_in(text))), ())
        shown = () if named or names("named.looking", each) else shown_actions(view)
        yield from (NamedObject(LACKS, name, HOLDS, True) for name in named or shown)


def _spared(said: str, view: SessionView) -> Iterator[NamedObject]:
    """The sessions that must not be ended, by number or in the words for them, and that they may be by now."""
    clauses = [each.replace("’", "'") for each in told_clauses(said) if not each.endswith(("?", "？", "吗", "么"))]
    for clause in clauses:
        denied = _NOT_FORBIDDEN.search(clause) is not None
        if denied or (_ALLOWS.search(clause) and not _FORBIDS.search(clause)):
            yield NamedObject(SPARED, f"{view.turn} ", str(Role.FINE), True)
        if denied or not _FORBIDS.search(clause) or _SUPPOSES.search(clause):
            continue
        numbers = SESSION.findall(clause)
        if lacking_in(said) or _is_of_another(clause) or not (numbers or names("named.pointed", clause)):
            continue
        words = numbers or [clause.lower()[:_MOST_WORDS]]
        yield from (NamedObject(SPARED, f"{view.turn} {each}", said=True) for each in words)


def _aside(said: str, view: SessionView) -> Iterator[NamedObject]:
    """The words that set a step aside after steps were shown; where they name none, with the sentence before them."""
    answers = (each.text for each in view.history if each.speaker is Speaker.ASSISTANT)
    if not any(map(NOTE.search, answers)):
        return
    before, refused = "", [each for each in refused_in(said) if actions_in(each)]
    yield from (NamedObject(ASIDE, each.lower()[-2 * _MOST_WORDS :], said=True) for each in refused)
    for sentence in sentences_of(said):
        for clause in set_aside_in(sentence):
            words = clause if is_technical(clause) else f"{before} {clause}"
            yield NamedObject(ASIDE, words.lower()[-2 * _MOST_WORDS :], said=True)
        before = sentence


def set_aside_in(sentence: str) -> Iterator[str]:
    """The clauses that tell of something that is not to be done, cannot be, or is done already."""
    clauses = (each.replace("’", "'") for each in clauses_of(sentence))
    return (each for each in clauses if _SETS_ASIDE.search(each) and "leave" not in wants_in(read_actions(each)))


def _replaced(said: str, view: SessionView) -> Iterator[NamedObject]:
    """Which session stands in place of another, as it is said, or as the DDL that runs again has it."""
    for sentence in ("".join(f"{each} " for each in clauses_of(one)) for one in sentences_of(said)):
        numbers = [*dict.fromkeys(SESSION.findall(sentence))]
        told = [found.groupdict() for found in _REPLACES.finditer(sentence)]
        pairs = [
            (each["old"] or each["before"] or each["was"], each["new"] or each["now"] or each["is"]) for each in told
        ]
        if not pairs and len(numbers) == 1 and names_ddl(sentence) and names("named.again", sentence):
            pairs = [(str(Role.DDL), numbers[0])]
        yield from (NamedObject(REPLACED, f"{view.turn} {old}>{new}", said=True) for old, new in pairs)


def _is_of_another(clause: str) -> bool:
    """Whether what a clause wants left alone is no session."""
    return names("named.no_session", clause) or names_database(clause) or names_ddl(clause)


def _said_before(view: SessionView) -> list[str]:
    return [each.text for each in view.history if each.speaker is Speaker.USER]


def _wishes(said: str) -> Iterator[str]:
    for sentence in (each.replace("’", "'") for each in sentences_of(said)):
        for name, words in _PATTERNS.items():
            if words.search(sentence):
                yield name
        if _GONE.search(sentence) and not _STAYS.search(sentence):
            yield GONE


def _began_with(said: str, view: SessionView) -> Iterable[str]:
    """That it began with a release: said in sentences near each other, in this message or over two."""
    before = next((each.text for each in reversed(view.history) if each.speaker is Speaker.USER), "")
    sentences = [*list(sentences_of(before))[-1:], *sentences_of(said)]
    near = (sentences[at : at + _NEAR] for at in range(len(sentences)))
    return [RELEASE] if any(map(_came_with_release, near)) else []


def _came_with_release(sentences: Iterable[str]) -> bool:
    told = [clause for each in sentences for clause in clauses_of(each)]
    released = any(names("named.released", each) and not _NO_RELEASE.search(each) for each in told)
    return released and any(names("named.since", each) and not _NO_RELEASE.search(each) for each in told)


def _told(view: SessionView) -> Iterator[str]:
    """That the assistant has already asked to make sure whose session it is."""
    answers = (each.text for each in view.history if each.speaker is Speaker.ASSISTANT)
    if any(told in text for text in answers for told in _TOLD_OWNER):
        yield OWNER_KNOWN
