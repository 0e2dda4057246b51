"""Adds to what the rules read what the words of each sentence are recognised as.

The rules decide about amounts, times and denials. What they do not read, the recogniser may: it counts from a measured
probability on, and is proposed below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from lang import deferred_re as re
from lang.judging.judge import Finding
from lang.judging.unclaimed import is_of_some
from lang.modality import is_out_of_reach, tells_outcome
from lang.numbers.values import read_values
from lang.outcomes import tells_relapse
from lang.tokens import read_text
from services.matcher.message_reader import MessageReading
from services.matcher.model import LocalizedText, Reading, Standing, Verdict
from services.matcher.placing import COUNTS_FROM, Placed
from services.matcher.recognition.checked_readings import DONE_BEFORE, OUTCOME, SHORT_FROM, check_reading, doubt_event
from services.matcher.recognition.claimed_spans import (
    MOST_CHARACTERS,
    SENTENCE,
    claim_in,
    is_mostly_in,
    is_there,
    spans_of,
)
from services.matcher.recognition.recogniser import Recognised, Recogniser

KIND = "recognised"
# Probabilities from which a phenomenon is proposed: as first words of a case, later in it, and beside others read.
PROPOSED_FROM, PROPOSED_LATER_FROM, BESIDE_FROM = 0.5, 0.6, 0.8
# A figure is for the rules to judge: with one, words have to be surer to count.
COUNTS_WITH_FIGURE = 0.96
# A denial of this probability is as often right as what is said to be there is from COUNTS_FROM on.
_DENIAL_COUNTS_FROM = 0.8
# What is being asked is so many times as likely to be spoken of.
_ASKED = 5.0
WORDS = re.compile(r"[a-z0-9]+|[\u3400-\u9fff]", re.IGNORECASE)
# A clause of fewer words says too little by itself, one of a few more has to be surer.
_LEAST_WORDS, _SHORT = 3, 5
# So likely the opposite of what a sentence says is what its clause says.
_TEARS = 0.6
# An action with its outcome takes as many words.
_ACTION_ALONE = 8


# What the figure in words says of a phenomenon.
ValueOf = Callable[[str, str], Sequence[Finding]]


@dataclass(frozen=True)
class Heard:
    """What is known when a message comes: what is being asked, what is on record, and what is of the time before.

    begun: the phenomena that are about what came before the trouble; what is told of the past can be these only.
    mended: those that are about what an action made better or not; words that name the action alone are not these.
    """

    asked: frozenset[str] = frozenset()
    told: frozenset[str] = frozenset()
    begun: frozenset[str] = frozenset()
    mended: frozenset[str] = frozenset()

    @property
    def proposed_from(self) -> float:
        """The least probability of a proposal."""
        return PROPOSED_LATER_FROM if self.asked or self.told else PROPOSED_FROM


@dataclass(frozen=True)
class _Unit:
    """A sentence or clause, its place in the message, and what it may be about.

    alone: how likely its first claim is whatever is being asked; asked: it is a clause of a question, or of a
    sentence about what nobody can look at; begun: it is about what was done before the trouble, which no figure judges.
    """

    words: str
    start: int
    end: int
    found: tuple[Recognised, ...]
    alone: float
    begun: bool = False
    asked: bool = False

    @property
    def probability(self) -> float:
        return max(self.found[0].probability, self.found[0].absent) if self.found else 0.0

    @property
    def counts(self) -> bool:
        """True if it is so likely that it need not be confirmed."""
        if self.asked or (has_figure(self.words) and not self.begun):
            return self.alone >= COUNTS_WITH_FIGURE
        denies = self.found[0].absent > self.found[0].probability
        return self.alone >= (_DENIAL_COUNTS_FROM if denies else COUNTS_FROM)


def has_figure(words: str) -> bool:
    """True if words hold an amount; "at 9:30", "s3" and "pg14" are none."""
    return any(map(str.isdigit, words)) and bool(read_values(read_text(words)))


def add_recognised(
    read: MessageReading,
    recogniser: Recogniser,
    names: Mapping[str, LocalizedText],
    heard: Heard,
    value_of: ValueOf = lambda words, phenomenon_id: (),
) -> MessageReading:
    """The reading of a message with what its own words are recognised as, one reading a phenomenon."""
    sentences = [(start, end, recogniser.recognise(words)) for start, end, words in _sentences(read)]
    kept = []
    for item in read.readings:
        around = next((found for start, end, found in sentences if start <= item.start < end), None)
        shared = any(each is not item and each.start < item.end and item.start < each.end for each in read.readings)
        trusted = shared or item.reading.phenomenon_id in heard.told
        unasked = bool(heard.told) and item.reading.phenomenon_id not in heard.told | heard.asked
        plain = item.reading.kind == OUTCOME and item.reading.verdict is Verdict.CONFIRMED and tells_relapse(read.said)
        checked = item if around is None or plain else check_reading(item, recogniser, around, trusted)
        kept += [doubt_event(checked, recogniser) if unasked else checked] if checked is not None else []
    readings = {item.reading.phenomenon_id: item for item in kept}
    dropped = {item.reading.phenomenon_id for item in read.readings} - readings.keys()
    for unit in _units(read, recogniser, heard):
        if not _is_short_of(unit, value_of):
            _add(unit, readings, dropped, names, heard)
    ordered = sorted(readings.values(), key=lambda item: (item.start, item.reading.phenomenon_id))
    return replace(read, readings=tuple(ordered))


def _sentences(read: MessageReading) -> Iterator[tuple[int, int, str]]:
    """Where each sentence of the person's own words begins and ends in the message, and its words."""
    for match in SENTENCE.finditer(read.said, 0, MOST_CHARACTERS):
        if match.group().strip():
            yield read.offsets[match.start()], read.offsets[match.end() - 1] + 1, match.group()


