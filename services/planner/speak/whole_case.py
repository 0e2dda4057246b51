"""Answers to what a person under pressure asks of the whole case: each topic by the module that knows it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from lang.objects import PID, bind
from services.planner.common_questions.known_answers import known_answers
from services.planner.model import (
    Aftermath,
    ConclusionView,
    DiagnosisView,
    HelpAnswer,
    QuestionTopic,
    TurnResults,
    Verdict,
)
from services.planner.questions_asked.answer_forms import without_verdict
from services.planner.questions_asked.forms import Form, forms_of
from services.planner.sizing.asked import AMOUNT
from services.planner.sizing.pool_sums import POOLS
from services.planner.sizing.share_done import PROGRESS
from services.planner.speak import checks, diagnosis
from services.planner.speak.acting_early import acts_on_leader, advise_by, advise_early, asks_steps
from services.planner.speak.case import aftercare, grounds, short_answers, urgency, which_object
from services.planner.speak.case.in_case import on_record
from services.planner.speak.case.place_in_queue import tell_order
from services.planner.speak.case.remedy_steps import credited
from services.planner.speak.conclusion import relieve
from services.planner.speak.follow_ups import comparison, confirmation, note, one_of_two, recovery, several
from services.planner.speak.follow_ups.identification import tell_identity
from services.planner.speak.follow_ups.pools_reckoned import tell_pool_sum
from services.planner.speak.follow_ups.progress_reckoned import tell_progress
from services.planner.speak.follow_ups.settings_read import tell_settings
from services.planner.speak.follow_ups.source import tell_source
from services.planner.speak.follow_ups.values_asked import tell_amounts
from services.planner.speak.objects import SETTING, named_in_question
from services.planner.speak.rights import nobody_there, rights
from services.planner.speak.settings_now import beside_told
from services.planner.speak.steps.render import render_step
from services.planner.speak.summary.summary import summarise
from services.planner.speak.voice import Voice, polish
from services.planner.speak.ways.telling import tell_way, tells_way
from services.planner.treatment.actions import read_actions
from services.planner.treatment.bearing import lacks_right
from services.planner.treatment.shown_actions import POINTS, SESSION
from services.planner.treatment.wanted.wants import COMMON_QUESTIONS, tells
from services.planner.understand.answers.facts_asked import FACTS
from services.planner.understand.answers.settings_shown import SETTINGS
from services.planner.understand.questions.of_the_cause import asks_likelier

_LEADING = 2
# From this belief on, what holds for a cause is told without an if.
_LIKELY = 0.6
# In the name of what is on record: another server took over.
_SWITCHED = ("failover", "promoted")
# What may be asked of two steps at once.
_OF_STEPS = (QuestionTopic.RISK, QuestionTopic.RELIEF)
# What is asked of somebody who would act now.
_TO_ACT = (QuestionTopic.RELIEF, QuestionTopic.RISK, QuestionTopic.RIGHTS, QuestionTopic.REMAINING)


def tell_facts(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """What an earlier output shows of the values that are asked about."""
    return voice.stop.join(voice.say("rows_fact", fact=each) for each in answer.text.split("\n")[1:])


# What tells what a question asks of values, by its action.
_IDENTIFIED = {
    FACTS: tell_facts,
    SETTINGS: tell_settings,
    AMOUNT: tell_amounts,
    POOLS: tell_pool_sum,
    PROGRESS: tell_progress,
}


def render_whole_case(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """The answer to a question with a topic, after a conclusion or before one."""
    if (tell := _TELLERS.get(answer.topic)) is not None:
        return tell(answer, results, voice)
    match answer.topic:
        case QuestionTopic.CLOSING:
            return _closing(answer.conclusion, voice)
        case QuestionTopic.IDENTIFICATION:
            return _IDENTIFIED.get(answer.action, tell_identity)(answer, results, voice)
        case QuestionTopic.SUMMARY:
            noted = note.write_note(answer, results, voice) if note.is_note(answer) else ""
            return noted or summarise(answer, results, voice)
        case QuestionTopic.SHARING:
            return voice.say("sharing")
        case QuestionTopic.RUNNING if tells(read_actions(answer.text), "where"):
            return short_answers.tell_where(answer, results, voice)
        case QuestionTopic.RUNNING:
            return "\n".join([voice.say("running"), voice.say("running_rights")])
        case QuestionTopic.MEANING:
            return short_answers.tell_meaning(answer, voice)
        case QuestionTopic.COMMON if tells_way(answer):
            return tell_way(answer, results, voice)
        case QuestionTopic.COMMON:
            return _common(answer, results, voice)
        case QuestionTopic.MECHANISM:
            return grounds.tell_comes_to(answer, results.diagnosis, voice)
        case QuestionTopic.COMPARISON if asks_likelier(answer.text):
            return _of_cause(replace(answer, topic=QuestionTopic.CERTAINTY), results, voice)
    told = _of_treatment(answer, results, voice) or _of_cause(answer, results, voice)
    alone = nobody_there.tell_nobody(answer, results, voice) if answer.topic in _TO_ACT else ""
    return "\n".join(part for part in (alone, told) if part)


def _common(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """The answer to a common question."""
    known = known_answers().get(answer.common_question)
    if known is None:
        return voice.say("common_unknown")
    if answer.common_question == COMMON_QUESTIONS["lost"] and on_record(_SWITCHED, results) is not None:
        return voice.say("lost_by_failover")
    return _filled(_verdict_asked(known.answer.say(voice.language), answer), answer, voice)


def _verdict_asked(told: str, answer: HelpAnswer) -> str:
    """A prepared answer, without the yes or no that it begins with where none was asked for."""
    asked = forms_of(answer.text.partition("\n")[0])
    return told if not asked or Form.WHETHER in asked else without_verdict(told)


def _of_cause_asked(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """The library's answer to a question of a cause; with an if where that cause is not likely enough yet."""
    cause = answer.matter
    if cause is None:
        return voice.say("common_unknown")
    if ordered := tell_order(answer.text, results, voice):
        return ordered  # Of two sessions that were seen more is known than of any two.
    told = _filled(_verdict_asked(cause.reason.say(voice.language), answer), answer, voice)
    name = voice.name(cause.name, cause.root_cause_id)
    return told if cause.confidence >= _LIKELY else voice.say("of_cause_open", name=name, answer=told)


