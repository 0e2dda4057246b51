"""The turn plan of a message by rules: each sentence is read, its clauses become steps, the steps are put in order."""

from __future__ import annotations

from dataclasses import replace

from lang import deferred_re as re
from services.planner.model import (
    ClarifyKind,
    ClarifyStep,
    CorrectionStep,
    FeedbackStep,
    ObservationStep,
    PlanSource,
    PlanStep,
    ResetStep,
    SessionView,
    SmalltalkKind,
    SmalltalkStep,
    TurnPlan,
)
from services.planner.understand.answers.feedback import Answers
from services.planner.understand.answers.grounds import grounded
from services.planner.understand.answers.lead_ins import doubts_ahead
from services.planner.understand.answers.lists import names_a_list, turned_to_list
from services.planner.understand.answers.turn import Turn
from services.planner.understand.classifier.typos import mended
from services.planner.understand.corrections.corrections import correction_of
from services.planner.understand.corrections.mistakes import joined, mistake_of
from services.planner.understand.corrections.pointing_back import revision_of
from services.planner.understand.corrections.revisions import revisions_of
from services.planner.understand.items.answer_sheet import one_by_one
from services.planner.understand.items.last_word import last_word
from services.planner.understand.items.marks import in_order, marks_of
from services.planner.understand.items.references import open_list
from services.planner.understand.judging import arbitration
from services.planner.understand.judging.subjects import opens_contrast
from services.planner.understand.judging.suspicions import is_tag, suspicion_of
from services.planner.understand.questions import questions, suppositions
from services.planner.understand.questions.suppositions import answers_ahead, supposition_of
from services.planner.understand.reading import read_clause
from services.planner.understand.statements.opinions import guessed
from services.planner.understand.statements.topics import announces, tells_when, with_answers, without_topic_marks
from services.planner.understand.text import smalltalk
from services.planner.understand.text.clauses import Sentence, sentences_of
from services.planner.understand.text.messages import Message, language_of, read
from services.planner.understand.text.segments import is_bare

# "What I said" names something said, it asks for nothing.
_SAID = re.compile(r"(?<![\w'])what (?:i|we)(?:'ve)? (?:\w+ )?(?:said|told|reported|gave|wrote|mentioned|confirmed)")
# "用 iostat 看利用率对吧" asks.
_ENDS_ASKING = re.compile(r".{4,}(?:对吧|是吧|对不|对吗|是吗|没错吧)(?:啊|呢)?$")
# "..., would ya": it asks nicely, and nothing else.
_PLEASE = re.compile(
    r"(?:(?:would|will|could|can) (?:ya|you|u)|pretty|if you (?:would|could|don't mind))?(?: ?(?:please|pls|plz))?|(?:好|行|可以|成|中)(?:吗|么|不|吧|不[好行成中])|麻烦了|拜托了?"
)
# What only leads on to the next clause: "还有, ..."; alone it would be a yes.
_CONNECTS = re.compile(
    r"(?:对了|另外|顺便|再|还)?(?:还有|另外|对了|顺便)(?:就是|一[点个条])?|(?:and |oh |also )*(?:also|plus|one more(?: thing)?|by the way|btw)"
)
_QUOTED_LENGTH = 200
# What the matcher reads of one observation.
_OBSERVED_LENGTH = 2_000


def understand(original: str, view: SessionView) -> TurnPlan:
    """The plan of a message; it has at least one step."""
    return read_message(original, view)[0]


def read_message(original: str, view: SessionView) -> tuple[TurnPlan, tuple[str, ...]]:
    """The plan of a message, and the person's words of the clauses that the rules only guess at."""
    from services.planner.reader.read import read_message as by_reader
    return by_reader(original, view)


