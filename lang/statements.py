"""Reads a message into statements about the subjects of a vocabulary, and notes of what it could not place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from lang.binding import LIST_WORDS, Claim, Parts, Says, bind_values, claims_of, with_base
from lang.clauses import Clause, Cue, resolve, split_clauses
from lang.cues import cue_terms, number_words, plain_words
from lang.modality import Meaning, Message, Where, meaning_of
from lang.outcomes import find_outcome
from lang.spelling import Speller
from lang.subjects import Mention, SubjectFinder, Use, find_mentions, find_slots
from lang.terms import Found
from lang.text import Kind, Text, read_text
from lang.values import Role, Value, read_values
from lang.vocabulary import Action, Outcome, Subject, Vocabulary

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
        self._parts_of: dict[str, str] = {}
        for quantity in vocabulary.quantities:
            if quantity.whole is not None:
                self._parts_of.setdefault(quantity.whole, quantity.id)
        self._is_of_standby = cache(lambda subject: _names_standby(self._subjects[subject]))

    def read(self, message: str) -> Reading:
        """The statements and notes of a message; of a very long one, of its beginning."""
        text, mended = self._speller.mend(read_text(message[:_LONGEST]))
        parts = self._find_parts(text)
        acted = frozenset(at for at, each in enumerate(parts) if self._actions(each))
        said = Message(text, [each.clause for each in parts], [each.cues for each in parts], acted)
        meanings = [self._meaning(number, said, parts[number]) for number in range(len(parts))]
        claims = self._claim(text, parts, meanings, acted)
        statements = [
            _statement(text, parts[at], meanings[at], claim, mended, self._is_of_standby)
            for at, each in enumerate(claims)
            for claim in each
        ]
        return Reading(tuple(_without_corrected(statements)), tuple(_notes(text, parts, meanings, claims)))

    def _find_parts(self, text: Text) -> list[Parts]:
        """The clauses with the subjects, words and values in each."""
        uses, cues = self._finder.find(text), _without_phrases(text, _cues(text))
        together = frozenset(
            at for found in uses if found.payload.slot == "say" for at in range(found.first + 1, found.last)
        )
        together |= frozenset(at for cue in cues for at in range(cue.first + 1, cue.last))
        clauses = split_clauses(text, cues, together)
        joined = frozenset(at for at, token in enumerate(text.tokens) if token.text in LIST_WORDS)
        mentions = [find_mentions(_within(clause, uses), joined) for clause in clauses]
        named = _named_lengths(mentions)
        blocked = frozenset(named).union(*(range(cue.first, cue.last) for cue in cues))
        values = read_values(text, blocked)
        valued = frozenset(at for value in values for at in range(value.first, value.last))
        free = [cue for cue in cues if not _is_taken(cue, named) and not valued.issuperset(range(cue.first, cue.last))]
        parts = [self._parts(clause, each, uses, free, values) for clause, each in zip(clauses, mentions, strict=True)]
        for each in parts:
            each.standbys = [
                cue for cue in cues if cue.name == "standby" and each.clause.first <= cue.first < each.clause.last
            ]
        return parts

    def _parts(
        self,
        clause: Clause,
        mentions: list[Mention],
        uses: Sequence[Found[Use]],
        cues: Iterable[Cue],
        values: Iterable[Value],
    ) -> Parts:
        slots = find_slots(_within(clause, uses), frozenset(mention.subject for mention in mentions))
        longest = {(slot.first, slot.last) for slot in slots}
        own = [cue for cue in cues if clause.first <= cue.first < clause.last]
        # A word that a subject has for its state or value is no negation or level of the lexicon.
        own = [cue for cue in own if not any(first <= cue.first and cue.last <= last for first, last in longest)]
        own_values = [value for value in values if clause.first <= value.first < clause.last]
        return Parts(clause, mentions, slots, own, own_values)

    def _actions(self, parts: Parts) -> list[Mention]:
        return [mention for mention in parts.mentions if isinstance(self._subjects[mention.subject], Action)]

    def _meaning(self, number: int, message: Message, parts: Parts) -> Meaning:
        return meaning_of(number, message)

    def _claim(
        self, text: Text, parts: list[Parts], meanings: list[Meaning], acted: frozenset[int]
    ) -> list[list[Claim]]:
        outcomes: dict[tuple[int, Mention], Claim] = {}
        for at in sorted(acted):
            for mention in self._actions(parts[at]):
                outcome, cues = find_outcome(at, mention.first, mention.last, parts, meanings, acted)
                covered = mention.tokens | {token for cue in cues for token in range(cue.first, cue.last)}
                outcomes[at, mention] = Claim(mention, Says.OUTCOME, outcome=outcome, covered=frozenset(covered))
        used = frozenset(token for claim in outcomes.values() for token in claim.covered)
        claims: list[list[Claim]] = []
        for at, each in enumerate(parts):
            each.cues = [cue for cue in each.cues if not used & set(range(cue.first, cue.last))]
            unbound = bind_values(text, each, self._subjects)
            own = claims_of(text, each, self._subjects)
            own = [
                outcomes[at, claim.mention]
                if claim.says is not Says.NONE and (at, claim.mention) in outcomes
                else claim
                for claim in own
            ]
            claims.append(own)
            if not any(claim.says not in (Says.MENTION, Says.OUTCOME) for claim in own):
                self._continue(text, at, parts, claims, unbound)
        return claims

    def _continue(
        self, text: Text, at: int, parts: list[Parts], claims: list[list[Claim]], unbound: list[Value]
    ) -> None:
        """A clause without a subject goes on about the one before: "最大连接 500，现在 487 个", "磁盘，现在 41 %"."""
        here = parts[at]
        if at and unbound and all(value.role is Role.BASE for value in unbound):
            claims[at - 1] = [with_base(claim, unbound[0]) for claim in claims[at - 1]]
            return
        if any(cue.name in ("others", "question") for cue in here.cues) or any(
            claim.says is Says.MENTION for claim in claims[at]
        ):
            return
        for before in range(at - 1, max(at - 1 - _BACK, -1), -1):
            if not claims[before] or here.clause.sentence > parts[before].clause.sentence + 1:
                continue
            mentions = self._continued(claims[before], unbound)
            slots = find_slots(
                _within(here.clause, self._finder.find(text)), frozenset(each.subject for each in mentions)
            )
            bases = [
                value
                for mention in mentions
                for value in parts[before].bound.get(mention, ())
                if value.role is Role.BASE
            ]
            going_on = Parts(here.clause, mentions, slots, here.cues, [*bases, *unbound])
            bind_values(text, going_on, self._subjects)
            more = [claim for claim in claims_of(text, going_on, self._subjects) if claim.says is not Says.MENTION]
            claimed = {claim.mention for claim in more}
            claims[before] = [
                each for each in claims[before] if each.says is not Says.MENTION or each.mention not in claimed
            ]
            claims[at].extend(more)
            return

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


def _names_standby(subject: Subject) -> bool:
    """True if some term of a subject is about standbys or replication, so that it holds of a standby as well."""
    about = {"standby", "replicated"}
    return any(cue.name in about for term in subject.say.all for cue in _cues(read_text(term)))


def _cues(text: Text) -> list[Cue]:
    """The words of the lexicon in a text; a longer one takes the words of a shorter one."""
    found = cue_terms().find(text)
    spans = sorted({(each.first, each.last, 0) for each in found})
    kept = {spans[position][:2] for position in resolve(spans)}
    return [Cue(each.payload, each.first, each.last) for each in found if (each.first, each.last) in kept]


def _without_phrases(text: Text, cues: list[Cue]) -> list[Cue]:
    """Drops cues inside a longer phrase for a multiple: "what it always is" asks nothing."""
    phrases = [found for found in number_words().find(text) if found.payload.table == "multiples"]
    return [cue for cue in cues if not any(_is_inside(cue, phrase.first, phrase.last) for phrase in phrases)]


def _named_lengths(mentions: Iterable[Iterable[Mention]]) -> dict[int, int]:
    """For each token that names a subject the length of the run of tokens that it is in."""
    spans = [span for each in mentions for mention in each for span in mention.spans]
    spans.sort(key=lambda span: span[1] - span[0])
    return {at: last - first for first, last in spans for at in range(first, last)}


def _is_taken(cue: Cue, named: Mapping[int, int]) -> bool:
    """True if a word of the lexicon belongs to a subject that is no shorter than it."""
    return any(named.get(at, 0) >= cue.last - cue.first for at in range(cue.first, cue.last))


def _is_inside(cue: Cue, first: int, last: int) -> bool:
    return first <= cue.first and cue.last <= last and cue.last - cue.first < last - first


def _within(clause: Clause, uses: Iterable[Found[Use]]) -> list[Found[Use]]:
    return [use for use in uses if clause.first <= use.first and use.last <= clause.last]


def _statement(
    text: Text,
    parts: Parts,
    meaning: Meaning,
    claim: Claim,
    mended: frozenset[int],
    is_of_standby: Callable[[str], bool],
) -> Statement:
    first, last = min(claim.covered), max(claim.covered) + 1
    first, last = min(first, parts.clause.first), max(last, parts.clause.last)
    elsewhere = any(cue.name == "standby" and cue.first not in claim.mention.tokens for cue in parts.standbys)
    if elsewhere and not is_of_standby(claim.mention.subject):
        meaning = replace(meaning, where=Where.ELSEWHERE)
    return Statement(
        claim.mention.subject, claim.says, meaning, text.quote(first, last), text.span(first, last),
        claim.value, claim.amount, claim.whole, claim.rest, claim.trend, claim.outcome,
        leftover=tuple(_leftover(text, parts, claim)), misspelt=bool(mended & claim.mention.tokens),
        corrects=any(cue.name == "correction" for cue in parts.cues),
    )  # fmt: skip


def _leftover(text: Text, parts: Parts, claim: Claim) -> Iterable[str]:
    """The content words of a clause that no subject, value or word of the lexicon covers."""
    covered = set(claim.covered)
    for spans in (parts.cues, parts.values, parts.slots):
        covered.update(at for each in spans for at in range(each.first, each.last))
    covered.update(at for mention in parts.mentions for at in mention.tokens)
    for at in range(parts.clause.first, parts.clause.last):
        token = text.tokens[at]
        if (
            at not in covered
            and token.kind in (Kind.WORD, Kind.HAN)
            and token.key not in plain_words()
            and token.text not in plain_words()
        ):
            yield token.text


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
