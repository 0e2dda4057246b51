"""What a clause answers: by place or id, by the words of an item, by a value, or all that was asked at once."""

from __future__ import annotations

from dataclasses import replace

from lang import deferred_re as re
from services.planner.model import (
    ClarifyKind,
    ClarifyStep,
    FeedbackStep,
    ItemList,
    ObservationStep,
    Verdict,
)
from services.planner.understand.answers.bare_answers import bare_answer
from services.planner.understand.answers.non_evidence import claims_nothing, speaks_against
from services.planner.understand.answers.other_systems import is_past
from services.planner.understand.answers.turn import Turn
from services.planner.understand.classifier.acts import Act
from services.planner.understand.items.amounts import verdict_by_count, verdict_on
from services.planner.understand.items.references import Asked, nearest_item
from services.planner.understand.judging import arbitration
from services.planner.understand.judging.classified import Heard, masked, without_items
from services.planner.understand.judging.subjects import has_own_subject
from services.planner.understand.judging.suspicions import is_tag
from services.planner.understand.text import observations
from services.planner.understand.text.clauses import Clause
from services.planner.understand.text.domain import is_technical, is_vague
from services.planner.understand.text.messages import read
from services.planner.understand.text.segments import Segment, pointers_of, segments_of
from services.planner.understand.text.tokens import Kind

_NOT_THAT = re.compile(r"(?:and |but )?(?:not|rather than|instead of)(?![a-z])|(?:而|并)?不是(?!的?$)")
# "2 也是": as it was said of the one before.
_LIKEWISE = re.compile(r"(?:也是?|也一样|一样|同上|同样|(?<![a-z])(?:ditto|same(?: here)?|likewise|as well|too))\W*$")
_TAIL = re.compile(r"(?:有|没有|没|yes|no)\s+(?P<fact>[^\d\s,][^,]{2,})$")


def answers(turn: Turn, clause: Clause, heard: Heard) -> bool:
    """Adds what a clause answers to what was asked; False when it answers nothing and is to be taken for a statement."""
    by_words = not any(segment.pointed for segment in segments_of(clause.text))
    if _adds_nothing(turn, clause, heard, by_words):
        return True
    if by_words and not turn.view.options and claims_nothing(clause.text, heard):
        return False
    if _answers_by_value(turn, clause, heard):
        return True
    segments = segments_of(heard.text)
    if turn.answers.last_verdict is not None and _LIKEWISE.search(clause.text):
        segments = tuple(replace(one, verdict=turn.answers.last_verdict) if one.refs else one for one in segments)
    elif not (turn.doubted or _measures(turn, clause, segments)):
        segments = arbitration.judged(segments, heard)
    if by_words and any(speaks_against(clause.text, segment.verdict) for segment in segments):
        return False
    if not segments:
        return True
    if not any(segment.pointed for segment in segments) or _only_that_one(segments):
        return _answers_without_pointing(turn, clause, segments, heard)
    asked, said = turn.asked_list, turn.words(clause)
    for segment in segments:
        if segment.pointed or not segment.content:
            named = heard.text != clause.text
            # "The first one I did not answer": the verdict describes the item, the answer is still to come.
            heard_so = replace(segment, hedged=True) if turn.doubted else segment
            turn.answers.answer(heard_so, said, asked, named)
    _tail(turn, clause, segments)
    return True


def _adds_nothing(turn: Turn, clause: Clause, heard: Heard, by_words: bool) -> bool:
    """Whether a clause explains the question just asked, the answer asked back or the option chosen, or takes back what it points at."""
    held = turn.answers.held
    if by_words and turn.view.options and held and _explains(clause.text, heard):
        turn.answers.finish(whole_message=True)
        return True
    last = turn.last_answered
    chosen = last is not None and last.reference.list is ItemList.OPTIONS and last.verdict is Verdict.CONFIRMED
    return by_words and chosen and bool(_NOT_THAT.match(clause.text))


def _explains(text: str, heard: Heard) -> bool:
    """Whether a clause after a choice only says more of what was chosen."""
    doubtful = heard.likely.of(Act.WEAK) >= arbitration.POSSIBLE * 2
    return not (doubtful or any(token.kind is Kind.REST for token in pointers_of(text)))


def _measures(turn: Turn, clause: Clause, segments: tuple[Segment, ...]) -> bool:
    """Whether the one item that a clause points at is decided by a value: "1 is at 95 %"."""
    numbers = [token.numbers for segment in segments for token in segment.refs if len(token.numbers) == 1]
    if len(segments) != 1 or len(numbers) != 1 or segments[0].verdict is not None:
        return False
    item = turn.asked_list.find(numbers[0][0])
    value = without_items(masked(clause.text))
    return item is not None and verdict_on(value, item) is not None


def _answers_by_value(turn: Turn, clause: Clause, heard: Heard) -> bool:
    """A value of an item that is named decides against its limit: "the hit ratio is at 98.7"."""
    ordinal = heard.names.item.ordinal if heard.names else turn.named or turn.only_asked
    item = turn.asked_list.find(ordinal or 0)
    if item is None or heard.pointed or heard.likely.of(Act.ELSEWHERE) >= arbitration.POSSIBLE or is_past(clause.text):
        return False
    verdict = verdict_on(clause.text, item) if arbitration.is_measured(clause.text, heard) else None
    if verdict is None and turn.answers.held:
        verdict = verdict_by_count(clause.text)
    if verdict is not None:
        if heard.names is None and turn.named == ordinal and turn.last_stated is not None:
            turn.steps.pop()
        segment = Segment(refs=pointers_of(f"#{ordinal}"), verdict=verdict)
        turn.answers.answer(segment, turn.words(clause), turn.asked_list, named=True)
    return verdict is not None


