"""What counts of what the rules read in words, beside what the recogniser hears in the same words.

The rules know terms, negations and limits; the recogniser knows how people speak of a phenomenon. A figure and a
negation of the thing itself are plain words, which count unless they are surely about something else. What rests on a
bare word or on a question that they may answer counts only where the recogniser rather hears it, too; else it stays a
proposal that is as likely as the recogniser has it, or is no reading at all.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from dataclasses import replace

from lang.cues import telling_keys, telling_parts, word_set
from lang.listed import lists_beside
from lang.pastes.reading_of_logs import OWN_VIEW
from lang.vocabulary import Vocabulary
from services.matcher.index.entries import Entry
from services.matcher.message_reader import MessageReading
from services.matcher.model import Reading, Standing, Verdict
from services.matcher.placing import Placed
from services.matcher.recognition.checked_readings import DONE_BEFORE, is_about_another
from services.matcher.recognition.recognised_words import WORDS, has_figure
from services.matcher.recognition.recogniser import Recognised, Recogniser

_LISTED = lists_beside(__file__)

# So likely words have to be about a phenomenon for a figure or a negation in them to be its.
_ABOUT_FROM = 0.25
# So likely words have to claim what the rules read in them, or less if so many times as likely as its opposite.
_CLAIMED_FROM, _RATHER_FROM, _RATHER = 0.4, 0.3, 2.0
_ZERO, _WORD_VALUE, _EVENT = "zero", "word_value", "event"
_FIGURES = frozenset(("value", "multiple", "event_count", _ZERO))
# What a negation of its own denies: what was done, and what happens.
_NOT_DONE, _NONE = "not_done", "none"
# Praise of a thing is no denial where words rather tell of its trouble, or are hardly about it.
_PRAISE = "fine"
# Denials that hang on a word nearby.
_LOOSE = (_NONE, _ZERO)
_OF_WORDS = frozenset(("event", "event_often", "event_share", "state", "onset", _NONE, _NOT_DONE, _PRAISE))
# So likely words have to be about what was done, and twice as much not to deny it, for the trouble to be asked of.
_BEGUN_FROM = 0.4
# Words that are less likely to claim it say nothing of it.
_HEARD_FROM = 0.2
_AND = re.compile(r" and |也|(?<=[\u4e00-\u9fff]) ")
# What a driver calls a lost connection is no error of a disk.
_DRIVER = re.compile(r"(?:sql|psql)exception|sending to the backend|while reading from the (?:server|backend)")
# How people name the host of a standby, and hosts.
_STANDBY_HOST = _LISTED.pattern("standby_host")
_HOST = re.compile(r"[a-z][a-z-]*\d+")
_STANDBYS = frozenset(("standby", "synchronous_standby", "replication_slot", "replica", "failover_manager"))
# What is over is there no more.
_OVER = re.compile(r"(?i)\b(?:is|are|was|were) over\b")
# That nobody touched a thing denies nothing but a change.
_UNTOUCHED = _LISTED.pattern("untouched")
_CHANGES = re.compile(r"(?i)chang|began|after|by hand")
_CURE, _COMES_OF_IT = _LISTED.pattern("cure"), _LISTED.pattern("comes_of_it")
# Within one sentence a figure is that of the thing named beside it.
_SENTENCE_ENDS = re.compile(r"[?？!！。\n]|\.\s")
# A number in a path is a name's.
_PATH = re.compile(r"(?:/[\w.-]+){2,}")
# So few words, a figure among them, name nothing else; an answer that says nothing else is not longer.
_HARDLY = 3
_ANSWER_ALONE = 40
# In a longer message a figure is one of several things that are talked of.
_TALK = 80
_FORMS = ("hedged_", "misspelt_")
# How readings are called of what was done when the trouble began, and of words that answer a question.
ONSET, ANSWERED, RECOGNISED = "onset", "answered", "recognised"


class Agreement:
    """Checks what the rules read in words against a recogniser.

    What is akin, as it is about the same subject, is heard as one: "no deadlocks" denies one and that they get more.
    """

    def __init__(self, recogniser: Recogniser, phenomena: Sequence[Entry], vocabulary: Vocabulary) -> None:
        self._recogniser, self._akin = recogniser, _akin(phenomena)
        events = {event.id for event in vocabulary.events}
        self._of_standbys = frozenset(entry.id for entry in phenomena if _STANDBYS.intersection(entry.needs))
        self._events = frozenset(entry.id for entry in phenomena if events & {each.subject for each in entry.means})

    def check(self, read: MessageReading, asked: Set[str]) -> MessageReading:
        """The reading of a message with what the recogniser does not hear in it proposed, or left out.

        asked: what a short message may be about without a word of it: what is asked, or told already.
        """
        talks = len(read.said.strip()) > _TALK
        free = asked if len(read.said.strip()) <= _ANSWER_ALONE else frozenset[str]()
        own = (item for item in read.readings if not self._is_of_another_system(item.reading, read.said))
        checked = (
            item
            if item.reading.phenomenon_id in free and not _names_more(item.reading)
            else self._agreed(item, item.reading.phenomenon_id in asked, talks, told=bool(asked))
            for item in own
        )
        return replace(read, readings=tuple(item for item in checked if item is not None))

    def _is_of_another_system(self, reading: Reading, said: str) -> bool:
        """Whether words name another product or server, a standby's host or a driver's error: no phenomenon of it."""
        words = reading.words.lower()
        if reading.pasted or reading.kind not in _OF_WORDS | _FIGURES | {ANSWERED, RECOGNISED}:
            return False
        if OWN_VIEW.search(words) or (_DRIVER.search(words) and "disk" in reading.name.en.lower()):
            return True
        named = word_set("other_products") & frozenset(WORDS.findall(words))
        if named and not any(each in reading.name.en.lower() for each in named):
            return True
        hosts = {each.lower() for found in _STANDBY_HOST.findall(said) for each in found if each}
        return bool(hosts & frozenset(_HOST.findall(words))) and reading.phenomenon_id not in self._of_standbys

    def _agreed(self, item: Placed, waited: bool, talks: bool, told: bool) -> Placed | None:
        reading, kind = item.reading, _plain_kind(item.reading.kind)
        began = kind in (ONSET, DONE_BEFORE) and reading.verdict is Verdict.CONFIRMED
        proposed = began or kind in (ANSWERED, _EVENT)
        checked = reading.standing is Standing.COUNTS or (proposed and reading.standing is Standing.PROPOSED)
        if kind in _LOOSE and reading.verdict is Verdict.DENIED and not _is_one_sentence(reading):
            return None  # "The slot is active. no, I mean": the no is not of what stands before it.
        if reading.pasted or not checked or not self._recogniser.knows(reading.phenomenon_id):
            return item
        denied = reading.verdict is Verdict.DENIED
        if denied and kind in (ANSWERED, RECOGNISED) and _UNTOUCHED.search(reading.words):
            return item if _CHANGES.search(reading.name.en) else None
        found = self._recogniser.recognise(reading.words)
        another = is_about_another(found, reading.phenomenon_id)
        heard = self._heard(found, reading)
        parts = (self._heard(self._recogniser.recognise(each), reading) for each in _AND.split(reading.words))
        claimed, opposite, about = max((heard, *parts))  # Of two things told in one breath each is heard by itself.
        if reading.standing is Standing.PROPOSED and not began:
            over = kind == _EVENT and _OVER.search(reading.words)
            return (
                item if not over and (claimed >= _HEARD_FROM or (kind == _EVENT and about >= _CLAIMED_FROM)) else None
            )
        if kind == ANSWERED:
            return item if not another and (claimed >= _CLAIMED_FROM or _is_plain_answer(reading, about)) else None
        if began and (about - 2 * opposite < _BEGUN_FROM or (told and _is_cure(reading.words))):
            return None
        if kind == _WORD_VALUE and not denied:
            return item if about >= _ABOUT_FROM or not talks else None
        if kind == _ZERO and claimed < _RATHER_FROM:
            return None
        if kind in _FIGURES:
            beside = _is_one_sentence(reading) and (about >= _ABOUT_FROM or not (another or talks))
            if beside or (about >= _ABOUT_FROM and claimed >= opposite):
                return item
            return _weakened(item, claimed) if waited and reading.verdict is Verdict.CONFIRMED else None
        if kind not in _OF_WORDS or (kind == _NOT_DONE and not another) or (_is_name(reading) and not began):
            return item
        return self._agreed_words(item, kind, began, (claimed, opposite, about))

    def _agreed_words(self, item: Placed, kind: str, began: bool, heard: tuple[float, float, float]) -> Placed | None:
        """What counts of words without a figure; began: they tell of what was done when the trouble began."""
        reading, (claimed, opposite, about) = item.reading, heard
        if kind == _PRAISE:
            return item if claimed >= opposite and about > 0 else None
        if kind == _NONE and not self._is_heard_itself(reading):
            return None
        denied = kind in (_NONE, _NOT_DONE) and about >= _ABOUT_FROM
        event = reading.phenomenon_id in self._events and (claimed >= _HEARD_FROM or about >= _CLAIMED_FROM)
        if denied and (kind == _NOT_DONE or event or claimed >= _RATHER * opposite):
            return item
        if began and kind == ONSET and 2 * claimed >= 3 * opposite and claimed >= _HEARD_FROM:
            return item  # What was done is told with its time.
        if claimed >= _CLAIMED_FROM or claimed >= max(_RATHER_FROM, _RATHER * opposite):
            return item
        return _weakened(item, claimed) if began or claimed >= _HEARD_FROM else None

    def _is_heard_itself(self, reading: Reading) -> bool:
        """Whether words, or a part of them, may be about a phenomenon itself, and not only about what is akin to it."""
        parts = (reading.words, *_AND.split(reading.words))
        return any(
            each.phenomenon_id == reading.phenomenon_id for part in parts for each in self._recogniser.recognise(part)
        )

    def _heard(self, found: Sequence[Recognised], reading: Reading) -> tuple[float, float, float]:
        """How likely words claim what a reading says, and the opposite, and are about it or what is akin to it."""
        akin = self._akin.get(reading.phenomenon_id, frozenset()) | {reading.phenomenon_id}
        heard = [each for each in found if each.phenomenon_id in akin]
        there, absent, about = (
            max((getattr(each, name) for each in heard), default=0.0) for name in ("probability", "absent", "about")
        )
        return (there, absent, about) if reading.verdict is Verdict.CONFIRMED else (absent, there, about)


def _is_cure(words: str) -> bool:
    """Whether words tell what was brought out against a trouble: "the devs shipped a hotfix", and no more of it."""
    return _CURE.search(words) is not None and _COMES_OF_IT.search(words) is None


def _is_name(reading: Reading) -> bool:
    """Whether words tell of nothing but what a phenomenon's name has: "we have deadlocks"; or that such is good."""
    told = telling_keys(reading.words)
    left = told - telling_keys(reading.name.zh) - telling_keys(reading.name.en)
    good = reading.kind == "state" and reading.verdict is Verdict.DENIED
    return bool(told - left) and len(left) <= good


