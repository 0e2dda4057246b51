"""What a message says of this system and nothing reads: its words, and the phenomena that they may be about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from services.matcher.message_reader import MessageReading
from services.matcher.model import Candidate, LocalizedText, Untied
from services.matcher.recognition.claimed_spans import claim_in, spans_of
from services.matcher.recognition.recognised_words import WORDS
from services.matcher.recognition.recogniser import Recognised, Recogniser

# So likely words have to be about a phenomenon; so many are told.
_NEAR_FROM, _MOST = 0.2, 3
# Fewer words are about nothing by themselves; a row of a table is no words.
_FEWEST, _ROW = 4, "|"
# What is said in a question is so much less likely said.
_ASKED = 0.5
# Words that are as likely about this many phenomena tell none of them.
_CROWD = 4


def find_untied(read: MessageReading, recogniser: Recogniser, names: Mapping[str, LocalizedText]) -> tuple[Untied, ...]:
    """The claims that no reading covers, each with the phenomena that it may be about, in the order of the message."""
    taken = [(item.start, item.end) for item in read.readings]
    found = (_untied(read, recogniser, names, spans, taken) for spans in spans_of(read.said))
    return tuple(each for each in found if each is not None)


def _untied(
    read: MessageReading,
    recogniser: Recogniser,
    names: Mapping[str, LocalizedText],
    spans: Sequence[tuple[int, int]],
    taken: Sequence[tuple[int, int]],
) -> Untied | None:
    """Of a sentence and its clauses, the one that is nearest to a phenomenon."""
    sentence, *_ = spans
    share = _ASKED if read.said[slice(*sentence)].rstrip().endswith(("?", "？")) else 1.0
    claims = filter(None, (claim_in(read, start, end) for start, end in spans))
    free = (
        words
        for words, start, end in claims
        if not any(first <= read.offsets[end - 1] and read.offsets[start] < last for first, last in taken)
        and _ROW not in words
        and len(WORDS.findall(words)) >= _FEWEST
    )
    found = [(words, dict(_near(recogniser.recognise(words), share))) for words in free]
    words, near = max(found, key=lambda each: max(each[1].values(), default=0.0), default=("", {}))
    if not near:
        return None
    return Untied(words, tuple(Candidate(name, names[name], score) for name, score in near.items())[:_MOST])


def _near(found: Sequence[Recognised], share: float) -> Iterator[tuple[str, float]]:
    """What words may be about, with how likely that is, less so where they say that it is not there or fit a crowd."""
    if not found or not found[0].about:
        return
    crowd = found[_CROWD - 1].about if len(found) >= _CROWD else 0.0
    parted = share * (1.0 - crowd / found[0].about)
    for each in found:
        score = round(max(each.about - 2 * each.absent, 0.0) * parted, 4)
        if score >= _NEAR_FROM:
            yield each.phenomenon_id, score
