"""What a message says of things it does not name, because the dialogue is about them: "it's 30 %", "198 of 200".

A value without a subject is tried on each thing the dialogue is about. One that fits a single thing, by a unit or as
part of a whole, is about that thing; one that fits several, or is a bare number, is only proposed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from lang import deferred_re as re
from lang.cues import word_set
from lang.judging.judge import Finding, Judge, Why
from lang.judging.rulings import Standing, Verdict
from lang.numbers.values import read_values
from lang.outcomes import tells_onset
from lang.parts import cues_of, is_content
from lang.says import Says
from lang.statements import Reader, Reading, Statement
from lang.tokens import Kind, read_text
from lang.vocabulary import Predicate, Quantity, Subject

# A smaller bare number is as likely the number of an item in a list.
_LEAST_BARE = 10
# A term of several parts names nothing as it stands.
_PARTS = " + "
_DECIDED = (Standing.COUNTS, Standing.PROPOSED)
_TAKEN_BACK = ("retraction", "correction")
# A sum of two counts that the person leaves to the reader.
_SUM = re.compile(r"(?<![\d.])(\d{1,9})\s*\+\s*(\d{1,9})(?![\d.])")


@dataclass(frozen=True)
class Topics:
    """The phenomena that a dialogue is about.

    asked: the one whose value was asked for, after the person said `words` of it. said: the one reported last. pending:
    those that were asked about last. before: the person's own words in the messages before this one, the latest
    first. shown: queries that were given to the person and are no phenomenon's own, the latest first. settings: those
    that were told, with their values.
    """

    asked: str = ""
    words: str = ""
    said: str = ""
    pending: Sequence[str] = ()
    before: Sequence[str] = ()
    shown: Sequence[str] = ()
    settings: Sequence[str] = ()


@dataclass(frozen=True)
class _Answer:
    finding: Finding
    statement: Statement
    subject: Quantity

    @property
    def is_part(self) -> bool:
        """True if the value is a part of a whole, and the subject has one."""
        value = self.statement.value
        stated = value is not None and (self.statement.whole is not None or value.whole is not None)
        return stated and self.subject.whole is not None

    @property
    def misfits(self) -> bool:
        """True if a bare value is a part of a whole, and the subject has none: "198 of 200" is no plain count."""
        value = self.statement.value
        return value is not None and value.bare and self.statement.whole is not None and self.subject.whole is None

    @property
    def is_plain(self) -> bool:
        """True if the value has a unit, or is a part of a whole."""
        return self.is_part or (self.statement.value is not None and not self.statement.value.bare)


class DialogueReader:
    """Reads messages as going on about what a dialogue is about. Pure."""

    def __init__(
        self,
        reader: Reader,
        judge: Judge,
        predicates: Mapping[str, Sequence[Predicate]],
        subjects: Mapping[str, Subject],
    ) -> None:
        self._reader, self._judge, self._predicates, self._subjects = reader, judge, predicates, subjects
        self._names: dict[str, str] = {}

    def answer(self, message: str, topics: Topics) -> list[Finding]:
        """What a message says of the phenomenon whose value was asked for; empty if it gives no value for it."""
        if _repeats(message, topics.words) or _doubts(message) or self._is_of_others(message, topics.asked):
            return []
        message, said = _SUM.sub(lambda each: str(int(each[1]) + int(each[2])), message), message
        for subject in self._quantities_of(topics.asked):
            for lead in _leads(subject, self._name(subject), topics.words):
                found = self._judge.judge(self._reader.read(lead + message)) if message.strip() else ()
                own = [item for item in found if item.phenomenon_id == topics.asked and item.standing in _DECIDED]
                # Without a figure, words that name a thing of their own are of that: "temp files are flat".
                own = [item for item in own if item.value is not None or not _is_thought(message)]
                if own:
                    return [replace(item, span=(0, len(said)), words=said) for item in own]
        return []

    def _is_of_others(self, message: str, asked: str) -> bool:
        """Whether the figures of a message are of quantities that it names, and that are not asked about."""
        named = {each.subject for each in self._reader.read(message).statements if each.says is Says.VALUE}
        own = {part for each in self._quantities_of(asked) for part in (each.id, each.whole, *each.factors)}
        return bool(named) and named.isdisjoint(own)

    def go_on(self, message: str, alone: Reading, topics: Topics) -> list[Finding]:
        """What a message says of phenomena that it does not name. alone: its reading without the dialogue."""
        if not read_values(read_text(message)) or _says_more(alone):
            return []
        if _repeats(message, topics.words) or _doubts(message):
            return []
        names = dict.fromkeys((topics.said, *topics.pending))
        about = (found for name in names for found in self._go_on_about(name, message, alone))
        answers = [found for found in about if not found.misfits]
        last = [found.finding for found in answers if found.finding.phenomenon_id == topics.said]
        if last and any(cue.name == "correction" for cue in cues_of(read_text(message))):
            return last
        answers = _likeliest(answers)
        sure = len({found.subject.id for found in answers}) == 1
        return [
            found.finding if sure and found.is_plain else replace(found.finding, standing=Standing.PROPOSED)
            for found in answers
        ]

    def complete(self, message: str, found: Sequence[Finding], topics: Topics) -> list[Finding]:
        """What a message says together with one before it: a value in one and what it is a part of in the other, or a
        part of a joint predicate in each ("deleting is slow", "the rest is fine").
        """
        if not topics.before:
            return []
        alone = self._reader.read(message)
        begun, products = self._judge.begun(alone), self._judge.begun_products(alone)
        valued = bool(read_values(read_text(message)))
        if not valued and not begun:
            return []
        lacking = {item.phenomenon_id for item in found if _lacks_base(item)}
        decided = {item.phenomenon_id for item in found} - lacking
        completed: dict[str, Finding] = {}
        said = message
        for before in topics.before:
            if any(cue.name in _TAKEN_BACK for cue in cues_of(read_text(before))):
                break  # Nobody knows how much of what came before still stands.
            said = f"{before}\n{said}"
            found_before = self._judge.judge(self._reader.read(before))
            opened = (item for item in found_before if _lacks_base(item) and not _tells_again(message, item.words))
            open_before = {item.phenomenon_id for item in opened}
            joint = begun - {item.phenomenon_id for item in found_before}
            wanted = (joint | (lacking | open_before if valued else set())) - decided - completed.keys()
            completed |= self._told_by(f"{before}\n{message}", wanted, message)
            # The factors of a product and its whole may stand in three messages.
            completed |= self._told_by(said, products - decided - completed.keys(), message)
        return list(completed.values())

    def _told_by(self, said: str, wanted: Collection[str], message: str) -> dict[str, Finding]:
        """What several messages decide of the wanted phenomena, as findings of the last one."""
        found = self._judge.judge(self._reader.read(said)) if wanted else ()
        sure = (item for item in found if item.phenomenon_id in wanted and item.standing is Standing.COUNTS)
        return {item.phenomenon_id: replace(item, span=(0, len(message)), words=message) for item in sure}

    def want_parts(self, reading: Reading, topics: Topics, told: Collection[str]) -> list[Finding]:
        """What was asked about of which a message gives the whole: "max_connections is 500" leaves how many are used.

        told: the phenomena that the message decides.
        """
        wholes = {each.subject: each for each in reading.statements if each.says is Says.VALUE and each.meaning.is_fact}
        return [
            Finding(
                name,
                Verdict.CONFIRMED,
                Standing.NEEDS_BASE,
                "needs_base",
                wholes[subject.whole].words,
                wholes[subject.whole].span,
                Why("needs_base", {"subject": subject.id}),
            )
            for name in topics.pending
            for subject in self._quantities_of(name)
            if subject.whole in wholes and name not in told
        ]

    def _go_on_about(self, phenomenon_id: str, message: str, alone: Reading) -> Iterator[_Answer]:
        for subject in self._quantities_of(phenomenon_id):
            if any(statement.subject == subject.id and statement.says is Says.VALUE for statement in alone.statements):
                return  # It is named, and has its value.
            led = self._reader.read(message, f"{self._name(subject)}, ")
            for statement in led.statements:
                if statement.subject == subject.id and _is_value_alone(statement) and _is_in_unit(statement, subject):
                    found = self._judge.judge(Reading((statement,), ()))
                    yield from (
                        _Answer(item, statement, subject)
                        for item in found
                        if item.phenomenon_id == phenomenon_id and item.standing in _DECIDED
                    )

    def _name(self, subject: Quantity) -> str:
        """The first of its terms that names this subject and no other, whatever the order of the terms."""
        if subject.id not in self._names:
            plain = [term for term in subject.say.all if _PARTS not in term]
            named = (
                term for term in plain if {each.subject for each in self._reader.read(term).statements} == {subject.id}
            )
            self._names[subject.id] = next(named, next(iter(plain), subject.say.all[0]))
        return self._names[subject.id]

    def _quantities_of(self, phenomenon_id: str) -> Iterator[Quantity]:
        for predicate in self._predicates.get(phenomenon_id, ()):
            subject = self._subjects.get(predicate.subject)
            if isinstance(subject, Quantity) and not predicate.with_:
                yield subject


def at_onset(found: Sequence[Finding], told: Sequence[str]) -> tuple[Finding, ...]:
    """What was done lately as what the trouble began with, where one of the messages tells since when it is there."""
    lately = [item for item in found if item.kind == "done_before" and not _is_long_ago(item.words)]
    if not lately or not any(map(tells_onset, told)):
        return tuple(found)
    return tuple(replace(item, standing=Standing.COUNTS, kind="onset") if item in lately else item for item in found)


def _is_long_ago(words: str) -> bool:
    return any(each in words for each in word_set("long_ago"))


def _repeats(message: str, words: str) -> bool:
    """True if a message only says once more the value that was told: what it is to be compared with is still open."""
    told = {value.number for value in read_values(read_text(words))}
    said = {value.number for value in read_values(read_text(message))}
    return bool(said) and said <= told


def _doubts(message: str) -> bool:
    """True for "how sure are you, 13 % is nothing": the figure is the one that was told."""
    return any(cue.name == "asks_certainty" for cue in cues_of(read_text(message)))


def _tells_again(message: str, words: str) -> bool:
    """True if a message has the value of earlier words, too: what was taken for a part there is the whole itself."""
    told = {(value.number, *value.readings) for value in read_values(read_text(words))}
    return any((value.number, *value.readings) in told for value in read_values(read_text(message)))


def _lacks_base(found: Finding) -> bool:
    """True of what a base that is told elsewhere may decide, as "pg_wal is huge, 705 GB" by "max_wal_size is 8 GB"."""
    by_word = found.standing is Standing.PROPOSED and found.kind == "degree"
    return by_word or found.standing is Standing.NEEDS_BASE


def _says_more(alone: Reading) -> bool:
    """True if a message tells something beside its values: the value is then of that, or of nothing asked."""
    return any(note.meaning.is_fact and _is_thought(note.words) for note in alone.notes)


def _is_thought(words: str) -> bool:
    text = read_text(words)
    if read_values(text) or any(cue.name in _TAKEN_BACK for cue in cues_of(text)):
        return False
    covered = {at for cue in cues_of(text) for at in range(cue.first, cue.last)}
    return sum(is_content(token) for at, token in enumerate(text.tokens) if at not in covered) > 1


def _likeliest(answers: list[_Answer]) -> list[_Answer]:
    """Of several things that a value fits, those it is a part of ("198 of 200"); of these, those it is trouble for."""
    answers = [found for found in answers if found.is_part] or answers
    return [found for found in answers if found.finding.verdict is Verdict.CONFIRMED] or answers


def _leads(subject: Quantity, name: str, words: str) -> Iterator[str]:
    """What the value may follow: the person's own words, those and the name of its whole or its own, its own alone."""
    if words:
        yield f"{words}, "
        if subject.whole is not None:
            yield f"{words}, {subject.whole} "
            yield f"{words}, {name} "
    yield f"{name} "


def _is_in_unit(statement: Statement, subject: Quantity) -> bool:
    """True if the value needs no more to be one of the subject: an amount is no rate, where nobody speaks of one."""
    value = statement.value
    return value is not None and (value.bare or subject.whole is not None or subject.unit in value.readings)


def _is_value_alone(statement: Statement) -> bool:
    """True if a clause has a value and no other content, and the value is no number of an item in a list."""
    value = statement.value
    if statement.says is not Says.VALUE or value is None or statement.leftover or not statement.meaning.is_fact:
        return False
    if any(token.kind is Kind.STAMP for token in read_text(statement.words).tokens):
        return False  # A path or a time beside the value names what it is of.
    return not value.bare or value.number >= _LEAST_BARE
