"""Answers to questions of the case as a whole, and of how to look: the remedy, the leader, what is asked about."""

from __future__ import annotations

from dataclasses import replace

from dbdiag.engine.v1.engine_types import DiagnoseResponse
from dbdiag.planner.v1.planner_types import (
    Answer,
    ConclusionView,
    EvidenceView,
    HelpAnswer,
    HypothesisView,
    MatterView,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    RankedRecommendation,
)
from dbdiag.vocabulary import Verdict

from gateway.contracts.clients import Services
from gateway.session.case_talk import waived
from gateway.turn.context import Turn
from gateway.turn.findings import Exchange, ToolResult
from gateway.turn.suspected.timing import points_at_change
from gateway.turn.tools.caveats import how_to_look
from gateway.turn.tools.diagnose import diagnose, find_overturn, make_conclusion_view
from gateway.turn.tools.heard import find_source
from gateway.turn.tools.leading import describe_leader, describe_named, describe_rivals, relieve_by_leader
from gateway.turn.tools.matters import find_matter, find_named_cause
from gateway.turn.tools.queries import believed_by_name, diagnose_now, find_subject, questions
from gateway.turn.tools.reach import out_of_reach
from lang.concepts.named_things import things_named

_NEAR = 20
# Topics for which it matters whose remedy was done, and how many causes are looked at, from which belief on.
_OVERTURNED = (QuestionTopic.CERTAINTY, QuestionTopic.CONFIRMATION)
_OF_SIGNS = (QuestionTopic.CONFIRMATION, QuestionTopic.ALTERNATIVE)
_OF_REMEDY = (None, QuestionTopic.RELIEF)
# A cause that is believed less is told no remedy of where its words only sound like it.
_REMEDY_FROM = 0.1
_OF_TREATMENT = (QuestionTopic.TREATED, QuestionTopic.RECOVERED, QuestionTopic.EFFECT)
# How often a cause has what speaks for it.
_SPEAKS_FROM = 0.3
# A cause has a sign at least so often.
_OFTEN = 0.4
_BY_QUERY = "sql"
# In place of an action: what somebody else is to look at is asked.
_LOOK_BY_OTHERS = "look_by_others"


async def signs_to_look_for(
    turn: Turn, services: Services, diagnosis: DiagnoseResponse, *, by_query: bool
) -> tuple[RankedRecommendation, ...]:
    """The open signs of the leading cause with their checks: the one that is asked for, then the cheapest.

    by_query: only those that a query shows, without the one that is asked for, since it cannot be looked for.
    """
    leader = next(iter(diagnosis.hypotheses), None)
    if leader is None:
        return ()
    links = await services.engine.relations(turn.session.snapshot_id, root_cause_id=leader.root_cause_id)
    asked = [item.phenomenon_id for item in turn.session.pending[:1]]
    gone = {*waived(turn.session), *out_of_reach(turn), *(entry.phenomenon_id for entry in turn.session.active())}
    often = [each.phenomenon_id for each in links if each.likelihood >= _OFTEN and each.phenomenon_id not in gone]
    if by_query:
        found = [how_to_look(turn, each) for each in often if each not in asked]
        return tuple(sorted((each for each in found if each.observe_kind == _BY_QUERY), key=lambda each: each.cost))
    found = sorted((how_to_look(turn, each) for each in often), key=lambda each: each.cost)
    return tuple(sorted(found, key=lambda each: each.phenomenon_id not in asked))


async def give_help(turn: Turn, services: Services) -> ToolResult:
    """How to check an item, the remedy of a conclusion or of the leader, and what a question is about."""
    answers: list[Answer] = []
    exchanges: list[Exchange] = []
    diagnosis, lost = turn.diagnosis, False
    for question in questions(turn, QuestionKind.HELP):
        if diagnosis is None and turn.active_evidence() and not question.text.startswith("/"):
            diagnosis, asked = await diagnose_now(turn, services)
            exchanges += asked
        answer = await _answer(turn, services, question, diagnosis, exchanges)
        lost = lost or (question.topic is None and question.subject is not None and not answer.items)
        answers.append(answer)
    if lost and turn.diagnosis_view is None and turn.active_evidence():
        result = await diagnose(turn, services.engine)  # What was meant nobody knows: where the case stands is told.
        return replace(result, answers=(*result.answers, *answers), exchanges=(*result.exchanges, *exchanges))
    return ToolResult(answers=tuple(answers), diagnosis=diagnosis, exchanges=tuple(exchanges))


