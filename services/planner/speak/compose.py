"""The whole answer by template: the sections that the results have something for, in a fixed order; never empty."""

from __future__ import annotations

from services.planner.answers import HelpAnswer, ProgressAnswer
from services.planner.model import Language, Status
from services.planner.results import TurnResults
from services.planner.speak import answers, asking, checks, diagnosis, doubts, looking, turn
from services.planner.speak.conclusion import concluded
from services.planner.speak.polish import polished
from services.planner.speak.progress import asks_only
from services.planner.speak.voice import Voice

# From this turn on the person knows how to answer.
HINT_TURNS = 2


def compose(results: TurnResults, language: Language, previous: str = "") -> str:
    """The answer as light Markdown: paragraphs, lists and commands in code."""
    voice = Voice(language, results.turn, previous)
    sections = [
        *turn.opening(results, voice),
        *looking.looked(results, voice),
        *_standing(results, voice),
        *[answers.said(answer, results, voice) for answer in results.answers],
        *_next(results, voice),
    ]
    text = polished("\n\n".join(section for section in sections if section.strip()), language)
    return text or voice.say("nothing")


def _standing(results: TurnResults, voice: Voice) -> list[str]:
    """How the causes stand, unless an answer says it or nothing was added that could have moved them."""
    found = results.diagnosis
    if found is None:
        return []
    advised = [answer for answer in results.answers if isinstance(answer, HelpAnswer) and not answer.items]
    if found.conclusion is not None:
        told = found.conclusion.repeated_conclusion and any(answer.conclusion for answer in advised)
        return [] if told else [concluded(found.conclusion, doubts.doubts(found, voice), voice)]
    aside = bool(results.unclear or results.unmatched)
    if asks_only(results) and (advised or aside or _asks_progress(results) or results.clarification is not None):
        return []
    if results.status is Status.STUCK:
        return [diagnosis.standing(results, found, voice), diagnosis.stuck(found, voice)]
    return [diagnosis.standing(results, found, voice), doubts.doubts(found, voice)]


def _asks_progress(results: TurnResults) -> bool:
    return any(isinstance(answer, ProgressAnswer) for answer in results.answers)


def _next(results: TurnResults, voice: Voice) -> list[str]:
    """One thing to do next: an open clarification, else the checks worth making."""
    if results.clarification is not None:
        return [asking.clarification(results.clarification, voice), looking.offer(results, voice)]
    found = results.diagnosis
    if found is None or found.conclusion is not None:
        return []
    if asks_only(results) and _asks_progress(results):
        return []
    if any(isinstance(answer, HelpAnswer) and answer.items for answer in results.answers):
        return []
    shown = checks.next_checks(results, found, voice)
    hint = checks.how_to_answer(found, voice) if results.turn <= HINT_TURNS else ""
    return [shown, hint, looking.offer(results, voice)]
