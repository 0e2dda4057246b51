"""The query tools: answers to questions about the diagnosis, from the ledger and the engine. They change nothing."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import NamedTuple

from dbdiag.engine.v1.engine_types import DiagnoseRequest, DiagnoseResponse, ExplainResponse, Hypothesis, Relation
from dbdiag.planner.v1.planner_types import (
    Answer,
    HistoryAnswer,
    HistoryEntry,
    HypothesesAnswer,
    HypothesisDetail,
    ItemList,
    ProgressAnswer,
    QuestionKind,
    QuestionStep,
    ReasoningAnswer,
    ReasonLine,
    RelationsAnswer,
    RelationView,
)
from dbdiag.vocabulary import Verdict

from gateway.contracts.clients import Services
from gateway.session.ledger import LedgerEntry
from gateway.session.references import NoSuchItem, resolve
from gateway.session.taken_back import one_a_facility
from gateway.turn.apply_plan import name_absent
from gateway.turn.context import Turn
from gateway.turn.findings import Exchange, ToolResult
from gateway.turn.suspected.suspects import NAMES_A_CAUSE_FROM
from gateway.turn.tools.caveats import overturn_view
from gateway.turn.tools.diagnose import diagnose, make_recommendation
from gateway.turn.tools.heard import tell_heard
from gateway.turn.tools.worth_asking import STANDS_OUT

_DETAILED = 3
_LINES = 20
_RELATIONS = 8
# A leader below this is not what a question without a subject is about.
_WORTH_RELATING = 0.2


def questions(turn: Turn, kind: QuestionKind) -> list[QuestionStep]:
    """The questions of this kind in the plan."""
    return [step for step in turn.plan.steps if isinstance(step, QuestionStep) and step.kind is kind]


async def query_progress(turn: Turn, services: Services) -> ToolResult:
    """Confirmed, denied and open phenomena, the state of the diagnosis, and the answers that would finish it."""
    result = ToolResult()
    if turn.diagnosis_view is None and turn.session.active():
        result = await diagnose(turn, services.engine)
    case = turn.session.case
    points = result.evaluation.points if result.evaluation else turn.session.points
    by_verdict = {
        verdict: tuple(view for view in turn.evidence_views() if view.verdict is verdict) for verdict in Verdict
    }
    answer = ProgressAnswer(
        rounds=sum(point.case == case for point in points),
        confirmed=by_verdict[Verdict.CONFIRMED],
        denied=by_verdict[Verdict.DENIED],
        unknown=by_verdict[Verdict.UNKNOWN],
        text=next((each.text for each in reversed(questions(turn, QuestionKind.PROGRESS))), ""),
    )
    return replace(result, answers=(answer,))


async def show_history(turn: Turn, services: Services) -> ToolResult:
    """All evidence of this case, oldest first, including retracted entries; absences found by a check count as one."""
    heard = next((each for each in questions(turn, QuestionKind.HISTORY) if each.subject is not None), None)
    if heard is not None and heard.subject is not None and heard.subject.words is not None:
        answer = tell_heard(turn, heard)
        lost = bool(answer.turns) and heard.subject.words != "" and turn.diagnosis_view is None
        result = await diagnose(turn, services.engine) if lost and turn.session.active() else ToolResult()
        return replace(result, answers=(answer,))
    said = [entry for entry in turn.session.ledger if entry.case == turn.session.case]
    absent = Counter((entry.turn, entry.retracted_turn) for entry in said if _is_absent(entry))
    entries = []
    for entry in one_a_facility(said):
        taken_back = entry.retracted_turn is not None
        if not _is_absent(entry):
            name = entry.lacking or turn.catalog.phenomenon_name(entry.phenomenon_id)
            entries.append(HistoryEntry(entry.turn, name, entry.verdict, entry.words, taken_back))
        elif count := absent.pop((entry.turn, entry.retracted_turn), 0):
            entries.append(HistoryEntry(entry.turn, name_absent(count), entry.verdict, "", taken_back))
    return ToolResult(answers=(HistoryAnswer(tuple(entries), turn.session.turn),))


def _is_absent(entry: LedgerEntry) -> bool:
    return entry.collected and entry.verdict is Verdict.DENIED


async def query_hypotheses(turn: Turn, services: Services) -> ToolResult:
    """The leading causes, each with its support and its open questions."""
    believed = await diagnose_now(turn, services)
    details = []
    for rank, hypothesis in enumerate(believed.diagnosis.hypotheses[:_DETAILED], 1):
        explained = await services.engine.explain(turn.known(), hypothesis.root_cause_id)
        details.append(_detail(turn, rank, hypothesis, explained))
    total = len(turn.catalog.root_causes)
    return ToolResult(
        answers=(HypothesesAnswer(tuple(details), total),), diagnosis=believed.diagnosis, exchanges=believed.exchanges
    )


def _detail(turn: Turn, rank: int, hypothesis: Hypothesis, explained: ExplainResponse) -> HypothesisDetail:
    name = turn.catalog.phenomenon_name
    supporting = [item for item in explained.contributions if item.bits > 0]
    tickets = sorted({ticket for item in supporting for ticket in item.ticket_ids})
    return HypothesisDetail(
        rank,
        hypothesis.root_cause_id,
        hypothesis.name,
        hypothesis.confidence,
        turn.evidence_names([item.phenomenon_id for item in supporting], lacks=False),
        tuple(name(item.phenomenon_id) for item in explained.unchecked[:3]),
        tuple(tickets[:5]),
    )


class Believed(NamedTuple):
    """The beliefs of the turn, and the calls that produced them."""

    diagnosis: DiagnoseResponse
    exchanges: tuple[Exchange, ...] = ()


async def diagnose_now(turn: Turn, services: Services) -> Believed:
    """The beliefs of the turn: those that it evaluated, else evaluated now."""
    if turn.diagnosis is not None:
        return Believed(turn.diagnosis)
    request = DiagnoseRequest(*turn.known()[:2], likeness=turn.known().likeness)
    diagnosis = await services.engine.diagnose(request)
    return Believed(diagnosis, (("diagnose", request, diagnosis),))


async def query_relations(turn: Turn, services: Services) -> ToolResult:
    """The relations of the phenomenon or cause in the question; of the leader if it names none."""
    answers: list[Answer] = []
    exchanges: list[Exchange] = []
    diagnosis = turn.diagnosis
    for question in questions(turn, QuestionKind.RELATIONS):
        phenomenon_id, root_cause_id = await find_subject(turn, services, question, exchanges)
        if not phenomenon_id and not root_cause_id:
            if diagnosis is None:
                diagnosis, asked = await diagnose_now(turn, services)
                exchanges += asked
            leader = diagnosis.hypotheses[0]
            if leader.confidence < _WORTH_RELATING:
                answers.append(RelationsAnswer())
                continue
            root_cause_id = leader.root_cause_id
        found = await services.engine.relations(turn.session.snapshot_id, phenomenon_id, root_cause_id)
        answers.append(_relations(turn, phenomenon_id, root_cause_id, found[:_RELATIONS]))
    return ToolResult(answers=tuple(answers), diagnosis=diagnosis, exchanges=tuple(exchanges))


def _relations(turn: Turn, phenomenon_id: str, root_cause_id: str, found: tuple[Relation, ...]) -> RelationsAnswer:
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
        for item in found
    )
    subject = catalog.phenomenon_name(phenomenon_id) if phenomenon_id else catalog.root_cause_name(root_cause_id)
    return RelationsAnswer(phenomenon_id or root_cause_id, subject, not phenomenon_id, views)


async def find_subject(
    turn: Turn, services: Services, question: QuestionStep, exchanges: list[Exchange]
) -> tuple[str, str]:
    """The (phenomenon id, cause id) of a question; at most one is not empty."""
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
        return await _search(turn, services, reference.words, exchanges)
    try:
        before = replace(turn.session, pending=turn.shown) if reference.ordinal is not None else turn.session
        return resolve(before, reference, turn.plan, turn.catalog.phenomena)[0], ""
    except NoSuchItem:
        return "", ""


async def _search(turn: Turn, services: Services, words: str, exchanges: list[Exchange]) -> tuple[str, str]:
    reply = await services.matcher.search(turn.session.snapshot_id, words, limit=1)
    exchanges.append(("search_phenomena", words, reply))
    phenomenon = next((found for found in reply.candidates if found.score >= NAMES_A_CAUSE_FROM), None)
    cause = reply.root_causes[0] if reply.root_causes else None
    if cause is not None and cause.score >= NAMES_A_CAUSE_FROM:
        return "", cause.root_cause_id
    return (phenomenon.phenomenon_id, "") if phenomenon is not None else ("", "")


async def explain_reasoning(turn: Turn, services: Services) -> ToolResult:
    """The reasons for a cause's belief, or for a question."""
    answers: list[Answer] = []
    exchanges: list[Exchange] = []
    result = ToolResult()
    for question in questions(turn, QuestionKind.REASONING):
        phenomenon_id, root_cause_id = "", believed_by_name(turn, question)
        if not root_cause_id:
            phenomenon_id, root_cause_id = await find_subject(turn, services, question, exchanges)
        asked = phenomenon_id if turn.session.active_for(phenomenon_id) is None else ""
        explained = await services.engine.explain(turn.known(), root_cause_id, asked)
        exchanges.append(("explain", question, explained))
        reasoning = replace(_reasoning(turn, explained), text=question.text)
        if asked and question.subject is not None and question.subject.group is None:
            # A name that denotes a pending question does not also denote a cause.
            reasoning = replace(reasoning, lines=(), unchecked=(), overturn=None)
        answers.append(reasoning)
        if turn.diagnosis_view is None and reasoning.leads and reasoning.confidence < STANDS_OUT:
            result = await diagnose(turn, services.engine)  # Nothing leads: what is worth looking at is all there is.
    return replace(result, answers=(*result.answers, *answers), exchanges=(*result.exchanges, *exchanges))


def believed_by_name(turn: Turn, question: QuestionStep) -> str:
    """The cause, of those that are believed at all, whose name has the words of a question; the likeliest first."""
    words = "".join((question.subject.words or "").casefold().split()) if question.subject is not None else ""
    for each in turn.session.beliefs() if words else ():
        name = turn.catalog.root_cause_name(each.root_cause_id)
        if any(words in "".join(text.casefold().split()) for text in (name.zh, name.en)):
            return each.root_cause_id
    return ""


def _reasoning(turn: Turn, explained: ExplainResponse) -> ReasoningAnswer:
    catalog = turn.catalog
    leads = [belief.root_cause_id for belief in turn.session.beliefs()[:1]] in ([], [explained.root_cause_id])
    told = explained.overturns if not leads or explained.confidence >= STANDS_OUT else ()
    overturns = tuple(item for item in told if leads or item.leader_then == explained.root_cause_id)
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
        make_recommendation(turn, explained.question, 0, turn.diagnosis.hypotheses if turn.diagnosis else ())
        if explained.question
        else None,
        leads,
        likeness_bits=explained.likeness_bits,
        words=turn.session.words_like(explained.root_cause_id),
    )
