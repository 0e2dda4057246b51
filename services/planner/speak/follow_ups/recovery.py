"""It is over, or gets better: after what, what it was in a sentence, how to keep it from coming back, how to close."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from services.planner.model import (
    Aftermath,
    Answer,
    ConclusionView,
    HelpAnswer,
    HistoryAnswer,
    ProgressAnswer,
    QuestionTopic,
    ReasoningAnswer,
    TurnResults,
)
from services.planner.questions_asked.interrogatives import is_question
from services.planner.speak.case.aftercare import of_size, treated_by
from services.planner.speak.case.remedy_steps import Numbered, done_in_words, speaks_for, steps_left
from services.planner.speak.steps.render import render_step
from services.planner.speak.voice import Voice, sentences_in
from services.planner.treatment.sentences import sentences_of
from services.planner.understand.questions.looking_back import asks_standing

_PREVENTING = 2
# A cause that leads by less is not named at the end, and one that leads by more is called likely.
_NAMED, _LIKELY = 0.2, 0.8
# What may be asked beside it: the cause, its share and what to do next are told anyway.
_BESIDE = (
    QuestionTopic.RECOVERED,
    QuestionTopic.TREATED,
    QuestionTopic.PREVENTION,
    QuestionTopic.EFFECT,
    QuestionTopic.COMMON,
    QuestionTopic.OF_CAUSE,
    QuestionTopic.RELATED,
    QuestionTopic.MEANING,
    QuestionTopic.SUMMARY,
    QuestionTopic.SHARING,
    QuestionTopic.CLOSING,
    QuestionTopic.RESUMING,
    QuestionTopic.IDENTIFICATION,
    QuestionTopic.RIGHTS,
)


def is_over(results: TurnResults) -> bool:
    """Whether the message of this turn tells that the trouble is over."""
    return results.aftermath is Aftermath.WELL and any(map(_tells_recovery, results.answers))


def at_the_end(results: TurnResults) -> list[Answer]:
    """The answers of a turn in which it is over: that first, and none that ranks causes or gives leave unasked.

    Why a check is asked for is told without what speaks for its cause.
    """
    helped: list[Answer] = [each for each in results.answers if isinstance(each, HelpAnswer) and _is_beside(each)]
    asking = (each for each in results.answers if isinstance(each, ReasoningAnswer) and each.question is not None)
    helped += [replace(each, lines=()) for each in asking]
    recaps: list[Answer] = [each for each in results.answers if _is_recap(each)]
    if recaps or any(isinstance(each, HelpAnswer) and each.topic is QuestionTopic.SUMMARY for each in helped):
        helped = [each for each in helped if not _tells_recovery(each)]  # The text tells that it is over.
    return [*recaps, *sorted(helped, key=lambda each: not _tells_recovery(each))]


def _is_recap(answer: Answer) -> bool:
    """Whether where things stand, or what was told, is asked: that tells that it is over as well."""
    if isinstance(answer, HistoryAnswer):
        return not answer.heard
    return isinstance(answer, ProgressAnswer) and any(map(asks_standing, sentences_of(answer.text)))


def _is_beside(answer: HelpAnswer) -> bool:
    return answer.topic in _BESIDE or (answer.topic is QuestionTopic.RISK and is_question(answer.text))


def _tells_recovery(answer: Answer) -> bool:
    return isinstance(answer, HelpAnswer) and answer.topic is QuestionTopic.RECOVERED


def tell_recovery(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """That it is over and after what, the cause with its mechanism, what prevents a repeat, and how to close."""
    found = answer.conclusion or treated_by(answer, results, voice)
    if results.aftermath is Aftermath.BETTER:
        return _tell_better(found, results, voice)
    asked = {each.topic for each in results.answers if isinstance(each, HelpAnswer)}
    left = steps_left(found, results, voice) if found is not None else []
    preventing = [each for each in left if each.step.prevents] if QuestionTopic.PREVENTION not in asked else []
    news = _news(found, results, voice)
    if results.treatments and voice.was_told(news):
        return news if len(at_the_end(results)) == 1 else ""
    told = voice.stop.join([news, *_cause(found, answer, results, voice)])
    source = [each for each in left if not each.step.prevents] if results.treatments else []
    lines = [voice.say("remaining_source"), *(render_step(*each, voice) for each in source)] if source else []
    lines += _against_a_repeat(preventing, voice)
    lines += [voice.say("recovered_close")] if QuestionTopic.CLOSING not in asked else []
    return "\n".join([*of_size(answer, results, voice), told, *lines])


def _tell_better(found: ConclusionView | None, results: TurnResults, voice: Voice) -> str:
    """That it gets better, and by what one sees that it is over."""
    done = done_in_words(results, voice) if results.treatments else ""
    news = voice.say("better_after", done=done) if done else voice.say("better_plain")
    verify = found.verify.say(voice.language) if found is not None else ""
    telling = [voice.say("treated_check", text=verify)] if verify and not voice.was_told(verify) else []
    return "\n".join([news, *telling])


def _news(found: ConclusionView | None, results: TurnResults, voice: Voice) -> str:
    """That it recovered, after what was done, and whether that was the cure."""
    done = done_in_words(results, voice) if results.treatments else ""
    if not done:
        return voice.say("recovered_plain")
    cured = found is not None and speaks_for(found, results, voice)
    return voice.say("recovered_by" if cured else "recovered_after", done=done)


def _cause(found: ConclusionView | None, answer: HelpAnswer, results: TurnResults, voice: Voice) -> list[str]:
    """What it was, with how it works where that was not told; before a conclusion what comes closest."""
    if answer.conclusion is not None:
        works = sentences_in(answer.conclusion.mechanism.say(voice.language))[:1]
        cause = voice.say("recovered_cause", name=voice.name(answer.conclusion.name, answer.conclusion.root_cause_id))
        return [cause, *(each for each in works if not voice.was_told(each))]
    leading = results.diagnosis.hypotheses[:1] if results.diagnosis is not None else ()
    named = found or next(iter(leading), None)
    if named is None or named.confidence < _NAMED:
        return []
    name, percent = voice.name(named.name, named.root_cause_id), voice.percent(named.confidence)
    likely = found is not None or named.confidence >= _LIKELY
    return [voice.say("recovered_likely" if likely else "recovered_open", name=name, percent=percent)]


def _against_a_repeat(steps: Sequence[Numbered], voice: Voice) -> list[str]:
    actions = [f"- {voice.name(each.step.action, each.step.how)}" for each in steps[:_PREVENTING]]
    return [voice.say("recovered_prevent"), *actions] if actions else []
