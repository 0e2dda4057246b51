"""After a step: what was done, how long it takes and why, what is left, and how to see that it worked."""

from __future__ import annotations

from lang.objects import PID
from lang.outcomes import tells_relapse
from services.planner.glossary.known_terms import error_in
from services.planner.model import (
    Aftermath,
    ConclusionView,
    DiagnosisView,
    HelpAnswer,
    QuestionTopic,
    ReliefStep,
    SolutionStep,
    TurnResults,
)
from services.planner.questions_asked.interrogatives import is_question
from services.planner.speak import checks, diagnosis
from services.planner.speak.case.action_facts import read_back
from services.planner.speak.case.remedy_steps import (
    Numbered,
    actions_of,
    acts_on_culprit,
    done_in_words,
    is_done,
    is_in_vain,
    next_action,
    next_step,
    numbers_beside,
    speaks_for,
    specific,
    steps_left,
)
from services.planner.speak.conclusion import were_told
from services.planner.speak.follow_ups.running import tell_running
from services.planner.speak.objects import is_idle
from services.planner.speak.steps.render import render_alone, render_relief, render_step, with_statement
from services.planner.speak.voice import Voice, polish
from services.planner.treatment.actions import action_named, actions_in, actions_of_statements
from services.planner.treatment.aftermath import KEEP_SIZE, RECOVERY
from services.planner.treatment.done_marks import denies_deeds
from services.planner.treatment.going_on import asks_outcome
from services.planner.treatment.sentences import tells_size
from services.planner.understand.questions.looking_back import asks_when
from services.planner.understand.questions.of_the_cause import asks_why
from services.planner.understand.questions.questions import asks_to_see
from services.planner.understand.text.messages import read

_LEADING, _GROUNDS = 2, 3
# A cause that leads so clearly is named as the likely one; it is concluded from more.
_LIKELY = 0.8
_RISKY = ("medium", "high")
_SPEEDS = ("at once", "within minutes", "within hours", "later")


