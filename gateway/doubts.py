"""What speaks against taking a diagnosis at its word: a contradiction, a second cause, an answer that overturns it."""

from __future__ import annotations

from dataclasses import replace

from gateway.catalog import Catalog
from gateway.plan import HypothesisView
from gateway.reasoning import Conclusion, Diagnosis, Overturn
from gateway.session import LedgerEntry
from gateway.turn import Turn
from gateway.views import ContradictionView, OverturnView, RankedRecommendation


def contradiction_view(turn: Turn, diagnosis: Diagnosis, named_before: tuple[str, ...]) -> ContradictionView | None:
    """The two answers that contradict each other most, and which of them to look at again."""
    pair = pair_of(diagnosis)
    entries = [entry for found in pair if (entry := turn.session.active_for(found)) is not None]
    if diagnosis.contradiction is None or len(entries) != len(pair):
        return None
    first, second = entries
    return ContradictionView(
        turn.view_of(first),
        turn.view_of(second),
        diagnosis.contradiction.bits,
        recheck=replace(how_to_look(turn, _worth_another_look(turn.catalog, entries)), ordinal=0),
        repeated=pair == named_before,
    )


def pair_of(diagnosis: Diagnosis) -> tuple[str, ...]:
    """The ids of the two answers that contradict each other; empty when none do."""
    found = diagnosis.contradiction
    return (found.first_phenomenon_id, found.second_phenomenon_id) if found else ()


def _worth_another_look(catalog: Catalog, entries: list[LedgerEntry]) -> str:
    """The less sure answer; of equally sure ones the one that is no complaint, then the cheaper, then the older."""

    def rank(entry: LedgerEntry) -> tuple[float, bool, int, int, str]:
        found = catalog.phenomena.get(entry.phenomenon_id)
        return (
            round(entry.score, 1),
            bool(found and found.complaint),
            found.cost if found else 1,
            entry.turn,
            entry.phenomenon_id,
        )

    return min(entries, key=rank).phenomenon_id


def how_to_look(turn: Turn, phenomenon_id: str) -> RankedRecommendation:
    """How to look at one phenomenon, numbered when it is among what was asked."""
    ordinals = [item.ordinal for item in turn.session.pending if item.phenomenon_id == phenomenon_id]
    name = turn.catalog.phenomenon_name(phenomenon_id)
    view = RankedRecommendation(ordinals[0] if ordinals else 0, phenomenon_id, name)
    found = turn.catalog.phenomena.get(phenomenon_id)
    if found is None:
        return view
    return replace(
        view,
        observe_kind=found.observe_kind,
        observation_method=found.how.within(turn.language),
        present_when=found.present_when,
        cost=found.cost,
    )


def second_cause(catalog: Catalog, conclusion: Conclusion) -> HypothesisView | None:
    """The cause that explains what the concluded one does not, with the belief in it given those alone."""
    found = conclusion.second_root_cause_id
    if found is None:
        return None
    return HypothesisView(found, catalog.root_cause_name(found), conclusion.second_confidence or 0.0)


def overturn_view(catalog: Catalog, overturns: tuple[Overturn, ...]) -> OverturnView | None:
    """The single answer that would give another cause the highest belief; None when no one answer would."""
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
