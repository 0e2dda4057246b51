"""Reads a message into statements about the subjects of a vocabulary, and notes of what it could not place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import islice

from lang.binding import bind_values
from lang.claims import claims_of, counted_before, narrowed, with_base, with_whole
from lang.modality import Meaning, Message, meaning_of
from lang.numbers.model import Role, Value
from lang.outcomes import find_outcome, relapse_follows
from lang.parts import (
    Parts,
    counts_none_of_another,
    cues_of,
    find_parts,
    has_content,
    has_kind,
    has_own_subject,
    is_answerable,
    is_content,
    only_corrects,
    settle_ages,
    within,
)
from lang.says import Claim, Says
from lang.spelling import Speller
from lang.subjects import Mention, SubjectFinder, find_slots
from lang.tokens import Kind, Text, read_text
from lang.vocabulary import Action, Outcome, Quantity, Subject, Unit, Vocabulary

_LONGEST = 20_000
_BACK = 2


@dataclass(frozen=True, slots=True)
class Statement:
    """What a message says of one subject.

    says, value, amount, whole, rest, trend: see Claim. span: of `words` in the message. misspelt: a word was mended.
    leftover: words of the clause that nothing covers. corrects: it takes back what was said of the subject before.
    """

    subject: str
    says: Says
    meaning: Meaning
    words: str
    span: tuple[int, int]
    value: Value | None = None
    amount: float | None = None
    whole: Value | None = None
    rest: bool = False
    trend: str | None = None
    outcome: Outcome | None = None
    leftover: tuple[str, ...] = ()
    misspelt: bool = False
    corrects: bool = False


@dataclass(frozen=True, slots=True)
class Note:
    """Words that say nothing of a known subject, with how they are meant."""

    words: str
    span: tuple[int, int]
    meaning: Meaning


@dataclass(frozen=True, slots=True)
class Reading:
    """A message as read: its statements and notes, each in order."""

    statements: tuple[Statement, ...]
    notes: tuple[Note, ...]


class Reader:
    """Reads messages by one vocabulary. Pure: one message, one reading."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._subjects: dict[str, Subject] = {subject.id: subject for subject in vocabulary.subjects}
        self._finder = SubjectFinder(vocabulary)
        self._speller = Speller(lambda: self._finder.words)
        self._ages = frozenset(quantity.id for quantity in vocabulary.quantities if quantity.since)
        # Of several parts of a whole the first.
        self._parts_of = {each.whole: each.id for each in reversed(vocabulary.quantities) if each.whole is not None}
        # What reads a turn reads its words again and again.
        self._remembered = lru_cache(maxsize=64)(self._read)
        self._is_of_standby = cache(lambda subject: _names_standby(self._subjects[subject]))

    def read(self, message: str, lead: str = "") -> Reading:
        """The statements and notes of a message; of a very long one, of its beginning.

        lead: words before the message that it goes on about, such as what was asked ("disk, " before "97 % now"). They
        are no part of what was said: no statement is made of them alone, and offsets count from the message's begin.
        """
        return self._remembered(message, lead) if message.strip() else Reading((), ())

    def _read(self, message: str, lead: str) -> Reading:
        text, mended = self._speller.mend(read_text((lead + message)[:_LONGEST]))
        parts = [settle_ages(each, self._ages) for each in find_parts(text, self._finder.find(text))]
        acted = frozenset(at for at, each in enumerate(parts) if self._actions(each))
        said = Message(text, [each.clause for each in parts], [each.cues for each in parts], acted)
        meanings = [meaning_of(number, said) for number in range(len(parts))]
        claims = self._claim(text, parts, meanings, acted)
        led = sum(text.span(at, at + 1)[1] <= len(lead) for at in range(len(text.tokens))) if lead else 0
        statements = [
            _statement(text, parts[at], meanings[at], claim, mended, self._is_of_standby, led)
            for at, each in enumerate(claims)
            for claim in each
            if parts[at].clause.last > led
        ]
        notes = (note for note in _notes(text, parts, meanings, claims) if note.span[1] > len(lead))
        found = Reading(tuple(_without_corrected(statements)), tuple(notes))
        return _shifted(found, len(lead)) if lead else found

    def _actions(self, parts: Parts) -> list[Mention]:
        return [mention for mention in parts.mentions if isinstance(self._subjects[mention.subject], Action)]

    def _claim(
        self, text: Text, parts: list[Parts], meanings: list[Meaning], acted: frozenset[int]
    ) -> list[list[Claim]]:
        outcomes: dict[tuple[int, Mention], Claim] = {}
        for at in sorted(acted):
            for mention in self._actions(parts[at]):
                outcome, cues = find_outcome(at, mention.first, mention.last, parts, meanings, acted)
                if relapse_follows(text, at, mention.last, parts, meanings, acted):
                    outcome = Outcome.HELPED_FOR_A_WHILE
                covered = mention.tokens | {token for cue in cues for token in range(cue.first, cue.last)}
                outcomes[at, mention] = Claim(mention, Says.OUTCOME, outcome=outcome, covered=frozenset(covered))
        used = frozenset(token for claim in outcomes.values() for token in claim.covered)
        claims: list[list[Claim]] = []
        for at, each in enumerate(parts):
            each.cues = [cue for cue in each.cues if not used & set(range(cue.first, cue.last))]
            unbound = bind_values(text, each, self._subjects)
            own = claims_of(text, each, self._subjects)
            own = [one if one.says is Says.NONE else outcomes.get((at, one.mention), one) for one in own]
            own += counted_before(text, parts[at - 1], own, self._parts_of, self._subjects) if at else []
            claims.append(self._with_ratio(own, each, parts[at - 1] if at and not claims[at - 1] else None))
            if not any(claim.says not in (Says.MENTION, Says.OUTCOME) for claim in own):
                self._continue(text, at, parts, claims, unbound)
        return claims

    def _with_ratio(self, own: list[Claim], here: Parts, before: Parts | None) -> list[Claim]:
        """A ratio beside the name of its whole is its part: "480/500, max_connections 500" tells what is in use."""
        ratios = [value for each in (here, before) if each for value in each.values if value.whole]
        named = [claim for claim in own if claim.mention.subject in self._parts_of]
        named = [claim for claim in named if self._is_share(claim.mention.subject, ratios)]
        wholes = [claim for claim in named if claim.value is not None] or named
        if len(ratios) != 1 or len(wholes) != 1:
            return own
        whole, ratio = wholes[0], ratios[0]
        part = replace(whole.mention, subject=self._parts_of[whole.mention.subject])
        if any(claim.mention.subject == part.subject for claim in own):
            return own
        if whole.value is ratio:
            own = [replace(claim, says=Says.MENTION, value=None) if claim is whole else claim for claim in own]
        covered = whole.mention.tokens.union(ratio.covered)
        return [*own, Claim(part, Says.VALUE, ratio, covered=covered)]

    def _is_share(self, whole: str, ratios: Sequence[Value]) -> bool:
        """True if the parts of a whole are told in per cent, and ratios are in its unit."""
        quantity, part = self._subjects[whole], self._subjects[self._parts_of[whole]]
        fits = isinstance(quantity, Quantity) and all(quantity.unit in (value.whole or {}) for value in ratios)
        return fits and isinstance(part, Quantity) and part.unit is Unit.PERCENT

    def _continue(
        self, text: Text, at: int, parts: list[Parts], claims: list[list[Claim]], unbound: list[Value]
    ) -> None:
        """A clause without a subject goes on about the one before: "最大连接 500，现在 487 个", "磁盘，现在 41 %"."""
        here = parts[at]
        joins = {Role.BASE: with_base, Role.WHOLE: with_whole}
        roles = {value.role for value in unbound}
        if at and len(roles) == 1 and (join := joins.get(unbound[0].role)):
            claims[at - 1] = [join(claim, unbound[0]) for claim in claims[at - 1]]
            return
        if any(cue.name in ("others", "question") for cue in here.cues) or any(
            claim.says is Says.MENTION for claim in claims[at]
        ):
            return
        for before in _clauses_before(at, parts):
            apart = here.clause.sentence - parts[before].clause.sentence
            asked = parts[before].clause.asked
            if asked and not is_answerable(text, parts[before]):
                continue
            if not claims[before] or apart > 1 or (apart and not asked and has_content(text, here)):
                continue
            mentions = self._continued(claims[before], unbound)
            if not unbound and (has_content(text, here) or has_kind(text, here)):
                # "TOAST is bloated, main table is fine": what is fine is something else than what was told of before.
                return
            valued = any(claim.value is not None for claim in claims[before])
            if (valued and has_own_subject(text, here)) or counts_none_of_another(text, here):
                return  # It has its value, and this one is of something else: "sy 55, us 20".
            bases = [value for each in mentions for value in parts[before].bound.get(each, ())]
            bases += parts[at - 1].values if not parts[at - 1].mentions else []
            bases = [value for value in bases if value.role is Role.BASE]
            more = self._said_of(text, here, mentions, [*bases, *unbound])
            wholes = {each.mention: each.whole for each in claims[before] if each.whole is not None}
            more = [with_whole(each, wholes[each.mention]) if each.mention in wholes else each for each in more]
            told = {each.mention for each in more}
            claims[before] = [one for one in claims[before] if one.says is not Says.MENTION or one.mention not in told]
            claims[at].extend(more)
            return

    def _said_of(self, text: Text, here: Parts, mentions: list[Mention], values: list[Value]) -> list[Claim]:
        """What a clause says of subjects that stand in another one."""
        found = within(here.clause, self._finder.find(text))
        slots = find_slots(found, frozenset(each.subject for each in mentions))
        going_on = Parts(here.clause, mentions, slots, here.cues, values)
        bind_values(text, going_on, self._subjects)
        return [claim for claim in claims_of(text, going_on, self._subjects) if claim.says is not Says.MENTION]

    def _continued(self, claims: Sequence[Claim], unbound: Sequence[Value]) -> list[Mention]:
        """The subjects that a clause may go on about: those nothing was said of, and the part of a whole."""
        bare = [claim.mention for claim in claims if claim.says is Says.MENTION]
        if bare or not unbound:
            return bare
        wholes = [claim.mention for claim in claims if claim.mention.subject in self._parts_of]
        parts = [replace(mention, subject=self._parts_of[mention.subject]) for mention in wholes]
        return parts or [
            claim.mention
            for claim in claims
            if claim.says in (Says.VALUE, Says.NONE, Says.TREND, Says.FINE, Says.BAD, Says.HIGH)
        ]


