"""Adds to what a message was read as what it answers to the checks that were just asked about.

Words that answer need not name what they are about. A figure is judged by the limit of what it answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from lang import deferred_re as re
from lang.cues import telling_keys
from lang.modality import admits_mistake, is_negated, is_out_of_reach
from lang.numbers.values import read_values
from lang.tokens import read_text
from services.matcher.message_reader import MessageReader, MessageReading
from services.matcher.model import LocalizedText, Reading, Standing, Verdict
from services.matcher.placing import COUNTS_FROM, Placed
from services.matcher.recognition.asked_answers import Answer, AnswerReader
from services.matcher.recognition.checked_readings import OF_WORDS
from services.matcher.recognition.claimed_spans import claim_in, is_there, spans_of
from services.matcher.recognition.recognised_words import COUNTS_WITH_FIGURE
from services.matcher.recognition.recognised_words import KIND as RECOGNISED
from services.matcher.recognition.recogniser import Recogniser

KIND = "answered"
# The least probability of an answer that is asked back.
PROPOSED_FROM = 0.6
# So likely words are about a check even unasked that what they claim of it is worth hearing; where that is the opposite
# of the answer, the answer is no more likely than this.
_TELLING, _DISPUTED = 0.3, 0.7
# So likely words tell of a check whatever is asked: a figure in them is then for its limit to judge.
_TOLD = 0.5
# A single word is a plain yes or no, or nothing.
_LEAST_SAID = 2
# A clause of fewer words, in a sentence that is no answer, is one by chance.
_LEAST_WORDS = 3
_OPPOSITE = {Verdict.CONFIRMED: Verdict.DENIED, Verdict.DENIED: Verdict.CONFIRMED}
# Smaller numbers without a unit are as likely places in a list.
_LEAST = 10
# So many words beside a figure name nothing else.
_WORD, _HARDLY_MORE = re.compile(r"[A-Za-z]+|[\u4e00-\u9fff]{1,2}"), 2
# What ends so heads what follows, as "a minute later:" does.
_COLONS = (":", "：")
# Words that lean on a question are no more than this; longer ones say for themselves what they are about.
_LEANING = 10


@dataclass(frozen=True)
class _Found:
    """An answer, its words, and their place in the message."""

    answer: Answer
    words: str
    start: int
    end: int


@dataclass(frozen=True)
class Readers:
    """What reads answers: by what was asked, by what words say unasked, and by the limits of figures."""

    answers: AnswerReader
    recogniser: Recogniser
    messages: MessageReader


def add_answers(read: MessageReading, readers: Readers, asked: Sequence[str]) -> MessageReading:
    """The reading of a message with what its own words answer of what is asked, the first of which most plainly."""
    if not asked or not read.said.strip():
        return read
    readings = {item.reading.phenomenon_id: item for item in read.readings}
    for found in _surest(_answers(read, readers, asked)):
        _add(found, readings, readers.messages.names)
    ordered = sorted(readings.values(), key=lambda item: (item.start, item.reading.phenomenon_id))
    return replace(read, readings=tuple(ordered))


def without_denied(read: MessageReading, answers: AnswerReader) -> MessageReading:
    """The reading with what words were recognised to say is there as asked back where they would deny it if asked.

    What is there is told in the same words as what is not; the reader of answers knows them for each check apart.
    """
    return replace(read, readings=tuple(_unless_denied(item, answers) for item in read.readings))


def _unless_denied(item: Placed, answers: AnswerReader) -> Placed:
    reading = item.reading
    if reading.kind != RECOGNISED or reading.verdict is not Verdict.CONFIRMED:
        return item
    answer = answers.read(reading.words, (reading.phenomenon_id,))
    denies = answer is not None and answer.verdict is Verdict.DENIED
    return replace(item, reading=replace(reading, standing=Standing.PROPOSED)) if denies else item


def _answers(read: MessageReading, readers: Readers, asked: Sequence[str]) -> Iterator[_Found]:
    """The answers of each sentence; of its clauses where it is none as a whole, unless one takes back another.

    A clause that names nothing answers nothing beside others: "but it's not one, there are like 6 of the same".
    """
    for sentence, *clauses in spans_of(read.said):
        whole = _found(read, readers, asked, sentence)
        if whole is not None:
            yield whole
            continue
        if is_out_of_reach(read.said[slice(*sentence)]):
            continue
        parts = [part for span in clauses if (part := _found(read, readers, asked, span)) is not None]
        parts = [part for part in parts if len(_WORD.findall(part.words)) >= _LEAST_WORDS and telling_keys(part.words)]
        said = {(part.answer.phenomenon_id, part.answer.verdict) for part in parts}
        torn = {name for name, verdict in said if (name, _OPPOSITE[verdict]) in said}
        yield from (part for part in parts if part.answer.phenomenon_id not in torn)


def _found(read: MessageReading, readers: Readers, asked: Sequence[str], span: tuple[int, int]) -> _Found | None:
    claim = None if read.said[slice(*span)].rstrip().endswith(_COLONS) else claim_in(read, *span)
    if claim is None:
        return None
    words, start, end = claim
    if len(set(_WORD.findall(words.lower()))) < _LEAST_SAID and not any(map(str.isdigit, words)):
        return None
    figure = None if admits_mistake(read.said) else _figure(words, asked[0], readers.messages)
    answer = figure or _answer(words, asked, readers)
    if answer is None or answer.probability < PROPOSED_FROM:
        return None
    return _Found(answer, words, read.offsets[start], read.offsets[end - 1] + 1)


def _answer(words: str, asked: Sequence[str], readers: Readers) -> Answer | None:
    """What words answer, a figure in them judged by the limit of its check; less sure where much speaks against it."""
    answer = readers.answers.read(words, asked)
    if answer is None:
        return None
    figure = any(map(str.isdigit, words))
    value = _value(words, answer.phenomenon_id, readers.messages) if figure else None
    if value is not None:
        return replace(answer, verdict=value)
    if is_there(words, readers.messages.names[answer.phenomenon_id]):
        return replace(answer, verdict=Verdict.DENIED)
    doubtful = len(_WORD.findall(words)) > _LEANING or _says_else(words, answer, readers)
    return replace(answer, probability=min(answer.probability, _DISPUTED)) if doubtful else answer


def _says_else(words: str, answer: Answer, readers: Readers) -> bool:
    """Whether words deny what they are taken to confirm, or claim the opposite by themselves."""
    confirms = answer.verdict is Verdict.CONFIRMED
    name = readers.messages.names[answer.phenomenon_id]
    if confirms and is_negated(words) and not (is_negated(name.zh) or is_negated(name.en)):
        return True
    heard = (each for each in readers.recogniser.recognise(words) if each.phenomenon_id == answer.phenomenon_id)
    unasked = next(heard, None)
    if unasked is None or unasked.about < _TELLING:
        return False
    told = unasked.about >= _TOLD and any(map(str.isdigit, words)) and answer.probability < COUNTS_WITH_FIGURE
    return (confirms and told) or (unasked.absent > unasked.probability) == confirms


def _figure(words: str, asked: str, messages: MessageReader) -> Answer | None:
    """What hardly more than a figure says of the check that was asked about first; a small one may be of a list."""
    told = read_values(read_text(words))
    if len(told) != 1 or len(_WORD.findall(words)) > _HARDLY_MORE:
        return None
    unitless = told[0].bare or told[0].whole is not None
    if unitless and told[0].number < _LEAST:
        return None
    value = _value(words, asked, messages)
    return Answer(asked, value, COUNTS_FROM) if value is not None else None


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
    if _tells_another(found, readings.values(), names[name]):
        return
    own = readings.get(name)
    if own is not None and not _gives_way(own.reading, sure):
        if _is_doubted(own.reading, found.answer):
            readings[name] = replace(own, reading=replace(own.reading, standing=Standing.PROPOSED))
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


def _tells_another(found: _Found, read: Iterable[Placed], name: LocalizedText) -> bool:
    """Whether an answer's words, which name nothing of its check, say for sure what they say of another one."""
    beside = (item for item in read if item.start < found.end and found.start < item.end)
    sure = any(item.reading.standing is Standing.COUNTS and item.reading.kind != RECOGNISED for item in beside)
    return sure and telling_keys(found.words).isdisjoint(telling_keys(name.zh) | telling_keys(name.en))


def _gives_way(reading: Reading, sure: bool) -> bool:
    """Whether a reading of the same check is worth less than a sure answer: it is only proposed, or of words alone."""
    return sure and not reading.pasted and (reading.standing is not Standing.COUNTS or _is_of_words(reading))


def _is_doubted(reading: Reading, answer: Answer) -> bool:
    """Whether what words alone count for is the opposite of what they rather answer."""
    return _is_of_words(reading) and not reading.pasted and reading.verdict is _OPPOSITE[answer.verdict]


def _is_of_words(reading: Reading) -> bool:
    return reading.kind in (*OF_WORDS, RECOGNISED)


def _is_guess(item: Placed, found: _Found) -> bool:
    """Whether an answer's words were recognised as something else, less surely."""
    within = item.start < found.end and found.start < item.end
    return within and item.reading.kind == RECOGNISED and item.reading.probability < found.answer.probability