def acknowledge(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """What was done, when it takes effect, and what to do next or, where nothing is concluded, whether it helped."""
    done = voice.say("treated", done=done_in_words(results, voice, now=True))
    sized = of_size(answer, results, voice) if is_question(answer.text) else []
    if asks_prevention(results) or sized:
        following = next_step(found, results, voice) if sized and (found := _found(answer)) is not None else None
        treats = following is not None and not following.step.prevents
        return "\n".join([*sized, done, *([render_alone(*following, voice)] if following and treats else [])])
    if results.aftermath is Aftermath.UNCHANGED and answer.conclusion is not None:
        lines = [done, *explain_effect(answer, results, voice)[:1], not_helped(answer.conclusion, voice)]
    elif results.aftermath is Aftermath.UNCHANGED:
        lines = in_vain(answer, results, voice)
    else:
        told = results.aftermath is Aftermath.WELL or tells_relapse(answer.text)
        asked = voice.say("treated_ask") if answer.conclusion is None and not told else ""
        lines = [done, *explain_effect(answer, results, voice), *_following(_found(answer), results, voice), asked]
    return "\n".join(line for line in lines if line)


def _found(answer: HelpAnswer) -> ConclusionView | None:
    """The cause that is concluded, or leads so clearly that it is acted on."""
    likely = answer.leading is not None and answer.leading.confidence >= _LIKELY
    return answer.conclusion or (answer.leading if likely else None)


def asks_prevention(results: TurnResults) -> bool:
    """Whether what keeps it from coming back is asked for in this turn, and so is all that is left to tell."""
    return any(isinstance(each, HelpAnswer) and each.topic is QuestionTopic.PREVENTION for each in results.answers)


def take_back(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """Why a statement was refused; else that something was not done or is not over, and what comes next."""
    if refused := _explain_refusal(answer, voice):
        return refused
    alone = sum(isinstance(each, HelpAnswer) for each in results.answers) == 1
    following = (_to_begin(_found(answer), results, voice) or _next_check(results, voice)) if alone else []
    if not answer.action or answer.action == RECOVERY:
        over = ["unrecovered"] if answer.action else []
        denied = ["untreated_all"] if denies_deeds(answer.text) else []
        return "\n".join([*map(voice.say, (*over, *denied)), *following])
    name = voice.say(f"name_{answer.action}") if action_named(answer.action) is not None else answer.text
    return "\n".join([voice.say("untreated", done=name), *following])


def _explain_refusal(answer: HelpAnswer, voice: Voice) -> str:
    """What the error of a statement means and how to run it right; empty where no error is known."""
    error, found = error_in(answer.text), answer.conclusion or answer.leading
    if error is None:
        return ""
    steps: tuple[SolutionStep | ReliefStep, ...] = (*found.relief, *found.solution) if found and error.step else ()
    how = next((each.how for each in steps if answer.action in actions_of_statements(each.how)), "")
    told = error.text.say(voice.language)
    named = error.step and not how and action_named(answer.action) is not None
    return f"{told} {voice.say(f'name_{answer.action}')}." if named else with_statement(told, how, voice)


def of_size(answer: HelpAnswer, results: TurnResults, voice: Voice) -> list[str]:
    """Why the space is as big as before, where a message tells that it is after a step that leaves it so."""
    keeping = [each.action for each in results.treatments if each.action in KEEP_SIZE]
    if not keeping and results.treatments and "vacuum" in actions_of(answer.conclusion or answer.leading, voice):
        keeping = ["vacuum"]  # What is vacuumed once nothing holds it up stays as big.
    return [voice.say(f"after_{keeping[-1]}")] if keeping and tells_size(answer.text) else []


def treated_by(answer: HelpAnswer, results: TurnResults, voice: Voice) -> ConclusionView | None:
    """The one cause of which what was done is the remedy; of several, the leading one if it is likely anyway."""
    leading = [answer.leading] if answer.leading is not None else []
    found = [each for each in (*leading, *answer.rivals) if speaks_for(each, results, voice)]
    likely = found[:1] == leading and all(each.confidence >= _LIKELY for each in found[:1])
    return found[0] if found and (len(found) == 1 or likely) else None


def in_vain(answer: HelpAnswer, results: TurnResults, voice: Voice) -> list[str]:
    """No effect before a conclusion: what that speaks against, and the check that goes on with the search."""
    done, leading = done_in_words(results, voice), treated_by(answer, results, voice)
    if leading is None:
        return [voice.say("treated_in_vain_plain", done=done), *_next_check(results, voice)]
    name, verify = voice.name(leading.name, leading.root_cause_id), leading.verify.say(voice.language)
    return [voice.say("treated_in_vain", done=done, name=name, verify=verify), *_next_check(results, voice)]


def _next_check(results: TurnResults, voice: Voice) -> list[str]:
    """The check that is worth most now, in a line."""
    found = results.diagnosis
    return [checks.in_a_line(one, found, voice) for one in found.recommendations[:1]] if found else []


def not_helped(found: ConclusionView, voice: Voice) -> str:
    """A remedy in vain: whether it took hold, and what to look at next."""
    name, verify = voice.name(found.name, found.root_cause_id), found.verify.say(voice.language)
    said = voice.say("not_helped", name=name, verify=verify) if verify else voice.say("not_helped_plain", name=name)
    unchecked = voice.names(found.unchecked, _GROUNDS)
    return "\n".join([said, voice.say("not_helped_next" if unchecked else "not_helped_more", names=unchecked)])


def _following(found: ConclusionView | None, results: TurnResults, voice: Voice) -> list[str]:
    following = next_step(found, results, voice) if found is not None else None
    if following is None or (following.step.prevents and not results.treatments):
        return []
    return _wait(following, results, voice) or [render_alone(*following, voice)]


def _to_begin(found: ConclusionView | None, results: TurnResults, voice: Voice) -> list[str]:
    """What to begin with: relief where nothing was done yet, else the next step."""
    relief = found.relief if found is not None and not results.treatments else ()
    fitting = (each for each in relief if found and each.how and not is_in_vain(each, found, results, voice))
    return [render_relief(each, voice) for each in fitting][:1] or _following(found, results, voice)


def _wait(following: Numbered, results: TurnResults, voice: Voice) -> list[str]:
    """That the outcome of what was done is to be seen first, where the next step risks more and nothing holds on."""
    waits = bool(results.treatments) and results.aftermath is None and following.step.risk in _RISKY
    waits = waits and not acts_on_culprit(following.step, results, voice)
    action = voice.name(following.step.action, following.step.how)
    return [voice.say("remedy_wait_again", action=action)] if waits else []


def tell_effect(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """How long a step takes to help, after what was done where that is told in this turn."""
    new = any(each.turn == results.turn for each in results.treatments)
    done = [voice.say("treated", done=done_in_words(results, voice))] if new else []
    told = explain_effect(answer, results, voice)
    reasons = [voice.say(f"after_{each.action}") for each in results.treatments if action_named(each.action)]
    if results.aftermath is Aftermath.UNCHANGED and len(told) == 1 and told[0] not in reasons:
        told += _go_on(answer, results, voice)
    return "\n".join([*done, *told])


def _go_on(answer: HelpAnswer, results: TurnResults, voice: Voice) -> list[str]:
    """Where a step has not helped in time: whether it took hold and what else it may be, else what that tells."""
    if answer.conclusion is not None:
        return [not_helped(answer.conclusion, voice)]
    return in_vain(answer, results, voice) if results.treatments else _next_check(results, voice)


def explain_effect(answer: HelpAnswer, results: TurnResults, voice: Voice) -> list[str]:
    """How long the step asked about takes to help and why, and how to see that it did, where it was done or named."""
    if running := tell_running(answer, results, voice):
        return [running]
    found = answer.conclusion or answer.leading
    asked = answer.action or (results.treatments[-1].action if results.treatments else "")
    action = specific(asked, actions_of(found, voice))
    done_to = next((each.objects[-1] for each in results.treatments if each.action == action and each.objects), "")
    idle = action == "cancel" and is_idle(done_to or voice.objects.get(PID, ""), results)
    after = voice.say("after_cancel_idle" if idle else f"after_{action}") if action_named(action) is not None else ""
    told = bool(after) and polish(after, voice.language) in voice.previous
    lines = [after] if after and (not told or asks_why(answer.text)) else []
    step = _step_of(found, results, voice) if found is not None else None
    if not lines and step is not None and step.step.helps in _SPEEDS:
        lines.append(voice.say("effect_helps", helps=voice.say(f"helps_{step.step.helps}")))
    sure = answer.conclusion is not None or (told and found is not None and found.confidence >= _LIKELY)
    named = {specific(each, actions_of(found, voice)) for each in actions_in(answer.text)}
    meant = bool(results.treatments) or action in named
    asked_how = asks_outcome(answer.text) or asks_to_see(read(answer.text).normal)
    verify = found.verify.say(voice.language) if found is not None and ((sure and meant) or asked_how) else ""
    lines = [] if asked_how and verify else lines  # How long it takes is another question.
    lines += [voice.say("treated_check", text=verify)] if verify and (asked_how or not voice.was_told(verify)) else []
    changed = [name for each in results.treatments if each.action == action for name in each.objects]
    lines += read_back(action, found, voice, changed) if asked_how else []
    return lines or ([after] if told else _following(found, results, voice) or [voice.say("effect_none")])


def _step_of(found: ConclusionView, results: TurnResults, voice: Voice) -> Numbered | None:
    """The last step that was done, else the next one."""
    done = [Numbered(number, step) for number, step in enumerate(found.solution, 1) if is_done(step, results, voice)]
    return done[-1] if done else next_step(found, results, voice)


def tell_remaining(answer: HelpAnswer, results: TurnResults, open_case: DiagnosisView | None, voice: Voice) -> str:
    """What is done and what is left: treatment, verification, prevention."""
    if answer.conclusion is None:
        return _remaining_open(answer.leading, results, open_case, voice)
    if asks_when(answer.text) and (when := _tell_when(answer.conclusion, results, voice)):
        return "\n".join(when)
    left = _what_is_left(answer.conclusion, results, voice)
    listed = were_told(steps_left(answer.conclusion, results, voice), voice)
    if listed or (results.treatments and polish(left[-1], voice.language) in voice.previous):
        following = next_step(answer.conclusion, results, voice)
        if following is not None and (wait := _wait(following, results, voice)):
            return wait[0]
        action = next_action(answer.conclusion, results, voice) or _prevention(answer.conclusion, results, voice)
        return voice.say("told_next", action=action) if action else left[-1]
    done = [voice.say("remedy_done", done=done_in_words(results, voice))] if results.treatments else []
    return "\n".join([*done, *left])


def _tell_when(found: ConclusionView, results: TurnResults, voice: Voice) -> list[str]:
    """When what was stopped may go on: after the next step of the cure, and in the way that prevents a repeat."""
    left = steps_left(found, results, voice)
    first = next((each for each in left if not each.step.prevents), None)
    how = next((each for each in left if each.step.prevents and each.step.how), None)
    if first is None:
        return []
    lines = [voice.say("when_after", action=voice.name(first.step.action, first.step.how))]
    return [*lines, voice.say("when_like_this"), render_alone(*how, voice)] if how is not None else lines


def _remaining_open(
    leading: ConclusionView | None, results: TurnResults, open_case: DiagnosisView | None, voice: Voice
) -> str:
    """Before a conclusion: what is left by a cause that leads clearly, else that it is too early to tell."""
    if leading is None or open_case is None or not open_case.hypotheses:
        return voice.say("nothing_yet")
    likely = leading.confidence >= _LIKELY
    if results.aftermath is Aftermath.WELL and not likely:
        name, percent = voice.name(leading.name, leading.root_cause_id), voice.percent(leading.confidence)
        closest = voice.say("recovered_open", name=name, percent=percent)
        return "\n".join([voice.stop.join([voice.say("recovered_plain"), closest]), voice.say("recovered_close")])
    causes = voice.listed([diagnosis.cause(item, voice) for item in open_case.hypotheses[: 1 if likely else _LEADING]])
    if likely and results.aftermath is Aftermath.WELL:
        return "\n".join(_what_is_left(leading, results, voice))
    done = [voice.say("remedy_done", done=done_in_words(results, voice))] if results.treatments else []
    said = voice.say("remaining_likely" if likely else "remaining_open", causes=causes)
    left = _what_is_left(leading, results, voice) if likely else []
    following = [checks.in_a_line(item, open_case, voice) for item in open_case.recommendations[:1]]
    return "\n".join([*done, said, *left, *following])


def _prevention(found: ConclusionView, results: TurnResults, voice: Voice) -> str:
    left = (each.step for each in steps_left(found, results, voice))
    return next((voice.name(step.action, step.how) for step in left if step.prevents), "")


def _what_is_left(found: ConclusionView | None, results: TurnResults, voice: Voice) -> list[str]:
    if found is None:
        return []
    left = steps_left(found, results, voice)
    treating = [each for each in left if not each.step.prevents]
    preventing = [voice.name(each.step.action, each.step.how) for each in left if each.step.prevents]
    well = results.aftermath is Aftermath.WELL
    source = "remaining_source" if treating else "remaining_well"
    lines = [voice.say(source)] if well and len(found.solution) > len(left) + 1 else []
    lines += [] if well or not treating else [voice.say("remaining")]
    before, over = numbers_beside(found, treating, results, voice) if treating and not well else ([], [])
    lines += [*before, *(render_step(*each, voice) for each in treating), *over]
    verify = found.verify.say(voice.language)
    telling = verify and not voice.was_told(verify) and (treating or results.treatments)
    lines += [voice.say("treated_check", text=verify)] if telling else []
    new = [each for each in preventing if not voice.was_told(each)]
    if preventing:
        said = voice.say("remaining_prevent", actions=voice.listed(new)) if new else voice.say("remaining_prevent_told")
        lines.append(said)
    return lines if left else [*lines, voice.say("remaining_none")]
