"""Corrections: something said in an earlier turn is taken back, or replaced by a verdict or by words.

A correction has up to two parts around its marker: what was said, and what holds instead ("之前说 IO 正常" | "其实很高").
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from lang import deferred_re as re
from services.planner.model import CorrectionStep, Group, ItemList, Reference, SessionView, Verdict
from services.planner.understand.corrections.pointing_back import pointed_at
from services.planner.understand.corrections.reasons import STOP, is_reason, told_elsewhere, without_reasons
from services.planner.understand.items.item_names import near_evidence
from services.planner.understand.items.references import terms_of
from services.planner.understand.text.lexicon import pattern, words
from services.planner.understand.text.messages import Message
from services.planner.understand.text.segments import is_bare, segments_of
from services.planner.understand.text.word_lists import compile_words

Span = tuple[int, int]

_WRONG = pattern(
    r"(?:是|都)?(?:我|我们|我这边)?(?:说|看|搞|弄|记|写|打|填|查|点|选|数|量|输|答|认|读|听|传|贴|复制|手滑)(?:错|反|岔|混|漏)(?:了|的|误)*|看走眼了?|口误|手滑了?|笔误|"
    r"(?:数据|数字|信息|结果|说法|说的|值|那个|说得|答案|回答)?(?:是)?(?:不对|(?<![说拿吃])不准确?|有误|错(?:的|了)|不是真的|搞错了?|有问题)(?:的|了)?(?=$|[,\s]|应|其|实|是)",
    words(
        r"(?:was|is|were|are|got (?:it|that|this)|had (?:it|that|this)|have (?:it|that))(?: \w+)? (?:wrong|incorrect|mistaken|not right|not correct|a mistake|a typo|inaccurate|off|not true|in error)",
        r"mis(?:read|typed|reported|spoke|took|counted|remembered|stated|looked|wrote)|(?:my|a) (?:mistake|bad|error|typo)|oops|whoops|typo|i was wrong|i made a mistake|"
        r"(?:looked|read|checked)(?: at)?(?: the)? wrong(?: \w+)?|wrong (?:number|host|server|database|column|graph|node|one|instance|metric)",
    ),
)
_RETRACT = compile_words(
    "corrections.retract",
    words(
        r"tak(?:e|ing)(?: \w+){1,4} back",
        r"ignore(?= what| that| my| the (?:last|previous))",
        r"forget(?= what i| that| my| about what| i )",
        r"(?:forget|drop|ignore|scrap|skip|discard) (?:it|that one)$",
    ),
    r"(?:不|别)(?:作|算)数?了?(?![多少高低大小慢快太很])",
    r"忽略(?:掉)?(?=刚|之前|前面|上|我|那|第)",
    r"忘(?:了|掉)(?=刚|之前|前面|我说|那)",
)
_INSTEAD = compile_words(
    "corrections.instead",
    words(r"(?<!n't )actually"),
    r"(?:改|换|更正|修正|纠正|订正|变)(?:成|为|到)",
    r"重新(?:看|查|确认|核对)(?:了|过)?(?:一下|一遍)?",
    r"(?:再|又|仔细|刚)(?:看|查|确认|核对)(?:了|过)?(?:一下|一遍|下|一眼)?(?:发现|是)?",
    r"(?<=,)而?是",
)
_CHANGE = compile_words(
    "corrections.change",
    words(r"change (?:my|that|the|what|\d|item)(?: \w+){0,4} to"),
    r"把.{1,20}(?:改|换)(?:成|为)",
    r"(?:说的|之前|刚才|前面|那个).{0,12}(?:改|换)(?:成|为)",
)
_PAST = compile_words(
    "corrections.past",
    words(
        r"(?:what )?i (?:said|told|reported|mentioned|gave|wrote|confirmed|denied|answered|sent|posted|pasted|showed(?: you)?|shared|uploaded|quoted|put)",
        r"my (?:last|previous|earlier|first)(?: \w+)?",
    ),
    r"(?:一开始|起初|最早|最初)(?=说|讲|报|给|我)",
    r"刚刚(?=说|那|的)",
    r"(?:我|那会儿?)(?:说|讲|报|填|答|给)(?:过|的|了|是)",
    r"(?:贴|发|给|报|说|传)(?:给)?你(?:的|那|过)",
)
_NOT_BUT = re.compile(
    r"不是(?P<old>[^,是]{1,20}),?(?:而)?(?:就)?是(?P<new>[^,]+)|"
    + r"(?P<new2>[^,]+),? (?:and )?not (?P<old2>\d[\w.% ]*)$|not (?P<old3>[^,]+?),? but (?P<new3>[^,]+)|(?P<new4>[^,]+?),?\s*不是\s*(?P<old4>\d[^,]*)$"
)
_NOISE_BEFORE = re.compile(
    r"^(?:之前|刚才|刚刚|前面|上面|上一?(?:轮|次|回|条)|先前|早先|我们?|说|讲|报|填|答|给|提到?|记|反馈|过|的|了|是|那个?|这个?|把|将|"
    r"抱歉|不好意思|对不起|哦|啊|呃|对|请|帮我?|要|里|时候?|关于|有关|数据|数字|结果|这条|那条|更正|纠正|修正|改一下|改下|订正|等等|"
    r"不对|:|,|\s|都|全部?|一下|吧|误|掉|条|等下|嗯|"
    + words(
        r"sorry|oops|whoops|wait|hmm+|uh|oh|no|hold on|apologies|what|i|we|my|mine|said|told you|told|reported|mentioned",
        r"gave(?: you)?|wrote|confirmed|that|this|it|the|a|an|about|earlier|before|previously|previous|last|was|is|were|are",
        r"answers?|statement|for|on|of|to|in|number|value|figure|please|and|but|so|let me|correction|actually|when|had|have",
        r"got|misread|mistyped|misreported|one|thing|bit|part|regarding|as|change|correct|fix|amend|revise|from|back|with",
        r"all|everything|first",
    )
    + r"|[\"'“”])+"
)
_NOISE_AFTER = re.compile(
    r"(?:的|了|是|都|那个|这个|那条|这条|吧|啊|,|:|\s|数据|数字|说法|我|的话|这事|[\"'“”]|"
    + words(
        r"was|is|were|are|i|said|gave|you|earlier|before|that|it|the|thing|number|value|figure|again|comment|bit|part",
        r"please|answer|though|but|to",
    )
    + r")+$"
)
_LEAD = re.compile(
    r"^(?:[\s,:]|是|应该|就|才|也|其实|实际上?|发现|那个|这个|改|成|为|说|"
    + words(
        r"it'?s|it is|it was|they are|they're|there are|there is|there's|is|are|was|were|that|just|the|to|really|should be|correct|actually|i see|i meant|be|now|we have|and|but|so|value|number"
    )
    + r")+",
    re.ASCII,
)
_VALUE_ONLY = re.compile(
    r"^(?:只有|才|大概|约|就|仅|不到|超过|有|only|just|about|around|roughly|close to|nearly|over|under|more like|\s)*[\d.]+\s*[^\s,]{0,4}(?:左右|多|而已|only)?$"
)
_STATE_ONLY = re.compile(
    r"^(?:等待|用)?(?:还|很|挺|是|非常|比较|特别|一直|完全|其实|都|也|not |very |quite |really |still |too |pretty |fine|normal|high|low|ok(?:ay)?|full|slow|healthy|large|small|正常|高|低|慢|多|少|大|满|空|没问题|没事|的|了|\s)+$"
)
# What was said of the subject: a corrected value or state takes its place.
_SAID_OF_IT = re.compile(
    r"\s*(?:不?正常|没问题|没有|很?[高低慢多大满]|[\d.]+\s*\S{0,3}|"
    r"(?i: (?:is|was|are|were)? ?(?:fine|normal|high|low|ok|full)))+$"
)
# Take-backs this short need no earlier evidence to be taken for one.
_SHORT = 24
_STATES_HERE = compile_words("corrections.states_here", r"\d")


@dataclass(frozen=True)
class _Parts:
    """The parts of a correction as spans of the normalised message; None where it has none."""

    original: Span | None
    instead: Span | None
    past: bool
    retracts: bool = False


def says_wrong(text: str) -> bool:
    """Whether a normalised text says in plain words that something was wrong."""
    return bool(_WRONG.search(text))


def correction_of(message: Message, span: Span, view: SessionView) -> CorrectionStep | None:
    """The correction that a sentence makes; None when it corrects nothing said before."""
    found = _parts(message.normal, span, view)
    if found is None:
        return None
    original = _reference(message, found, view, span)
    return _step(message, found, original) if original is not None else None


def _parts(text: str, span: Span, view: SessionView) -> _Parts | None:
    sentence = text[span[0] : span[1]]
    past, wrong, instead = bool(_PAST.search(sentence)), _WRONG.search(sentence), _INSTEAD.search(sentence)
    known = near_evidence(sentence, view) is not None
    contrast = _NOT_BUT.search(sentence)
    if contrast and (known or past or wrong):
        return _contrasted(text, contrast, span, past)
    retract = _RETRACT.search(sentence)
    if retract and (past or known or view.evidence or view.history or len(sentence) < _SHORT):
        return replace(_around(text, span, retract, instead, past), retracts=instead is None)
    if past and known and not (wrong and instead) and told_elsewhere(sentence):
        return _disowned(text, span)
    changed = _CHANGE.search(sentence)
    if changed:
        return _around(text, span, changed, instead, past, new_follows=True)
    if (wrong and (past or known or view.evidence or instead)) or (instead and (past or known)):
        return _around(text, span, wrong, instead, past)
    return None


def _disowned(text: str, span: Span) -> _Parts:
    """What was said is of another system; what comes after a stop may say how it is here."""
    stop = STOP.search(text, *span)
    after = (stop.end(), span[1]) if stop else None
    said = after is not None and bool(_STATES_HERE.search(text[slice(*after)]))
    return _Parts((span[0], stop.start()) if stop else span, _trim_new(text, after) if after and said else None, True)


def _contrasted(text: str, found: re.Match[str], span: Span, past: bool) -> _Parts:
    """ "Not X but Y": a bare value X is a value of what the rest of the sentence speaks of."""
    parts = {name[:3]: found.span(name) for name, value in found.groupdict().items() if value}
    new_start, new_end = parts["new"]
    stops = [stop.end() for stop in STOP.finditer(text, span[0] + new_start, span[0] + new_end)]
    parts["new"] = (stops[-1] - span[0] if stops else new_start, new_end)
    old, new = ((span[0] + parts[name][0], span[0] + parts[name][1]) for name in ("old", "new"))
    return _Parts(_trim(text, old), _trim_new(text, new), past)


def _around(
    text: str,
    span: Span,
    marker: re.Match[str] | None,
    instead: re.Match[str] | None,
    past: bool,
    new_follows: bool = False,
) -> _Parts:
    """What stands before the marker is what was said, what comes after is what holds instead."""
    start, end = span
    sentence = text[start:end]
    if instead and sentence[instead.end() :].strip(" ,:的了"):
        old = _trim(
            text,
            (start, start + min(instead.start(), marker.start() if marker else end)),
        )
        if old is None and marker and marker.end() < instead.start():
            old = _trim(text, (start + marker.end(), start + instead.start()))
        return _Parts(old, _trim_new(text, (start + instead.end(), end)), past)
    if marker is None:
        return _Parts(None, None, past)
    stop = STOP.search(sentence, marker.end())
    comma = stop.start() if stop else -1
    before = _trim(text, (start, start + marker.start()))
    after = _trim(text, (start + marker.end(), start + comma if comma >= 0 else end))
    rest = _trim_new(text, (start + comma + 1, end)) if comma >= 0 else None
    if new_follows and rest is None and after is not None:
        return _Parts(before, _trim_new(text, after), past)
    return _Parts(before or after, rest, past)


def _trim(text: str, span: Span) -> Span | None:
    """The span without words that only say that something was said."""
    start, end = span
    for _ in range(3):
        leading = _NOISE_BEFORE.match(text[start:end])
        start += leading.end() if leading else 0
        trailing = _NOISE_AFTER.search(text[start:end])
        end -= trailing.end() - trailing.start() if trailing else 0
    return (start, end) if start < end else None


def _trim_new(text: str, span: Span) -> Span | None:
    start, end = span
    leading = _LEAD.match(text[start:end])
    start += leading.end() if leading and leading.end() < end - start else 0
    while end > start and text[end - 1] in " ,.-了":
        end -= 1
    while start < end and text[start] in " ,-":
        start += 1
    return (start, end) if start < end else None


def _step(message: Message, found: _Parts, original: Reference) -> CorrectionStep:
    verdict = _bare_verdict(message.normal[slice(*found.instead)]) if found.instead else None
    if verdict is not None:
        return CorrectionStep(original, verdict=verdict)
    if found.instead is None or is_reason(message.normal[slice(*found.instead)], found.retracts):
        return CorrectionStep(original, retract=True)
    held = without_reasons(message.normal, found.instead)
    found = replace(found, instead=_trim_new(message.normal, held) or found.instead)
    return CorrectionStep(original, words=_with_subject(message, found))


def _bare_verdict(text: str) -> Verdict | None:
    # "The first one I misread, no": what was wrong is told beside what holds.
    text = _WRONG.sub(" ", text)
    if not is_bare(text):
        return None
    segments = segments_of(text)
    return segments[-1].verdict if segments else None


def _with_subject(message: Message, found: _Parts) -> str:
    """The corrected statement; a bare value or state takes over what it is a value of."""
    span = found.instead or (0, 0)
    new, text = message.words(*span), message.normal[slice(*span)]
    if found.original is None or not (_VALUE_ONLY.match(text) or _STATE_ONLY.match(text)):
        return new
    subject = _SAID_OF_IT.sub("", message.words(*found.original))
    joint = " " if subject[-1:].isascii() and new[:1].isascii() else ""
    return f"{subject}{joint}{new}"


def _reference(message: Message, found: _Parts, view: SessionView, span: Span) -> Reference | None:
    """What is corrected; None when the sentence points at an item that has no answer yet, so it answers it."""
    text = message.normal
    for scope in (found.original, span):
        pointed, recorded = pointed_at(text[slice(*scope)], view, found.past) if scope else (None, False)
        if pointed is not None:
            return pointed if recorded else None
    for scope in (found.original, found.instead, span):
        place = near_evidence(text[slice(*scope)], view) if scope else None
        if place is not None:
            return Reference(ordinal=place + 1, list=ItemList.EVIDENCE)
    if found.original and terms_of(text[slice(*found.original)]):
        return Reference(words=message.words(*found.original), list=ItemList.EVIDENCE)
    return Reference(group=Group.LAST_TURN)
