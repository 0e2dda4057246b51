"""No item gets a verdict that the message does not point at, and none gets another one than is said of it."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from services.planner.labelled_cases import PlanForm, form_of
from services.planner.model import Item, SessionView
from services.planner.understand.read import understand
from tests.support.examples import examples
from tests.unit.planner.item_pointing import ZH
from tests.unit.planner.understand.test_planner_classes import ITEMS

# How an item is pointed at by its place, and what is said of it.
PLACES: dict[str, tuple[str, ...]] = {
    "zh": ("{n}{v}", "第{z}个{v}", "第{n}条{v}", "第{z}项{v}", "item {n} {v}"),
    "en": ("{n} {v}", "#{n} is a {v}", "number {n} {v}", "item {n}: {v}", "{v} to {n}", "{n} - {v}"),
}
SAID: dict[str, dict[str, tuple[str, ...]]] = {
    "zh": {"yes": ("有", "确认有", "是的"), "no": ("没有", "正常", "没看到")},
    "en": {"yes": ("yes",), "no": ("no",)},
}
UNKNOWN: dict[str, tuple[str, ...]] = {
    "zh": ("{n}看不了", "第{z}个没权限查"),
    "en": ("cant check {n}", "no access for number {n}"),
}
# Nothing that any item is meant by.
TALK: dict[str, tuple[str, ...]] = {
    "zh": ("OK 的", "好的", "嗯嗯辛苦了", "我先去泡碗面", "等我一下", "都答了八百遍了还问", "收到", "哎这夜班"),
    "en": (
        "ok",
        "sure thing",
        "thanks for waiting",
        "gimme a sec",
        "it's 3am here",
        "alright then",
        "phew",
        "so tired",
    ),
}
# Facts about what no list here asks for.
FACTS: dict[str, tuple[str, ...]] = {
    "zh": ("网卡没打满", "证书没过期", "DNS 解析正常", "防火墙规则没动过"),
    "en": ("the network card is fine", "dns resolves fine", "the tls certificate is not expired", "no firewall change"),
}
JOINTS = ("，", "；", "。", ", ", ". ", "; ")


@dataclass(frozen=True)
class Said:
    """A part of a message, and the verdicts that it gives by item."""

    words: str
    yes: frozenset[str] = frozenset()
    no: frozenset[str] = frozenset()


@st.composite
def conversations(draw: st.DrawFn) -> tuple[tuple[str, ...], str, frozenset[str], frozenset[str]]:
    """What is asked, a message of answers by place, talk and facts, and what it confirms and denies."""
    names = draw(st.lists(st.sampled_from(sorted(ITEMS)), min_size=2, max_size=5, unique=True))
    language = draw(st.sampled_from(("zh", "en")))
    ordinals = draw(st.lists(st.integers(1, len(names) + 3), min_size=1, max_size=3, unique=True))
    parts = [draw(answers(names, ordinal, language)) for ordinal in ordinals]
    for beside in draw(st.lists(st.sampled_from([TALK, FACTS]), max_size=2)):
        parts.insert(draw(st.integers(0, len(parts))), Said(draw(st.sampled_from(beside[language]))))
    message = parts[0].words
    for part in parts[1:]:
        message += draw(st.sampled_from(JOINTS)) + part.words
    yes, no = (frozenset().union(*(getattr(part, kind) for part in parts)) for kind in ("yes", "no"))
    return tuple(names), message, yes, no


@st.composite
def answers(draw: st.DrawFn, names: list[str], ordinal: int, language: str) -> Said:
    """An answer to the item of an ordinal; one that does not exist is answered by nothing."""
    numeral: dict[str, object] = {"n": ordinal, "z": ZH[ordinal]}
    verdict = draw(st.sampled_from(("yes", "no", "unknown")))
    if verdict == "unknown":
        return Said(draw(st.sampled_from(UNKNOWN[language])).format(**numeral))
    form = draw(st.sampled_from(PLACES[language]))
    words = form.format(**numeral, v=draw(st.sampled_from(SAID[language][verdict])))
    told = frozenset(names[ordinal - 1 : ordinal])
    return Said(words, **{verdict: told})


def plan(message: str, names: tuple[str, ...]) -> PlanForm:
    """What a message comes to while these items are asked about."""
    view = SessionView(pending=tuple(Item(ordinal, name, ITEMS[name]) for ordinal, name in enumerate(names, 1)))
    return form_of(understand(message, view), view, ITEMS)


@settings(max_examples=examples(400), deadline=None)
@given(conversations())
def test_only_what_is_pointed_at_is_answered(told: tuple[tuple[str, ...], str, frozenset[str], frozenset[str]]) -> None:
    """Beside talk, facts and ordinals that do not exist, an item is answered only where the message answers it."""
    names, message, yes, no = told
    form = plan(message, names)
    assert set(form.confirmed) <= yes, message
    assert set(form.denied) <= no, message