def _old(original: str, view: SessionView) -> tuple[TurnPlan, tuple[str, ...]]:
    language = language_of(original, view.language)
    direct = smalltalk.command(original, bool(view.evidence))
    if direct is not None:
        return TurnPlan((direct,), view.language or language, PlanSource.RULES), ()
    message = mended(_without_posing(read(original)))
    marks = marks_of(message, open_list(view))
    if marks is not None:
        return TurnPlan(marks, language, PlanSource.RULES), ()
    turn = Turn(message, view, Answers(view))
    sentences = sentences_of(message)
    for sentence in joined(with_answers(sentences)):
        turn.open_sentence()
        _read_sentence(turn, sentence)
    only = sentences[0] if len(sentences) == 1 and not sentences[0].clauses[0].pasted else None
    pointed_only = only is not None and all(is_bare(clause.text) for clause in only.clauses)
    turn.answers.finish(pointed_only)
    said = grounded(last_word(_without_fillers(turn), view), sentences, turn)
    steps = _tidied(said) or (_nothing_said(message, original),)
    return TurnPlan(steps, language, PlanSource.RULES), tuple(turn.unsure)


def _without_fillers(turn: Turn) -> list[PlanStep]:
    """The steps without statements about nothing of the field beside any that says something."""
    says = any(step not in turn.fillers and not isinstance(step, ClarifyStep) for step in turn.steps)
    dropped = turn.fillers if says or turn.ordered else ()
    return [step for step in turn.steps if step not in dropped]


def _nothing_said(message: Message, original: str) -> PlanStep:
    if message.normal.strip() != read(original).normal.strip():
        return SmalltalkStep(SmalltalkKind.ORDERS)
    return ClarifyStep(ClarifyKind.VAGUE, original.strip()[:_QUOTED_LENGTH])


def _without_posing(message: Message) -> Message:
    """The message without text that poses as the system or the assistant: blanks stand in its place."""
    text = message.normal
    for start, end in smalltalk.posed(text):
        text = text[:start] + "." + " " * (end - start - 1) + text[end:]
    return Message(message.original, text, message.origins)


def _read_sentence(turn: Turn, sentence: Sentence) -> None:
    """One sentence: pasted output, a new start, talk, a supposition, a correction, else clause by clause."""
    sentence = without_topic_marks(sentence)
    if sentence.clauses[0].pasted:
        turn.add(ObservationStep(turn.words(sentence.clauses[0])[:_OBSERVED_LENGTH]))
        return
    texts, words = [clause.text for clause in sentence.clauses], turn.message.words(*_span(sentence))
    ordered = () if turn.steps else in_order(texts, words, open_list(turn.view))
    turn.steps.extend(ordered)
    if ordered:
        return
    ahead = answers_ahead(sentence)
    if ahead:
        _read_clauses(turn, Sentence(sentence.clauses[:ahead]))
        sentence = Sentence(sentence.clauses[ahead:])
    revised = revisions_of(sentence, turn.view) if _may_correct(turn, sentence) else ()
    for step in revised:
        turn.add(step)
    if revised:
        return
    whole = _whole_sentence(turn, sentence)
    if isinstance(whole, ResetStep):
        turn.begin_anew()
    elif whole is not None:
        turn.add(whole)
    if whole is not None:
        return
    _read_clauses(turn, one_by_one(_untagged(sentence)))


def _read_clauses(turn: Turn, sentence: Sentence) -> None:
    """The clauses of a sentence, one by one; those that only lead in to another are kept for it."""
    guesses = guessed(turn, sentence.clauses)
    for index, clause in enumerate(sentence.clauses):
        if index in guesses or _acknowledges(turn, sentence, index):
            continue
        if index < len(sentence.clauses) - 1 and _CONNECTS.fullmatch(clause.text):
            continue
        if index < len(sentence.clauses) - 1 and announces(turn.message.normal, clause, turn.asked_list):
            turned_to_list(turn, clause)
            continue
        if index < len(sentence.clauses) - 1 and tells_when(clause):
            turn.lead = turn.lead or clause
            continue
        if index < len(sentence.clauses) - 1 and questions.leads_in(clause.text, sentence):
            continue
        if index < len(sentence.clauses) - 1 and doubts_ahead(turn, clause):
            continue
        if opens_contrast(sentence.clauses, index, turn.asked_list):
            continue
        read_clause(turn, clause)


def _acknowledges(turn: Turn, sentence: Sentence, index: int) -> bool:
    """Whether a clause only says that something was heard, and answers nothing: "OK 的" before or after what does."""
    polite = smalltalk.talk(sentence.clauses[index].text) in (SmalltalkKind.THANKS, SmalltalkKind.FAREWELL)
    if len(sentence.clauses) < 2 or not polite or not turn.asked_list.items or turn.answers.held:
        return False
    return index == 0 or turn.answered