def _filled(told: str, answer: HelpAnswer, voice: Voice) -> str:
    """An answer with its blanks and its values from this case: what the question names goes before all else.

    A session is filled in only where it is asked about: by its number, or as it where the last answer named no other.
    """
    named = named_in_question(answer.text)
    if (
        PID not in named
        and POINTS.search(answer.text)
        and set(SESSION.findall(voice.previous)) == {voice.objects.get(PID)}
    ):
        named[PID] = voice.objects[PID]
    objects = {kind: name for kind, name in voice.objects.items() if not kind.endswith(PID)} | named
    return beside_told(bind(told, objects).replace(f"<{SETTING}>", named.get(SETTING, f"<{SETTING}>")), voice)[0]


def _of_treatment(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    if answer.topic in _OF_STEPS and (first := one_of_two.tell_first(answer, results, voice)):
        return first
    match answer.topic:
        case QuestionTopic.RISK | QuestionTopic.RELIEF if lacks_right(answer.text):
            return _or_its_end(rights.tell_rights(answer, results, voice), voice)
        case QuestionTopic.RELIEF if rights.lacks_next(answer, results, voice):
            return _or_its_end(rights.tell_rights(answer, results, voice), voice)
        case QuestionTopic.RISK:
            return several.tell_each(answer, results, voice)
        case QuestionTopic.TREATED if results.treatments:
            return aftercare.acknowledge(answer, results, voice)
        case QuestionTopic.UNTREATED:
            return aftercare.take_back(answer, results, voice)
        case QuestionTopic.EFFECT:
            return aftercare.tell_effect(answer, results, voice)
        case QuestionTopic.REMAINING:
            return aftercare.tell_remaining(answer, results, results.diagnosis, voice)
        case QuestionTopic.URGENCY:
            return urgency.tell_urgency(answer, results, voice)
        case QuestionTopic.COMPARISON if steps := one_of_two.tell_steps(answer, voice):
            return steps
        case QuestionTopic.COMPARISON:
            told = comparison.compare(answer, results, voice)
            first = one_of_two.tell_first(answer, results, voice) if told == voice.say("compare_none") else ""
            return first or _or_its_end(told, voice)
        case QuestionTopic.RIGHTS:
            return _or_its_end(rights.tell_rights(answer, results, voice), voice)
        case QuestionTopic.RELATED:
            return grounds.tell_relation(answer, results.diagnosis, voice)
    return ""


def _or_its_end(told: str, voice: Voice) -> str:
    """An answer whose last line is what it comes to: that line alone where the last answer had all of it."""
    if polish(told, voice.language) not in voice.previous:
        return told
    return voice.say("leave_again", verdict=told.split("\n")[-1])


def _of_cause(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    if answer.topic is QuestionTopic.RELIEF and answer.conclusion is None:
        return _relieve(answer, results.diagnosis, results, voice)
    if answer.conclusion is not None:
        return _concluded(answer, answer.conclusion, results, voice)
    return _open(answer, results.diagnosis, results, voice)


def _closing(found: ConclusionView | None, voice: Voice) -> str:
    named = voice.say("closing_found", name=voice.name(found.name, found.root_cause_id)) if found else ""
    return voice.stop.join(part for part in (voice.say("closing"), named) if part)


def _ruled_out(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """What was answered with no before anything helped: a no after that tells of the deed, and rules nothing out."""
    deeds = [each.turn for each in credited(results)] if results.aftermath is Aftermath.WELL else []
    first = min(deeds, default=results.turn)
    denied = [view for view in answer.evidence if view.verdict is Verdict.DENIED and view.turn <= first]
    names = voice.listed(voice.quoted(view.name, view.phenomenon_id) for view in denied)
    return voice.say("ruled_out", names=names) if names else voice.say("ruled_out_none")


def _relieve(answer: HelpAnswer, found: DiagnosisView | None, results: TurnResults, voice: Voice) -> str:
    """What to do by the cause that leads or is named; else that nothing is safe to do yet, and the next check."""
    leading = answer.leading
    if leading is not None and answer.matter is None and found is not None and found.hypotheses:
        leading = replace(leading, confidence=found.hypotheses[0].confidence)
    likely = leading is not None and bool(leading.solution) and leading.confidence >= _LIKELY
    if leading is not None and (likely or answer.matter is not None):
        return advise_by(answer, leading, results, voice)
    nothing = "" if answer.text.startswith("/") or voice.was_told(voice.say("relief_any")) else voice.say("relief_any")
    if found is None or not found.hypotheses:
        return nothing or voice.say("nothing_yet")
    told = advise_early(answer, found.hypotheses[0], results, voice)
    if told and acts_on_leader(answer, found):
        return told
    line = next((checks.in_a_line(one, found, voice) for one in found.recommendations[:1]), "")
    parts = (told or nothing, line or checks.settling(found, voice))
    return "\n".join(part for part in parts if part) or voice.say("nothing_yet")


def _concluded(answer: HelpAnswer, found: ConclusionView, results: TurnResults, voice: Voice) -> str:
    match answer.topic:
        case QuestionTopic.CERTAINTY:
            told = grounds.tell_certainty(answer.text, found, results, voice)
            return told if tells(read_actions(answer.text), "certainty") else without_verdict(told)
        case QuestionTopic.PREVENTION:
            return _prevention(found, results, voice)
        case QuestionTopic.RELIEF if results.aftermath is Aftermath.WELL and results.treatments:
            return aftercare.tell_remaining(answer, results, results.diagnosis, voice)
        case QuestionTopic.RELIEF:
            return relieve(found, results, voice)
        case QuestionTopic.NOT_HELPED:
            return aftercare.not_helped(found, voice)
    return summarise(answer, results, voice)


def _prevention(found: ConclusionView, results: TurnResults, voice: Voice) -> str:
    name = voice.name(found.name, found.root_cause_id)
    steps = [step for step in found.solution if step.prevents]
    verify = found.verify.say(voice.language)
    lines = [voice.say("prevents" if steps else "prevents_none", name=name)]
    lines += [render_step(number, step, voice) for number, step in enumerate(steps, 1)]
    over = results.aftermath is Aftermath.WELL
    return "\n".join([*lines, *([voice.say("verify", text=verify)] if verify and not over else [])])


def _open(answer: HelpAnswer, found: DiagnosisView | None, results: TurnResults, voice: Voice) -> str:
    """Nothing is concluded: no claim, the leading causes, and the one check that would tell."""
    if answer.topic is QuestionTopic.CERTAINTY and (found is None or diagnosis.leads_nowhere(found)):
        told = [checks.in_a_line(item, found, voice) for item in found.recommendations[:1]] if found else []
        return "\n".join(filter(None, [diagnosis.undecided(found, results, voice, named=True), *told]))
    if found is None or checks.is_unknown(found):
        return voice.say("nothing_yet")
    match answer.topic:
        case QuestionTopic.CERTAINTY:
            return grounds.tell_open_certainty(answer.leading, found, results, voice)
        case QuestionTopic.PREVENTION if acts_on_leader(answer, found) and asks_steps(answer.text):
            return advise_early(answer, found.hypotheses[0], results, voice)
        case QuestionTopic.PREVENTION if answer.leading is not None and acts_on_leader(answer, found):
            return _prevention(answer.leading, results, voice)
        case QuestionTopic.PREVENTION:
            over = results.aftermath is Aftermath.WELL
            leading = found.hypotheses[: 1 if over else _LEADING]
            causes = voice.listed([diagnosis.cause(item, voice) for item in leading])
            following = [] if over else [checks.in_a_line(item, found, voice) for item in found.recommendations[:1]]
            return "\n".join([voice.say("prevents_early", causes=causes), *following])
    return summarise(answer, results, voice)


_TELLERS: dict[QuestionTopic | None, Callable[[HelpAnswer, TurnResults, Voice], str]] = {
    QuestionTopic.RULED_OUT: _ruled_out,
    QuestionTopic.RECOVERED: recovery.tell_recovery,
    QuestionTopic.OBJECT: which_object.tell_which,
    QuestionTopic.SOURCE: tell_source,
    QuestionTopic.COMMAND: short_answers.tell_command,
    QuestionTopic.OF_CAUSE: _of_cause_asked,
    QuestionTopic.CONFIRMATION: confirmation.tell_confirmation,
    QuestionTopic.ALTERNATIVE: confirmation.tell_alternative,
    QuestionTopic.RESUMING: confirmation.tell_resuming,
}
