"""Reads what rows are about where it is only a part of names: "tickets about disk full", "连接池相关的工单"."""

from __future__ import annotations

from collections.abc import Iterator

from services.analyst.questions.counts.defaults import named_by
from services.analyst.questions.draft import Draft
from services.analyst.questions.intent import Topic


def read_compounds(draft: Draft) -> None:
    """Names and words that mean more together: "caused by long transactions", "缺索引的工单"."""
    for first, last in _runs(draft, "word", "value", "lacking"):
        items = draft.items[first:last]
        if {item.kind for item in items} <= {"word"} or all(item.kind != "word" for item in items):
            continue
        words = [item.words.lower() for item in items]
        words = words if words[0].isascii() else ["".join(words)]
        if _is_topic(draft, first, last) and (filters := tuple(named_by(draft, words))):
            draft.topics.append(Topic(" ".join(words), filters))
            draft.use(*range(first, last), *(at for at in (first - 1, last) if draft.at(at, "topic")))


def read_topics(draft: Draft) -> None:
    """Words that are a part of the names of values that the layer lists, where they say what rows are about.

    Such words stand beside a word for "about", or directly before the name of rows. A word for "about" that stands
    beside a value says nothing more.
    """
    for first, last in _runs(draft, "word"):
        words = [item.words.lower() for item in draft.items[first:last]]
        if _is_topic(draft, first, last) and (filters := tuple(named_by(draft, words))):
            draft.topics.append(Topic(" ".join(words), filters))
            draft.use(*range(first, last))
    topics = {item.words.lower() for item in draft.items} & {word for one in draft.topics for word in one.words.split()}
    for place, _ in list(draft.of("topic")):
        beside = (draft.at(place - 1), draft.at(place + 1))
        if any(one is not None and (one.among("value") or one.words.lower() in topics) for one in beside):
            draft.use(place)
        elif beside[1] is None and place == len(draft.items) - 1 and draft.has("what"):
            # "What was the last incident about": its columns say it.
            draft.use(place)


def _runs(draft: Draft, *kinds: str) -> Iterator[tuple[int, int]]:
    """The stretches of items of some kinds that nothing else covers: the first place, and the one after the last."""
    start = -1
    for place in range(len(draft.items) + 1):
        is_word = place < len(draft.items) and draft.items[place].kind in kinds and place not in draft.used
        if is_word and start < 0:
            start = place
        elif not is_word and start >= 0:
            yield start, place
            start = -1


def _is_topic(draft: Draft, first: int, last: int) -> bool:
    after = draft.at(last)
    return (
        draft.at(first - 1, "topic") is not None
        or draft.at(last, "topic") is not None
        or (after is not None and (bool(after.every_of("table")) or draft.names_rows(after)))
    )
