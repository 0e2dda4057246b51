"""Interprets messages: reads them by the vocabulary, and recalls what other words are like, to be asked about."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from lang.concepts.glossary import Glossary
from lang.embedding import Embedder
from lang.judging.dialogue import Topics
from lang.judging.facilities import Told
from lang.modality import is_negated
from services.chassis.llm import LanguageModel
from services.matcher.agreement import join
from services.matcher.index.search_index import Index, Profile
from services.matcher.index.snapshots import Loaded, Snapshots
from services.matcher.message_reader import MessageReading
from services.matcher.model import (
    Candidate,
    Facility,
    Interpretation,
    LikenRequest,
    LikenResponse,
    LocalizedText,
    MatchPhenomenaRequest,
    MatchPhenomenaResponse,
    ModelUsage,
    NoMatch,
    Observation,
    RootCauseHit,
    SearchPhenomenaRequest,
    SearchPhenomenaResponse,
)
from services.matcher.model_reader import may_be_sent, question_of, read, total
from services.matcher.ranking import decision, features, rerank
from services.matcher.ranking.recall import recall
from services.matcher.reading import relevance
from services.matcher.reading.pasted_words import without_rows
from services.matcher.recognition.answered_words import Readers, add_answers, without_denied
from services.matcher.recognition.recognised_words import Heard, about_asked, add_recognised, may_mean
from services.matcher.recognition.recogniser import Recognised
from services.matcher.recognition.untied_words import find_untied
from services.matcher.request_checks import check_liken, check_match, check_search

Clock = Callable[[], float]
# So likely words are about something on record if they are shown as such.
_ABOUT = 0.3
DEFAULT_LIMIT = 5
_PENDING_BOOST = 1.5
# So many messages before this one are read with it.
_MOST_EARLIER = 6
_EVIDENCE_BOOST = 0.3
_OPTION_BOOST = 4.0
# A pending item is boosted only if it covers at least this share of the text's mass.
_BOOST_COVERED = 0.15
# A text is specific if its specific words weigh at least `_NAMED`; keys at or below `_FAINT` are ignored.
_NAMED, _FAINT = 0.8, 0.4
# Texts of a request without a message that the model reads.
_MOST_TEXTS = 8


@dataclass(frozen=True, slots=True)
class Comparison:
    """One observation's query and its candidates by descending score."""

    query: features.Query
    ranked: decision.Ranked


