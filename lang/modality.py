"""How a clause is meant, when and where it holds, in the light of the whole message.

A cue holds in its clause. One that opens a thought (if, yesterday, on staging) holds until a now, a but or the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from lang.clauses import Clause, Cue, asks_a_not_a, asks_which, is_tag, opens_question, orders, points_at_thing
from lang.cues import cue_terms, word_set
from lang.numbers.hours import tells_hours
from lang.tokens import Kind, Text, read_text

_LOOK_BACK, _OPENING, _QUOTE_OPENS = 6, 8, 2
# Lists of words that say how things are after something was done.
_BECAME = (
    *("helped", "helped_for_a_while", "no_help", "recovered", "not_recovered", "vanished"),
    *("fine", "bad", "slow", "fast", "falling", "flat"),
)


class Mode(StrEnum):
    """What a clause does with what it says."""

    ASSERTED = "asserted"
    HEDGED = "hedged"
    SUSPECTED = "suspected"
    ASKED = "asked"
    SUPPOSED = "supposed"
    PLANNED = "planned"
    WISHED = "wished"
    NORM = "norm"
    RETRACTED = "retracted"


class When(StrEnum):
    """The time that a clause is about."""

    NOW = "now"
    PAST = "past"
    AT_TIMES = "at_times"
    RECOVERED = "recovered"


class Where(StrEnum):
    """The system that a clause is about."""

    HERE = "here"
    ELSEWHERE = "elsewhere"


@dataclass(frozen=True, slots=True)
class Meaning:
    """How, when and where a clause is meant."""

    mode: Mode = Mode.ASSERTED
    when: When = When.NOW
    where: Where = Where.HERE

    @property
    def is_fact(self) -> bool:
        """True if the clause claims something about this system as it is now, or is at certain hours."""
        return self._is_claimed_here and self.when in (When.NOW, When.AT_TIMES)

    @property
    def is_past_fact(self) -> bool:
        """True if the clause claims something about this system's past."""
        return self._is_claimed_here and self.when is When.PAST

    @property
    def _is_claimed_here(self) -> bool:
        return self.mode in (Mode.ASSERTED, Mode.HEDGED) and self.where is not Where.ELSEWHERE


@dataclass(frozen=True)
class Message:
    """A text with its clauses and, for each, its cues. acted: the clauses that name an action."""

    text: Text
    clauses: Sequence[Clause]
    cues: Sequence[Sequence[Cue]]
    acted: frozenset[int] = frozenset()

    def has(self, number: int, *names: str) -> bool:
        """True if a clause has a cue of these lists."""
        return any(cue.name in names for cue in self.cues[number])

    def sentence_before(self, number: int) -> Iterator[int]:
        """The clauses of the same sentence before one, the nearest first."""
        first = max(number - _LOOK_BACK, 0)
        yield from (
            at for at in range(number - 1, first - 1, -1) if self.clauses[at].sentence == self.clauses[number].sentence
        )

    def sentence(self, number: int) -> Iterator[int]:
        """The clauses of the same sentence near one, itself too."""
        near = range(max(number - _LOOK_BACK, 0), min(number + _LOOK_BACK + 1, len(self.clauses)))
        yield from (at for at in near if self.clauses[at].sentence == self.clauses[number].sentence)


def is_negated(words: str) -> bool:
    """True if words say that something is not there, is fine, or does not grow."""
    return _has_cue(words, "negation", "none", "fine", "unloaded", "flat", "even", "falling")


def is_guessed(words: str) -> bool:
    """True if words only suppose what they say: "so yeah swapping i guess", 应该是有吧."""
    return _has_cue(words, "suspicion", "suspicion_end")


def is_said_fine(words: str) -> bool:
    """True if words say that something is as it should be: "连接没问题", "connections are fine"."""
    return _has_cue(words, "fine")


def tells_outcome(words: str) -> bool:
    """True if words say what became of something that was done."""
    return _has_cue(words, *_BECAME)


def is_out_of_reach(words: str) -> bool:
    """True if words say that the person cannot look, or does not know."""
    return _has_cue(words, "out_of_reach")


def tells_reach(words: str) -> bool:
    """True if words say what is all that the person can look at."""
    return _has_cue(words, "within_reach")


def tells_misheard(words: str) -> bool:
    """True if words say that something was heard that nobody said."""
    return _has_cue(words, "misheard")


def admits_mistake(words: str) -> bool:
    """True if words say that what was said or read before was wrong."""
    return _has_cue(words, "mistaken")


def is_puzzled(words: str) -> bool:
    """True if words say that something was not understood."""
    return _has_cue(words, "puzzled")


def _has_cue(words: str, *names: str) -> bool:
    return not _cues_in(words).isdisjoint(names)


@lru_cache(maxsize=1024)
def _cues_in(words: str) -> frozenset[str]:
    """The names of the cues in words, none of them in words that only look like cues; asked for again and again."""
    found = list(cue_terms().find(read_text(words)))
    idle = [each for each in found if each.payload == "idle_words"]
    return frozenset(cue.payload for cue in found if not any(a.first <= cue.first and cue.last <= a.last for a in idle))


def meaning_of(number: int, message: Message) -> Meaning:
    """How clause `number` of a message is meant."""
    return Meaning(_mode(number, message), _when(number, message), _where(number, message))


