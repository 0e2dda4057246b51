"""Explains a belief: contributions, open typical phenomena, and the answers that would overturn it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from services.engine.inference.evidence import Answer, find_causes, find_phenomena, read_answers
from services.engine.inference.lookahead import add_answer
from services.engine.inference.posterior import Posterior
from services.engine.inference.reasoner import Reasoner
from services.engine.model import (
    ENGINE_VERSION,
    Contribution,
    ExplainRequest,
    Explanation,
    Overturn,
    Recommendation,
    Unchecked,
    Verdict,
)
from services.engine.results.conclusion import find_typical_open
from services.engine.results.recommendation import describe_questions, rank
from services.engine.tables.numerics import order_descending, round_all, round_reported

MAX_UNCHECKED = 10
MAX_OVERTURNS = 5
_MAX_TICKETS = 5
# Causes far behind cannot take the lead with one answer; only this many leaders are challengers.
_CHALLENGERS = 30
_TRIED = 40
# An answer that is less likely than this to come is none to reckon with.
_LIKELY = 0.05


def explain(reasoner: Reasoner, request: ExplainRequest) -> Explanation:
    """Explains the belief in the requested cause, or in the leader if the request names none."""
    snapshot = reasoner.model.snapshot
    answers = read_answers(snapshot, request.evidence)
    named = find_causes(snapshot, [request.root_cause_id] if request.root_cause_id else [])
    asked = find_phenomena(snapshot, [request.phenomenon_id] if request.phenomenon_id else [])
    state = reasoner.posterior(answers)
    cause = (named or tuple(state.leading(1)))[0]
    listed = describe_contributions(reasoner, state, [cause])[0]
    recommendation, place = _question(reasoner, answers, asked[0]) if asked else (None, 0)
    return Explanation(
        snapshot_id=snapshot.snapshot_id,
        engine_version=ENGINE_VERSION,
        root_cause_id=snapshot.cause_ids[cause],
        name=snapshot.cause_names[cause],
        confidence=float(state.belief[cause]),
        other_confidence=state.other,
        prior_odds_bits=reasoner.prior_odds_bits(cause),
        posterior_odds_bits=reasoner.prior_odds_bits(cause) + sum(item.bits for item in listed),
        contributions=listed,
        unchecked=_unchecked(reasoner, answers, cause),
        overturns=_overturns(reasoner, answers, state),
        question=recommendation,
        rank=place,
    )


def describe_contributions(
    reasoner: Reasoner, state: Posterior, causes: Sequence[int]
) -> list[tuple[Contribution, ...]]:
    """The contributions of all answers to some causes, by falling absolute bits, ties by id."""
    snapshot, bits = reasoner.model.snapshot, round_all(reasoner.contribution_table(state, causes))
    order, told_bits = (-np.abs(bits)).argsort(axis=1, kind="stable").tolist(), bits.tolist()
    rates, bases = _rates(reasoner, state, causes)
    given = [
        (phenomenon, snapshot.phenomenon_ids[phenomenon], verdict, score, base)
        for (phenomenon, verdict, score), base in zip(state.answers, bases, strict=True)
    ]
    recorded, counts = list(map(snapshot.recording, causes)), snapshot.ticket_counts[list(causes)].tolist()
    return [_contributions(given, *each) for each in zip(recorded, counts, order, told_bits, rates, strict=True)]


def _contributions(
    given: Sequence[tuple[int, str, Verdict, float, float]],
    recorded: Mapping[int, tuple[str, ...]],
    count: int,
    order: Sequence[int],
    bits: Sequence[float],
    rates: Sequence[float],
) -> tuple[Contribution, ...]:
    """The contributions to one cause of `count` tickets; see `Snapshot.recording`.

    given: phenomenon, id, verdict, score and base rate of each answer.
    """
    listed: list[Contribution] = []
    for at in order:
        phenomenon, name, verdict, score, base = given[at]
        tickets = recorded.get(phenomenon, ())
        shown_ids = tickets[:_MAX_TICKETS]
        listed.append(Contribution(name, verdict, score, bits[at], rates[at], base, len(tickets), count, shown_ids))
    return tuple(listed)


def _rates(reasoner: Reasoner, state: Posterior, causes: Sequence[int]) -> tuple[list[list[float]], list[float]]:
    """P(yes | cause) and P(yes | OTHER) for every answer, also for those that do not count."""
    if len(state.answer_bits.answers) == len(state.answers):
        return state.answer_bits.rates_of(causes).tolist(), state.answer_bits.base.tolist()
    snapshot, likelihoods = reasoner.model.snapshot, reasoner.model.likelihoods
    phenomena = [answer.phenomenon for answer in state.answers]
    rates = [[likelihoods.answer_rate(snapshot, phenomenon, cause) for phenomenon in phenomena] for cause in causes]
    return rates, likelihoods.answer_base[np.array(phenomena, dtype=np.int64)].tolist()


def _question(reasoner: Reasoner, answers: Sequence[Answer], phenomenon: int) -> tuple[Recommendation, int]:
    """The question as if it were still open: an answer already given to it is ignored."""
    before = [answer for answer in answers if answer.phenomenon != phenomenon]
    state = reasoner.posterior(before)
    ranking = rank(reasoner, before, state)
    return describe_questions(reasoner, state, [ranking.of(phenomenon)])[0], ranking.place(phenomenon)


def _unchecked(reasoner: Reasoner, answers: Sequence[Answer], cause: int) -> tuple[Unchecked, ...]:
    snapshot, likelihoods = reasoner.model.snapshot, reasoner.model.likelihoods

    def after(phenomenon: int, verdict: Verdict) -> float:
        return round_reported(reasoner.posterior(add_answer(answers, phenomenon, verdict)).belief[cause])

    typical = find_typical_open(reasoner, answers, cause, MAX_UNCHECKED)
    edges = np.array([snapshot.edge(phenomenon, cause) for phenomenon in typical], dtype=np.int64)
    rates = dict(zip(typical, likelihoods.fact_rates(snapshot, edges).tolist(), strict=True))
    return tuple(
        Unchecked(
            phenomenon_id=snapshot.phenomenon_ids[phenomenon],
            likelihood=rates[phenomenon],
            confidence_if_yes=after(phenomenon, Verdict.CONFIRMED),
            confidence_if_no=after(phenomenon, Verdict.DENIED),
        )
        for phenomenon in typical
    )


def _overturns(reasoner: Reasoner, answers: Sequence[Answer], state: Posterior) -> tuple[Overturn, ...]:
    leader = state.leading(1)[0]
    ids = reasoner.model.snapshot
    found: list[tuple[float, Overturn]] = []
    for phenomenon, now, then, edited in _edits(reasoner, answers, state):
        after = reasoner.posterior(edited)
        ahead = after.leading(1)[0]
        if ahead != leader:
            confidence = round_reported(after.belief[ahead])
            overturn = Overturn(ids.phenomenon_ids[phenomenon], now, then, ids.cause_ids[ahead], confidence)
            found.append((-confidence, overturn))
    ordered = sorted(found, key=lambda pair: (pair[0], pair[1].phenomenon_id, pair[1].verdict_then))
    return tuple(overturn for _, overturn in ordered[:MAX_OVERTURNS])


def _edits(
    reasoner: Reasoner, answers: Sequence[Answer], state: Posterior
) -> Iterator[tuple[int, Verdict, Verdict, Sequence[Answer]]]:
    """The single edits worth trying: phenomenon, current verdict, new verdict, all answers after the edit."""
    leader = state.leading(1)[0]
    bits = np.abs(np.array(reasoner.contributions(state, leader), dtype=np.float64))
    for at in order_descending(bits, _TRIED):
        answer = answers[at]
        for verdict in (Verdict.CONFIRMED, Verdict.DENIED):
            if verdict is not answer.verdict:
                changed = answer._replace(verdict=verdict)
                yield answer.phenomenon, answer.verdict, verdict, (*answers[:at], changed, *answers[at + 1 :])
    for phenomenon, verdict in _challenges(reasoner, answers, state):
        yield phenomenon, Verdict.UNSPECIFIED, verdict, add_answer(answers, phenomenon, verdict)


def _challenges(reasoner: Reasoner, answers: Sequence[Answer], state: Posterior) -> Iterable[tuple[int, Verdict]]:
    """Answers to open questions that may well come and favour a challenger over the leader, strongest first."""
    snapshot, likelihoods = reasoner.model.snapshot, reasoner.model.likelihoods
    ahead = state.leading(_CHALLENGERS)
    linked = [snapshot.of_cause(cause) for cause in ahead]
    shows = [snapshot.phenomena_of(edges) for edges in linked]
    touched = np.unique(np.concatenate(shows))
    rates = np.repeat(likelihoods.answer_leak[touched][np.newaxis, :], len(ahead), axis=0)
    for row, (edges, shown_by) in enumerate(zip(linked, shows, strict=True)):
        rates[row, np.searchsorted(touched, shown_by)] += likelihoods.surplus.real[edges]
    weights = state.belief[ahead][:, np.newaxis]
    answered = np.isin(touched, [answer.phenomenon for answer in answers])
    yes, ratios = reasoner.exact_gains(state, touched).yes, []
    for factors, chance in ((rates, yes), (1.0 - rates, 1.0 - yes)):
        after = weights * factors
        ratios.append(np.where(answered | (chance < _LIKELY), 0.0, np.max(after, axis=0) / after[0]))
    candidates = [
        (-round(float(ratios[side][at]), 12), int(touched[at]), verdict)
        for side, verdict in enumerate((Verdict.CONFIRMED, Verdict.DENIED))
        for at in np.flatnonzero(ratios[side] > 1.0)
    ]
    return [(phenomenon, verdict) for _, phenomenon, verdict in sorted(candidates)[:_TRIED]]