def may_mean(words: str, found: Sequence[Recognised]) -> tuple[Recognised, ...]:
    """What words may be asked about as: all that they may mean, or nothing if they are too few to tell a single one."""
    short = len(WORDS.findall(words)) < _SHORT
    single = len(found) > 1 and found[1].probability < found[0].probability / 2
    return () if short and single and found[0].probability < SHORT_FROM else tuple(found)


def _add(
    unit: _Unit, readings: dict[str, Placed], dropped: Set[str], names: Mapping[str, LocalizedText], heard: Heard
) -> None:
    first, own = unit.found[0], [each for each in readings.values() if each.start < unit.end and unit.start < each.end]
    if first.phenomenon_id in readings or any(item.reading.pasted for item in own):
        return
    untold = first.phenomenon_id in heard.mended and not tells_outcome(unit.words)
    if untold and len(WORDS.findall(unit.words)) < _ACTION_ALONE:
        return  # "Ran analyze orders": what became of it is not said.
    counts = unit.counts and first.phenomenon_id not in dropped and not (untold or is_of_some(unit.words))
    if is_there(unit.words, names[first.phenomenon_id]):
        first = replace(first, probability=first.absent, absent=max(first.probability, first.absent))
        counts = first.phenomenon_id in heard.asked
    if first.absent > first.probability and not counts and first.phenomenon_id not in heard.asked | heard.told:
        return  # Nobody has to confirm that something that was not asked is not there.
    beside = any(item.reading.standing in (Standing.COUNTS, Standing.PROPOSED) for item in own)
    short = len(WORDS.findall(unit.words)) < _SHORT
    least = SHORT_FROM if short else BESIDE_FROM if beside else heard.proposed_from
    if unit.probability >= least:
        readings[first.phenomenon_id] = _placed(unit, first, counts, names)


def _is_short_of(unit: _Unit, value_of: ValueOf) -> bool:
    """Whether a figure in words is short of the limit of what they are recognised to claim: "the disk is at 70 %"."""
    first = unit.found[0]
    if first.absent > first.probability or not has_figure(unit.words):
        return False
    return any(each.verdict.value == Verdict.DENIED.value for each in value_of(unit.words, first.phenomenon_id))


