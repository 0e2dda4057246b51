"""Clauses that speak of an item and say nothing of how it is: norms, hopes, orders, conditions, and words against the verdict heard."""

from __future__ import annotations

from lang import deferred_re as re
from services.planner.model import Verdict
from services.planner.understand.judging import arbitration
from services.planner.understand.judging.classified import Heard
from services.planner.understand.text.lexicon import words
from services.planner.understand.text.tokens import Kind, tokens_of
from services.planner.understand.text.word_lists import compile_words

_NORM = compile_words("answers.norm", words(r"alert\w* (?:fires?|goes off|is set|at)"))
_WISH = compile_words("answers.wish", words(r"(?:would|'d) be (?:\w+ )?(?:surprised|shocked|nice|odd|strange)"))
_ORDER = re.compile(
    r"^(?:请|麻烦|帮我?|去|先|再|你|快)*(?:检查|确认|核实|验证|看看|查查|查)(?:一下|下|看|一遍)?(?:是不是|是否|有没有|有无)?[^了过着到完]{2,}$|"
    r"^(?:please |pls |can you |could you |go |just |you should |let's )*(?:check|verify|see|find out|make sure|confirm|look)(?: \w+)? (?:if|whether|that|for)(?![a-z])"
)
_DEFINES = compile_words(
    "answers.defines", words(r"by [\w ]{2,20} i mean"), r"^所谓", r"就是.{2,}(?:嘛|呗|的(?:东西|玩意儿?|意思))$"
)
# What opens a condition, or a time at which something else is said to be so.
_OPENS = compile_words("answers.opens")
_CLOSES = re.compile(
    r"^[^,]{0,6}?(?:之前|以前|之后|以后|的时候|的话|(?<!小)时(?=[才就都会,]|$)|那会儿|才(?=[慢卡会有出报]))"
)
_PLENTY = compile_words("answers.plenty")


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
