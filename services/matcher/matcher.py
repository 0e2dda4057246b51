"""The matching pipeline: read, recall, compare, rank, judge polarity, decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from services.chassis.errors import InvalidInput
from services.chassis.llm import LanguageModel
from services.matcher.index.embedding import Embedder
from services.matcher.index.search_index import Index, Profile
from services.matcher.index.snapshots import Loaded, Snapshots
from services.matcher.llm_rerank import Reviewed, review
from services.matcher.model import (
    Candidate,
    Clarification,
    Doubt,
    Interpretation,
    Match,
    MatchPhenomenaRequest,
    MatchPhenomenaResponse,
    ModelUsage,
    NoMatch,
    Observation,
    RootCauseHit,
    SearchPhenomenaRequest,
    SearchPhenomenaResponse,
)
from services.matcher.ranking import decision, features, rerank
from services.matcher.ranking.recall import recall
from services.matcher.reading import columns, polarity, relevance
from services.matcher.reading.glossary import Glossary
from services.matcher.reading.reading import CONTENT
from services.matcher.reading.text import normalise

MAX_CHARACTERS = 20_000
MAX_OBSERVATIONS = 50
DEFAULT_LIMIT, MAX_LIMIT = 5, 50
_PENDING_BOOST = 1.5
_EVIDENCE_BOOST = 0.3
_OPTION_BOOST = 4.0
# A pending item is boosted only if it covers at least this share of the text's mass.
_BOOST_COVERED = 0.15
# A text is specific if its specific words weigh at least `_NAMED`; keys at or below `_FAINT` are ignored.
_NAMED, _FAINT = 0.8, 0.4


@dataclass(frozen=True, slots=True)
class Comparison:
    """One observation's query and its candidates by descending score."""

    query: features.Query
    ranked: decision.Ranked


class Matcher:
    """Interprets observations against loaded snapshots. Deterministic unless a language model is given."""

    def __init__(
        self,
        snapshots: Snapshots,
        glossary: Glossary,
        embedder: Embedder,
        model: LanguageModel | None = None,
        thresholds: decision.Thresholds | None = None,
    ) -> None:
        self._snapshots, self._glossary, self._embedder = snapshots, glossary, embedder
        self._model = model
        self._thresholds = thresholds or decision.Thresholds()
        self._weights = rerank.load()

    async def match(self, request: MatchPhenomenaRequest) -> MatchPhenomenaResponse:
        """One interpretation per observation, in order. Raises InvalidInput, NotFound (snapshot_not_found)."""
        _check_match(request)
        loaded = await self._snapshots.get(request.snapshot_id)
        compared = [await self._compare(loaded, item.text, request) for item in request.observations]
        reviewed = await self._review(request, compared)
        interpretations = tuple(
            self._interpret(number, comparison, loaded, request, reviewed) for number, comparison in enumerate(compared)
        )
        return MatchPhenomenaResponse(loaded.snapshot_id, interpretations, reviewed.usage)

    async def search(self, request: SearchPhenomenaRequest) -> SearchPhenomenaResponse:
        """The entries nearest to a text by descending score, ties by id. Omits entries of other systems."""
        _check_search(request)
        loaded = await self._snapshots.get(request.snapshot_id)
        comparison = await self._compare(loaded, request.text, MatchPhenomenaRequest())
        causes = self._root_causes(loaded, request) if request.include_root_causes else ()
        known = loaded.phenomena.by_id
        near = tuple(
            item
            for item in comparison.ranked.candidates
            if not relevance.is_elsewhere(comparison.query, known[item.phenomenon_id], self._glossary)
        )
        return SearchPhenomenaResponse(loaded.snapshot_id, near[: request.limit or DEFAULT_LIMIT], causes)

    async def _compare(self, loaded: Loaded, text: str, request: MatchPhenomenaRequest) -> Comparison:
        query = features.prepare(text, loaded.phenomena, self._glossary, self._embedder)
        index = loaded.phenomena
        hits = await recall(self._snapshots.store, loaded.snapshot_id, query, index)
        recalled = [index.profiles[hit.number].id for hit in hits]
        wanted = [
            name for name in (*request.pending_phenomenon_ids, *request.option_phenomenon_ids) if name in index.by_id
        ]
        printed = [profile.id for profile in index.profiles if columns.fits(query.output, profile.test)]
        ids = sorted({*recalled, *wanted, *printed}) if query.keys else []
        table = features.compare(query, [index.by_id[name] for name in ids], index, self._glossary)
        boosts = [
            max(
                _printed_boost(query, index.by_id[name], request),
                _boost(name, request, row[features.COLUMN["covered"]]),
            )
            for name, row in zip(ids, table, strict=True)
        ]
        ranking = rerank.rank(query, table, boosts, self._weights)
        candidates = tuple(
            _candidate(index, ids[position], score, table[position])
            for position, score in zip(ranking.order, ranking.scores, strict=True)
        )
        ranked = decision.Ranked(_tied(candidates), ranking.inside, _vague(query, self._glossary))
        return Comparison(query, ranked)

    async def _review(self, request: MatchPhenomenaRequest, compared: Sequence[Comparison]) -> Reviewed:
        if self._model is None:
            return Reviewed({}, ModelUsage())
        texts = [normalise(item.text) for item in request.observations]
        return await review(self._model, texts, [item.ranked.candidates[:DEFAULT_LIMIT] for item in compared])

    def _interpret(
        self,
        number: int,
        comparison: Comparison,
        loaded: Loaded,
        request: MatchPhenomenaRequest,
        reviewed: Reviewed,
    ) -> Interpretation:
        ranked = reviewed.apply(number, comparison.ranked)
        first = ranked.candidates[0].phenomenon_id if ranked.candidates else None
        judged = (
            polarity.judge(comparison.query, loaded.phenomena.by_id[first], loaded.phenomena, self._glossary)
            if first
            else None
        )
        if judged and first in request.option_phenomenon_ids:
            judged = replace(judged, doubt=Doubt.NONE)
        outcome = decision.decide(ranked, judged, _certainty(request.observations[number]), self._thresholds)
        elsewhere = judged is not None and judged.doubt is Doubt.ELSEWHERE
        shown = ranked.candidates[1:] if elsewhere else ranked.candidates
        return Interpretation(
            number,
            match=outcome if isinstance(outcome, Match) else None,
            clarification=outcome if isinstance(outcome, Clarification) else None,
            no_match=outcome if isinstance(outcome, NoMatch) else None,
            candidates=shown[: request.max_candidates or DEFAULT_LIMIT],
        )

    def _root_causes(self, loaded: Loaded, request: SearchPhenomenaRequest) -> tuple[RootCauseHit, ...]:
        index = loaded.root_causes
        query = features.prepare(request.text, index, self._glossary, self._embedder)
        if not query.keys or not index.profiles:
            return ()
        table = features.compare(query, index.profiles, index, self._glossary)
        ranking = rerank.rank(query, table, [0.0] * len(table), self._weights)
        hits = [
            RootCauseHit(index.profiles[position].id, index.profiles[position].name, score)
            for position, score in zip(ranking.order, ranking.scores, strict=True)
        ]
        return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.root_cause_id))[: request.limit or DEFAULT_LIMIT])


