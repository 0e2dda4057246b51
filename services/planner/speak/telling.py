"""The answers of a turn, one for each question and nothing twice."""

from __future__ import annotations

from typing import NamedTuple

from services.planner.model import (
    Answer,
    HelpAnswer,
    QuestionTopic,
    ReasoningAnswer,
    TurnResults,
)
from services.planner.sizing.pool_sums import POOLS
from services.planner.sizing.share_done import PROGRESS
from services.planner.speak import answers, checks
from services.planner.speak.answering.worth_telling import (
    is_general,
    is_of_cause,
    is_report,
    is_verdict,
    tells_how,
    worth_telling,
)
from services.planner.speak.case.remedy_steps import next_action
from services.planner.speak.case.short_answers import unknown_word
from services.planner.speak.follow_ups.recovery import is_over
from services.planner.speak.steps.each_once import each_once
from services.planner.speak.voice import Voice, brief, polish
from services.planner.speak.ways.telling import tells_way
from services.planner.understand.answers.facts_asked import FACTS
from services.planner.understand.answers.settings_shown import SETTINGS
from services.planner.understand.questions.of_the_cause import asks_mechanism
from services.planner.understand.questions.states_asked import STATE

# A paragraph of fewer characters may be said twice in a row.
_WORTH_SPARING = 40
# A list that may have grown, what is to be sent on, and what is asked of an action are told whole each time.
_TOLD_AGAIN = (
    QuestionTopic.RULED_OUT,
    QuestionTopic.SUMMARY,
    QuestionTopic.RISK,
    QuestionTopic.RIGHTS,
)
# How many sentences of an answer come again.
_IN_SHORT = 2


class Told(NamedTuple):
    """The answers of a reply as they are said, what they are answers to, and those that were given before."""

    said: list[str]
    answers: list[Answer]
    before: list[Answer]


def tell_answers(results: TurnResults, voice: Voice, rows_told: bool = False) -> Told:
    """The answers, each without paragraphs of the last answer; of one that has nothing else, that it has not.

    rows_told: something was told of pasted rows, beside which a word that nobody explains is not worth a line.
    """
    said: list[str] = []
    given: list[Answer] = []
    before: list[Answer] = []
    worth = worth_telling(results)
    beside = any(not is_report(answer) for answer in worth) and not is_over(results)
    for answer in worth:
        text = answers.render_answer(answer, results, voice)
        text = in_short(text, voice) if beside and is_report(answer) else text
        parts = [part for part in text.split("\n\n") if part.strip()]
        alone = len(results.answers) == 1
        again = isinstance(answer, HelpAnswer) and (
            answer.topic in _TOLD_AGAIN
            or (answer.topic is None and answer.items)
            or answer.action in (SETTINGS, POOLS, PROGRESS, FACTS)
            or tells_way(answer)
            or STATE in answer.text
            or asks_mechanism(answer.text)
            or is_verdict(answer)
            or (alone and tells_how(answer))
        )
        new = [part for part in parts if again or not _was_told(part, answer, voice)]
        if new:
            said.append("\n\n".join(new))
            given.append(answer)
        elif parts and _is_prepared(answer):
            before.append(answer)
        elif parts and results.clarification is None and (alone or not (tells_how(answer) or is_of_cause(answer))):
            said.append(_told_again(answer, parts, results, voice))
            given.append(answer)
    nowhere = (voice.say("object_nobody"), voice.say("object_unknown"), voice.say("nothing_yet"))
    said = [each for each in said if not each.startswith(nowhere)] or said
    unknown = {unknown_word(each.text, voice) for each in results.answers if isinstance(each, HelpAnswer)}
    known = [each for each in said if each not in unknown]
    alone = not (known or rows_told or results.noted or results.corrections or results.clarification is not None)
    told = list(dict.fromkeys(said if alone else known))
    return Told(each_once(told, results, voice) if told else [], given, before)


def in_short(text: str, voice: Voice, most: int = _IN_SHORT) -> str:
    """The first sentences of an answer, without lists and statements of their own."""
    lines = [line for line in text.split("\n") if line.strip() and not line.startswith("```")]
    first = next((line for line in lines if not line.rstrip().endswith((":", "："))), next(iter(lines), ""))
    return voice.some_sentences(first, end=most)


def _was_told(part: str, answer: Answer, voice: Voice) -> bool:
    """Whether the last answer had this paragraph, one of the last a prepared one; a short one may come again."""
    told = voice.was_told(part) if _is_prepared(answer) else polish(part, voice.language) in voice.previous
    return len(part) >= _WORTH_SPARING and told


def _is_prepared(answer: Answer) -> bool:
    """Whether an answer is the same for everybody who asks."""
    return is_of_cause(answer) or (is_general(answer) and isinstance(answer, HelpAnswer) and not tells_way(answer))


def _told_again(answer: Answer, parts: list[str], results: TurnResults, voice: Voice) -> str:
    """In place of an answer that was just given: that there is no more to say on what is asked, and what is next."""
    found = results.diagnosis
    if found is not None and found.conclusion is None and found.recommendations:
        following = checks.in_a_line(found.recommendations[0], found, voice)
    else:
        concluded = next((each.conclusion for each in results.answers if isinstance(each, HelpAnswer)), None)
        action = next_action(concluded, results, voice) if concluded is not None else ""
        following = voice.say("told_next", action=action) if action else ""
    asked = answer.text.partition("\n")[0] if isinstance(answer, HelpAnswer | ReasoningAnswer) else ""
    found_so_far = answer.conclusion or answer.leading if isinstance(answer, HelpAnswer) else None
    said = voice.say("told_before", words=brief(asked)) if asked else in_short(parts[0], voice)
    if found_so_far is not None and isinstance(answer, HelpAnswer) and answer.topic is QuestionTopic.CERTAINTY:
        said = voice.say("certainty_again", percent=voice.percent(found_so_far.confidence))
    shorter = len(said) + len(following) < len("\n\n".join(parts))
    return f"{said}\n{following}" if following and shorter else said
