"""The query tools: answers to questions about the diagnosis, from the ledger and the engine. They change nothing."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from gateway.answers import (
    Answer,
    DataAnswer,
    HelpAnswer,
    HistoryAnswer,
    HistoryEntry,
    HypothesesAnswer,
    HypothesisDetail,
    ProgressAnswer,
    ReasoningAnswer,
    ReasonLine,
    RelationsAnswer,
    RelationView,
    WhatIfAnswer,
)
from gateway.apply import assumed, found_absent
from gateway.clients import Services
from gateway.diagnose_tool import concluded_view, diagnose, recommended
from gateway.doubts import how_to_look, overturn_view
from gateway.language import Verdict
from gateway.match_tool import NAMES_A_CAUSE_FROM, suppositions
from gateway.plan import ItemList, QuestionKind, QuestionStep, Reference
from gateway.reasoning import Conclusion, DiagnoseRequest, Evidence, Explanation, Hypothesis
from gateway.references import NoSuchItem, resolve
from gateway.session import LedgerEntry
from gateway.turn import Turn
from gateway.views import BeliefChange

_DETAILED = 3
_LINES = 20
_RELATIONS = 8


def questions(turn: Turn, kind: QuestionKind) -> list[QuestionStep]:
    """The questions of this kind in the plan."""
    return [step.question for step in turn.plan.steps if step.question is not None and step.question.kind is kind]


async def query_progress(turn: Turn, services: Services) -> None:
    """What is confirmed, denied and open, beside where the diagnosis stands and what would finish it."""
    if turn.diagnosis_view is None and turn.session.active():
        await diagnose(turn, services.engine)
    by_verdict = {
        verdict: tuple(view for view in turn.evidence_views() if view.verdict is verdict) for verdict in Verdict
    }
    answer = ProgressAnswer(
        rounds=len(turn.session.case_points()),
        confirmed=by_verdict[Verdict.CONFIRMED],
        denied=by_verdict[Verdict.DENIED],
        unknown=by_verdict[Verdict.UNKNOWN],
    )
    turn.answers.append(Answer(progress=answer))


async def show_history(turn: Turn, services: Services) -> None:
    """Everything said and seen in this case, oldest first, taken back or not; what a look found absent as one."""
    said = [entry for entry in turn.session.ledger if entry.case == turn.session.case]
    absent = Counter((entry.turn, entry.retracted_turn) for entry in said if _is_absent(entry))
    entries = []
    for entry in said:
        taken_back = entry.retracted_turn is not None
        if not _is_absent(entry):
            name = turn.catalog.phenomenon_name(entry.phenomenon_id)
            entries.append(HistoryEntry(entry.turn, name, entry.verdict, entry.words, taken_back))
        elif count := absent.pop((entry.turn, entry.retracted_turn), 0):
            entries.append(HistoryEntry(entry.turn, found_absent(count), entry.verdict, "", taken_back))
    turn.answers.append(Answer(history=HistoryAnswer(tuple(entries), turn.session.turn)))


def _is_absent(entry: LedgerEntry) -> bool:
    return entry.collected and entry.verdict is Verdict.DENIED


async def query_hypotheses(turn: Turn, services: Services) -> None:
    """The leading causes with what supports each and what is still open."""
    leading = await _leading(turn, services)
    details = []
    for rank, hypothesis in enumerate(leading[:_DETAILED], 1):
        explained = await services.engine.explain(
            turn.session.snapshot_id, turn.active_evidence(), hypothesis.root_cause_id
        )
        details.append(_detail(turn, rank, hypothesis, explained))
    total = len(turn.catalog.root_causes)
    turn.answers.append(Answer(hypotheses=HypothesesAnswer(tuple(details), total)))


def _detail(turn: Turn, rank: int, hypothesis: Hypothesis, explained: Explanation) -> HypothesisDetail:
    name = turn.catalog.phenomenon_name
    supporting = [item for item in explained.contributions if item.bits > 0]
    tickets = sorted({ticket for item in supporting for ticket in item.ticket_ids})
    return HypothesisDetail(
        rank,
        hypothesis.root_cause_id,
        hypothesis.name,
        hypothesis.confidence,
        tuple(turn.evidence_name(item.phenomenon_id) for item in supporting),
        tuple(name(item.phenomenon_id) for item in explained.unchecked[:3]),
        tuple(tickets[:5]),
    )


async def _leading(turn: Turn, services: Services) -> tuple[Hypothesis, ...]:
    if turn.diagnosis is None:
        request = DiagnoseRequest(turn.session.snapshot_id, turn.active_evidence())
        turn.diagnosis = await services.engine.diagnose(request)
        turn.exchanges.append(("diagnose", request, turn.diagnosis))
    return turn.diagnosis.hypotheses


async def query_relations(turn: Turn, services: Services) -> None:
    """What leads to what, from the phenomenon or cause the question names; the leader when it names none."""
    for question in questions(turn, QuestionKind.RELATIONS):
        phenomenon_id, root_cause_id = await _subject(turn, services, question)
        if not phenomenon_id and not root_cause_id:
            leading = await _leading(turn, services)
            root_cause_id = leading[0].root_cause_id
        found = await services.engine.relations(turn.session.snapshot_id, phenomenon_id, root_cause_id)
        catalog = turn.catalog
        views = tuple(
            RelationView(
                item.root_cause_id if phenomenon_id else item.phenomenon_id,
                catalog.root_cause_name(item.root_cause_id)
                if phenomenon_id
                else catalog.phenomenon_name(item.phenomenon_id),
                item.likelihood,
                item.ticket_hits,
                item.ticket_count,
                item.reason,
            )
            for item in found[:_RELATIONS]
        )
        subject = catalog.phenomenon_name(phenomenon_id) if phenomenon_id else catalog.root_cause_name(root_cause_id)
        answer = RelationsAnswer(phenomenon_id or root_cause_id, subject, not phenomenon_id, views)
        turn.answers.append(Answer(relations=answer))


async def _subject(turn: Turn, services: Services, question: QuestionStep) -> tuple[str, str]:
    """The (phenomenon id, cause id) a question is about; at most one of them is not empty."""
    reference = question.subject
    if reference is None:
        return "", ""
    if reference.id is not None and reference.id in turn.catalog.root_causes:
        return "", reference.id
    if reference.list is ItemList.HYPOTHESES and reference.ordinal is not None:
        leading = turn.session.beliefs()
        within = 0 < reference.ordinal <= len(leading)
        return "", leading[reference.ordinal - 1].root_cause_id if within else ""
    if reference.words is not None:
        return await _named_by_words(turn, services, reference.words)
    try:
        return resolve(turn.session, reference, turn.plan, turn.catalog.phenomena)[0], ""
    except NoSuchItem:
        return "", ""


async def _named_by_words(turn: Turn, services: Services, words: str) -> tuple[str, str]:
    reply = await services.matcher.search(turn.session.snapshot_id, words, limit=1)
    turn.exchanges.append(("search_phenomena", words, reply))
    phenomenon = next((found for found in reply.candidates if found.score >= NAMES_A_CAUSE_FROM), None)
    cause = reply.root_causes[0] if reply.root_causes else None
    if cause is not None and cause.score >= NAMES_A_CAUSE_FROM:
        return "", cause.root_cause_id
    return (phenomenon.phenomenon_id, "") if phenomenon is not None else ("", "")


async def explain_reasoning(turn: Turn, services: Services) -> None:
    """Why a cause stands where it stands, or why a question is asked."""
    for question in questions(turn, QuestionKind.REASONING):
        phenomenon_id, root_cause_id = await _subject(turn, services, question)
        asked = phenomenon_id if turn.session.active_for(phenomenon_id) is None else ""
        explained = await services.engine.explain(
            turn.session.snapshot_id, turn.active_evidence(), root_cause_id, asked
        )
        turn.exchanges.append(("explain", question, explained))
        reasoning = _reasoning(turn, explained)
        if asked and question.subject is not None and question.subject.group is None:
            # Named as a question, it is not also the cause that may be meant.
            reasoning = replace(reasoning, lines=(), unchecked=(), overturn=None)
        turn.answers.append(Answer(reasoning=reasoning))


def _reasoning(turn: Turn, explained: Explanation) -> ReasoningAnswer:
    catalog = turn.catalog
    leads = [belief.root_cause_id for belief in turn.session.beliefs()[:1]] in ([], [explained.root_cause_id])
    overturns = tuple(item for item in explained.overturns if leads or item.leader_then == explained.root_cause_id)
    return ReasoningAnswer(
        explained.root_cause_id,
        explained.name,
        explained.confidence,
        explained.prior_odds_bits,
        explained.posterior_odds_bits,
        tuple(
            ReasonLine(
                item.phenomenon_id,
                catalog.phenomenon_name(item.phenomenon_id),
                item.verdict,
                item.bits,
                item.ticket_hits,
                item.ticket_count,
                item.ticket_ids,
            )
            for item in explained.contributions[:_LINES]
        ),
        tuple(catalog.phenomenon_name(item.phenomenon_id) for item in explained.unchecked[:3]),
        overturn_view(catalog, overturns),
        recommended(turn, explained.question, 0, turn.diagnosis.hypotheses if turn.diagnosis else ())
        if explained.question
        else None,
        leads,
    )


async def what_if(turn: Turn, services: Services) -> None:
    """The beliefs under a supposition; nothing is recorded."""
    for question in questions(turn, QuestionKind.WHAT_IF):
        supposed: list[tuple[str, Verdict]] = []
        unresolved: list[str] = []
        for assumption in question.assumptions:
            found = await _assumption(turn, services, assumption.reference, assumption.verdict)
            supposed += found
            if not found:
                unresolved.append(assumption.reference.words or question.text)
        if supposed or not question.assumptions:
            turn.answers.append(Answer(what_if=await _supposed(turn, services, supposed, unresolved)))
        else:
            turn.answers.append(Answer(what_if=WhatIfAnswer(unresolved=tuple(unresolved))))


async def _assumption(
    turn: Turn, services: Services, reference: Reference, verdict: Verdict | None
) -> list[tuple[str, Verdict]]:
    if reference.words is None:
        return assumed(turn, reference, verdict or Verdict.CONFIRMED)
    found = await suppositions(turn, services.matcher, [reference.words])
    # Words may deny by themselves: "what if IO waits were low" supposes that they are not high.
    denies = verdict is Verdict.DENIED
    return [(phenomenon_id, Verdict.DENIED if denies else stated) for phenomenon_id, stated in found]


async def _supposed(
    turn: Turn, services: Services, supposed: list[tuple[str, Verdict]], unresolved: list[str]
) -> WhatIfAnswer:
    edited = tuple(Evidence(phenomenon_id, verdict) for phenomenon_id, verdict in dict(supposed).items())
    reply = await services.engine.what_if(turn.session.snapshot_id, turn.active_evidence(), edited, ())
    turn.exchanges.append(("what_if", edited, reply))
    catalog = turn.catalog
    views = tuple(turn.view_of(turn.session.entry(item.phenomenon_id, item.verdict, 1.0, "", "")) for item in edited)
    return WhatIfAnswer(
        assumed=views,
        changes=tuple(
            BeliefChange(item.root_cause_id, item.name, item.confidence_before, item.confidence_after)
            for item in reply.changes
        ),
        leader_before=catalog.root_cause_name(reply.leader_before),
        leader_confidence_before=reply.leader_confidence_before,
        leader_after=catalog.root_cause_name(reply.leader_after),
        leader_confidence_after=reply.leader_confidence_after,
        unresolved=tuple(unresolved),
    )


async def help_and_data(turn: Turn, services: Services) -> None:
    """How to look at an item, what to do about a conclusion, and the data questions nobody here can compute."""
    for question in questions(turn, QuestionKind.HELP):
        phenomenon_id, _ = await _subject(turn, services, question)
        items = (how_to_look(turn, phenomenon_id),) if phenomenon_id else ()
        conclusion = None if question.text.startswith("/") else await _conclusion(turn, services)
        view = concluded_view(turn, conclusion, True) if conclusion and not items else None
        turn.answers.append(Answer(help=HelpAnswer(items, view, question.text)))
    for question in questions(turn, QuestionKind.DATA):
        leader = turn.session.beliefs()[:1]
        cause = turn.catalog.root_causes.get(leader[0].root_cause_id) if leader else None
        turn.answers.append(Answer(data=DataAnswer(question.text, cause.tickets[:5] if cause else ())))


async def _conclusion(turn: Turn, services: Services) -> Conclusion | None:
    if not turn.active_evidence():
        return None
    await _leading(turn, services)
    return turn.diagnosis.conclusion if turn.diagnosis else None