def _placed(unit: _Unit, found: Recognised, counts: bool, names: Mapping[str, LocalizedText]) -> Placed:
    reading = Reading(
        phenomenon_id=found.phenomenon_id,
        name=names[found.phenomenon_id],
        verdict=Verdict.CONFIRMED if found.probability >= found.absent else Verdict.DENIED,
        standing=Standing.COUNTS if counts else Standing.PROPOSED,
        probability=unit.probability,
        words=unit.words,
        kind=DONE_BEFORE if unit.begun else KIND,
    )
    return Placed(reading, unit.start, unit.end)


def _units(read: MessageReading, recogniser: Recogniser, heard: Heard) -> Iterator[_Unit]:
    """The sentences that claim something, each whole or by its clauses, whichever is recognised better."""
    for sentence, *spans in spans_of(read.said):
        whole = _unit(read, recogniser, heard, *sentence)
        words = read.said[slice(*sentence)]
        asks = words.rstrip().endswith(("?", "？")) or is_out_of_reach(words)
        found = [_unit(read, recogniser, heard, start, end) for start, end in spans]
        clauses = [replace(each, asked=asks) if each else None for each in found]
        surest = max((each for each in clauses if each), key=lambda each: each.probability, default=None)
        # What one clause names, another may deny: "connection refused in the logs: not once".
        if whole is not None and (surest is None or _says_as_much(whole, surest)) and not _is_torn(whole, clauses):
            yield whole
        else:
            yield from (each for each in clauses if each)


def _says_as_much(whole: _Unit, clause: _Unit) -> bool:
    same = whole.found[0].phenomenon_id == clause.found[0].phenomenon_id
    return same or whole.probability >= clause.probability


def _is_torn(whole: _Unit, clauses: Sequence[_Unit | None]) -> bool:
    """Whether a clause likely says the opposite of its sentence: "reads are fine, it's saving that takes ages"."""
    said, denies = whole.found[0].phenomenon_id, whole.found[0].absent > whole.found[0].probability
    same = (each.found[0] for each in clauses if each and each.found[0].phenomenon_id == said)
    return any((each.probability if denies else each.absent) >= _TEARS for each in same)


def _unit(read: MessageReading, recogniser: Recogniser, heard: Heard, start: int, end: int) -> _Unit | None:
    claim = claim_in(read, start, end)
    if claim is None:
        return None
    words, start, end = claim
    places = [read.offsets[at] for at in range(start, end) if read.said[at].isalnum()]
    alone = recogniser.recognise(words)
    plain = {each.phenomenon_id: max(each.probability, each.absent) for each in alone}
    found = _with_asked_first(alone, heard.asked)
    if is_mostly_in(places, (*read.unclaimed, *read.past)):
        found = tuple(_as_begun(each) for each in found if each.phenomenon_id in heard.begun)
    if not found or len(WORDS.findall(words)) < _LEAST_WORDS:
        return None
    first = found[0].phenomenon_id
    return _Unit(words, read.offsets[start], read.offsets[end - 1] + 1, found, plain[first], first in heard.begun)


def _with_asked_first(found: Sequence[Recognised], asked: Set[str]) -> tuple[Recognised, ...]:
    """What words may be about, likeliest first, where what is asked is likelier to be spoken of than it is at large."""
    weighed = [_likelier(each) if each.phenomenon_id in asked else each for each in found]
    return tuple(sorted(weighed, key=lambda each: -(each.probability + each.absent)))


def _as_begun(found: Recognised) -> Recognised:
    """What is told of the past as what came before the trouble; how likely that is follows from the subject alone."""
    return replace(found, probability=max(found.about - 2 * found.absent, 0.0), absent=0.0)


def about_asked(found: Sequence[Recognised], asked: Set[str]) -> list[tuple[str, float]]:
    """Of what words may be about, what is asked or on record, with how likely that is; the likeliest first."""
    return [(each.phenomenon_id, _likelier(each).about) for each in found if each.phenomenon_id in asked]


def _likelier(found: Recognised) -> Recognised:
    factor = _ASKED / (1 + found.about * (_ASKED - 1))
    shares = (round(share * factor, 4) for share in (found.probability, found.absent, found.about))
    return Recognised(found.phenomenon_id, *shares)
