"""Caveats of a diagnosis: a contradiction, a second cause, an answer that would overturn it."""

from __future__ import annotations

from dataclasses import replace

from dbdiag.engine.v1.engine_types import Conclusion, DiagnoseResponse, Overturn
from dbdiag.planner.v1.planner_types import ContradictionView, HypothesisView, OverturnView, RankedRecommendation
from dbdiag.vocabulary import Verdict

from gateway.session.belief_points import BeliefPoint, pair_of
from gateway.session.catalog import Catalog
from gateway.session.ledger import LedgerEntry
from gateway.turn.context import Turn


def contradiction_view(turn: Turn, diagnosis: DiagnoseResponse, last: BeliefPoint | None) -> ContradictionView | None:
    """The two most contradictory answers, and which of them to check again.

    None if one of them is a complaint in the person's own words, without a value: an impression contradicts no fact.
    """
    pair = pair_of(diagnosis)
    entries = [entry for found in pair if (entry := turn.session.active_for(found)) is not None]
    if diagnosis.contradiction is None or len(entries) != len(pair):
        return None
    if any(_is_impression(turn.catalog, entry) for entry in entries):
        return None
    first, second = turn.views_of(entries)
    return ContradictionView(
        first,
        second,
        diagnosis.contradiction.bits,
        recheck=replace(how_to_look(turn, _worth_another_look(turn.catalog, entries)), ordinal=0),
        repeated=last is not None and pair == last.contradiction,
    )


def _worth_another_look(catalog: Catalog, entries: list[LedgerEntry]) -> str:
    """The answer to check again: the less certain one, then the cheaper, then the older."""

    def rank(entry: LedgerEntry) -> tuple[float, int, int, str]:
        found = catalog.phenomena.get(entry.phenomenon_id)
        return round(entry.score, 1), found.cost if found else 1, entry.turn, entry.phenomenon_id

    return min(entries, key=rank).phenomenon_id


def _is_impression(catalog: Catalog, entry: LedgerEntry) -> bool:
    found = catalog.phenomena.get(entry.phenomenon_id)
    said = entry.origin == "words" and not entry.value and entry.verdict is Verdict.CONFIRMED
    return said and found is not None and found.complaint


def how_to_look(turn: Turn, phenomenon_id: str) -> RankedRecommendation:
    """How to check a phenomenon, with its number if it is pending."""
    ordinals = [item.ordinal for item in turn.session.pending if item.phenomenon_id == phenomenon_id]
    name = turn.catalog.phenomenon_name(phenomenon_id)
    view = RankedRecommendation(ordinals[0] if ordinals else 0, phenomenon_id, name, cost=1)
    found = turn.catalog.phenomena.get(phenomenon_id)
    if found is None:
        return view
    return replace(
        view,
        observe_kind=found.observe_kind,
        observation_method=found.how.say(turn.language),
        present_when=found.present_when,
        cost=found.cost,
    )


def second_cause(catalog: Catalog, conclusion: Conclusion) -> HypothesisView | None:
    """A second cause that explains the evidence left over by the conclusion, with the belief given that alone."""
    found = conclusion.second_root_cause_id
    if found is None:
        return None
    return HypothesisView(found, catalog.root_cause_name(found), conclusion.second_confidence or 0.0)


def overturn_view(catalog: Catalog, overturns: tuple[Overturn, ...]) -> OverturnView | None:
    """The single answer that would make another cause lead, or None."""
    if not overturns:
        return None
    first = overturns[0]
    return OverturnView(
        catalog.phenomenon_name(first.phenomenon_id),
        first.verdict_then,
        catalog.root_cause_name(first.leader_then),
        first.confidence_then,
        first.verdict_now,
    )