class Matcher:
    """Interprets observations against loaded snapshots. Deterministic unless a language model is given.

    clock: the time in seconds since 1970, for the age of what a pasted output dates; without it nothing has an age.
    """

    def __init__(
        self,
        snapshots: Snapshots,
        glossary: Glossary,
        embedder: Embedder,
        model: LanguageModel | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._clock = clock or (lambda: 0.0)
        self._snapshots, self._glossary, self._embedder = snapshots, glossary, embedder
        self._model = model
        self._weights = rerank.load()

    async def match(self, request: MatchPhenomenaRequest) -> MatchPhenomenaResponse:
        """Reads the message, and each observation in its light. Raises InvalidInput, NotFound (snapshot_not_found).

        One interpretation an observation, in order; a reading belongs to one observation or to none.
        """
        check_match(request)
        loaded = await self._snapshots.get(request.snapshot_id)
        whole, heard, usage = await self._hear(loaded, request)
        interpretations = [await self._interpret(number, part, loaded, request) for number, part in enumerate(heard)]
        inside = {item for part in heard for item in part.readings}
        outside = tuple(item.reading for item in whole.readings if item not in inside)
        untied = find_untied(whole, loaded.recogniser, loaded.messages.names)
        told = (whole.unread_output, whole.retracted, tuple(map(_facility, whole.facilities)), untied)
        return MatchPhenomenaResponse(loaded.snapshot_id, tuple(interpretations), usage, outside, *told)

    async def liken(self, request: LikenRequest) -> LikenResponse:
        """What messages sound like as a whole. Raises InvalidInput, NotFound (snapshot_not_found)."""
        check_liken(request)
        loaded = await self._snapshots.get(request.snapshot_id)
        told = [without_rows(message, loaded.messages.checks.known) for message in request.messages]
        return LikenResponse(loaded.snapshot_id, loaded.likeness.liken(told))

    async def search(self, request: SearchPhenomenaRequest) -> SearchPhenomenaResponse:
        """The entries nearest to a text by descending score, ties by id. Omits entries of other systems."""
        check_search(request)
        loaded = await self._snapshots.get(request.snapshot_id)
        comparison = await self._compare(loaded, request.text, MatchPhenomenaRequest())
        causes = self._root_causes(loaded, request) if request.include_root_causes else ()
        ranked = comparison.ranked.candidates
        near = tuple(item for item in ranked if not self._is_elsewhere(comparison, item, loaded))
        return SearchPhenomenaResponse(loaded.snapshot_id, near[: request.limit or DEFAULT_LIMIT], causes)

    async def _compare(self, loaded: Loaded, text: str, request: MatchPhenomenaRequest) -> Comparison:
        query = features.prepare(text, loaded.phenomena, self._glossary, self._embedder)
        index = loaded.phenomena
        hits = await recall(self._snapshots.store, loaded.snapshot_id, query, index)
        recalled = [index.profiles[hit.number].id for hit in hits]
        wanted = [
            name for name in (*request.pending_phenomenon_ids, *request.option_phenomenon_ids) if name in index.by_id
        ]
        ids = sorted({*recalled, *wanted}) if query.keys else []
        table = features.compare(query, [index.by_id[name] for name in ids], index)
        covered = features.COLUMN["covered"]
        boosts = [_boost(name, request, row[covered]) for name, row in zip(ids, table, strict=True)]
        ranking = rerank.rank(query, table, boosts, self._weights)
        found = zip(ranking.order, ranking.scores, strict=True)
        candidates = [_candidate(index, ids[position], score, table[position]) for position, score in found]
        tied = tuple(sorted(candidates, key=lambda item: (-item.score, item.phenomenon_id)))
        return Comparison(query, decision.Ranked(tied, ranking.inside, _vague(query, self._glossary)))

    async def _hear(
        self, loaded: Loaded, request: MatchPhenomenaRequest
    ) -> tuple[MessageReading, list[MessageReading], ModelUsage]:
        """What the message and each observation say, and the cost of the model: it reads the message, or each text."""
        ruled = self._read_by_rules(loaded, request.message, _topics_of(request), request)
        whole, usage = await self._read(loaded, request.message, ruled, request)
        usages = [usage]
        heard: list[MessageReading] = []
        for item in request.observations:
            part = _part_of(whole, item)
            if part is None:
                topics = _topics_of(request, item.about_phenomenon_id)
                part = self._read_by_rules(loaded, item.text, topics, request)
                if not request.message and len(heard) < _MOST_TEXTS:
                    part, usage = await self._read(loaded, item.text, part, request)
                    usages.append(usage)
            heard.append(part)
        return whole, heard, total(usages)

    def _read_by_rules(
        self, loaded: Loaded, text: str, topics: Topics, request: MatchPhenomenaRequest
    ) -> MessageReading:
        """A text as the vocabulary reads it, with what its other words are recognised as."""
        read = loaded.messages.read(text, topics, self._clock())
        asked = frozenset((*request.option_phenomenon_ids, *request.pending_phenomenon_ids))
        heard = Heard(asked, frozenset(request.evidence_phenomenon_ids), loaded.messages.begun, loaded.messages.mended)
        messages = loaded.messages
        read = add_recognised(read, loaded.recogniser, messages.names, heard, messages.value_of)
        read = without_denied(read, loaded.answers)
        ordered = tuple(dict.fromkeys((*request.option_phenomenon_ids, *request.pending_phenomenon_ids)))
        if text == request.message:  # The words of a correction answer no question.
            read = add_answers(read, Readers(loaded.answers, loaded.recogniser, loaded.messages), ordered)
        return loaded.agreement.check(read, frozenset(ordered) | heard.told)

    async def _read(
        self, loaded: Loaded, text: str, ruled: MessageReading, request: MatchPhenomenaRequest
    ) -> tuple[MessageReading, ModelUsage]:
        """A text as the model and the rules read it; as the rules do where there is no model or no usable answer."""
        if self._model is None or not may_be_sent(text):
            return ruled, ModelUsage()
        known = loaded.phenomena.by_id
        near = (await self._compare(loaded, text, request)).ranked.candidates
        question = question_of(text, request, ruled, (item.phenomenon_id for item in near), known)
        stated, usage = await read(self._model, question, loaded.messages, known)
        return (ruled if stated is None else join(ruled, stated)), usage

    async def _interpret(
        self, number: int, part: MessageReading, loaded: Loaded, request: MatchPhenomenaRequest
    ) -> Interpretation:
        readings = tuple(item.reading for item in part.readings)
        told = self._told_of(loaded, request.observations[number].text, request.evidence_phenomenon_ids)
        notes = tuple(note.words for note in part.notes if note.claims)
        if not _is_unread(part):
            no_match = None if readings else NoMatch()
            return Interpretation(number, no_match=no_match, candidates=told, readings=readings, notes=notes)
        comparison = await self._compare(loaded, request.observations[number].text, request)
        shown = tuple(item for item in comparison.ranked.candidates if not self._is_elsewhere(comparison, item, loaded))
        known, text = loaded.phenomena.by_id, comparison.query.reading.text
        alike = tuple(item for item in shown if _may_mean(text, known[item.phenomenon_id]))
        recognised = _as_candidates(may_mean(text, loaded.recogniser.recognise(text)), known)
        asked = decision.decide_between(recognised, replace(comparison.ranked, candidates=alike))
        return Interpretation(
            number,
            clarification=asked,
            no_match=NoMatch() if asked is None else None,
            candidates=(*told, *shown)[: request.max_candidates or DEFAULT_LIMIT],
        )

    def _told_of(self, loaded: Loaded, text: str, told: Sequence[str]) -> tuple[Candidate, ...]:
        """What is on record that words are about, whatever they say of it."""
        known = loaded.phenomena.by_id
        found = about_asked(loaded.recogniser.recognise(text), frozenset(told))
        return tuple(Candidate(name, known[name].name, likely) for name, likely in found if likely >= _ABOUT)

    def _is_elsewhere(self, comparison: Comparison, candidate: Candidate, loaded: Loaded) -> bool:
        """True if the words are about another system than the candidate."""
        profile = loaded.phenomena.by_id[candidate.phenomenon_id]
        return relevance.is_elsewhere(comparison.query, profile, self._glossary)

    def _root_causes(self, loaded: Loaded, request: SearchPhenomenaRequest) -> tuple[RootCauseHit, ...]:
        index = loaded.root_causes
        query = features.prepare(request.text, index, self._glossary, self._embedder)
        if not query.keys or not index.profiles:
            return ()
        table = features.compare(query, index.profiles, index)
        ranking = rerank.rank(query, table, [0.0] * len(table), self._weights)
        hits = [
            RootCauseHit(index.profiles[position].id, index.profiles[position].name, score)
            for position, score in zip(ranking.order, ranking.scores, strict=True)
        ]
        return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.root_cause_id))[: request.limit or DEFAULT_LIMIT])


