"""The sentences and clauses of a message, and those of them that claim something of this system."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lang import deferred_re as re
from lang.cues import telling_parts, word_set
from lang.judging.amending import denies
from lang.modality import is_negated, is_out_of_reach
from lang.tokens import read_text
from services.matcher.message_reader import MessageReading
from services.matcher.model import LocalizedText

SENTENCE = re.compile(r"[^。！？!?；;\n]+?(?:[。！？!?；;\n]+|\.(?=\s)|$)")
# A space between two Chinese characters stands for a comma.
_GAP = r"(?<=[\u3400-\u9fff])[ \u3000]+(?=[\u3400-\u9fff])"
# A colon between two digits is of a time of day.
_CLAUSE = re.compile(rf"(?:(?! and |{_GAP})[^,，：:]|(?<=\d):(?=\d))+(?:[,，：:]| and |{_GAP}|$)")
# Of a long message the first words of the person's own are recognised; nobody writes more by hand.
MOST_CHARACTERS = 4_000


def claim_in(read: MessageReading, start: int, end: int) -> tuple[str, int, int] | None:
    """The words between two places of what was said, and theirs; None if they ask, or claim nothing of this system."""
    words = read.said[start:end].strip(" \t\r\n,，。.;；:：!！")
    if not words or words.endswith(("?", "？")) or is_out_of_reach(words):
        return None
    start = read.said.index(words, start)
    places = [read.offsets[at] for at in range(start, start + len(words)) if read.said[at].isalnum()]
    return None if is_mostly_in(places, read.unclaimed) else (words, start, start + len(words))


def spans_of(said: str) -> Iterator[list[tuple[int, int]]]:
    """The spans of each sentence: its own, and then those of its clauses if it has several."""
    for match in SENTENCE.finditer(said, 0, MOST_CHARACTERS):
        clauses = [
            (each.start() + match.start(), each.end() + match.start()) for each in _CLAUSE.finditer(match.group())
        ]
        yield [match.span(), *(clauses if len(clauses) > 1 else ())]


def is_mostly_in(places: Sequence[int], spans: Iterable[tuple[int, int]]) -> bool:
    """True if more than half of the places are in the spans."""
    return 2 * sum(any(first <= at < last for first, last in spans) for at in places) > len(places)


def is_there(words: str, name: LocalizedText) -> bool:
    """Whether words say that there is what a phenomenon is the lack of: "user_id has an index" of no index on it."""
    said = {token.text for token in read_text(words).tokens}
    shared = any(len(each) > 1 for each in telling_parts(words) & (telling_parts(name.zh) | telling_parts(name.en)))
    there = bool(said & word_set("there")) and not (said & word_set("none_else") or is_negated(words))
    return denies(name.en) and there and shared