def _clauses_before(at: int, parts: Sequence[Parts]) -> list[int]:
    """The clauses that one may go on from, the nearest first; "I misread that" stands for itself and is passed over."""
    told = (before for before in range(at - 1, -1, -1) if not only_corrects(parts[before]))
    return list(islice(told, _BACK))


def _names_standby(subject: Subject) -> bool:
    """True if some term of a subject is about standbys or replication, so that it holds of a standby as well."""
    about = {"standby", "replicated"}
    return any(cue.name in about for term in subject.say.all for cue in cues_of(read_text(term)))


def _statement(
    text: Text,
    parts: Parts,
    meaning: Meaning,
    claim: Claim,
    mended: frozenset[int],
    is_of_standby: Callable[[str], bool],
    led: int,
) -> Statement:
    first, last = min(claim.covered), max(claim.covered) + 1
    first, last = max(min(first, parts.clause.first), led), max(last, parts.clause.last)
    meaning = narrowed(meaning, parts, claim, is_of_standby)
    return Statement(
        claim.mention.subject, claim.says, meaning, text.quote(first, last), text.span(first, last),
        claim.value, claim.amount, claim.whole, claim.rest, claim.trend, claim.outcome,
        leftover=tuple(_leftover(text, parts, claim)), misspelt=bool(mended & claim.mention.tokens),
        corrects=any(cue.name == "correction" for cue in parts.cues),
    )  # fmt: skip


