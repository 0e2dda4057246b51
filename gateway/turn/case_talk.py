"""Keeps what the messages of a case tell of its treatment: what was done, what they name, how things are since."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dbdiag.matcher.v1.matcher_types import Reading, Standing
from dbdiag.planner.v1.planner_types import Aftermath, NamedObject, QuestionStep, QuestionTopic, Treatment
from dbdiag.vocabulary import Verdict

from gateway.session.ledger import CONFIRMING_FROM, Session
from gateway.turn.context import ToolResult, Turn

_MOST_OBJECTS = 200
# Questions whose words state nothing.
_ANSWERED = (
    QuestionTopic.RELATED,
    QuestionTopic.RISK,
    QuestionTopic.EFFECT,
    QuestionTopic.REMAINING,
    QuestionTopic.CERTAINTY,
    QuestionTopic.SUMMARY,
)


def keep_case_talk(turn: Turn) -> None:
    """Adds the treatments and objects of the plan to the session.

    Bad news needs something that was done, and is open again after another step; good news stays.
    """
    session, plan = turn.session, turn.plan
    session.objects = _with_objects(session.objects, plan.objects)
    session.treatments = _with_treatments(session, plan.treatments)
    told = plan.aftermath is Aftermath.WELL or (plan.aftermath is not None and bool(session.treatments))
    if told or (plan.treatments and session.aftermath is Aftermath.UNCHANGED):
        session.aftermath = plan.aftermath


def _with_treatments(session: Session, told: Iterable[Treatment]) -> tuple[Treatment, ...]:
    """The treatments with those that are told now; one that is told again is the same one."""
    found = {each.action: each for each in session.treatments}
    for each in told:
        before = found.get(each.action)
        if before is None:
            found[each.action] = replace(each, turn=session.turn)
        else:
            found[each.action] = replace(before, objects=tuple(dict.fromkeys((*before.objects, *each.objects))))
    return tuple(found.values())


def _with_objects(known: Iterable[NamedObject], named: Iterable[NamedObject]) -> tuple[NamedObject, ...]:
    """The objects in the order in which they were first named; the last role that is known of one holds."""
    found = {(each.kind, each.name): each for each in known}
    for each in named:
        before = found.get((each.kind, each.name), each)
        found[each.kind, each.name] = replace(each, role=each.role or before.role, said=each.said or before.said)
    return tuple(found.values())[-_MOST_OBJECTS:]


def leave_out_asked(turn: Turn, result: ToolResult) -> ToolResult:
    """The reading without doubts about words that only ask or tell what was done: they are answered, not asked back."""
    spoken = [each.words for each in turn.plan.treatments]
    spoken += [step.text for step in turn.plan.steps if isinstance(step, QuestionStep) and step.topic in _ANSWERED]
    if not spoken:
        return result
    plain = [_plain(words) for words in spoken]
    words = tuple(each for each in result.words if each.meaning.readings or not _is_in(each.text, plain))
    readings = tuple(
        each for each in result.readings if each.standing is not Standing.PROPOSED or not _is_in(each.words, plain)
    )
    return replace(result, words=words, readings=readings)


def leave_out_recovered(turn: Turn, result: ToolResult) -> ToolResult:
    """The reading without what tells that the fault is gone or was treated: it stays on record as it was found.

    "Reports are fast again" is no second opinion on slow reports, and what was done is no finding.
    """
    session = turn.session
    if not (session.treatments or session.concluded()):
        return result
    done = [_plain(each.words) for each in turn.plan.treatments] if _in_sight(session) else []
    over = turn.plan.aftermath is Aftermath.WELL

    def stays(reading: Reading) -> bool:
        entry = session.active_for(reading.phenomenon_id)
        gone = over and reading.verdict is Verdict.DENIED and entry is not None and entry.verdict is Verdict.CONFIRMED
        return not gone and not (done and _is_in(reading.words, done))

    words = tuple(
        replace(each, meaning=replace(each.meaning, readings=tuple(filter(stays, each.meaning.readings))))
        for each in result.words
    )
    return replace(result, words=words, readings=tuple(filter(stays, result.readings)))


def _in_sight(session: Session) -> bool:
    """Whether a cause leads so clearly that what is done is against it."""
    beliefs = session.beliefs()
    return bool(beliefs) and beliefs[0].confidence >= CONFIRMING_FROM


def _is_in(words: str, spoken: list[str]) -> bool:
    said = _plain(words)
    return any(said in each or each in said for each in spoken)


def _plain(words: str) -> str:
    return "".join(words.lower().split()).strip("?？!！.。,，")