def _only_that_one(segments: tuple[Segment, ...]) -> bool:
    """Whether "that one" goes with words that name it: "the one about writes"."""
    kinds = {token.kind for segment in segments for token in segment.refs}
    return kinds == {Kind.JUST} and any(segment.content for segment in segments)


def _tail(turn: Turn, clause: Clause, segments: tuple[Segment, ...]) -> None:
    """A statement that follows the last verdict within the clause ("1有 CPU也很高") is a fact of its own."""
    found = _TAIL.search(clause.text)
    if found and segments[-1].content and is_technical(found["fact"]) and not is_vague(found["fact"]):
        turn.add(ObservationStep(turn.words(clause, found.span("fact")), observations.certainty_of(found["fact"])))


def _answers_without_pointing(turn: Turn, clause: Clause, segments: tuple[Segment, ...], heard: Heard) -> bool:
    asked = turn.asked_list
    if any(segment.content for segment in segments):
        if turn.elsewhere and not heard.names:
            return True
        answer = bare_answer(clause.text, heard, asked, turn.named)
        if answer is not None and turn.last_answered and not answer.refs:
            return _answers_by_words(turn, clause, segments, asked, heard)
        if answer is not None and (turn.asked_here or _said_already(turn, answer, heard)):
            return True
        if turn.answers.held and arbitration.concludes(clause.text, segments, heard):
            answer = replace(segments[0], content="")
        if answer is not None:
            if heard.names is None and turn.named and answer.refs and turn.last_stated is not None:
                turn.steps.pop()
            turn.answers.answer(answer, turn.words(clause), asked, named=bool(answer.refs))
            return True
        return _answers_by_words(turn, clause, segments, asked, heard)
    grouped = any(segment.refs for segment in segments)
    for segment in segments if is_tag(clause.text) else _of_what_was_stated(turn, segments):
        if segment.verdict is None and not grouped:
            return _weak(turn, clause, segment, asked)
        if (turn.last_answered and not arbitration.restates(segment, heard)) or _is_of_fact(turn, segment, clause.text):
            continue
        if not (segment.only and segment.verdict is None and not segment.refs):
            turn.answers.answer(segment, turn.words(clause), asked)
    return True


def _of_what_was_stated(turn: Turn, segments: tuple[Segment, ...]) -> tuple[Segment, ...]:
    """A bare verdict after a fact that names an item is of that item: "slot active = t, no problem"."""
    if turn.last_stated is None or turn.named is None or turn.answers.held or turn.answered:
        return segments
    refs = pointers_of(f"#{turn.named}")
    turn.steps.pop()
    return tuple(segment if segment.refs or segment.excepted else replace(segment, refs=refs) for segment in segments)


def _is_of_fact(turn: Turn, segment: Segment, text: str) -> bool:
    """Whether a bare no is of the fact just stated or of the question just asked: "it's not the cpu, it's fine"; or a yes its tag."""
    if segment.verdict is Verdict.CONFIRMED and turn.last_stated is not None and is_tag(text):
        return True
    if segment.refs or segment.verdict is not Verdict.DENIED or turn.answers.held or turn.answered:
        return False
    stated = turn.last_stated
    return turn.asked or (stated is not None and has_own_subject(read(stated.text).normal))


def _said_already(turn: Turn, answer: Segment, heard: Heard) -> bool:
    """Whether an answer that points at nothing itself comes after one that it only explains."""
    last = turn.last_answered
    if last is None or not answer.refs or any(token.kind is Kind.REST for token in answer.refs):
        return False
    return heard.names is None or (
        last.verdict is answer.verdict and last.reference.ordinal == heard.names.item.ordinal
    )


def _weak(turn: Turn, clause: Clause, segment: Segment, asked: Asked) -> bool:
    """Only a hedge: a weak yes to what was asked, or more of the clause before."""
    if segment.hedged and turn.answers.held:
        turn.add(ClarifyStep(ClarifyKind.AMBIGUOUS_FEEDBACK, turn.words(clause), turn.answers.held))
        turn.answers.held = ()
        return True
    if segment.hedged and not turn.steps:
        references = tuple(asked.at(ordinal) for ordinal in asked.ordinals)
        kind = ClarifyKind.AMBIGUOUS_FEEDBACK if references else ClarifyKind.VAGUE
        turn.add(ClarifyStep(kind, turn.words(clause), references))
    return True


def _answers_by_words(turn: Turn, clause: Clause, segments: tuple[Segment, ...], asked: Asked, heard: Heard) -> bool:
    """An item named by its words: a choice among options, or something that cannot be checked."""
    item = heard.names.item if heard.names else nearest_item(clause.text, asked)
    verdicts = {segment.verdict for segment in segments if segment.verdict}
    if item is not None and turn.view.options and not verdicts:
        turn.add(FeedbackStep(asked.at(item.ordinal), Verdict.CONFIRMED, turn.words(clause)))
        return True
    if verdicts == {Verdict.UNKNOWN} and not re.search(r"\d", clause.text):
        if item is not None:
            turn.add(FeedbackStep(asked.at(item.ordinal), Verdict.UNKNOWN, turn.words(clause)))
            return True
        return turn.answered
    return False
