"""Another system or time beside this one: "staging is at 99 %, here it is 20 %", "CPU 98%，不过那是昨天的"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from services.planner.model import FeedbackStep, ObservationStep
from services.planner.understand import judging, questions
from services.planner.understand.acts import Act
from services.planner.understand.answers import polarity_of
from services.planner.understand.clauses import Clause
from services.planner.understand.domain import is_technical
from services.planner.understand.hearing import Heard, hear
from services.planner.understand.lexicon import words
from services.planner.understand.turn import Turn

_DAYS = "mon|tues|wednes|thurs|fri|satur|sun"
_PAST = re.compile(
    r"昨[天日晚夜儿]|前[天日晚](?!后)|上(?:个|一个?)?(?:周|星期|礼拜|月|季度?|半年)|去年|前年|大前天|当年|以前|曾经?(?!用)|早先|"
    r"[\d一二两三四五六七八九十几半]+个?(?:天|周|月|星期|年)(?:以|之)?前|"
    + words(
        rf"yesterday\w*(?:'s)?|last (?:week|weekend|month|year|night|quarter|spring|summer|autumn|fall|winter|(?:{_DAYS})day)|"
        r"(?:\d+|a|an|one|two|three|few|some|several) (?:days?|weeks?|months?|years?) ago|the other day|back in|back then|used to|in 20\d\d|previously"
    )
)
_UNRELATED = re.compile(
    r"^(?:但|不过|可)?(?:这)?(?:跟|和|与)?.{0,6}(?:没(?:有|啥|什么)?关系|无关|不相干|两码事|两回事|不搭界|不沾边|没关联)|"
    r"^(?:but |and |though )*(?:that'?s |it'?s |totally |completely )*(?:un(?:related|connected)|nothing to do with|(?:has|had|is) nothing to do|not related|a different (?:story|matter|issue))"
)
# What has been so since then is so now.
_SINCE = re.compile(r"从|自打|起就|开始|到现在|至今|还|" + words("since|still|ever since|from \\w+ on|started|began"))
_LIVE = re.compile(r"生产|线上|正式|咱|" + words("prod|production|live|this (?:box|host|one|server|db|cluster)|ours"))
_THAT = re.compile(
    r"^(?:但|不过|可|只|其实|哦|等等|等下|且慢|[\s,])*(?:那|这)(?:个|台|套|些|条|份|都|只|也|可|其实|数|数字|数据|是|的)*(?:是|属于|算)|"
    r"^(?:but |though |hang on |wait |oh |except |and |only |actually |hold on |[\s,])*(?:that|those|it|this|these|they)(?:'s| is| was| were|s| are|'re)(?: (?:just|only|all|actually|from|on|about))*(?![a-z])"
)
# Systems beside the one that is spoken of.
_OTHER = re.compile(
    r"测试|预发|灰度|开发(?:机|库|环境)|备份|归档|隔壁|别[的处]|另一|另外|其他|老的?(?:库|机|集群)|旧"
    + "|"
    + words(
        r"staging|stage|test(?:ing)?|dev|sandbox|uat|qa|preprod|(?:the )?(?:other|another|old|archive|wrong|backup|different) (?:\w+ )?(?:box|disk|server|db|host|cluster|instance|machine|one|volume|env\w*)"
    )
)
_LONG = 20
_ASKED = 0.3
_SAID = 0.5


def is_past(text: str) -> bool:
    """Whether a normalised clause is of another time, and does not say that it is so now."""
    return bool(_PAST.search(text)) and not (_SINCE.search(text) or judging.is_here(_PAST.sub(" ", text)))


def is_contrasted(turn: Turn, clauses: Sequence[Clause], index: int) -> bool:
    """Whether a clause is of another system or time because a later one of its sentence says how it is here and now."""
    clause = clauses[index]
    if clause.asks or questions.has_wh(clause.text):
        return False
    if not any(_says_here(later) for later in clauses[index + 1 :]):
        return False
    heard = hear(clause.text, turn.asked_list)
    if heard.pointed or not (is_past(clause.text) or heard.likely.of(Act.ELSEWHERE) >= _ASKED):
        return False
    turn.named = heard.names.item.ordinal if heard.names else turn.named
    turn.elsewhere = True
    return True


def _says_here(clause: Clause) -> bool:
    told = bool(re.search(r"\d", clause.text)) or polarity_of(clause.text) is not None
    return told and not clause.asks and bool(judging.is_here(clause.text) or _LIVE.search(clause.text))


def takes_elsewhere(turn: Turn, clause: Clause, heard: Heard) -> bool:
    """Whether a clause says that what was said just before it is of another system or time; that counts no more then."""
    unrelated = None if len(clause.text) > 2 * _LONG or is_technical(clause.text) else _UNRELATED.search(clause.text)
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
