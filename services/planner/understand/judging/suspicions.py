"""Guesses at a cause: "could it be the disk?", "怀疑是锁". Never evidence."""

from __future__ import annotations

from lang import deferred_re as re
from services.planner.understand.judging.classified import Heard
from services.planner.understand.questions import questions
from services.planner.understand.text.clauses import Clause
from services.planner.understand.text.lexicon import words
from services.planner.understand.text.segments import Segment, segments_of
from services.planner.understand.text.tokens import Kind
from services.planner.understand.text.word_lists import compile_words

_COPULA_ZH = r"(?:就?是|像是|像|属于|出在|卡在|出自|源于|跟|和|因为|由于|由)"
_STRONG_ZH = re.compile(
    r"(?:会不会|是不是|有没有可能|有可能|难道|莫非|该不会|不会|总不会|别是|不是(?=.*(?:吗|吧|么|嘛|呢)$)|能不能)(?:就|是|又|也|跟|和|因为|由于|说)*(?P<np>.+)"
)
_SUSPECT_ZH = re.compile(
    r"(?:怀疑|猜测?|疑心|直觉|我赌|十有八九|多半|八成|恐怕|怕是|估摸着?)(?:就|是|可能|应该|又|跟|和|因为|由于|告诉我)*(?P<np>.+)"
)
_COPULAR_ZH = re.compile(
    rf"(?:可能|估计|大概|应该|也许|或许|觉得|感觉|认为|看着|看起来|看上去|看样子|貌似|好像|似乎|肯定|一定|八成|没准|说不定|表现|症状|现象|这|我看)"
    rf"(?:也|就|都|更|还|很|有点|大概|可能|应该)*{_COPULA_ZH}(?P<np>(?!有的?$|没|有了|的$|对$).+)"
)
_LIKE_ZH = re.compile(
    r"(?:特别|很|非常|有点|更|挺|蛮|好|最|就)?像(?:是|极了)?(?P<np>[^,]{2,20}?)(?:啊|吧|了|一样|似的|的样子|造成的)?$"
)
_TAIL_ZH = re.compile(r"(?:导致|引起|造成|引发|搞|弄)的?$|(?:有关系?|相关)$|(?:吧|吗|么|呢|啊|呀|了吧|的吧|呗)+$|的$")
_HEAD_ZH = re.compile(r"^(?:因为|由于|又|也|就|是|跟|和|在|出在|某个?|什么)+")

_LINK = r"(?:just |simply |all |actually |also |really |maybe |down to |due to |because of |caused by |related to |about |from |something to do with |something with |to do with )*"
_STRONG_EN = (
    re.compile(
        rf"(?<![\w'])(?:could|might|may|can|would|must|should)(?:n't| not)? (?:(?:it|this|that|the (?:cause|culprit|problem|reason|issue|root cause)) )?(?:also |possibly |well |just |all )*be {_LINK}(?P<np>.+)"
    ),
    re.compile(
        rf"(?<![\w'])(?:i|we|i'm|i'd|we'd|im|i am|my)(?: \w+)? (?:suspect|suspecting|bet|betting|wager|guessing|blame)(?: that)?(?: it'?s| it is| this is| it might be| on)? {_LINK}(?P<np>.+)"
    ),
    re.compile(
        rf"^(?:suspect|suspecting|betting on|blaming|my money's on|my money is on|smells like|smells of|reeks of) {_LINK}(?P<np>.+)"
    ),
    re.compile(
        rf"(?<![\w'])my (?:\w+ )?(?:guess|hunch|bet|suspicion|theory|feeling|gut|money)(?: says| tells me)?(?: is| would be|'s)?(?: that)?(?: on)?(?: it'?s| it is)? {_LINK}(?P<np>.+)"
    ),
    re.compile(r"^(?P<np>[^,\d]+?) (?:imo|imho|if you ask me|is my (?:guess|bet|hunch)|would be my (?:guess|bet))$"),
    re.compile(
        rf"^(?:so |and |or |but |hmm+ |then )*(?:is|was|isn't|wasn't) (?:it|this|that|the (?:cause|problem|culprit))(?: possible| possibly| maybe| not| perhaps)?(?: that)?(?: it's| we have)? {_LINK}"
        r"(?!bad|harmful|good|usual|a problem|safe|ok|okay|worth|better|necessary|enough|done|there|normal|fine|possible to|wise|dangerous|risky)(?P<np>.+)"
    ),
)
_SOFT_EN = (
    re.compile(
        rf"(?<![\w'])(?:maybe|perhaps|probably|possibly|likely|presumably)(?: it'?s| it is| this is| that'?s| it was| we have| is| just| a case of)* {_LINK}(?P<np>.+)"
    ),
    re.compile(
        rf"(?<![\w'])(?:looks?|feels?|sounds?|seems?|smells?|looking)(?: a lot| very much| kind of| kinda| more| to me| rather)* (?:like|as if|to be)(?: it'?s| we have| it is)? {_LINK}(?P<np>.+)"
    ),
)
_FINITE_EN = compile_words("judging.finite_en")
_TAIL_EN = re.compile(
    r"(?: again| maybe| perhaps| or something| i think| right| no| huh| though| too| to be honest| tbh| then| or so| problem here| here)+$|\W+$"
)
_ARTICLE = re.compile(r"^(?:some kind of |some sort of |some |a |an |the |our |just |that )+")
_NOTHING = re.compile(
    r"^(?:有|没有|是|对|的|了|这样|这个|那个|正常|吧|么|\W|\d|"
    + words("yes|no|it|that|this|so|not|one|there|fine|normal|ok|done|related|due|more|less|specific|sure|because")
    + ")*$"
)


