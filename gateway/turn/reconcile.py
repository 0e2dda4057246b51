"""Where the plan and the reading of a message disagree about the same words: which of the two holds.

The planner names what a message does, the matcher what it says. A reading that counts shows that its words are a
statement, whatever else the planner took them for. An answer by name is only as good as the reading of the same words.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import replace

from dbdiag.matcher.v1.matcher_types import Reading, Standing
from dbdiag.planner.v1.planner_types import (
    Aftermath,
    ClarifyKind,
    ClarifyStep,
    CorrectionStep,
    FeedbackStep,
    Group,
    ItemList,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    Reference,
    SmalltalkKind,
    SmalltalkStep,
    SuggestionStep,
)
from dbdiag.vocabulary import Verdict

from gateway.session.references import NoSuchItem, resolve
from gateway.turn.amendments import OPPOSITE, corrects
from gateway.turn.answers.by_name import hear_by_name, names_most
from gateway.turn.answers.seeming_answers import only_seems_to_answer
from gateway.turn.context import Turn
from gateway.turn.findings import ToolResult
from gateway.turn.proposed_readings import ANSWERED, MEASURED
from gateway.turn.unread import tells_more
from lang.cues import cue_terms, word_set
from lang.modality import is_guessed, is_said_fine
from lang.pastes.formats.tables.spoken_results import tells_empty_result
from lang.tokens import Kind, read_text


def reconcile(turn: Turn, result: ToolResult) -> ToolResult:
    """Drops from the plan what the readings disprove, and from the readings what the person answered by reference."""
    result = _with_guesses(turn, result)
    readings = [*result.readings, *(reading for words in result.words for reading in words.meaning.readings)]
    told = {reading.phenomenon_id: reading for reading in readings if reading.standing is Standing.COUNTS}
    seen = told.keys() | {each.phenomenon_id for each in readings if each.pasted and each.verdict is not None}
    said = told | {each.phenomenon_id: each for each in readings if each.kind == ANSWERED}
    kept = (step for step in turn.plan.steps if not (_leaves_open(step, seen) or _is_of_another_list(turn, step, said)))
    turn.plan = replace(turn.plan, steps=tuple(kept))
    guessed = {found for step in turn.plan.steps for found in _guessed(turn, step, readings)}
    readings = [reading for reading in readings if reading.phenomenon_id not in guessed]
    steps = [step for step in turn.plan.steps if _holds(turn, step, readings)]
    answered = guessed | {found for step in steps for found in _answered(turn, step)}
    if any(turn.session.active_for(found) is not None for found in result.retracted):
        # The words name what is taken back.
        steps = [step for step in steps if not (isinstance(step, CorrectionStep) and step.retract)]
    turn.plan = replace(turn.plan, steps=tuple(steps))
    words = tuple(
        replace(item, meaning=replace(item.meaning, readings=_without(item.meaning.readings, answered)))
        for item in result.words
    )
    heard = replace(result, words=words, readings=_without(result.readings, answered))
    mended = _mended(turn, heard)
    if not mended:
        return heard
    well = turn.plan.aftermath is not Aftermath.UNCHANGED
    if well:
        turn.session.aftermath = Aftermath.WELL
    steps = [step for step in turn.plan.steps if not _tells_deed(step)]
    if well and not any(_asks_on(step) for step in steps):
        turn.plan = replace(turn.plan, steps=(*steps, _recovery(turn.message)))
    words = tuple(
        replace(item, meaning=replace(item.meaning, readings=_without(item.meaning.readings, mended))) for item in words
    )
    return replace(heard, words=words, readings=_without(heard.readings, mended))


def _with_guesses(turn: Turn, result: ToolResult) -> ToolResult:
    """The reading with what its own message only guesses as proposed: "si and so jump, so yeah swapping i guess"."""
    steps = [step for step in turn.plan.steps if isinstance(step, ClarifyStep) and is_guessed(step.words)]
    asked = {item.ordinal: item.phenomenon_id for item in turn.session.pending}
    places = [each.ordinal for step in steps for each in step.references if each.list is not ItemList.OPTIONS]
    guessed = {asked[place] for place in places if place in asked}

    def weighed(readings: Iterable[Reading]) -> tuple[Reading, ...]:
        return tuple(
            replace(each, standing=Standing.PROPOSED)
            if each.phenomenon_id in guessed and each.standing is Standing.COUNTS and not each.pasted
            else each
            for each in readings
        )

    words = tuple(
        replace(item, meaning=replace(item.meaning, readings=weighed(item.meaning.readings))) for item in result.words
    )
    return replace(result, words=words, readings=weighed(result.readings)) if guessed else result


def _is_of_another_list(turn: Turn, step: PlanStep, told: dict[str, Reading]) -> bool:
    """Whether a number answers one thing while the message says the opposite of it: it is of a list before."""
    if not isinstance(step, FeedbackStep) or step.reference.ordinal is None or step.verdict not in OPPOSITE:
        return False
    said = [told[name] for name in _answered(turn, step) if name in told]
    return any(each.verdict is OPPOSITE[step.verdict] and each.words not in step.words for each in said)


def _leaves_open(step: PlanStep, told: Container[str]) -> bool:
    """Whether a step says of one thing that nobody can tell, beside words or an output that tell of it."""
    return isinstance(step, FeedbackStep) and step.verdict is Verdict.UNKNOWN and step.reference.id in told


def _mended(turn: Turn, result: ToolResult) -> set[str]:
    """The phenomena of a conclusion that are gone by a figure, though nobody told a deed: news, and no correction.

    Only words that something said before was wrong make a correction of it. Once a deed is told, that one sign of the
    trouble is gone does not tell that it is over: the person does.
    """
    if corrects(turn) or turn.session.treatments or not turn.session.concluded():
        return set()
    readings = [*result.readings, *(reading for item in result.words for reading in item.meaning.readings)]
    gone = {item.phenomenon_id for item in readings if _is_gone(item)}
    return {entry.phenomenon_id for entry in turn.session.active() if entry.verdict is Verdict.CONFIRMED} & gone


def _is_gone(reading: Reading) -> bool:
    began = any(cue.payload == "trouble_began" for cue in cue_terms().find(read_text(reading.words)))
    if reading.verdict is not Verdict.DENIED or began:
        return False  # "It did not start after a restart" is of the past, and over is what was there.
    return reading.kind in MEASURED and not reading.pasted


def _asks_on(step: PlanStep) -> bool:
    """Whether a step asks about the trouble or its treatment, or tells of it: then nothing is over by a value alone."""
    return isinstance(step, QuestionStep) and step.topic is not None


def _tells_deed(step: PlanStep) -> bool:
    return isinstance(step, QuestionStep) and step.topic is QuestionTopic.TREATED


def _recovery(words: str) -> QuestionStep:
    return QuestionStep(QuestionKind.HELP, text=words, topic=QuestionTopic.RECOVERED)


def _without(readings: Iterable[Reading], answered: set[str]) -> tuple[Reading, ...]:
    return tuple(reading for reading in readings if reading.phenomenon_id not in answered)


def _answered(turn: Turn, step: PlanStep) -> tuple[str, ...]:
    """The phenomena that a step answers by number, id or a word for the whole list."""
    if not isinstance(step, FeedbackStep) or not _is_plain(step):
        return ()
    try:
        return resolve(turn.session, step.reference, turn.plan, turn.catalog.phenomena)
    except NoSuchItem:
        return ()


def _guessed(turn: Turn, step: PlanStep, readings: list[Reading]) -> Iterable[str]:
    """The phenomena that stay a guess: after a conclusion, a cause that somebody would rather believe, unmeasured."""
    if not isinstance(step, SuggestionStep) or not turn.session.concluded():
        return ()
    return [
        reading.phenomenon_id
        for reading in readings
        if reading.words
        and (reading.words in step.text or step.text in reading.words)
        and reading.kind not in MEASURED
        and not reading.pasted
    ]


def _holds(turn: Turn, step: PlanStep, readings: list[Reading]) -> bool:
    counted = [reading for reading in readings if reading.standing is Standing.COUNTS and not reading.pasted]
    if _is_answered(turn, step, counted):
        return False
    match step:
        case FeedbackStep(reference=Reference(group=Group.ALL), verdict=Verdict.DENIED) if readings or _protests(
            turn, step
        ):
            return False  # "xmin is 8214, so no": the no is about what was said, not about the list.
        case FeedbackStep() if only_seems_to_answer(turn, step, readings):
            return False
        case FeedbackStep(reference=Reference(list=ItemList.OPTIONS), words=words) if tells_empty_result(words):
            return False  # "0 rows" is of a check that was run, and of none of the complaints to choose from.
        case FeedbackStep(verdict=Verdict.DENIED, words=words) if (
            readings and is_said_fine(words) and not any(map(str.isdigit, words))
        ):
            return False  # "Only that table hangs, all else is fine" is of the application.
        case FeedbackStep() if not _is_plain(step):
            asked = turn.session.clarification
            # A reading that waits for a yes is settled by one, not by words that it shares with the message.
            if asked is not None and not asked.proposed and not readings and step.verdict is Verdict.CONFIRMED:
                return bool(asked.contested) or not step.by_name or names_most(turn, step)
            hear_by_name(turn, step, readings)
            return False
        case (
            ClarifyStep(kind=ClarifyKind.VAGUE | ClarifyKind.MISSING_VALUE | None)
            | SmalltalkStep(kind=SmalltalkKind.OUT_OF_SCOPE)
        ):
            return not readings
        case ClarifyStep(kind=ClarifyKind.NO_SUCH_ITEM | ClarifyKind.AMBIGUOUS_FEEDBACK, words=words):
            heard = any(reading.words and (reading.words in words or words in reading.words) for reading in readings)
            return not heard and not tells_more(words)
        case QuestionStep(topic=QuestionTopic.RECOVERED, text=text):
            # Before anything was done, what is fine is an answer: "the CPU is back to normal".
            begun = turn.session.treatments or turn.session.concluded()
            return bool(begun) or not any(_denies_in(reading, text) for reading in counted)
        case (
            QuestionStep(kind=QuestionKind.WHAT_IF, text=text)
            | QuestionStep(topic=QuestionTopic.UNTREATED, text=text)
            | SuggestionStep(text=text)
        ):
            return not any(reading.words and reading.words in text for reading in counted)
    return True


def _is_answered(turn: Turn, step: PlanStep, counted: Iterable[Reading]) -> bool:
    """Whether the words of a guess at what a message does answer, as they were read, another of the checks asked about.

    "Last one was 5 days ago" is no answer to the last of a list, "went down after we bounced it" no recovery.
    """
    match step:
        case FeedbackStep(words=words, verdict=verdict) if not any(map(str.isdigit, words)):
            same = {(found, verdict) for found in _answered(turn, step)}
            counted = [each for each in counted if (each.phenomenon_id, each.verdict) not in same]
        case QuestionStep(topic=QuestionTopic.RECOVERED | QuestionTopic.TREATED | QuestionTopic.UNTREATED, text=words):
            pass
        case _:
            return False
    return any(each.kind == ANSWERED and words in each.words and tells_more(each.words) for each in counted)


def _protests(turn: Turn, step: FeedbackStep) -> bool:
    """True if a no is cried at what was recorded, with what is wrong after it, while several things are asked."""
    _, said, rest = turn.message.partition(step.words)
    cried = bool(said) and rest.lstrip()[:1] in ("!", "！", "?", "？")
    return cried and len(turn.session.pending) > 1 and any(map(str.isalpha, rest))


def _denies_in(reading: Reading, text: str) -> bool:
    return reading.verdict is Verdict.DENIED and bool(reading.words) and reading.words in text


def _is_plain(step: FeedbackStep) -> bool:
    """True if an answer tells which item it is for, or is a yes or no by itself; else its words say what they say."""
    if step.by_name:
        return False
    tokens = read_text(step.words).tokens
    words = [token.text for token in tokens]
    if any(token.kind is Kind.NUMBER for token in tokens) or word_set("places") & set(words) or step.reference.id:
        return True
    opens = any("".join(words[:length]) in word_set("verdicts") for length in (1, 2))
    paused = any(token.kind in (Kind.COMMA, Kind.STOP) for token in tokens[1:3])
    return (opens and paused) or not tells_more(step.words)