def _is_one_sentence(figure: Reading) -> bool:
    """Whether a figure, which is no path's, stands in the sentence that names what it is of."""
    in_path = _PATH.search(figure.words) and not has_figure(_PATH.sub("", figure.words))
    split = _SENTENCE_ENDS.search(figure.words.strip(" .?？!！。\n"))
    return not (in_path or split)


def _is_plain_answer(answer: Reading, about: float) -> bool:
    """Whether words that answer a question tell an amount of it, or name what was asked: "max id is 2147483647"."""
    named = telling_parts(answer.words) & (telling_parts(answer.name.zh) | telling_parts(answer.name.en))
    return bool(named) or (has_figure(answer.words) and about >= _ABOUT_FROM)


def _names_more(answer: Reading) -> bool:
    """Whether words that lean on a question name something, which may be another thing: "so all 20 busy"."""
    hardly = len(WORDS.findall(answer.words)) <= _HARDLY
    return answer.kind == ANSWERED and bool(telling_keys(answer.words)) and not hardly


def _akin(phenomena: Iterable[Entry]) -> dict[str, frozenset[str]]:
    """For each phenomenon those that are about one of its subjects as well."""
    subjects = {entry.id: {each.subject for each in entry.means} for entry in phenomena}
    about: dict[str, set[str]] = defaultdict(set)
    for name, own in subjects.items():
        for subject in own:
            about[subject].add(name)
    return {name: frozenset(found for each in own for found in about[each]) for name, own in subjects.items()}


def _weakened(item: Placed, claimed: float) -> Placed:
    """A proposal as likely as its words claim it; of what was done before, the trouble may have begun with it."""
    kind = DONE_BEFORE if item.reading.kind == ONSET else item.reading.kind
    return replace(item, reading=replace(item.reading, standing=Standing.PROPOSED, probability=claimed, kind=kind))


def _plain_kind(kind: str) -> str:
    for form in _FORMS:
        kind = kind.removeprefix(form)
    return kind
