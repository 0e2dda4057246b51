"""Whether words say that a phenomenon is there: clauses, scopes of negation, states, stated numbers.

A negation denies only what the entry itself says without negation: "no index on the column" confirms an entry that
says so. A stated number on one side of the described threshold decides before any word does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lang import deferred_re as re
from services.matcher.index.search_index import Index, Profile
from services.matcher.model import Doubt, Verdict
from services.matcher.ranking.features import Query
from services.matcher.reading import columns, numbers, relevance
from services.matcher.reading.glossary import NEGATION, NORMAL, SCANT, Glossary
from services.matcher.reading.reading import CONCEPT, CONTENT, Reading, Token, read

_NOT_LOOKED = re.compile(
    r"查不了|没法查|没办法查|看不了|没权限|没有权限|不清楚|不知道有没有|不确定|没查|没看过|还没看|没看呢|无法确认"
    r"|can(?:'t|not) (?:check|see|tell|look)|couldn't (?:check|tell)|no (?:permission|access) to|not sure"
    r"|don't know (?:if|whether)|no idea (?:if|whether)|haven't (?:checked|looked)|not checked|n/a|not applicable",
    re.IGNORECASE,
)
# "no vacuum for weeks", "好几天没跑": absence over time is what such an entry says, not a denial.
_OVER_TIME = re.compile(
    r"好久|很久|半天|多久|一直|几天|几周|几个月|从来|从没|从未|\bfor (?:days|weeks|months|ages|hours|a)"
    r"|\bin (?:an? |two |three |four |\d+ )?(?:days?|weeks?|fortnight|months?|ages|years?)\b"
    r"|\bsince\b|\bever\b|\bnever\b|\byet\b",
    re.IGNORECASE,
)
# "after REINDEX it was back to normal" tells of a remedy, and neither that the thing is there nor that it is not.
_REMEDY = re.compile(
    r"(?:执行|手动|手工|重建|启用|添加|修改|删除|安装|调大|调整).{0,30}后.{0,20}(?:恢复|正常|降至|降到|降低|变快|稳定)"
    r"|\bafter (?:running|rebuilding|adding|enabling|changing|we (?:ran|rebuilt|added|enabled|changed)).{0,60}"
    r"(?:normal|recovered|fast|dropped to|fine)",
    re.IGNORECASE,
)
_SCANT_NUMBER = re.compile(
    r"(?:才|只有|仅仅|仅|只占|也就|\b(?:only|just|merely|barely))\s*(?:用了|用|占|到)?\s*\d", re.IGNORECASE
)
# An entry says a key under negation when at least this share of its surfaces that have the key negate it.
_SELF_NEGATED = 0.34
_REACHED = 0.35
# Two texts that share this much of their masses say the same.
_SAME_STATEMENT = 0.6
_OTHER_SUBJECT = 0.8
_MUCH_MORE = 2.0
_MUCH = ("large", "high", "many", "full", "growing")
_LASTING = ("old", "long")
_LITTLE = ("small", "low", "few", "dropped")


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict and the number that was stated, as said; `doubt` says why neither should be taken."""

    verdict: Verdict
    extracted_value: str
    doubt: Doubt = Doubt.NONE


@dataclass(frozen=True, slots=True)
class _Ground:
    """What a clause is judged against."""

    profile: Profile
    index: Index
    glossary: Glossary

    def says(self, token: Token) -> bool:
        return token.kind in CONTENT and token.key in self.profile.counts

    def negates(self, key: str) -> bool:
        return self.profile.negated.get(key, 0.0) >= _SELF_NEGATED

    def is_degree(self, token: Token) -> bool:
        return token.kind == CONCEPT and token.key in self.glossary.grammar.degrees


def judge(query: Query, profile: Profile, index: Index, glossary: Glossary) -> Judgement:
    """What the query says about one entry."""
    by_number, words = numbers.decide(query.stated, profile.thresholds)
    if _NOT_LOOKED.search(query.reading.text):
        return Judgement(Verdict.UNKNOWN, words)
    by_column = columns.decide(query.output, profile.test)
    if by_column is not None:
        return Judgement(by_column, columns.words(query.output, profile.test))
    if query.output.tabular:
        return Judgement(Verdict.UNKNOWN, "", Doubt.UNDECIDED)
    ground = _Ground(profile, index, glossary)
    verdict = by_number or _by_words(query.reading, ground)
    if verdict == Verdict.DENIED and _is_own_statement(query, ground):
        verdict = Verdict.CONFIRMED
    doubt = relevance.doubt(query, profile, glossary)
    settled = verdict == Verdict.DENIED or by_number is not None
    return Judgement(verdict, words, doubt if doubt is Doubt.ELSEWHERE or not settled else Doubt.NONE)


def _by_words(reading: Reading, ground: _Ground) -> Verdict:
    if _REMEDY.search(reading.text) and not ground.profile.counts.get("restores"):
        return Verdict.UNKNOWN
    clauses = _relevant(reading.tokens, ground)
    lasting = any(ground.profile.counts.get(state, 0.0) >= 1 for state in _LASTING)
    over_time = lasting and _OVER_TIME.search(reading.text) is not None
    scant = _SCANT_NUMBER.search(reading.text) is not None
    denied = any(_denies(clause, ground, over_time, number == 0) for number, clause in enumerate(clauses)) or (
        scant and any(_is_scant(clause, ground.profile) for clause in clauses)
    )
    return Verdict.DENIED if denied else Verdict.CONFIRMED