def _untagged(sentence: Sentence) -> Sentence:
    """The sentence without a tag that only asks whether what it says is so; its last clause asks then."""
    *before, last = sentence.clauses
    if before and _PLEASE.fullmatch(last.text):
        return Sentence(tuple(before))
    if _ENDS_ASKING.search(last.text):
        return Sentence((*before, replace(last, asks=True)))
    if not before or not last.asks or not is_tag(last.text):
        return sentence
    return Sentence((*before[:-1], replace(before[-1], asks=True)))


def _span(sentence: Sentence) -> tuple[int, int]:
    return sentence.clauses[0].start, sentence.clauses[-1].end


def _whole_sentence(turn: Turn, sentence: Sentence) -> PlanStep | None:
    """The one step that a sentence is as a whole; None when its clauses are to be read."""
    if any(smalltalk.commands_assistant(clause.text) for clause in sentence.clauses):
        return None
    if smalltalk.resets(sentence.text) and len(sentence.clauses) == 1:
        return ResetStep()
    talk = smalltalk.talk(sentence.text)
    if talk is not None:
        return SmalltalkStep(talk)
    supposed = supposition_of(sentence, turn.message, turn.view)
    if supposed is not None:
        return supposed
    if arbitration.supposes(sentence.text):
        return suppositions.sentence_question(sentence, turn.message, turn.view)
    return _correction(turn, sentence)


def _may_correct(turn: Turn, sentence: Sentence) -> bool:
    """Whether nothing in a sentence speaks against its correcting something said before this message."""
    clauses = sentence.clauses
    if clauses[-1].asks or any(questions.has_wh(_SAID.sub("", clause.text)) for clause in clauses):
        return False
    if any(arbitration.takes_no_correction(clause.text) for clause in clauses):
        return False
    if turn.asked or any(questions.asks(_SAID.sub("", clause.text), clause.asks) for clause in clauses[:-1]):
        return False
    return bool(turn.view.evidence) or not any(suspicion_of(clause.text) for clause in clauses)


def _correction(turn: Turn, sentence: Sentence) -> CorrectionStep | None:
    if not _may_correct(turn, sentence) or names_a_list(sentence.text):
        return None
    revised = revision_of(sentence, turn.view)
    if revised is not None:
        return revised
    return correction_of(turn.message, _span(sentence), turn.view) or mistake_of(sentence, turn.message, turn.view)


def _tidied(steps: tuple[PlanStep, ...]) -> tuple[PlanStep, ...]:
    """The steps without talk and vagueness beside something that says more, at most one clarification."""
    answered = any(isinstance(step, FeedbackStep) for step in steps)
    says_more = any(not isinstance(step, SmalltalkStep | ClarifyStep) for step in steps)
    kept: list[PlanStep] = []
    for step in dict.fromkeys(steps):
        dropped = (
            (isinstance(step, ClarifyStep) and _is_settled(step, kept, answered, says_more))
            or (isinstance(step, SmalltalkStep) and (says_more or _has(kept, SmalltalkStep) or _is_beside(step, steps)))
            or (isinstance(step, CorrectionStep) and bool(step.retract) and _has(kept, CorrectionStep))
        )
        if not dropped:
            kept.append(step)
    return tuple(kept)


def _is_beside(step: SmalltalkStep, steps: tuple[PlanStep, ...]) -> bool:
    """Whether talk about nothing stands beside a complaint that is asked back."""
    beside = (SmalltalkKind.OUT_OF_SCOPE, SmalltalkKind.ORDERS)
    return step.kind in beside and any(isinstance(other, ClarifyStep) for other in steps)


def _has(steps: list[PlanStep], kind: type[PlanStep]) -> bool:
    return any(isinstance(step, kind) for step in steps)


def _is_settled(step: ClarifyStep, kept: list[PlanStep], answered: bool, says_more: bool) -> bool:
    """Whether there is no need to ask back: another step says what was unclear, or something is asked already."""
    if step.kind is ClarifyKind.VAGUE:
        return says_more or _has(kept, ClarifyStep)
    bare = step.kind is ClarifyKind.AMBIGUOUS_FEEDBACK and len(step.references) > 1
    return bare and answered