def _shifted(reading: Reading, by: int) -> Reading:
    """The reading with its offsets counted from `by` characters on."""
    return Reading(
        tuple(replace(each, span=(each.span[0] - by, each.span[1] - by)) for each in reading.statements),
        tuple(replace(each, span=(each.span[0] - by, each.span[1] - by)) for each in reading.notes),
    )


def _leftover(text: Text, parts: Parts, claim: Claim) -> Iterable[str]:
    """The content words of a clause that no subject, value or word of the lexicon covers."""
    covered = set(claim.covered)
    covered.update(*(value.covered for value in parts.values))
    for spans in (parts.cues, parts.slots):
        covered.update(at for each in spans for at in range(each.first, each.last))
    covered.update(at for mention in parts.mentions for at in mention.tokens)
    for at in range(parts.clause.first, parts.clause.last):
        if at not in covered and is_content(text.tokens[at]):
            yield text.tokens[at].text


def _without_corrected(statements: list[Statement]) -> list[Statement]:
    """ "97, sorry, I mean 37": what a correction says of a subject is the last word on it."""
    kept: list[Statement] = []
    for statement in statements:
        if statement.corrects:
            kept = [earlier for earlier in kept if earlier.subject != statement.subject]
        kept.append(statement)
    return kept


def _notes(text: Text, parts: list[Parts], meanings: list[Meaning], claims: list[list[Claim]]) -> Iterable[Note]:
    """The clauses that say something, and nothing of a known subject."""
    for each, meaning, own in zip(parts, meanings, claims, strict=True):
        first, last = each.clause.first, each.clause.last
        words = [text.tokens[at] for at in range(first, last) if text.tokens[at].kind in (Kind.WORD, Kind.HAN)]
        if not own and words:
            yield Note(text.quote(first, last), text.span(first, last), meaning)
