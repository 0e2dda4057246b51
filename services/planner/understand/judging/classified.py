"""A clause as it is heard: the items it names pointed at, and how likely each act is."""

from __future__ import annotations

from dataclasses import dataclass

from lang import deferred_re as re
from services.planner.model import ItemList, Verdict
from services.planner.understand.classifier.acts import ITEM, Act, Likely, act_of
from services.planner.understand.items.item_names import Named, named, speaks_of_lack
from services.planner.understand.items.references import Asked
from services.planner.understand.text.domain import is_technical
from services.planner.understand.text.messages import CJK
from services.planner.understand.text.segments import pointers_of
from services.planner.understand.text.tokens import Kind, tokens_of
from services.planner.understand.text.word_lists import compile_words

ANSWERS = (Act.YES, Act.NO, Act.UNKNOWN, Act.WEAK)
QUESTIONS = tuple(act for act in Act if act.asks)
VERDICT_OF = {Act.YES: Verdict.CONFIRMED, Act.NO: Verdict.DENIED, Act.UNKNOWN: Verdict.UNKNOWN}
_DECIDING = (Kind.VERDICT, Kind.EXCEPT, Kind.ONLY, Kind.REST, Kind.ALL)
_COPULAS = ("是", "对", "right", "there")
_STATES = compile_words("judging.states")
_NEGATED = compile_words("judging.negated")
# Two negations affirm: "不能说不慢".
_DOUBLE = re.compile(r"(?:不能说|不可能|不至于|并非|不是)(?:是)?(?:没有?|不)")
_DIGIT = re.compile(r"\d")
_PART_OF_NAME = re.compile(
    r"^\s*(?:的?(?:那|这)一?[个条项块头边茬种]|的(?:事|问题|情况|现象)|(?:one|ones|thing|bit|part|item|stuff|issue)(?![a-z]))"
)
# A name with a verdict beside it has to be most of what the clause says.
_COVERED = 0.7
_LIKELY = 0.5
# An item that is named only by what it speaks of has to be surely answered.
_SURELY = 0.75
# Where something is to be chosen, less has to name it.
_CHOSEN = 0.5


@dataclass(frozen=True)
class Heard:
    """`text` is the clause with a named item as `#ordinal` where it is answered by name, `masked` has `{}` for every reference.

    `names` is the item that is named, if any, `of_item` how likely each act is when its words only point at it.
    """

    text: str
    masked: str
    names: Named | None
    likely: Likely
    of_item: Likely | None = None

    @property
    def pointed(self) -> bool:
        """Whether it points at items, one by one."""
        return any(token.kind not in (Kind.ALL, Kind.REST) for token in pointers_of(self.text))


def hear(clause: str, asked: Asked) -> Heard:
    """How a normalised clause is heard when these items were asked about."""
    names = named(clause, asked)
    hidden = masked(clause)
    if names is None:
        return Heard(clause, hidden, None, act_of(hidden))
    rest = _PART_OF_NAME.sub("", clause[names.end :])
    pointing = f"{clause[: names.start]}#{names.item.ordinal}{_stated(clause, names)}{rest}"
    likely = act_of(masked(pointing))
    decided = likely.of(*ANSWERS) >= _LIKELY or any(
        token.kind in _DECIDING and token.text not in _COPULAS for token in tokens_of(clause)
    )
    beside = _without_verdicts(clause[: names.start]) + " " + _without_verdicts(rest)
    sure = names.own or asked.list is ItemList.OPTIONS or max(map(likely.of, ANSWERS)) >= _SURELY
    told = (
        names.covered >= (_CHOSEN if asked.list is ItemList.OPTIONS else _COVERED)
        and decided
        and sure
        and not (_DIGIT.search(clause) or is_technical(beside))
        and not (names.lacks and not speaks_of_lack(clause) and not _PART_OF_NAME.match(clause[names.end :]))
    )
    if told or _excepts(clause, names):
        return Heard(pointing, masked(pointing), names, likely, likely)
    return Heard(clause, hidden, names, act_of(hidden), None if is_technical(beside) else likely)


def _without_verdicts(text: str) -> str:
    """A text without its verdicts: "没权限看" speaks of no thing of its own."""
    return "".join(" " if token.kind is Kind.VERDICT else token.text for token in tokens_of(text))


def _stated(clause: str, names: Named) -> str:
    """What the words that name an item say of it when they make a statement: "slot 是 inactive 的", "the slot isn't inactive"."""
    span = clause[names.start : names.end]
    if not _STATES.search(span):
        return ""
    chinese = re.search(f"[{CJK}]", _STATES.sub("", span)) and names.item.name.zh
    wording = names.item.name.zh if chinese else names.item.name.en or names.item.name.zh
    said = _DOUBLE.sub("", clause[: names.end])
    return " no " if bool(_NEGATED.search(said)) != bool(_NEGATED.search(wording.lower())) else " yes "


def _excepts(clause: str, names: Named) -> bool:
    """Whether an item is named as the exception: "apart from the commit one"."""
    before = [token for token in tokens_of(clause[: names.start]) if token.kind not in (Kind.FUNCTION, Kind.MARK)]
    return bool(before) and before[-1].kind in (Kind.EXCEPT, Kind.ONLY)


def without_items(hidden: str) -> str:
    """A masked clause without the places of items."""
    return hidden.replace(ITEM, " ")


def masked(clause: str) -> str:
    """The clause with `{}` in the place of each reference."""
    text, end = "", 0
    for token in pointers_of(clause):
        text += clause[end : token.start] + ITEM
        end = token.end
    return text + clause[end:]