async def _answer(
    turn: Turn,
    services: Services,
    question: QuestionStep,
    diagnosis: DiagnoseResponse | None,
    exchanges: list[Exchange],
) -> HelpAnswer:
    if question.topic is QuestionTopic.CERTAINTY and points_at_change(turn.session, turn.message, question.text):
        question = replace(question, topic=QuestionTopic.RELATED)
    if question.topic is QuestionTopic.COMMON:
        return HelpAnswer((), None, question.text, question.topic, common_question=question.common_question)
    if question.topic is QuestionTopic.OF_CAUSE:
        of_cause = _answered(turn, question, diagnosis)
        if of_cause is None or not _is_overtaken(of_cause, diagnosis):
            return HelpAnswer((), None, question.text, question.topic, matter=of_cause)
        question = replace(question, topic=QuestionTopic.RELATED, cause_question=0)
    if question.topic is QuestionTopic.MEANING:
        return await _explain(turn, services, question, diagnosis if turn.active_evidence() else None, exchanges)
    return await _answer_by_case(turn, services, question, diagnosis, exchanges)


async def _answer_by_case(
    turn: Turn,
    services: Services,
    question: QuestionStep,
    diagnosis: DiagnoseResponse | None,
    exchanges: list[Exchange],
) -> HelpAnswer:
    """The answer by what is concluded, else by the leading cause or the one that the question names."""
    phenomenon_id = await _to_look_at(turn, services, question, exchanges) if question.topic is None else ""
    items = (how_to_look(turn, phenomenon_id),) if phenomenon_id else ()
    told = diagnosis if turn.active_evidence() and not question.text.startswith("/") else None
    view = make_conclusion_view(turn, told, True) if told is not None and told.conclusion and not items else None
    if view is not None and question.topic in _OVERTURNED:
        view = replace(view, overturn=await find_overturn(turn, services.engine))
    matter = None
    if question.topic is QuestionTopic.RELATED and told is not None:
        matter = await find_matter(turn, services, question, told, exchanges)
    leading = describe_leader(turn, told) if told is not None and view is None and not items else None
    if told is not None and leading is not None and question.topic in _OF_REMEDY and not question.action:
        named = await _find_named(turn, services, question, told, exchanges)
        matter = MatterView(root_cause_id=named.root_cause_id) if named is not None else None
        leading = named or leading
    return HelpAnswer(
        items or await _to_run(turn, services, question, told),
        view,
        question.text,
        question.topic,
        evidence=_on_record(turn, question),
        relief=relieve_by_leader(turn, diagnosis) if diagnosis is not None and view is None else (),
        leading=leading,
        matter=matter,
        action=question.action,
        brief=question.brief,
        rivals=describe_rivals(turn, told) if told and question.topic in _OF_TREATMENT and view is None else (),
    )


async def _find_named(
    turn: Turn, services: Services, question: QuestionStep, told: DiagnoseResponse, exchanges: list[Exchange]
) -> ConclusionView | None:
    """The cause that a question names, as it would be concluded; what to do now is asked of what is going on."""
    named = await find_named_cause(turn, services, question, exchanges)
    found = describe_named(turn, told, named) if named else None
    return found if found is None or question.topic is None or found.confidence >= _REMEDY_FROM else None


async def _to_run(
    turn: Turn, services: Services, question: QuestionStep, told: DiagnoseResponse | None
) -> tuple[RankedRecommendation, ...]:
    """The check that a command is asked for, or those that would make the cause certain."""
    if question.topic is QuestionTopic.COMMAND:
        return tuple(how_to_look(turn, item.phenomenon_id) for item in turn.session.pending[:1])
    if question.action == _LOOK_BY_OTHERS:
        return tuple(how_to_look(turn, each) for each in _left_to_others(turn)[:1])
    if told is None or question.topic not in _OF_SIGNS:
        return ()
    return await signs_to_look_for(turn, services, told, by_query=question.topic is QuestionTopic.ALTERNATIVE)


def _left_to_others(turn: Turn) -> list[str]:
    """What the person cannot look at, told last first; else what is asked."""
    unknown = [entry for entry in turn.session.active() if entry.verdict is Verdict.UNKNOWN]
    told = [entry.phenomenon_id for entry in sorted(unknown, key=lambda entry: -entry.turn)]
    return [*told, *(item.phenomenon_id for item in turn.session.pending)]


def _answered(turn: Turn, question: QuestionStep, diagnosis: DiagnoseResponse | None) -> MatterView | None:
    """The cause that a question is about, with the library's answer for it; None where the snapshot has none."""
    cause = turn.catalog.root_causes.get(question.subject.id or "") if question.subject is not None else None
    if cause is None or not 0 < question.cause_question <= len(cause.questions):
        return None
    beliefs = diagnosis.hypotheses if diagnosis is not None else turn.session.beliefs()
    belief = next((each.confidence for each in beliefs if each.root_cause_id == cause.root_cause_id), 0.0)
    told = cause.questions[question.cause_question - 1].answer
    return MatterView(root_cause_id=cause.root_cause_id, name=cause.name, confidence=belief, reason=told)


