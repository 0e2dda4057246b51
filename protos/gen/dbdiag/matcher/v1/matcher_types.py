"""The types of dbdiag/matcher/v1/matcher.proto. Generated from protos/ by `make proto`; not to be edited."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    from dbdiag.frozen import dataclass, set_field

from dbdiag.vocabulary import LocalizedText, ModelUsage, Verdict

__all__ = [
    "Candidate",
    "CauseLikeness",
    "Clarification",
    "ClarificationKind",
    "Facility",
    "Interpretation",
    "LikenRequest",
    "LikenResponse",
    "LocalizedText",
    "Match",
    "MatchPhenomenaRequest",
    "MatchPhenomenaResponse",
    "ModelUsage",
    "NoMatch",
    "Observation",
    "Reading",
    "RootCauseHit",
    "SearchPhenomenaRequest",
    "SearchPhenomenaResponse",
    "Standing",
    "Untied",
    "Verdict",
]


class ClarificationKind(StrEnum):
    """`dbdiag.matcher.v1.ClarificationKind`."""

    # Nothing is close enough to tell.
    VAGUE = "vague"
    # The two nearest are too close to each other.
    MULTIPLE_MATCHES = "multiple_matches"


class Standing(StrEnum):
    """`dbdiag.matcher.v1.Standing`."""

    # The subject and the verdict are sure.
    COUNTS = "counts"
    # One of them is not: the person confirms or refuses it, and until then it has no weight.
    PROPOSED = "proposed"
    # The subject is named, and a limit decides: the value is missing.
    NEEDS_VALUE = "needs_value"
    # There is a value, and what it is a part or a multiple of is missing.
    NEEDS_BASE = "needs_base"


@dataclass(frozen=True)
class Observation:
    """Something a person said they saw."""

    # The person's own words, with their negation and numbers. At most 2,000 characters.
    text: str = ""
    # How surely the person said it, in (0, 1]: "seems" lowers it. Absent: 1.
    certainty: float | None = None
    # Where the text begins in the request's message, in code points; absent when there is no message.
    start: int | None = None
    # The phenomenon that the words correct, so that a value without a subject is one of it; empty if they correct none.
    about_phenomenon_id: str = ""

    if not TYPE_CHECKING:

        def __init__(self, text=text, certainty=certainty, start=start, about_phenomenon_id=about_phenomenon_id):
            set_field(self, "text", text)
            set_field(self, "certainty", certainty)
            set_field(self, "start", start)
            set_field(self, "about_phenomenon_id", about_phenomenon_id)


@dataclass(frozen=True)
class MatchPhenomenaRequest:
    """`dbdiag.matcher.v1.MatchPhenomenaRequest`."""

    # `sha256:...`, or empty for the current snapshot.
    snapshot_id: str = ""
    observations: tuple[Observation, ...] = ()
    # What was asked last, and what is already in evidence in the order in which it was said: preferred when the words fit
    # them. A value without a subject ("it's 30 %") is about one of them.
    pending_phenomenon_ids: tuple[str, ...] = ()
    evidence_phenomenon_ids: tuple[str, ...] = ()
    # zh or en: the language of a clarification.
    language: str = ""
    # Options of the clarification that is open; the words are then compared with these first.
    option_phenomenon_ids: tuple[str, ...] = ()
    # How many candidates to report an observation. 0: 5.
    max_candidates: int = 0
    # The whole message that the observations are parts of: it is read whole, its pasted outputs too. Empty: each
    # observation is read alone.
    message: str = ""
    # The person's words that the open clarification asks about; empty if there is none.
    open_words: str = ""
    # The person's messages of this case before this one, the latest first: a value in one of them and what it is a part of
    # in the other are compared.
    earlier_messages: tuple[str, ...] = ()
    # Queries that were shown to the person and are no phenomenon's own, the latest first: rows that come without a query
    # and have the columns of one are what it prints.
    shown_queries: tuple[str, ...] = ()
    # The settings as they are by what was told, this message included: "work_mem=512MB", "memory=64GB".
    settings: tuple[str, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, snapshot_id=snapshot_id, observations=observations, pending_phenomenon_ids=pending_phenomenon_ids, evidence_phenomenon_ids=evidence_phenomenon_ids, language=language, option_phenomenon_ids=option_phenomenon_ids, max_candidates=max_candidates, message=message, open_words=open_words, earlier_messages=earlier_messages, shown_queries=shown_queries, settings=settings):
            set_field(self, "snapshot_id", snapshot_id)
            set_field(self, "observations", observations)
            set_field(self, "pending_phenomenon_ids", pending_phenomenon_ids)
            set_field(self, "evidence_phenomenon_ids", evidence_phenomenon_ids)
            set_field(self, "language", language)
            set_field(self, "option_phenomenon_ids", option_phenomenon_ids)
            set_field(self, "max_candidates", max_candidates)
            set_field(self, "message", message)
            set_field(self, "open_words", open_words)
            set_field(self, "earlier_messages", earlier_messages)
            set_field(self, "shown_queries", shown_queries)
            set_field(self, "settings", settings)


@dataclass(frozen=True)
class Candidate:
    """`dbdiag.matcher.v1.Candidate`."""

    phenomenon_id: str = ""
    name: LocalizedText = LocalizedText()
    # Calibrated likeness in [0, 1].
    score: float = 0.0
    # The parts of the score: dense and sparse likeness in [0, 1].
    dense_score: float = 0.0
    sparse_score: float = 0.0

    if not TYPE_CHECKING:

        def __init__(self, phenomenon_id=phenomenon_id, name=name, score=score, dense_score=dense_score, sparse_score=sparse_score):
            set_field(self, "phenomenon_id", phenomenon_id)
            set_field(self, "name", name)
            set_field(self, "score", score)
            set_field(self, "dense_score", dense_score)
            set_field(self, "sparse_score", sparse_score)


@dataclass(frozen=True)
class Match:
    """`dbdiag.matcher.v1.Match`."""

    phenomenon_id: str = ""
    verdict: Verdict | None = None
    # Likeness times certainty, in [0, 1]: the weight the evidence gets.
    score: float = 0.0
    # The number that was stated, as said ("65%"); empty if none.
    extracted_value: str = ""
    # Another phenomenon the same words may mean, worth naming to the person; empty if none.
    also_possible_id: str = ""

    if not TYPE_CHECKING:

        def __init__(self, phenomenon_id=phenomenon_id, verdict=verdict, score=score, extracted_value=extracted_value, also_possible_id=also_possible_id):
            set_field(self, "phenomenon_id", phenomenon_id)
            set_field(self, "verdict", verdict)
            set_field(self, "score", score)
            set_field(self, "extracted_value", extracted_value)
            set_field(self, "also_possible_id", also_possible_id)


@dataclass(frozen=True)
class Clarification:
    """`dbdiag.matcher.v1.Clarification`."""

    kind: ClarificationKind | None = None
    # By falling score, at most four.
    options: tuple[Candidate, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, kind=kind, options=options):
            set_field(self, "kind", kind)
            set_field(self, "options", options)


@dataclass(frozen=True)
class NoMatch:
    """Nothing in the snapshot is near: an honest "not in the library"."""


@dataclass(frozen=True)
class Reading:
    """One thing that an observation says about one phenomenon."""

    phenomenon_id: str = ""
    name: LocalizedText = LocalizedText()
    # Unspecified where the standing is a missing value or base.
    verdict: Verdict | None = None
    standing: Standing | None = None
    # Calibrated probability in [0, 1] that phenomenon and verdict are right.
    probability: float = 0.0
    # The person's words for it, as written.
    words: str = ""
    # The value that was stated, as said ("65%"); empty if none.
    value: str = ""
    # The kind of reading, such as `value_beyond_limit` or `named_only`: the grounds for the verdict.
    kind: str = ""
    # The quantity whose value is missing; empty if none.
    missing: LocalizedText = LocalizedText()
    # It was read from a pasted output, not from the person's own words.
    pasted: bool = False

    if not TYPE_CHECKING:

        def __init__(self, phenomenon_id=phenomenon_id, name=name, verdict=verdict, standing=standing, probability=probability, words=words, value=value, kind=kind, missing=missing, pasted=pasted):
            set_field(self, "phenomenon_id", phenomenon_id)
            set_field(self, "name", name)
            set_field(self, "verdict", verdict)
            set_field(self, "standing", standing)
            set_field(self, "probability", probability)
            set_field(self, "words", words)
            set_field(self, "value", value)
            set_field(self, "kind", kind)
            set_field(self, "missing", missing)
            set_field(self, "pasted", pasted)


@dataclass(frozen=True)
class Interpretation:
    """`dbdiag.matcher.v1.Interpretation`."""

    # Index into the request's observations.
    observation_index: int = 0
    match: Match | None = None
    clarification: Clarification | None = None
    no_match: NoMatch | None = None
    candidates: tuple[Candidate, ...] = ()
    # What the words say, in their order; empty if they say nothing about any phenomenon.
    readings: tuple[Reading, ...] = ()
    # Words that nothing in the vocabulary covers, as written.
    notes: tuple[str, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, observation_index=observation_index, match=match, clarification=clarification, no_match=no_match, candidates=candidates, readings=readings, notes=notes):
            set_field(self, "observation_index", observation_index)
            set_field(self, "match", match)
            set_field(self, "clarification", clarification)
            set_field(self, "no_match", no_match)
            set_field(self, "candidates", candidates)
            set_field(self, "readings", readings)
            set_field(self, "notes", notes)


@dataclass(frozen=True)
class Facility:
    """That the site has something that phenomena need, such as a standby, or does without it."""

    facility_id: str = ""
    name: LocalizedText = LocalizedText()
    there: bool = False
    # The person's words for it, as written.
    words: str = ""
    # What is ruled out by its lack, or may be there again; by id.
    phenomenon_ids: tuple[str, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, facility_id=facility_id, name=name, there=there, words=words, phenomenon_ids=phenomenon_ids):
            set_field(self, "facility_id", facility_id)
            set_field(self, "name", name)
            set_field(self, "there", there)
            set_field(self, "words", words)
            set_field(self, "phenomenon_ids", phenomenon_ids)


@dataclass(frozen=True)
class Untied:
    """Words about this system that no reading covers, and what they may be about: worth a look, and no evidence."""

    words: str = ""
    # By falling score, at most three: how likely the words are about each.
    near: tuple[Candidate, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, words=words, near=near):
            set_field(self, "words", words)
            set_field(self, "near", near)


@dataclass(frozen=True)
class CauseLikeness:
    """How much what was told, as a whole, sounds like incidents of one cause."""

    root_cause_id: str = ""
    # log2 of the likelihood of the words under this cause over that under an average one.
    bits: float = 0.0
    # The words that say so most, as they stand in the messages, at most three.
    words: tuple[str, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, root_cause_id=root_cause_id, bits=bits, words=words):
            set_field(self, "root_cause_id", root_cause_id)
            set_field(self, "bits", bits)
            set_field(self, "words", words)


@dataclass(frozen=True)
class MatchPhenomenaResponse:
    """`dbdiag.matcher.v1.MatchPhenomenaResponse`."""

    snapshot_id: str = ""
    interpretations: tuple[Interpretation, ...] = ()
    usage: ModelUsage = ModelUsage()
    # What the message says outside of the observations, in its order.
    readings: tuple[Reading, ...] = ()
    # The first line of pasted output that is that of no known check; empty if there is none.
    unread_output: str = ""
    # The phenomena of which the message takes back what was said before ("scratch the deadlocks"); by id.
    retracted_phenomenon_ids: tuple[str, ...] = ()
    # What the message says that the site has or does without.
    facilities: tuple[Facility, ...] = ()
    # What the message says and nothing reads, in its order.
    untied: tuple[Untied, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, snapshot_id=snapshot_id, interpretations=interpretations, usage=usage, readings=readings, unread_output=unread_output, retracted_phenomenon_ids=retracted_phenomenon_ids, facilities=facilities, untied=untied):
            set_field(self, "snapshot_id", snapshot_id)
            set_field(self, "interpretations", interpretations)
            set_field(self, "usage", usage)
            set_field(self, "readings", readings)
            set_field(self, "unread_output", unread_output)
            set_field(self, "retracted_phenomenon_ids", retracted_phenomenon_ids)
            set_field(self, "facilities", facilities)
            set_field(self, "untied", untied)


@dataclass(frozen=True)
class LikenRequest:
    """`dbdiag.matcher.v1.LikenRequest`."""

    # `sha256:...`, or empty for the current snapshot.
    snapshot_id: str = ""
    # What was told of one incident, in its order.
    messages: tuple[str, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, snapshot_id=snapshot_id, messages=messages):
            set_field(self, "snapshot_id", snapshot_id)
            set_field(self, "messages", messages)


@dataclass(frozen=True)
class LikenResponse:
    """`dbdiag.matcher.v1.LikenResponse`."""

    snapshot_id: str = ""
    # The causes that the messages sound like, or do not, by falling bits; empty without words, or of causes that nobody has
    # told of.
    likeness: tuple[CauseLikeness, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, snapshot_id=snapshot_id, likeness=likeness):
            set_field(self, "snapshot_id", snapshot_id)
            set_field(self, "likeness", likeness)


@dataclass(frozen=True)
class SearchPhenomenaRequest:
    """`dbdiag.matcher.v1.SearchPhenomenaRequest`."""

    snapshot_id: str = ""
    text: str = ""
    # 0: 5. At most 50.
    limit: int = 0
    # Also return the root causes the text may name, for suspicions.
    include_root_causes: bool = False

    if not TYPE_CHECKING:

        def __init__(self, snapshot_id=snapshot_id, text=text, limit=limit, include_root_causes=include_root_causes):
            set_field(self, "snapshot_id", snapshot_id)
            set_field(self, "text", text)
            set_field(self, "limit", limit)
            set_field(self, "include_root_causes", include_root_causes)


@dataclass(frozen=True)
class RootCauseHit:
    """`dbdiag.matcher.v1.RootCauseHit`."""

    root_cause_id: str = ""
    name: LocalizedText = LocalizedText()
    score: float = 0.0

    if not TYPE_CHECKING:

        def __init__(self, root_cause_id=root_cause_id, name=name, score=score):
            set_field(self, "root_cause_id", root_cause_id)
            set_field(self, "name", name)
            set_field(self, "score", score)


@dataclass(frozen=True)
class SearchPhenomenaResponse:
    """`dbdiag.matcher.v1.SearchPhenomenaResponse`."""

    snapshot_id: str = ""
    candidates: tuple[Candidate, ...] = ()
    root_causes: tuple[RootCauseHit, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, snapshot_id=snapshot_id, candidates=candidates, root_causes=root_causes):
            set_field(self, "snapshot_id", snapshot_id)
            set_field(self, "candidates", candidates)
            set_field(self, "root_causes", root_causes)
