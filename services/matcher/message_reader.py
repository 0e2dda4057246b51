"""Reads a message by a snapshot's vocabulary and checks: what its statements and its pasted outputs say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from lang import pastes
from lang.judging import judge as judging
from lang.judging import rulings
from lang.judging.dialogue import DialogueReader, Topics, at_onset
from lang.judging.facilities import FacilityReader, Told
from lang.judging.products import RECKONED, reckoned
from lang.objects.named_objects import filter_key
from lang.objects.series import name_directories, say_cpu_line, say_series
from lang.pastes import Check, CheckIndex
from lang.pastes.formats.blocks import find_blocks
from lang.pastes.formats.pasted_lines import split_lines
from lang.statements import Reader, Statement
from lang.statements import Reading as TextReading
from lang.vocabulary import Outcome, Predicate, Subject
from services.matcher.index.entries import Entry, Library
from services.matcher.model import Standing
from services.matcher.output_reader import OutputReader
from services.matcher.placing import LACKING, SECOND, Placed, Placer, parted, placed, unclaimed
from services.matcher.quoted_names import QuotedNames
from services.matcher.reading.pasted_words import first_output, join_prose, own_words
from services.matcher.reading.second_readings import LONGEST_EARLIER, SecondReadings

# An answer with a value alone is not longer.
_VALUE_ALONE = 40
NO_TOPICS = Topics()
_MENDED = (Outcome.HELPED, Outcome.HELPED_FOR_A_WHILE, Outcome.NO_HELP)
# Headings that do not tell what is counted.
_NAMELESS = ("count", "?column?", "n", "num", "cnt", "total")


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
    # What is asked, supposed, over or about another system: nothing in it holds here and now. What was done or began
    # earlier stands apart.
    unclaimed: tuple[tuple[int, int], ...] = ()
    past: tuple[tuple[int, int], ...] = ()
    # The person's own words, and the place in the message of each of their characters.
    said: str = ""
    offsets: Sequence[int] = ()
    # What the site is said to have or to do without.
    facilities: tuple[Told, ...] = ()

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
        self.vocabulary = library.vocabulary
        self._subjects = {subject.id: subject for subject in library.vocabulary.subjects}
        self._reader = Reader(library.vocabulary)
        self._means = {entry.id: entry.means for entry in library.phenomena}
        self._joined = {
            name: [part for each in means if each.with_ for part in (each, *each.with_)]
            for name, means in self._means.items()
        }
        self._judge = judging.Judge(self._means, library.vocabulary)
        self._dialogue = DialogueReader(self._reader, self._judge, self._means, self._subjects)
        self._checked = _checks(library.phenomena), library.views
        self.names = {entry.id: entry.name for entry in library.phenomena}
        self._placer = Placer(self.names, self._subjects)
        self._quoted = QuotedNames(self.names)
        self._facilities = FacilityReader(
            library.vocabulary.facilities, {entry.id: entry.needs for entry in library.phenomena}
        )

    @cached_property
    def checks(self) -> CheckIndex:
        """The checks whose outputs are recognised; their texts are read for the first message."""
        return CheckIndex.of(*self._checked)

    @cached_property
    def _second(self) -> SecondReadings:
        return SecondReadings(self.checks, self.vocabulary, self._judge_words, self._means)

    @cached_property
    def _outputs(self) -> OutputReader:
        return OutputReader(self._reader, self._judge, self.checks, self._subjects, self._placer)

    def read(self, message: str, topics: Topics = NO_TOPICS, now: float = 0.0) -> MessageReading:
        """What the message says in a dialogue that is about these topics.

        now: when it was said, in seconds since 1970; 0 where nobody knows.
        """
        message = pastes.without_executed(message)
        paste = self._read_paste(message, topics, now)
        own, offsets = join_prose(paste.prose)
        said = say_series(say_cpu_line(name_directories(own)))
        text = self._reader.read(said)
        before = tuple(told for told in map(self._told, topics.before) if told)
        found = self._found(said, text, topics, before)
        found = (*self._reckoned(said, topics, found), *found)
        readings = self._placed(message, paste, found, text, (own, offsets))
        if printed := self._outputs.spoken(paste.blocks):
            joint = replace(topics, before=(said, *before) if said else before)
            told = self._shown_of(printed, message, joint, readings)
            decided = {item.reading.phenomenon_id for item in told if item.reading.standing is Standing.COUNTS}
            left = [item for item in readings if not (_is_open(item) and item.reading.phenomenon_id in decided)]
            readings = [*told, *left]
        readings += [self._placer.state(item, own, offsets) for item in self._unnamed(said, text, topics, readings)]
        ordered = sorted(_without_repeated(readings), key=lambda item: (item.start, item.reading.phenomenon_id))
        joined = {part.subject for item in found for part in self._joined.get(item.phenomenon_id, ())}
        understood, unplaced = parted(text.statements, found, joined, offsets)
        notes = [] if paste.findings and not said.strip() else _notes(text, paste, offsets)
        notes += [Note(message[start:end], start, end, claims=True) for start, end in unplaced]
        notes.sort(key=lambda note: note.start)
        shown = {finding.phenomenon_id for finding in paste.findings if finding.verdict == "confirmed"}
        facilities = self._facilities.read(said, shown)
        lacked = tuple(placed(each.span, offsets) for each in facilities)
        notes = [note for note in notes if not any(start <= note.start < end for start, end in lacked)]
        unread = "" if any(item.reading.pasted for item in readings) else first_output(message, paste.blocks)
        retracted, beside = self._judge.retracted(text), unclaimed(text, offsets)
        return MessageReading(
            tuple(ordered), tuple(notes), understood + lacked, unread, retracted, *beside, own, offsets, facilities
        )

    def _found(
        self, said: str, text: TextReading, topics: Topics, before: tuple[str, ...]
    ) -> tuple[judging.Finding, ...]:
        """What the words say, completed by what was said before, with the parts that were asked for."""
        judged = self._judge.judge(text, judging.Context(frozenset(topics.pending)))
        judged = self._outputs.without_settings(said, at_onset(judged, (said, *topics.before)))
        found = self._quoted.without_others(said, judged, self._judge_words)
        completed = self._dialogue.complete(said, found, replace(topics, before=before))
        told = {item.phenomenon_id for item in completed}
        found = (*(item for item in found if item.phenomenon_id not in told), *completed)
        return (*found, *self._dialogue.want_parts(text, topics, {item.phenomenon_id for item in found}))

    def _reckoned(self, said: str, topics: Topics, found: Iterable[judging.Finding]) -> tuple[judging.Finding, ...]:
        """What follows from a setting that the words tell, with those that were told before, where they decide less."""
        decided = {each.phenomenon_id for each in found if each.standing is rulings.Standing.COUNTS}
        made = self._judge.judge(TextReading(tuple(reckoned(self.vocabulary.quantities, topics.settings, said)), ()))
        return tuple(replace(each, kind=RECKONED) for each in made if each.phenomenon_id not in decided)

    def _placed(
        self,
        message: str,
        paste: pastes.PasteReading,
        found: tuple[judging.Finding, ...],
        text: TextReading,
        prose: tuple[str, Sequence[int]],
    ) -> list[Placed]:
        """What is pasted, quoted and said, each in its place; first what outranks the rest."""
        said, offsets = prose
        return [
            *(self._placer.paste(message, finding) for finding in paste.findings),
            *self._outputs.settings(message, paste),
            *self._outputs.quote(said, offsets, found, text),
            *(self._placer.state(finding, said, offsets) for finding in found),
            *self._outputs.report(message, paste),
            *self._outputs.show(message, paste),
        ]

    def _read_paste(self, message: str, topics: Topics, now: float) -> pastes.PasteReading:
        """The pasted outputs of a message; one that needs a second reading is read with the one before it."""
        asked, key = tuple(topics.pending), filter_key((message, *topics.before))
        paste = pastes.judge_paste(message, self.checks, asked, (), self.vocabulary, now, key, topics.shown)
        lacking = {item.phenomenon_id for item in paste.findings if item.standing == SECOND}
        if not paste.findings and topics.before:
            return replace(paste, findings=self._second.told(message, topics))
        for before in topics.before:
            if not lacking or len(before) > LONGEST_EARLIER:
                break
            found = pastes.judge_paste(before, self.checks, asked, (), self.vocabulary).findings
            first = [item for item in found if item.phenomenon_id in lacking and item.standing == SECOND]
            if first:
                earlier = [pastes.EarlierReading(item.phenomenon_id, item.rows, 0.0) for item in first]
                return pastes.judge_paste(message, self.checks, asked, earlier, self.vocabulary, now, key)
        return paste

    def value_of(self, words: str, phenomenon_id: str) -> Sequence[judging.Finding]:
        """What the figure in words says of a phenomenon that they answer about; empty if it has no limit for it."""
        return self._dialogue.answer(words, Topics(asked=phenomenon_id))

    def _judge_words(self, words: str) -> tuple[judging.Finding, ...]:
        return self._judge.judge(self._reader.read(words))

    def _told(self, message: str) -> str:
        """A message before as words: the person's own, and the single values that it shows."""
        if len(message) > LONGEST_EARLIER:
            return ""
        blocks = find_blocks(split_lines(message), self.checks.known)
        own = say_series(name_directories(own_words(message, blocks)))
        return "\n".join(filter(None, (own, self._outputs.spoken(blocks))))

    def _shown_of(self, shown: str, message: str, topics: Topics, read: Sequence[Placed]) -> list[Placed]:
        """What single values of an output say of what was asked, or together with what was said before."""
        reading = self._reader.read(shown)
        told = self._dialogue.complete(shown, self._judge.judge(reading), topics)
        counted = any(item.reading.standing not in LACKING for item in read)
        if topics.asked and not (told or counted):
            told += self._dialogue.answer(shown, topics)
        decided = {item.phenomenon_id for item in told} | {item.reading.phenomenon_id for item in read}
        told += self._dialogue.want_parts(reading, topics, decided)
        name, _, bare = shown.rpartition(" ")
        if not (told or counted) and name in _NAMELESS:
            told += self._dialogue.go_on(bare, self._reader.read(bare), topics)
        place = max(message.find(shown.rpartition(" ")[2]), 0)
        whole = [replace(item, span=(0, len(shown)), words=shown) for item in told]
        return [self._outputs.reported_in(shown, item, place) for item in whole]

    def _unnamed(self, said: str, text: TextReading, topics: Topics, read: Sequence[Placed]) -> list[judging.Finding]:
        """What the words say of things that they do not name: first of the one whose value was asked for."""
        if not said.strip():
            return []
        alone = topics.asked and not read and len(said) <= _VALUE_ALONE
        if alone and (found := self._dialogue.answer(said, topics)):
            return found
        if any(item.reading.pasted or item.reading.standing in LACKING for item in read):
            return []
        return self._dialogue.go_on(said, text, topics)

    @cached_property
    def begun(self) -> frozenset[str]:
        """The phenomena that are about what was done before the trouble began."""
        return frozenset(
            name for name, means in self._means.items() if any(each.outcome is Outcome.TROUBLE_BEGAN for each in means)
        )

    @cached_property
    def mended(self) -> frozenset[str]:
        """The phenomena that are first of all about what an action made better, or not."""
        return frozenset(name for name, means in self._means.items() if means and means[0].outcome in _MENDED)

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
        return [self._placer.state(finding, message, range(len(message) + 1)) for finding in found]


def _checks(entries: Iterable[Entry]) -> list[Check]:
    return [
        Check(phenomenon_id=entry.id, how=entry.hows, rows=entry.rows, views=entry.views, means=entry.means)
        for entry in entries
        if entry.hows
    ]


def _notes(text: TextReading, paste: pastes.PasteReading, offsets: Sequence[int]) -> list[Note]:
    """The words that nothing covers, but for those that an output tells as well."""
    notes = (Note(note.words, *placed(note.span, offsets), note.meaning.is_fact) for note in text.notes)
    told = {item.words for item in paste.findings}
    return [note for note in notes if not any(note.words in words for words in told)]


def _is_open(item: Placed) -> bool:
    """True for an output that leaves its phenomenon open."""
    return item.reading.pasted and item.reading.standing is Standing.PROPOSED


def _without_repeated(readings: Iterable[Placed]) -> Iterable[Placed]:
    """One reading a phenomenon: what an output shows outranks what is said about it, and both what lacks a part."""
    found: dict[str, Placed] = {}
    for item in sorted(readings, key=lambda item: item.reading.standing in LACKING):
        found.setdefault(item.reading.phenomenon_id, item)
    return found.values()