def _check_match(request: MatchPhenomenaRequest) -> None:
    observations = request.observations
    if not observations:
        raise InvalidInput("empty_text.no_observation")
    if request.language not in ("", "zh", "en"):
        raise InvalidInput("invalid_request.match_language", language=repr(request.language))
    _check_limit(request.max_candidates)
    if len(observations) > MAX_OBSERVATIONS:
        raise InvalidInput("invalid_request.observation_count", count=len(observations), most=MAX_OBSERVATIONS)
    for number, observation in enumerate(observations):
        text, certainty = observation.text, _certainty(observation)
        if not text.strip():
            raise InvalidInput("empty_text.observation", number=number)
        if len(text) > MAX_CHARACTERS:
            raise InvalidInput("text_too_long.observation", number=number, length=len(text), most=MAX_CHARACTERS)
        if not 0 < certainty <= 1:
            raise InvalidInput("invalid_request.certainty", number=number, certainty=certainty)


def _check_search(request: SearchPhenomenaRequest) -> None:
    _check_limit(request.limit)
    if not request.text.strip():
        raise InvalidInput("empty_text.search")
    if len(request.text) > MAX_CHARACTERS:
        raise InvalidInput("text_too_long.search", length=len(request.text), most=MAX_CHARACTERS)


def _check_limit(given: int) -> None:
    if given > MAX_LIMIT:
        raise InvalidInput("invalid_request.candidate_limit", count=given, most=MAX_LIMIT)


def _certainty(observation: Observation) -> float:
    return 1.0 if observation.certainty is None else observation.certainty


def _boost(phenomenon_id: str, request: MatchPhenomenaRequest, covered: float) -> float:
    if covered < _BOOST_COVERED:
        return 0.0
    if phenomenon_id in request.option_phenomenon_ids:
        return _OPTION_BOOST
    if phenomenon_id in request.pending_phenomenon_ids:
        return _PENDING_BOOST
    return _EVIDENCE_BOOST if phenomenon_id in request.evidence_phenomenon_ids else 0.0


def _printed_boost(query: features.Query, profile: Profile, request: MatchPhenomenaRequest) -> float:
    """The boost for output of the entry's own check. For a pending item one matching column is enough."""
    asked = profile.id in (*request.pending_phenomenon_ids, *request.option_phenomenon_ids)
    own = columns.fits(query.output, profile.test) or (asked and columns.names_any(query.output, profile.test))
    return _OPTION_BOOST if own else 0.0


def _candidate(index: Index, phenomenon_id: str, score: float, row: Sequence[float]) -> Candidate:
    dense, said = row[features.COLUMN["dense_glossed"]], row[features.COLUMN["said_often"]]
    name = index.by_id[phenomenon_id].name
    return Candidate(phenomenon_id, name, score, round(float(dense), 6), round(float(said), 6))


def _tied(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    return tuple(sorted(candidates, key=lambda item: (-item.score, item.phenomenon_id)))


def _vague(query: features.Query, glossary: Glossary) -> bool:
    """True for a complaint that names nothing specific: "the database is slow"."""
    reading, grammar = query.reading, glossary.grammar
    content = {token.key: token.weight for token in reading.tokens if token.kind in CONTENT and token.weight > _FAINT}
    complains = any(key in grammar.complaints for key in content)
    named = sum(weight for key, weight in content.items() if key not in grammar.unspecific)
    return complains and named < _NAMED and not reading.foreign and not query.stated
