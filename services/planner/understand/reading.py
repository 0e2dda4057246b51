"""One clause at a time: a question, a suspicion, an answer, or a statement."""

from __future__ import annotations

import re
from dataclasses import replace

from services.planner import safety
from services.planner.model import (
    ClarifyKind,
    ClarifyStep,
    FeedbackStep,
    ObservationStep,
    QuestionKind,
    QuestionStep,
    SmalltalkKind,
    SmalltalkStep,
    SuggestionStep,
    Verdict,
)
from services.planner.understand import judging, observations, questions, smalltalk, suppositions
from services.planner.understand.acts import Act
from services.planner.understand.answers import Segment, is_bare, pointers_of, segments_of
from services.planner.understand.bare_answers import bare_answer
from services.planner.understand.claims import claims_nothing, speaks_against
from services.planner.understand.clauses import Clause
from services.planner.understand.contrast import is_past, takes_elsewhere
from services.planner.understand.domain import DIAGNOSIS, is_foreign, is_technical, is_vague
from services.planner.understand.hearing import Heard, hear, masked, without_items
from services.planner.understand.hindsight import could_not_look, denies_twice, was_only_puzzled
from services.planner.understand.leading import chooses, introduces
from services.planner.understand.lists import only_described, turned_to_list
from services.planner.understand.measures import verdict_on
from services.planner.understand.references import Asked, nearest_item
from services.planner.understand.stating import states
from services.planner.understand.subjects import has_own_subject
from services.planner.understand.suspicions import is_guess, is_tag, names_items, says_so, suspicion_of
from services.planner.understand.text import read
from services.planner.understand.thresholds import verdict_by_count
from services.planner.understand.tokens import Kind
from services.planner.understand.turn import Turn

REPAIR = re.compile(
    r"^(?:哦|啊|呃|额|噢|等等|等下|等一下|不|不是|不对|错了|说错了|看错了|搞错了|手滑|抱歉|更正|纠正|wait|no|oops|sorry|hold on|hmm+|"
    r"actually|i mean|scratch that|correction|my bad|let me correct(?: that)?|[\s,!.-])+$"
)
_MISREAD = re.compile(r"(?:看|说|搞|弄|点|记)(?:错|反)了?|mis(?:read|typed|spoke)|(?:was|got (?:it|that)) wrong")
# What goes on with an order: "..., and record 2 as a yes too".
_ORDERED = re.compile(
    r"^[再并也都请且还]*[把将]|(?:记|算|标|填|写|当|改)(?:成|作|为)|^(?:and |then |also |just )*(?:mark|set|record|count|treat|put|make|take|log|note)(?![a-z])"
)
_TAIL = re.compile(r"(?:有|没有|没|yes|no)\s+(?P<fact>[^\d\s,][^,]{2,})$")
_OWN_WHY = re.compile(r"^why|为什么|为何|为啥|怎么(?:这么|那么|突然|会|变)|怎么回事|咋")


def read_clause(turn: Turn, clause: Clause) -> None:
    """Adds the steps of one clause."""
    clause = turned_to_list(turn, clause)
    heard = hear(clause.text, turn.asked_list)
    if introduces(turn, clause, heard):
        return
    if chooses(turn, clause, heard):
        turn.answers.answer(
            Segment(refs=pointers_of(f"#{turn.named}"), verdict=Verdict.CONFIRMED), turn.words(clause), turn.asked_list
        )
        return
    if takes_elsewhere(turn, clause, heard) or could_not_look(turn, clause.text, heard):
        return
    if smalltalk.commands_assistant(clause.text) or judging.orders(heard):
        turn.ordered = turn.ordered_here = True
        turn.add(SmalltalkStep(SmalltalkKind.OUT_OF_SCOPE))
        return
    if judging.starts_anew(clause.text, heard):
        turn.begin_anew()
        return
    turn.elsewhere = turn.elsewhere and not judging.is_here(clause.text)
    if turn.ordered_here and (not heard.pointed or _ORDERED.search(clause.text)):
        return
    if (turn.sentence_answered or turn.asked_back) and judging.doubts(clause.text, heard):
        turn.answers.doubt()
        return
    if turn.answered and (REPAIR.match(clause.text) or judging.repairs(clause.text, heard)):
        return
    if not (
        _asks(turn, clause, heard)
        or _suspects(turn, clause, heard)
        or judging.carries_nothing(clause.text, heard, turn.sentence_answered)
        or (not denies_twice(clause.text, heard) and _answers(turn, clause, heard))
    ):
        states(turn, clause, heard)
    turn.elsewhere = turn.elsewhere or judging.is_elsewhere(heard)
    turn.named = heard.names.item.ordinal if heard.names else turn.named