def _is_overtaken(asked: MatterView, diagnosis: DiagnoseResponse | None) -> bool:
    """Whether hardly anything is left for the cause that a question is of: whether it is that is told first."""
    leader = next(iter(diagnosis.hypotheses), None) if diagnosis is not None else None
    return leader is not None and asked.confidence < _REMEDY_FROM and leader.root_cause_id != asked.root_cause_id


def _on_record(turn: Turn, question: QuestionStep) -> tuple[EvidenceView, ...]:
    """What is on record, for a question of the whole case; what is asked about, where its source is asked for."""
    if question.topic is QuestionTopic.SOURCE:
        return find_source(turn, question)
    return turn.evidence_views() if question.topic is not None else ()


async def _explain(
    turn: Turn, services: Services, question: QuestionStep, told: DiagnoseResponse | None, exchanges: list[Exchange]
) -> HelpAnswer:
    """What a phenomenon is and what counts as it, or how a cause works; nothing of what the library does not have.

    With the causes that are likely now, to which a term or a percentage may belong.
    """
    phenomenon_id, root_cause_id = _named(turn, question), ""
    if not phenomenon_id:
        root_cause_id = believed_by_name(turn, question)
    if not (phenomenon_id or root_cause_id):
        phenomenon_id, root_cause_id = await find_subject(turn, services, question, exchanges)
    catalog, matter = turn.catalog, None
    if phenomenon_id in catalog.phenomena:
        name, text = catalog.phenomenon_name(phenomenon_id), catalog.phenomena[phenomenon_id].description
        pointed = await _pointed_at(turn, services, phenomenon_id, told)
        matter = MatterView(phenomenon_id=phenomenon_id, name=name, reason=text, points_to=pointed)
    elif root_cause_id in catalog.root_causes:
        name, cause = catalog.root_cause_name(root_cause_id), catalog.root_causes[root_cause_id]
        text = cause.plain if cause.plain.say(turn.language) else cause.mechanism
        matter = MatterView(root_cause_id=root_cause_id, name=name, reason=text)
    items = (how_to_look(turn, phenomenon_id),) if phenomenon_id else ()
    return HelpAnswer(
        items,
        None,
        question.text,
        question.topic,
        evidence=turn.evidence_views(),
        leading=describe_leader(turn, told) if told is not None else None,
        matter=matter,
        rivals=describe_rivals(turn, told) if told is not None else (),
    )


async def _pointed_at(
    turn: Turn, services: Services, phenomenon_id: str, told: DiagnoseResponse | None
) -> HypothesisView:
    """The cause that a phenomenon speaks for first: of the likely ones now, else of all."""
    links = await services.engine.relations(turn.session.snapshot_id, phenomenon_id=phenomenon_id)
    speaking = {each.root_cause_id for each in links if each.likelihood >= _SPEAKS_FROM}
    likely = (each.root_cause_id for each in told.hypotheses) if told is not None else ()
    found = next((each for each in likely if each in speaking), next((each.root_cause_id for each in links), ""))
    return HypothesisView(found, turn.catalog.root_cause_name(found)) if found else HypothesisView()


def _named(turn: Turn, question: QuestionStep) -> str:
    """The phenomenon on record or asked for whose name has the words; empty if there is none."""
    words = "".join((question.subject.words or "").casefold().split()) if question.subject is not None else ""
    talked_of = [entry.phenomenon_id for entry in turn.session.active()]
    talked_of += [item.phenomenon_id for item in turn.session.pending]
    names = {each: turn.catalog.phenomenon_name(each).say(turn.language).casefold() for each in talked_of}
    return next((each for each, name in names.items() if words and words in "".join(name.split())), "")


async def _to_look_at(turn: Turn, services: Services, question: QuestionStep, exchanges: list[Exchange]) -> str:
    """The phenomenon whose check is asked for; if the words name none, the pending one that they are near to."""
    phenomenon_id, root_cause_id = await find_subject(turn, services, question, exchanges)
    named = question.subject is not None and question.subject.words is not None
    if phenomenon_id and named and not _is_named(turn, phenomenon_id, question.text):
        phenomenon_id = ""
    if phenomenon_id or root_cause_id or not named or not turn.session.pending:
        return phenomenon_id
    reply = await services.matcher.search(turn.session.snapshot_id, question.text, limit=_NEAR)
    exchanges.append(("search_phenomena", question.text, reply))
    pending = [item.phenomenon_id for item in turn.session.pending]
    return next((found.phenomenon_id for found in reply.candidates if found.phenomenon_id in pending), "")


def _is_named(turn: Turn, phenomenon_id: str, words: str) -> bool:
    """Whether words share a thing with the name of a phenomenon, or it is one that the talk is of anyway."""
    name = turn.catalog.phenomenon_name(phenomenon_id)
    talked_of = [
        *(item.phenomenon_id for item in turn.session.pending),
        *(each.phenomenon_id for each in turn.session.active()),
    ]
    shared = things_named(words) & things_named(f"{name.zh}\n{name.en}")
    return phenomenon_id in talked_of or bool(shared)
