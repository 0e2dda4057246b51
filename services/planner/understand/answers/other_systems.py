"""Another system or time beside this one: "staging is at 99 %, here it is 20 %", "CPU 98%，不过那是昨天的"."""

from __future__ import annotations

import re

from services.planner.model import ClarifyKind, ClarifyStep, FeedbackStep, ObservationStep
from services.planner.understand.answers.turn import Turn
from services.planner.understand.classifier.acts import Act
from services.planner.understand.judging import arbitration
from services.planner.understand.judging.classified import Heard
from services.planner.understand.text.clauses import Clause
from services.planner.understand.text.domain import is_technical
from services.planner.understand.text.lexicon import words
from services.planner.understand.text.word_lists import compile_words

_DAYS = "mon|tues|wednes|thurs|fri|satur|sun"
_PAST = compile_words(
    "answers.past",
    words(
        r"yesterday\w*(?:'s)?",
        r"(?:\d+|a|an|one|two|three|few|some|several) (?:days?|weeks?|months?|years?) ago",
        r"in 20\d\d",
    ),
    r"前[天日晚](?!后)",
    r"上(?:个|一个?)?(?:周|星期|礼拜|月|季度?|半年)",
    r"曾经?(?!用)",
    r"[\d一二两三四五六七八九十几半]+个?(?:天|周|月|星期|年)(?:以|之)?前",
)
_UNRELATED = re.compile(
    r"^(?:但|不过|可)?(?:这)?(?:跟|和|与)?.{0,6}(?:没(?:有|啥|什么)?关系|无关|不相干|两码事|两回事|不搭界|不沾边|没关联)|"
    r"^(?:but |and |though )*(?:that'?s |it'?s |totally |completely )*(?:un(?:related|connected)|nothing to do with|(?:has|had|is) nothing to do|not related|a different (?:story|matter|issue))"
)
# What has been so since then is so now.
_SINCE = compile_words("answers.since", words(r"from \w+ on"))
_THAT = re.compile(
    r"^(?:但|不过|可|只|其实|哦|等等|等下|且慢|[\s,])*(?:那|这)(?:个|台|套|些|条|份|都|只|也|可|其实|数|数字|数据|是|的)*(?:是|属于|算)|"
    r"^(?:but |though |hang on |wait |oh |except |and |only |actually |hold on |[\s,])*(?:that|those|it|this|these|they)(?:'s| is| was| were|s| are|'re)(?: (?:just|only|all|actually|from|on|about))*(?![a-z])"
)
# Systems beside the one that is spoken of.
_OTHER = compile_words(
    "answers.other",
    words(
        r"(?:the )?(?:other|another|old|archive|wrong|backup|different) (?:\w+ )?(?:box|disk|server|db|host|cluster|instance|machine|one|volume|env\w*)"
    ),
)
_LONG = 20
# "有过，上个月的事了", "yes but only on the replica".
_AFTERTHOUGHT = re.compile(
    r"(?:的|那会儿?的?)?(?:老)?(?:事儿?|时候|数|情况|黄历)?(?:了|吧|啦)?|(?:though|tho|only|however|[\s,])*"
)
_ONLY = re.compile(
    r"^(?:but |though |however |[\s,])*(?:only|just)(?: (?:on|in|at|for|with))? (?:the |a |an |our )?|^(?:但|不过|可)?(?:就|只|仅|光)(?:是|有|在|限)?"
)
_BESIDE = compile_words("answers.beside", words(r"read.?only"))
_SAID = 0.5


def is_past(text: str) -> bool:
    """Whether a normalised clause is of another time, and does not say that it is so now."""
    return bool(_PAST.search(text)) and not (_SINCE.search(text) or arbitration.is_here(_PAST.sub(" ", text)))


def takes_elsewhere(turn: Turn, clause: Clause, heard: Heard) -> bool:
    """Whether a clause says that what was said just before it is of another system or time; that counts no more then."""
    unrelated = None if len(clause.text) > 2 * _LONG or is_technical(clause.text) else _UNRELATED.search(clause.text)
    if turn.last_answered is not None and not heard.pointed and not clause.asks and _restricts(clause.text):
        turn.take_back()
        turn.add(ClarifyStep(ClarifyKind.AMBIGUOUS_FEEDBACK, turn.words(clause)))
        return True
    found = unrelated or _THAT.search(clause.text)
    if found is None or clause.asks or heard.pointed:
        return False
    if found.re is _UNRELATED and turn.elsewhere:
        return True
    if not turn.steps or (found.re is _UNRELATED and len(turn.steps) == turn.opened):
        return False
    if not isinstance(turn.steps[-1], FeedbackStep | ObservationStep):
        return False
    rest = clause.text[found.end() :]
    other = len(rest) < _LONG and (is_past(clause.text) or bool(_OTHER.search(rest)))
    if found.re is _THAT and heard.likely.of(Act.ELSEWHERE) < _SAID and not other:
        return False
    turn.take_back()
    turn.elsewhere = True
    return True


def _restricts(text: str) -> bool:
    """Whether a clause says of the answer just before it that it was at another time, or holds elsewhere only."""
    past = _PAST.search(text)
    if past and not _SINCE.search(text) and _AFTERTHOUGHT.fullmatch(text[: past.start()] + text[past.end() :]):
        return True
    only = _ONLY.match(text)
    rest = text[only.end() :] if only else ""
    return only is not None and len(rest) < _LONG and bool(_OTHER.search(rest) or _BESIDE.search(rest))