def _asks(turn: Turn, clause: Clause, heard: Heard) -> bool:
    text, said = clause.text, turn.words(clause)
    if safety.asks_permission(text):
        turn.add(QuestionStep(QuestionKind.HELP, None, said))
        return True
    if is_guess(clause, heard, None) and questions.kind_of(text, turn.view) is QuestionKind.UNSPECIFIED:
        return False
    if turn.view.options and heard.names and not (clause.asks or questions.has_wh(text)):
        return False
    if judging.is_no_question(text, clause.asks, heard, turn.asked) or (
        observations.is_plea(text) and not turn.view.evidence
    ):
        return False
    ruled = questions.asks(text, clause.asks)
    if ruled and not questions.has_wh(text) and (suspicion_of(text) or (is_bare(text) and not clause.asks)):
        return False
    if suppositions.asks_of_same(turn.steps[-1:], text):
        return True
    if turn.asked_here and judging.asks_nothing_new(text, clause.asks, turn.view):
        return True
    kind = judging.kind_of(text, heard, turn.view)
    if heard.likely.of(Act.SMALLTALK) >= judging.SURE or (
        is_foreign(text) and not questions.of_diagnosis(kind, text) and not judging.asks(heard)
    ):
        turn.add(SmalltalkStep(SmalltalkKind.OUT_OF_SCOPE), said)
        return True
    if kind is QuestionKind.WHAT_IF:
        turn.add(suppositions.question_of(clause, turn.message, turn.view))
        return True
    if kind is not QuestionKind.UNSPECIFIED:
        if kind in (QuestionKind.REASONING, QuestionKind.RELATIONS):
            was_only_puzzled(turn)
        turn.add(questions.question(kind, text, said, turn.view))
        return True
    if _OWN_WHY.search(text) or is_vague(re.sub("[吗么呢]", "", text)):
        return False
    guess = QuestionKind.RELATIONS if is_technical(text) else QuestionKind.HELP
    if is_technical(text) or DIAGNOSIS.search(text):
        turn.add(questions.question(guess, text, said, turn.view), said)
    else:
        turn.add(SmalltalkStep(SmalltalkKind.OUT_OF_SCOPE), said)
    return True


def _suspects(turn: Turn, clause: Clause, heard: Heard) -> bool:
    outright = says_so(clause.text)
    if not outright and any(names_items(one) and _is_answer(one) for one in segments_of(clause.text)):
        return False
    if questions.has_wh(clause.text) and heard.likely.of(Act.SUSPICION) < judging.SURE:
        return False
    found = suspicion_of(clause.text)
    unlikely = not outright and judging.is_no_suspicion(clause.text, found is not None, heard)
    if unlikely and not is_guess(clause, heard, found):
        return False
    turn.add(SuggestionStep(turn.words(clause, found or observations.fact_span(clause.text))))
    return True


def _is_answer(segment: Segment) -> bool:
    return segment.verdict is not None or segment.hedged or not segment.content


def _answers(turn: Turn, clause: Clause, heard: Heard) -> bool:
    by_words = not any(segment.pointed for segment in segments_of(clause.text))
    if by_words and not turn.view.options and claims_nothing(clause.text, heard):
        return False
    if _answers_by_value(turn, clause, heard):
        return True
    segments = segments_of(heard.text)
    if not (turn.doubted or _measures(turn, clause, segments)):
        segments = judging.judged(segments, heard)
    if by_words and any(speaks_against(clause.text, segment.verdict) for segment in segments):
        return False
    if not segments:
        return True
    if not any(segment.pointed for segment in segments) or _only_that_one(segments):
        return _answers_without_pointing(turn, clause, segments, heard)
    asked, said = turn.asked_list, turn.words(clause)
    unanswered = only_described(clause.text)
    described = unanswered or bool(_MISREAD.search(clause.text))
    for segment in segments:
        if segment.pointed or not segment.content:
            named = heard.text != clause.text
            # "The first one I did not answer": the verdict describes the item, the answer is still to come.
            heard_so = replace(segment, hedged=True) if turn.doubted else segment
            turn.answers.answer(Segment(refs=segment.refs) if described else heard_so, said, asked, named)
    _tail(turn, clause, segments)
    return True


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
    if item is None or heard.pointed or heard.likely.of(Act.ELSEWHERE) >= judging.POSSIBLE or is_past(clause.text):
        return False
    verdict = verdict_on(clause.text, item) if judging.is_measured(clause.text, heard) else None
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
        if answer is not None and speaks_against(clause.text, answer.verdict):
            return False
        if answer is not None and turn.last_answered and not answer.refs:
            return _answers_by_words(turn, clause, segments, asked, heard)
        if answer is not None and (turn.asked_here or _said_already(turn, answer, heard)):
            return True
        if turn.answers.held and judging.concludes(clause.text, segments, heard):
            answer = replace(segments[0], content="")
        if answer is not None:
            turn.answers.answer(answer, turn.words(clause), asked, named=bool(answer.refs))
            return True
        return _answers_by_words(turn, clause, segments, asked, heard)
    grouped = any(segment.refs for segment in segments)
    for segment in segments:
        if segment.verdict is None and not grouped:
            return _weak(turn, clause, segment, asked)
        if (turn.last_answered and not judging.restates(segment, heard)) or _is_of_fact(turn, segment, clause.text):
            continue
        if not (segment.only and segment.verdict is None and not segment.refs):
            turn.answers.answer(segment, turn.words(clause), asked)
    return True


def _is_of_fact(turn: Turn, segment: Segment, text: str) -> bool:
    """Whether a bare no is of the fact just stated or of the question just asked: "it's not the cpu, it's fine"; or a yes its tag."""
    if segment.verdict is Verdict.CONFIRMED and turn.last_stated is not None and is_tag(text):
        return True
    if segment.refs or segment.verdict is not Verdict.DENIED or turn.answers.held or turn.answered:
        return False
    stated = turn.last_stated
    return turn.asks_itself or (stated is not None and has_own_subject(read(stated.text).normal))


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