_SUPPOSED = re.compile(
    r"^(?:so |and |but |then )*(?:it|this|that)(?:'s|s| is| isn't)(?: not)? (?:\w+ )*\w{2,}|^(?:应该)?(?:不|就)?是\S{2,}"
)
# "It's not the vacuum, right?": the tag asks what the clause before it says.
_TAG = re.compile(
    r"(?:对不对|是不是|对吧|是吧|对吗|是吗|不是吗|没错吧|是不|"
    + words(
        "right|correct|is it|isn't it|is that it|huh|eh|yes|no|yeah|am i right|do you think|you think|does it|are they"
    )
    + r")(?:啊|呢)?"
)
# When something began is seen, not suspected.
_WHEN = re.compile(
    r"(?:之后|以后|后|起|开始)(?:才|就)?(?:开始|出现|变慢|慢|有)?的?$|"
    + words("(?:since|after) .*|(?:started|began) .*")
)


def is_supposed(clause: str) -> bool:
    """Whether a normalised clause that ends with a question mark says what "it" is or is not."""
    return bool(_SUPPOSED.match(clause))


def names_items(segment: Segment) -> bool:
    """Whether it points by more than "that one", which may go with a word of its own: "that batch job"."""
    pointing = (token.kind for token in (*segment.refs, *segment.excepted))
    return segment.pointed and any(kind is not Kind.JUST for kind in pointing)


def is_guess(clause: Clause, heard: Heard, found: tuple[int, int] | None) -> bool:
    """Whether a clause asks whether something is the cause, or is so: it answers nothing then."""
    if any(names_items(segment) for segment in segments_of(clause.text)):
        return False
    if found is not None:
        return clause.asks
    if not clause.asks or questions.asks(clause.text, False):
        return False
    return is_supposed(clause.text)


def is_tag(clause: str) -> bool:
    """Whether a clause that ends a question only asks whether the one before it is so: "..., right?"."""
    return bool(_TAG.fullmatch(clause.strip()))


def suspicion_of(clause: str) -> tuple[int, int] | None:
    """Where in a normalised clause the suspected thing stands, as (start, end); None when nothing is suspected."""
    for expression in (_SUSPECT_ZH, _COPULAR_ZH, _STRONG_ZH, _LIKE_ZH):
        found = expression.search(clause)
        if found and not (expression is _LIKE_ZH and re.search("好像|图像|镜像|得(?:就|跟|好)?像", clause)):
            return _trimmed(clause, found, _HEAD_ZH, _TAIL_ZH)
    for expression in _STRONG_EN:
        found = expression.search(clause)
        if found:
            return _trimmed(clause, found, _ARTICLE, _TAIL_EN)
    for expression in _SOFT_EN:
        found = expression.search(clause)
        if found and not _FINITE_EN.search(found["np"]):
            return _trimmed(clause, found, _ARTICLE, _TAIL_EN)
    return None


def _trimmed(clause: str, found: re.Match[str], head: re.Pattern[str], tail: re.Pattern[str]) -> tuple[int, int] | None:
    start, end = found.span("np")
    for _ in range(3):
        text = clause[start:end]
        leading, trailing = head.search(text), tail.search(text)
        start += leading.end() if leading else 0
        end -= len(text) - trailing.start() if trailing else 0
    start += len(clause[start:end]) - len(clause[start:end].lstrip())
    text = clause[start:end].strip()
    if (len(text) < 2 and not re.fullmatch(r"[锁慢]", text)) or _NOTHING.match(text) or _WHEN.search(text):
        return None
    return start, start + len(text)
