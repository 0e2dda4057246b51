"""Reads a message by a snapshot's vocabulary and checks: what its statements and its pasted outputs say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from lang import pastes
from lang.judging import judge as judging
from lang.judging import rulings
from lang.judging.dialogue import DialogueReader, Topics
from lang.pastes import Check, CheckIndex
from lang.statements import Note as TextNote
from lang.statements import Reader, Statement
from lang.statements import Reading as TextReading
from lang.vocabulary import Event, Predicate, Subject, Vocabulary
from services.matcher.index.entries import Entry, Library
from services.matcher.model import LocalizedText, Reading, Standing, Verdict
from services.matcher.pasted_words import first_output, is_own_words, join_prose, speak_cell
from services.matcher.probabilities import kind_of, probability_of

# A reading that is right less often is proposed, whatever the judge makes of it.
COUNTS_FROM = 0.9
# An answer with a value alone is not longer.
_VALUE_ALONE = 40
NO_TOPICS = Topics()
_LACKING = (Standing.NEEDS_VALUE, Standing.NEEDS_BASE)
_SECOND = "needs_second_reading"
_LONGEST_EARLIER = 20_000
# So many different lines of a log are read for what they tell.
_MOST_LINES = 50
_OF_VALUES = ("value", "zero", "state")
# In more values than these a name may be of anything.
_MOST_VALUES = 4
_STANDINGS = {
    rulings.Standing.COUNTS: Standing.COUNTS,
    rulings.Standing.PROPOSED: Standing.PROPOSED,
    rulings.Standing.NEEDS_VALUE: Standing.NEEDS_VALUE,
    rulings.Standing.NEEDS_BASE: Standing.NEEDS_BASE,
}
_VERDICTS = {"confirmed": Verdict.CONFIRMED, "denied": Verdict.DENIED, "unknown": Verdict.UNKNOWN}


@dataclass(frozen=True)
class Placed:
    """A reading, and where its words stand in the message."""

    reading: Reading
    start: int
    end: int


@dataclass(frozen=True)
class Note:
    """Words that nothing in the vocabulary covers. claims: they say how this system is now."""

    words: str
    start: int
    end: int
    claims: bool


@dataclass(frozen=True)
class MessageReading:
    """What a message says: readings in the order of the message, words left over, and the spans that are understood."""

    readings: tuple[Placed, ...]
    notes: tuple[Note, ...]
    understood: tuple[tuple[int, int], ...]
    # The first line of pasted output that is that of no known check; empty if there is none.
    unread_output: str = ""
    # The phenomena of which the message takes back what was said before.
    retracted: tuple[str, ...] = ()
    # What is asked, supposed, past or about another system: nothing in it holds here and now.
    unclaimed: tuple[tuple[int, int], ...] = ()

    def within(self, start: int, end: int) -> MessageReading:
        """The part of the reading whose words stand between two offsets, in whole or in part."""
        return MessageReading(
            tuple(item for item in self.readings if item.start < end and start < item.end),
            tuple(note for note in self.notes if note.start < end and start < note.end),
            tuple(span for span in self.understood if span[0] < end and start < span[1]),
        )


class MessageReader:
    """The reader of one snapshot. Pure: one message in one context, one reading."""

    def __init__(self, library: Library) -> None:
        self._names = {entry.id: entry.name for entry in library.phenomena}
        self._vocabulary = library.vocabulary
        self._subjects = {subject.id: subject for subject in library.vocabulary.subjects}
        self._reader = Reader(library.vocabulary)
        self._means = {entry.id: entry.means for entry in library.phenomena}
        self._judge = judging.Judge(self._means, library.vocabulary)
        self._dialogue = DialogueReader(self._reader, self._judge, self._means, self._subjects)
        self._checks = CheckIndex.of(_checks(library.phenomena), library.views)

    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary that messages are read by."""
        return self._vocabulary

    def read(self, message: str, topics: Topics = NO_TOPICS) -> MessageReading:
        """What the message says in a dialogue that is about these topics."""
        paste = self._read_paste(message, topics)
        said, offsets = join_prose(paste.prose)
        text = self._reader.read(said)
        context = judging.Context(frozenset(topics.pending))
        found = self._judge.judge(text, context)
        own_words = tuple(before for before in topics.before if is_own_words(before, self._checks.known))
        completed = self._dialogue.complete(said, found, replace(topics, before=own_words))
        told = {item.phenomenon_id for item in completed}
        found = (*(item for item in found if item.phenomenon_id not in told), *completed)
        # An output that leaves its check open is said to be unclear; it does not mean that nobody can look.
        readings = [self._pasted(message, finding) for finding in paste.findings if finding.why != "unreadable"]
        readings += [self._stated(finding, said, offsets) for finding in found]
        readings += self._reported(message, paste)
        readings += self._shown(message, paste)
        readings += [self._stated(item, said, offsets) for item in self._unnamed(said, text, topics, readings)]
        ordered = sorted(_without_repeated(readings), key=lambda item: (item.start, item.reading.phenomenon_id))
        understood, unplaced = _parted(text.statements, found, offsets)
        notes = [_note(note, offsets) for note in text.notes] if not paste.findings or said.strip() else []
        notes += [Note(message[start:end], start, end, claims=True) for start, end in unplaced]
        notes.sort(key=lambda note: note.start)
        unread = "" if any(item.reading.pasted for item in readings) else first_output(message, paste.blocks)
        return MessageReading(
            tuple(ordered),
            tuple(notes),
            understood,
            unread,
            self._judge.retracted(text),
            _unclaimed(text, offsets),
        )

    def _read_paste(self, message: str, topics: Topics) -> pastes.PasteReading:
        """The pasted outputs of a message; one that needs a second reading is read with the one before it."""
        asked = tuple(topics.pending)
        paste = pastes.judge_paste(message, self._checks, asked, (), self._vocabulary)
        lacking = {item.phenomenon_id for item in paste.findings if item.standing == _SECOND}
        for before in topics.before:
            if not lacking or len(before) > _LONGEST_EARLIER:
                break
            found = pastes.judge_paste(before, self._checks, asked, (), self._vocabulary).findings
            first = [item for item in found if item.phenomenon_id in lacking and item.standing == _SECOND]
            if first:
                earlier = [pastes.EarlierReading(item.phenomenon_id, item.rows, 0.0) for item in first]
                return pastes.judge_paste(message, self._checks, asked, earlier, self._vocabulary)
        return paste

    def _unnamed(self, said: str, text: TextReading, topics: Topics, read: Sequence[Placed]) -> list[judging.Finding]:
        """What the words say of things that they do not name: first of the one whose value was asked for."""
        alone = topics.asked and not read and len(said) <= _VALUE_ALONE
        if alone and (found := self._dialogue.answer(said, topics)):
            return found
        if any(item.reading.pasted or item.reading.standing in _LACKING for item in read):
            return []
        return self._dialogue.go_on(said, text, topics)

    @property
    def means(self) -> Mapping[str, Sequence[Predicate]]:
        """The predicates of each phenomenon."""
        return self._means

    @property
    def subjects(self) -> Mapping[str, Subject]:
        """The subjects of the vocabulary by id."""
        return self._subjects

    def judge(self, statements: Iterable[Statement], message: str, context: judging.Context) -> list[Placed]:
        """What statements that something else read mean; their spans are places in the message."""
        found = self._judge.judge(TextReading(tuple(statements), ()), context)
        return [self._stated(finding, message, range(len(message) + 1)) for finding in found]

    def _reported(self, message: str, paste: pastes.PasteReading) -> list[Placed]:
        """The events that a server's errors and log lines tell, where no check searches for their words."""
        tables = [block.table for block in paste.blocks if block.kind in ("error", "log") and block.table]
        lines = dict.fromkeys(line.strip() for table in tables for row in table.rows for line in row[1].split("\n"))
        told = islice((line for line in lines if line), 0 if paste.findings else _MOST_LINES)
        found = [(line, finding) for line in told for finding in self._judge.judge(self._reader.read(line))]
        return [
            self._reported_in(line, finding, start)
            for line, finding in found
            if isinstance(self._subjects[str(finding.why.details["subject"])], Event)
            and (start := message.find(line)) >= 0
        ]

    def _shown(self, message: str, paste: pastes.PasteReading) -> list[Placed]:
        """What single values show, as a person would say it: "max_connections 300", "count 297"."""
        tables = [block.table for block in paste.blocks if block.kind == "table" and block.table]
        single = [table for table in tables if table.form == "rows" and len(table.rows) == len(table.columns) == 1]
        pairs = [(table.columns[0], table.rows[0][0]) for table in single if table.rows[0]]
        if paste.findings or len(single) < len(tables) or not 0 < len(pairs) <= _MOST_VALUES:
            return []
        said = ", ".join(f"{name.strip()} {speak_cell(cell)}" for name, cell in pairs)
        start = max(message.find(pairs[0][1].strip()), 0)
        found = [item for item in self._judge.judge(self._reader.read(said)) if item.kind in _OF_VALUES]
        return [self._reported_in(said, item, start) for item in found]

    def _reported_in(self, line: str, finding: judging.Finding, start: int) -> Placed:
        placed = self._stated(replace(finding, span=(0, len(line)), words=line), line, range(start, start + len(line)))
        return replace(placed, reading=replace(placed.reading, pasted=True))

    def _stated(self, finding: judging.Finding, said: str, offsets: Sequence[int]) -> Placed:
        start, end = finding.span
        probability = probability_of(kind_of(finding))
        standing = _STANDINGS[finding.standing]
        if standing is Standing.COUNTS and probability < COUNTS_FROM:
            standing = Standing.PROPOSED
        lacking = standing in _LACKING
        reading = Reading(
            phenomenon_id=finding.phenomenon_id,
            name=self._names[finding.phenomenon_id],
            verdict=None if lacking else _VERDICTS[finding.verdict.value],
            standing=standing,
            probability=probability,
            words=said[start:end],
            kind=finding.kind,
            missing=self._missing(finding) if lacking else LocalizedText(),
        )
        return Placed(reading, offsets[start], offsets[max(end - 1, start)] + 1)

    def _missing(self, finding: judging.Finding) -> LocalizedText:
        subject = self._subjects.get(str(finding.why.details.get("subject", "")))
        return LocalizedText(subject.name.zh, subject.name.en) if subject else LocalizedText()

    def _pasted(self, message: str, finding: pastes.Finding) -> Placed:
        probability = probability_of(f"pasted_{finding.why}")
        counts = finding.standing == "counts" and probability >= COUNTS_FROM
        lacking = finding.standing == _SECOND
        standing = Standing.COUNTS if counts else Standing.NEEDS_BASE if lacking else Standing.PROPOSED
        start = max(message.find(finding.words), 0)
        reading = Reading(
            phenomenon_id=finding.phenomenon_id,
            name=self._names[finding.phenomenon_id],
            verdict=_VERDICTS[finding.verdict],
            standing=standing,
            probability=probability,
            words=finding.words,
            value=finding.value,
            kind=f"pasted_{finding.why}",
            pasted=True,
        )
        return Placed(reading, start, start + len(finding.words))


