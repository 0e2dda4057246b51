"""What to do before there is a conclusion: by the leading cause where it leads clearly, else what is safe anyway."""

from __future__ import annotations

from dataclasses import replace

from services.planner.model import ConclusionView, DiagnosisView, HelpAnswer, RankedHypothesis, TurnResults
from services.planner.speak import checks, diagnosis
from services.planner.speak.case.remedy_steps import is_done, is_in_vain, next_step
from services.planner.speak.case.wishes import goes_against
from services.planner.speak.conclusion import advise, first_aid, was_given
from services.planner.speak.settings_now import is_in_place
from services.planner.speak.steps.render import render_alone, render_relief
from services.planner.speak.voice import Voice
from services.planner.treatment.actions import read_actions
from services.planner.treatment.wanted.wants import tells
from services.planner.understand.text.word_lists import names

_HARMLESS = ("none", "low")
# From this belief on harmless relief is told, and from this one on the remedy is gone by as very likely.
_WORTH_RELIEF, _LIKELY = 0.3, 0.8


def advise_early(answer: HelpAnswer, leader: RankedHypothesis, results: TurnResults, voice: Voice) -> str:
    """What to do before there is a conclusion; empty where no cause leads clearly enough.

    Relief of a cause that leads clearly, or its whole remedy, and the one check that would settle it; else relief of
    the leader that is harmless and not in vain.
    """
    if acts_on_leader(answer, results.diagnosis) and answer.leading is not None:
        return advise_by(answer, replace(answer.leading, confidence=leader.confidence), results, voice)
    if leader.confidence < _WORTH_RELIEF:
        return ""
    return _harmless(answer, leader, results, voice)


def acts_on_leader(answer: HelpAnswer, found: DiagnosisView | None) -> bool:
    """Whether the leading cause leads so clearly, and has a remedy, that what to do goes by it."""
    known = answer.leading is not None and bool(answer.leading.solution)
    return known and found is not None and checks.leads_clearly(found)


def asks_steps(asked: str) -> bool:
    """Whether the steps of the cure are asked for."""
    return tells(read_actions(asked), "cure") or names("named.steps", asked)


def advise_by(answer: HelpAnswer, leading: ConclusionView, results: TurnResults, voice: Voice) -> str:
    """What to do by the cause that leads, or that a question names, and the one check that would settle it."""
    name, percent = voice.name(leading.name, leading.root_cause_id), voice.percent(leading.confidence)
    named = answer.matter is not None
    whole = named or answer.topic is None or asks_steps(answer.text)
    told = first_aid(leading, results, voice)
    if whole or was_given(told, voice):
        told = advise(leading, results, voice)
    open_case = "remedy_named" if named else "remedy_if"
    lead = voice.say("remedy_likely" if leading.confidence >= _LIKELY else open_case, name=name, percent=percent)
    found = results.diagnosis if not named else None
    settling = checks.settling(found, voice) if found is not None else ""
    moved = found is not None and diagnosis.has_movement(results, found)
    lead, settling = ("" if voice.was_told(each) else each for each in ("" if moved else lead, settling))
    return "\n".join(part for part in (lead, told.strip(), settling) if part)


def _harmless(answer: HelpAnswer, leader: RankedHypothesis, results: TurnResults, voice: Voice) -> str:
    risks = (*_HARMLESS, "medium") if leader.confidence >= _LIKELY else _HARMLESS
    harmless = (step for step in answer.relief if step.risk in risks and not goes_against(step, voice))
    fitting = (step for step in harmless if not (is_in_place(step.how, voice) or is_done(step, results, voice)))
    step, leading = next(fitting, None), answer.leading
    if step is None:
        return ""
    following = None
    if leading is not None and is_in_vain(step, leading, results, voice):
        following = next_step(leading, results, voice)
        if following is None:
            return ""
    told = render_alone(*following, voice) if following is not None else render_relief(step, voice)
    said = "relief_early" if following is None else "relief_first"
    name, percent = voice.name(leader.name, leader.root_cause_id), voice.percent(leader.confidence)
    return "" if was_given(told, voice) else "\n".join([voice.say(said, name=name, percent=percent), told])
