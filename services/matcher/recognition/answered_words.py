"""Adds to what a message was read as what it answers to the checks that were just asked about.

Words that answer need not name what they are about. A figure is judged by the limit of what it answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from lang import deferred_re as re
from lang.modality import admits_mistake
from services.matcher.message_reader import MessageReader, MessageReading
from services.matcher.model import LocalizedText, Reading, Standing, Verdict
from services.matcher.placing import COUNTS_FROM, Placed
from services.matcher.recognition.asked_answers import Answer, AnswerReader
from services.matcher.recognition.recognised_words import KIND as RECOGNISED
from services.matcher.recognition.recognised_words import OF_WORDS, claim_in, spans_of

KIND = "answered"
# The least probability of an answer that is asked back.
PROPOSED_FROM = 0.6
# A number, and whether a unit or a fraction follows it; smaller bare ones are as likely places in a list.
_FIGURE = re.compile(r"(?<![\w.])(\d+)((?:\.\d+|\s*%|\s*[a-zA-Z\u4e00-\u9fff]+)?)")
_LEAST = 10
# So many words beside a figure name nothing else.
_WORD, _HARDLY_MORE = re.compile(r"[A-Za-z]+|[\u4e00-\u9fff]{1,2}"), 2


@dataclass(frozen=True)
class _Found:
    """An answer, its words, and their place in the message."""

    answer: Answer
    words: str
    start: int
    end: int


def add_answers(
    read: MessageReading,
    reader: AnswerReader,
    messages: MessageReader,
    asked: Sequence[str],
) -> MessageReading:
    """The reading of a message with what its own words answer of what is asked, the first of which most plainly."""
    if not asked or not read.said.strip():
        return read
    readings = {item.reading.phenomenon_id: item for item in read.readings}
    for found in _surest(_answers(read, reader, messages, asked)):
        _add(found, readings, messages.names)
    ordered = sorted(readings.values(), key=lambda item: (item.start, item.reading.phenomenon_id))
    return replace(read, readings=tuple(ordered))


def _answers(
    read: MessageReading, reader: AnswerReader, messages: MessageReader, asked: Sequence[str]
) -> Iterator[_Found]:
    for span in dict.fromkeys(span for each in spans_of(read.said) for span in each):
        claim = claim_in(read, *span)
        if claim is None:
            continue
        words, start, end = claim
        figure = None if admits_mistake(read.said) else _figure(words, asked[0], messages)
        answer = figure or reader.read(words, asked)
        judged = _judged(words, answer, messages) if answer is not None else None
        if judged is not None and judged.probability >= PROPOSED_FROM:
            yield _Found(judged, words, read.offsets[start], read.offsets[end - 1] + 1)


def _figure(words: str, asked: str, messages: MessageReader) -> Answer | None:
    """What hardly more than a figure says of the check that was asked about first; a small one may be of a list."""
    number = _FIGURE.search(words)
    if number is None or len(_WORD.findall(words)) > _HARDLY_MORE or not (number[2] or float(number[1]) >= _LEAST):
        return None
    value = _value(words, asked, messages)
    return Answer(asked, value, COUNTS_FROM) if value is not None else None


def _judged(words: str, answer: Answer, messages: MessageReader) -> Answer:
    """The answer as the limit of its check judges the figure in it; without one, as it is."""
    value = _value(words, answer.phenomenon_id, messages) if any(map(str.isdigit, words)) else None
    return answer if value is None else replace(answer, verdict=value)


def _value(words: str, phenomenon_id: str, messages: MessageReader) -> Verdict | None:
    """What the figure in words says of a check by its limit."""
    found = next(iter(messages.value_of(words, phenomenon_id)), None)
    return None if found is None else Verdict(found.verdict.value)


def _surest(found: Iterable[_Found]) -> list[_Found]:
    """Of answers in the same words, and of those to the same check, the likeliest."""
    kept: list[_Found] = []
    for each in sorted(found, key=lambda item: (-item.answer.probability, item.start, -item.end)):
        rivals = (
            other.answer.phenomenon_id == each.answer.phenomenon_id
            or (each.start < other.end and other.start < each.end)
            for other in kept
        )
        if not any(rivals):
            kept.append(each)
    return kept


def _add(found: _Found, readings: dict[str, Placed], names: Mapping[str, LocalizedText]) -> None:
    """Adds an answer, unless an output or a measured value decided; of two ways to hear words the surer holds."""
    name, sure = found.answer.phenomenon_id, found.answer.probability >= COUNTS_FROM
    own = readings.get(name)
    if own is not None and not _gives_way(own.reading, found.answer, sure):
        return
    if sure:
        for other in [key for key, item in readings.items() if key != name and _is_guess(item, found)]:
            del readings[other]
    reading = Reading(
        phenomenon_id=name,
        name=names[name],
        verdict=found.answer.verdict,
        standing=Standing.COUNTS if sure else Standing.PROPOSED,
        probability=found.answer.probability,
        words=found.words,
        kind=KIND,
    )
    readings[name] = Placed(reading, found.start, found.end)


def _gives_way(reading: Reading, answer: Answer, sure: bool) -> bool:
    """Whether a reading of the same check is worth less than an answer: it is only proposed, or of words alone."""
    if reading.pasted:
        return False
    return sure and (reading.standing is not Standing.COUNTS or reading.kind in (*OF_WORDS, RECOGNISED))


def _is_guess(item: Placed, found: _Found) -> bool:
    """Whether an answer's words were recognised as something else, less surely."""
    within = item.start < found.end and found.start < item.end
    return within and item.reading.kind == RECOGNISED and item.reading.probability < found.answer.probability