def _checks(entries: Iterable[Entry]) -> list[Check]:
    return [
        Check(phenomenon_id=entry.id, how=entry.hows, rows=entry.rows, views=entry.views, means=entry.means)
        for entry in entries
        if entry.hows
    ]


def _note(note: TextNote, offsets: Sequence[int]) -> Note:
    start, end = note.span
    return Note(note.words, offsets[start], offsets[max(end - 1, start)] + 1, note.meaning.is_fact)


Spans = tuple[tuple[int, int], ...]


def _parted(
    statements: Iterable[Statement], found: Iterable[judging.Finding], offsets: Sequence[int]
) -> tuple[Spans, Spans]:
    """The spans in which nothing is left to ask about (judged, no claim about the present, or without other words);
    and those in which words beside a known subject say what nothing judges.
    """
    judged = {finding.span for finding in found}
    understood: dict[tuple[int, int], bool] = {}
    for statement in statements:
        start, end = statement.span
        span = offsets[start], offsets[max(end - 1, start)] + 1
        settled = statement.span in judged or not statement.meaning.is_fact or not statement.leftover
        understood[span] = understood.get(span, False) or settled
    return (
        tuple(span for span, settled in understood.items() if settled),
        tuple(span for span, settled in understood.items() if not settled),
    )


def _unclaimed(text: TextReading, offsets: Sequence[int]) -> Spans:
    """The spans of what is no claim about this system as it is now."""
    spans = [each.span for each in text.statements if not each.meaning.is_fact]
    spans += [each.span for each in text.notes if not each.meaning.is_fact]
    return tuple((offsets[start], offsets[max(end - 1, start)] + 1) for start, end in spans)


def _without_repeated(readings: Iterable[Placed]) -> Iterable[Placed]:
    """One reading a phenomenon: what a pasted output shows outranks what is said about it."""
    found: dict[str, Placed] = {}
    for item in readings:
        found.setdefault(item.reading.phenomenon_id, item)
    return found.values()