def _boost(phenomenon_id: str, request: MatchPhenomenaRequest, covered: float) -> float:
    if covered < _BOOST_COVERED:
        return 0.0
    if phenomenon_id in request.option_phenomenon_ids:
        return _OPTION_BOOST
    if phenomenon_id in request.pending_phenomenon_ids:
        return _PENDING_BOOST
    return _EVIDENCE_BOOST if phenomenon_id in request.evidence_phenomenon_ids else 0.0


def _topics_of(request: MatchPhenomenaRequest, corrected: str = "") -> Topics:
    """What the dialogue is about; of the evidence, what was said last. corrected: what is about to be replaced."""
    options = request.option_phenomenon_ids
    if corrected:
        return Topics(asked=corrected, pending=(*options, *request.pending_phenomenon_ids), shown=request.shown_queries)
    return Topics(
        asked=options[0] if len(options) == 1 else "",
        words=request.open_words,
        said=request.evidence_phenomenon_ids[-1] if request.evidence_phenomenon_ids else "",
        pending=(*request.pending_phenomenon_ids, *options),
        before=request.earlier_messages[:_MOST_EARLIER],
        shown=request.shown_queries,
        settings=request.settings,
    )


def _part_of(whole: MessageReading, observation: Observation) -> MessageReading | None:
    """What is read within an observation that has its place in the message; None for one that stands alone."""
    if observation.start is None:
        return None
    start, end = observation.start, observation.start + len(observation.text)
    return whole.within(start, end)


def _is_unread(part: MessageReading) -> bool:
    """True if nothing was read and something was claimed, so that what it is like is worth asking about."""
    return not part.readings and not part.understood and any(note.claims for note in part.notes)


def _may_mean(text: str, profile: Profile) -> bool:
    """False for words that say that something is missing, of an entry none of whose texts says so.

    "No autovacuum runs" is like "autovacuum runs", and the opposite of it.
    """
    return not is_negated(text) or any(is_negated(surface.text) for surface in profile.surfaces)


def _facility(told: Told) -> Facility:
    name = LocalizedText(told.facility.name.zh, told.facility.name.en)
    return Facility(told.facility.id, name, told.there, told.words, told.phenomena)


def _candidate(index: Index, phenomenon_id: str, score: float, row: Sequence[float]) -> Candidate:
    dense, said = row[features.COLUMN["dense_glossed"]], row[features.COLUMN["said_often"]]
    name = index.by_id[phenomenon_id].name
    return Candidate(phenomenon_id, name, score, round(float(dense), 6), round(float(said), 6))


def _as_candidates(found: Sequence[Recognised], known: Mapping[str, Profile]) -> tuple[Candidate, ...]:
    return tuple(Candidate(each.phenomenon_id, known[each.phenomenon_id].name, each.probability) for each in found)


def _vague(query: features.Query, glossary: Glossary) -> bool:
    """True for a complaint that names nothing specific: "the database is slow"."""
    reading, grammar = query.reading, glossary.grammar
    content = {token.key: token.weight for token in reading.tokens if token.weight > _FAINT}
    complains = any(key in grammar.complaints for key in content)
    named = sum(weight for key, weight in content.items() if key not in grammar.unspecific)
    return complains and named < _NAMED and not reading.foreign
