"""Clauses that speak of an item and say nothing of how it is: norms, hopes, orders, conditions, and words against the verdict heard."""

from __future__ import annotations

from lang import deferred_re as re
from services.planner.model import Verdict
from services.planner.understand.judging import arbitration
from services.planner.understand.judging.classified import Heard
from services.planner.understand.text.lexicon import words
from services.planner.understand.text.tokens import Kind, tokens_of

_NORM = re.compile(
    r"阈值|目标|标准|规定|红线|告警线|水位线|文档|手册|官方|建议值|推荐值|理想|才算|正常(?:应该|情况下|来说|值)|(?:应该|应当|要|得|必须)(?:保持|维持|控制)|别超过|"
    + words(
        r"thresholds?|targets?|goals?|sl[ao]s?|alert\w* (?:fires?|goes off|is set|at)|fires? (?:at|when)|docs?|documentation|manual|guidelines?|recommended|supposed to (?:be|stay)|"
        r"should (?:stay|remain|never|always)|ideally|rule of thumb|anything (?:above|over|below|under)|budget"
    )
)
_WISH = re.compile(
    r"希望|但愿|巴不得|最好(?:不|别)|千万别|祈祷|会很?(?:意外|惊讶|奇怪)|"
    + words(
        r"hop(?:e|ing|efully)|wish\w*|pray\w*|fingers crossed|(?:would|'d) be (?:\w+ )?(?:surprised|shocked|nice|odd|strange)|better not"
    )
)
_ORDER = re.compile(
    r"^(?:请|麻烦|帮我?|去|先|再|你|快)*(?:检查|确认|核实|验证|看看|查查|查)(?:一下|下|看|一遍)?(?:是不是|是否|有没有|有无)?[^了过着到完]{2,}$|"
    r"^(?:please |pls |can you |could you |go |just |you should |let's )*(?:check|verify|see|find out|make sure|confirm|look)(?: \w+)? (?:if|whether|that|for)(?![a-z])"
)
_DEFINES = re.compile(
    r"^所谓|就是.{2,}(?:嘛|呗|的(?:东西|玩意儿?|意思))$|是指|指的是|"
    + words(
        r"(?:is|are) (?:when|what (?:you|we|they|one)|defined|basically|rows that|sessions that|those that)",
        r"by [\w ]{2,20} i mean",
    )
)
# What opens a condition, or a time at which something else is said to be so.
_OPENS = re.compile(
    r"除非|要不是|要是|只要|凡是|每次|每当|一旦|省得|免得|以防|万一|"
    + words(
        r"unless|until|till|before|after|when(?:ever)?|once|if|whether|lest|in case|as long as|provided|every time|as soon as"
    )
)
_CLOSES = re.compile(
    r"^[^,]{0,6}?(?:之前|以前|之后|以后|的时候|的话|(?<!小)时(?=[才就都会,]|$)|那会儿|才(?=[慢卡会有出报]))"
)
_PLENTY = re.compile(
    r"一堆|成堆|大把|一大[片堆把]|好多|不少|许多|大量|满屏|到处|"
    + words("plenty|lots|loads|tons|dozens|heaps|a bunch|countless|all over")
)


def claims_nothing(text: str, heard: Heard) -> bool:
    """Whether a normalised clause that points at no item by its place tells of a norm, a wish, an order or a condition."""
    if any(form.search(text) for form in (_NORM, _WISH, _ORDER, _DEFINES)):
        return True
    if heard.names is None:
        return False
    opening = _OPENS.search(text[: heard.names.start])
    return opening is not None or _CLOSES.match(text[heard.names.end :]) is not None


def speaks_against(text: str, verdict: Verdict | None) -> bool:
    """Whether a clause tells an amount and the verdict was only heard, not said, or is against it: "plenty" is no "no"."""
    if arbitration.AMOUNT.search(text) and not any(token.kind is Kind.VERDICT for token in tokens_of(text)):
        return True
    if verdict is not Verdict.CONFIRMED:
        denied = any(token.verdict is Verdict.DENIED for token in tokens_of(text))
        return not denied and _PLENTY.search(text) is not None
    return False
