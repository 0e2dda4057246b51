"""No item gets a verdict that the message does not point at, and none gets another one than is said of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz import fuzz

from services.planner.labelled_cases import PlanForm, form_of, view_of
from services.planner.model import Item, SessionView
from services.planner.understand.concepts import concepts_at
from services.planner.understand.plan import understand
from services.planner.understand.references import open_list
from services.planner.understand.text import read
from tests.support.examples import examples
from tests.unit.planner.plan_scoring import read_cases
from tests.unit.planner.test_planner_cases import HERE
from tests.unit.planner.test_planner_classes import ITEMS

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
ZH = "零一二三四五六七八九"
JOINTS = ("，", "；", "。", ", ", ". ", "; ")
# Words that mean more than one item without naming any, or an item by where it stands.
_GROUP = re.compile(
    "都|全|其[他它余]|剩|别的|另|除|以外|之外|只|就|俩|仨|两|一个|哪|最后|末|前|后|中间|头|底|首|上面|下面|单数|双数|奇|偶|这|那|个|条|项|"
    r"\b(?:all|both|everything|none|nothing|neither|rest|others?|else|except|but|save|bar|apart|aside|only|just|each|every|any|last|first|"
    r"second|third|fourth|fifth|final|middle|former|latter|top|bottom|odd|even|penultimate|outer|lot|either|that|this|those|these|them|it|one|two|three)\b"
)


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


def is_pointed_at(text: str, item: Item, several: bool) -> bool:
    """Whether a normalised text has the ordinal of an item, its id, a word that may name it, or a word for several."""
    name = read(f"{item.name.zh} {item.name.en} {item.present_when.zh} {item.present_when.en}").normal
    ranges = (re.findall(r"\d+", found) for found in re.findall(r"\d\s*(?:-|~|到|至|to|through)\s*\d", text))
    if any(int(low) <= item.ordinal <= int(high) for low, high in ranges) or not several:
        return True
    if "老大" in text and item.ordinal == 1:
        return True
    if str(item.ordinal) in text or ZH[item.ordinal] in text or item.phenomenon_id[2:] in text:
        return True
    if {concept for concept, _, _ in concepts_at(name)} & {concept for concept, _, _ in concepts_at(text)}:
        return True
    words = re.findall("[a-z]{3,}", name)
    pairs = {run[at : at + 2] for run in re.findall("[\u4e00-\u9fff]+", name) for at in range(len(run) - 1)}
    near = any(word[:4] in text or fuzz.partial_ratio(word, text) > 80 for word in words) or any(
        pair in text for pair in pairs
    )
    return near or _GROUP.search(text) is not None


@pytest.mark.parametrize("path", sorted((HERE / "cases").glob("*.jsonl")), ids=lambda path: path.stem)
def test_every_answer_of_a_labelled_message_has_its_ground(path: Path) -> None:
    """An item that a labelled message answers is pointed at in it, unless the whole message is one bare verdict."""
    for case in read_cases(path):
        view = view_of(case.context)
        form = form_of(understand(case.message, view), view, {})
        items = open_list(view).items
        text = read(case.message).normal
        bare = len(text) <= 12
        for item in items:
            if item.phenomenon_id in (*form.confirmed, *form.denied):
                assert bare or is_pointed_at(text, item, len(items) > 1), (case.message, item)