def _is_own_statement(query: Query, ground: _Ground) -> bool:
    """Whether the entry itself says nearly this of its presence, in words that would seem to deny it.

    "no row with sync_state sync" is how one entry is said to be there: whoever repeats it denies nothing.
    """
    for surface in ground.profile.surfaces:
        common = sum(min(value, surface.keys.get(key, 0.0)) for key, value in query.keys.items())
        if 2 * common < _SAME_STATEMENT * (surface.mass + query.mass):
            continue
        own = read(surface.text, ground.glossary)
        by_number, _ = numbers.decide(numbers.quantities(own.text), ground.profile.thresholds)
        seems = by_number or _by_words(own, ground)
        if seems == Verdict.DENIED and _turns(own.tokens) == _turns(query.reading.tokens):
            return True
    return False


def _turns(tokens: Sequence[Token]) -> tuple[int, int]:
    """How often words negate, and how often they say that all is well: "no space left" is not "the disk is fine"."""
    kinds = [token.kind for token in tokens]
    return kinds.count(NEGATION), kinds.count(NORMAL)


def _relevant(tokens: Sequence[Token], ground: _Ground) -> list[list[Token]]:
    """The clause that says most about the entry, with the following ones that speak of nothing else."""
    clauses: dict[int, list[Token]] = {}
    for token in tokens:
        clauses.setdefault(token.clause, []).append(token)
    ordered = [clauses[number] for number in sorted(clauses)]
    if not ordered:
        return []
    shared = [_shared_mass(clause, ground) for clause in ordered]
    best = max(range(len(ordered)), key=lambda number: (shared[number], -number))
    relevant = [ordered[best]]
    for clause in ordered[best + 1 :]:
        if _has_other_subject(clause, ground):
            break
        relevant.append(clause)
    return relevant


def _shared_mass(clause: Sequence[Token], ground: _Ground) -> float:
    return sum(ground.index.masses({token.key: token.weight for token in clause if ground.says(token)}).values())


def _has_other_subject(clause: Sequence[Token], ground: _Ground) -> bool:
    others = [
        token.weight
        for token in clause
        if token.kind in CONTENT and not ground.is_degree(token) and not ground.says(token)
        and token.key not in ground.glossary.opposite
    ]  # fmt: skip
    return sum(others) >= _OTHER_SUBJECT


def _denies(clause: Sequence[Token], ground: _Ground, over_time: bool, first: bool) -> bool:
    """`first` is the clause that says most; a later one with a subject of its own denies by its state only."""
    if any(token.kind == NORMAL and not token.negated for token in clause) and not ground.profile.normal:
        return True
    own_subject = any(ground.says(token) and not ground.is_degree(token) for token in clause)
    looked_at = not over_time and (first or not own_subject)
    negated = looked_at and (_negation_reaches(clause, ground) or _degree_is_negated(clause, ground))
    return negated or _state_is_opposite(clause, ground)


def _negation_reaches(clause: Sequence[Token], ground: _Ground) -> bool:
    shared = {token.key: token for token in clause if ground.says(token)}
    masses = ground.index.masses({key: token.weight for key, token in shared.items()})
    total = sum(masses.values())
    reached = {key for key, token in shared.items() if token.negated}
    if not reached or total == 0:
        return False
    against = sum(masses[key] for key in reached if not ground.negates(key))
    agreeing = sum(masses[key] for key in reached) - against
    return against / total >= _REACHED and agreeing < against


def _degree_is_negated(clause: Sequence[Token], ground: _Ground) -> bool:
    """A negated state of the kind that the entry asserts: "not high", "没满"."""
    states = [token.key for token in clause if ground.is_degree(token) and token.negated]
    degrees = ground.glossary.grammar.degrees
    asserted = any(key in degrees and not ground.negates(key) for key in ground.profile.counts)
    return bool(states) and asserted and not any(ground.negates(key) for key in states)


def _state_is_opposite(clause: Sequence[Token], ground: _Ground) -> bool:
    """A state whose opposite the entry says far more often: "is on" of what should be off."""
    counts = ground.profile.counts
    stated = {token.key for token in clause if token.kind == CONCEPT and not token.negated}
    for token in clause:
        others = ground.glossary.opposite.get(token.key, frozenset())
        if token.kind != CONCEPT or token.negated or stated & others:
            continue
        opposite = max((counts.get(other, 0.0) for other in others), default=0.0)
        if opposite >= 1 and opposite >= _MUCH_MORE * counts.get(token.key, 0.0):
            return True
    return False


def _is_scant(clause: Sequence[Token], profile: Profile) -> bool:
    """ "Only 2 GB" of something that is a fault when there is much of it."""
    if not any(token.kind == SCANT for token in clause) or any(token.kind == NEGATION for token in clause):
        return False
    little = any(state in profile.counts for state in _LITTLE)
    return not little and any(profile.counts.get(state, 0.0) >= 1 for state in _MUCH)
