"""The lists a message may point into, and how near words are to a name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from services.planner.model import Item, ItemList, Reference, SessionView, Speaker, Text
from services.planner.understand.text.messages import read
from services.planner.understand.text.tokens import Kind, Token
from services.planner.understand.text.word_lists import compile_words, listed, words

_TOKEN = listed("asking.token")
_EMPTY = compile_words(
    "items.empty",
    words(r"hmm+"),
    r"[两二三四五六七八九](?:个|样|条|项)(?:里头?|里面|当中|之中|中)",
    r"[的了吧呢啊呀哦哈嘛么吗也就还才都又再很真挺太我你您他她它咱们这那此该其被把给和与跟及在从于对个项条点件上下里中过着得地来去到看查是会能要想说]",
)
_ENDINGS = listed("asking.endings")
LIKE = 0.5


@dataclass(frozen=True)
class Asked:
    """A list that was shown: `items` in their order. `by_id`: what it was of is told by ids, it has no name of its own."""

    list: ItemList
    items: tuple[Item, ...]
    by_id: bool = False

    @property
    def ordinals(self) -> tuple[int, ...]:
        """The ordinals that exist in it, rising."""
        return tuple(sorted(item.ordinal for item in self.items))

    def at(self, ordinal: int) -> Reference:
        """A reference to one of its items."""
        item = self.find(ordinal) if self.by_id else None
        if item is not None and item.phenomenon_id:
            return Reference(id=item.phenomenon_id)
        return Reference(ordinal=ordinal, list=self.list)

    def find(self, ordinal: int) -> Item | None:
        """The item shown under `ordinal`."""
        return next((item for item in self.items if item.ordinal == ordinal), None)

    def place_of(self, reference: Reference) -> int | None:
        """The ordinal of the item that a reference means, if it is one of these."""
        return next((item.ordinal for item in self.items if self.at(item.ordinal) == reference), None)


def ordinals_of(token: Token, asked: Asked) -> list[int]:
    """The ordinals that a token means in a list; one that is stated counts whether it exists or not."""
    shown = list(asked.ordinals)
    if token.kind is Kind.LAST:
        return shown[-1:]
    if token.kind is Kind.FIRST:
        wanted = token.numbers[0]
        return [*shown[:wanted], *range(len(shown) + 1, wanted + 1)] if wanted else []
    if token.kind is Kind.LAST_ITEMS:
        return shown[-token.numbers[0] :]
    if token.kind is Kind.FROM_END:
        return shown[-token.numbers[0] :][:1]
    if token.kind is Kind.MIDDLE:
        return shown[1:-1] if len(shown) > 2 else []
    if token.kind is Kind.ENDS:
        return [*shown[:1], *shown[-1:]]
    if token.kind in (Kind.ODD, Kind.EVEN):
        return [ordinal for ordinal in shown if ordinal % 2 == (token.kind is Kind.ODD)]
    return list(token.numbers)


def others_of(named: tuple[Reference, ...], asked: Asked) -> tuple[Reference, ...]:
    """All items of a list but those that are named."""
    taken = {ref.ordinal for ref in named}
    ids = {ref.id for ref in named if ref.id}
    return tuple(
        asked.at(item.ordinal) for item in asked.items if item.ordinal not in taken and item.phenomenon_id not in ids
    )


def open_list(view: SessionView) -> Asked:
    """What an ordinal means: the open clarification's options when there are any, else the pending items."""
    if view.options:
        return Asked(ItemList.OPTIONS, view.options)
    return Asked(ItemList.PENDING, view.pending)


def earlier_list(view: SessionView) -> Asked | None:
    """What was asked before the pending items, if the history has it."""
    current = {item.phenomenon_id for item in view.pending}
    for utterance in reversed(view.history):
        asked = {item.phenomenon_id for item in utterance.items}
        if utterance.speaker is Speaker.ASSISTANT and asked and asked != current:
            return Asked(ItemList.EARLIER, utterance.items)
    return None


def first_list(view: SessionView) -> Asked | None:
    """What was asked first of all, if the history has it and it is not what is asked now."""
    current = {item.phenomenon_id for item in view.pending}
    for utterance in view.history:
        asked = {item.phenomenon_id for item in utterance.items}
        if utterance.speaker is Speaker.ASSISTANT and asked:
            return Asked(ItemList.EARLIER, utterance.items, by_id=True) if asked != current else None
    return None


@lru_cache(maxsize=2048)  # The names of a list are compared with each clause.
def terms_of(text: str) -> frozenset[str]:
    """What a text is about: stems of its words, pairs of its Chinese characters; no function words."""
    found: set[str] = set()
    for run in _TOKEN.findall(_EMPTY.sub(" ", read(text).normal)):
        if run[0].isascii():
            found.update(_ENDINGS.sub("", part) or part for part in run.split("_") if part)
        else:
            found.update({run} if len(run) == 1 else {run[at : at + 2] for at in range(len(run) - 1)})
    return frozenset(found)


def likeness(words: frozenset[str], *names: str) -> float:
    """The share of `words` that the nearest of `names` has, in [0, 1]."""
    if not words:
        return 0.0
    return max((len(words & terms_of(name)) / len(words) for name in names if name), default=0.0)


def nearest(words: str, names: Iterable[tuple[int, Text, str]], least: float = LIKE) -> int | None:
    """The key of the (key, name, alias) whose name or alias is nearest to `words`, if one is and no other is as near."""
    terms = terms_of(words)
    scored = sorted(((likeness(terms, name.zh, name.en, alias), key) for key, name, alias in names), reverse=True)
    if not scored or scored[0][0] < least:
        return None
    if len(scored) > 1 and scored[1][0] == scored[0][0]:
        return None
    return scored[0][1]