def _mode(number: int, message: Message) -> Mode:
    if message.has(number, "retraction"):
        return Mode.RETRACTED
    if _opened_by(number, message, "supposition"):
        return Mode.SUPPOSED
    if _is_asked(number, message) or _is_doubted(number, message):
        return Mode.ASKED
    unable = number in message.acted and message.has(number, "unable")
    if unable or _opened_by(number, message, "plan") or orders(message.text, message.clauses[number]):
        return Mode.PLANNED
    if message.has(number, "wish"):
        return Mode.WISHED
    if message.has(number, "norm") or _repeats(number, message):
        return Mode.NORM
    # "We deployed at nine i think" tells it all the same; "i guess it is the disk" does not.
    softened = _ends_with(number, message, "softened_end")
    suspected = sum(cue.name == "suspicion" for cue in message.cues[number]) > softened
    if suspected or _ends_with(number, message, "suspicion_end") or _is_unverified(number, message):
        return Mode.SUSPECTED
    return Mode.HEDGED if softened or message.has(number, "hedge", "except") else Mode.ASSERTED


def _repeats(number: int, message: Message) -> bool:
    """True for "you said the disk is fine": the clause tells what was said, and not what is."""
    at = message.clauses[number].first + _QUOTE_OPENS
    return any(cue.name == "quoted" and cue.first <= at for cue in message.cues[number])


def _opened_by(number: int, message: Message, name: str) -> bool:
    """True if a cue in this clause, or at the beginning of one before it in the sentence, still holds."""
    if message.has(number, name):
        return True
    if _sets_apart(number, message):
        return False
    for before in message.sentence_before(number):
        if any(
            cue.name == name and cue.first - message.clauses[before].first < _OPENING for cue in message.cues[before]
        ):
            return True
        if _sets_apart(before, message):
            return False
    return False


def _sets_apart(number: int, message: Message) -> bool:
    """Whether a clause leaves a thought: by "now" or "but", not by "then" or "while", which go on with it."""
    tokens = message.text.tokens
    cues = (cue for cue in message.cues[number] if cue.name in ("now", "turn"))
    return any(
        "".join(each.text for each in tokens[cue.first : cue.last]) not in word_set("goes_along") for cue in cues
    )


def _is_asked_about(number: int, message: Message) -> bool:
    """ "Kill it first, then alter, is that the order?": what a sentence says is asked where a tag ends it."""
    sentence = [message.clauses[at] for at in message.sentence(number)]
    tokens = message.text.tokens[sentence[0].first : sentence[-1].last]
    tagged = len(sentence) > 1 and is_tag(message.text, sentence[-1])
    return tagged or asks_which(tokens)


def _is_asked(number: int, message: Message) -> bool:
    clause = message.clauses[number]
    questions = [cue for cue in message.cues[number] if cue.name == "question"]
    asks = any(not points_at_thing(message.text, cue.first, cue.last) for cue in questions)
    ends = any(_ends_with(number, message, name) for name in ("question_end", "stress_end"))
    if clause.asked or asks or message.has(number, "untold", "puzzled") or ends or _is_asked_about(number, message):
        return True
    if asks_a_not_a(message.text.tokens[clause.first : clause.last]):
        return True
    return opens_question(message.text, clause, message.cues[number])


def _is_doubted(number: int, message: Message) -> bool:
    """ "How sure are you, it is not the network": what is asked to be sure of is not told; a figure is."""
    clause = message.clauses[number]
    told = any(token.kind is Kind.NUMBER for token in message.text.tokens[clause.first : clause.last])
    return not told and _opened_by(number, message, "asks_certainty")


def _ends_with(number: int, message: Message, name: str) -> bool:
    first, last = message.clauses[number].first, message.clauses[number].last
    return any(cue.name == name and first < cue.first and cue.last == last for cue in message.cues[number])


def _is_unverified(number: int, message: Message) -> bool:
    return any(message.has(at, "unverified") for at in message.sentence(number) if at >= number)


def _when(number: int, message: Message) -> When:
    if any(_is_recovered(at, message) for at in message.sentence(number)) or _follows_repair(number, message):
        return When.RECOVERED
    if message.has(number, "now", "began"):
        return When.NOW
    if message.has(number, "past", "well_before") or _tells_once(number, message):
        return When.PAST
    if message.has(number, "at_times") or tells_hours(message.text, message.clauses[number]):
        return When.AT_TIMES
    for before in () if message.has(number, "turn") else message.sentence_before(number):
        if message.has(before, "now", "began", "turn") or before in message.acted:
            return When.NOW
        if message.has(before, "past"):
            return When.PAST
    return When.NOW


def _tells_once(number: int, message: Message) -> bool:
    """ "Once the report was slow": it happened then. "Once the job starts it is slow" is of now."""
    clause = message.clauses[number]
    words = [token.text for token in message.text.tokens[clause.first : clause.last]]
    return words[0] in word_set("once") and not word_set("once_then").isdisjoint(words)


def _is_recovered(number: int, message: Message) -> bool:
    again = any(message.has(at, "recurs", "helped_for_a_while") for at in message.sentence(number))
    lasts = message.has(number, "recovered", "vanished") and not (again or message.has(number, "not_recovered"))
    return lasts and number not in message.acted


def _follows_repair(number: int, message: Message) -> bool:
    """ "Killed it, no waiters now, checkout works again": after what mended things, all is as it is then."""
    done = next((at for at in range(number + 1) if message.has(at, "intervention") and at not in message.acted), None)
    later = range(done, len(message.clauses)) if done is not None else ()
    told = (at for at in later if message.has(at, "helped", "recovered", "vanished"))
    return any(not message.has(at, "not_recovered") for at in told)


def _where(number: int, message: Message) -> Where:
    if message.has(number, "elsewhere"):
        return Where.ELSEWHERE
    before = () if message.has(number, "here", "turn") else message.sentence_before(number)
    here = next((message.has(at, "here") for at in before if message.has(at, "here", "elsewhere")), True)
    return Where.HERE if here else Where.ELSEWHERE
