"""How to make sure of a cause before acting on it, another way to see it, and when something may run again."""

from __future__ import annotations

from services.planner.model import ConclusionView, HelpAnswer, TurnResults
from services.planner.speak import caveats, checks
from services.planner.speak.follow_ups.running import tell_rerun
from services.planner.speak.steps.render import render_step
from services.planner.speak.voice import Voice
from services.planner.treatment.actions import names_ddl
from services.planner.understand.questions.of_the_cause import asks_what_would_change

_GROUNDS, _PREVENTS = 3, 2


def tell_confirmation(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """What the cause rests on, the check that would make it certain, and the answer that would overturn it."""
    found = answer.conclusion or answer.leading
    if found is None:
        return _open(results, voice)
    lines = [_rests_on(found, voice), *_look(answer, "confirm_look", voice)]
    none = voice.say("overturn_none") if asks_what_would_change(answer.text) else ""
    lines.append(caveats.render_overturn(found.overturn, None, voice) or none)
    return "\n".join(line for line in lines if line)


def tell_alternative(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """Another sign of the leading cause that a query shows; that there is none, and whom to ask, else."""
    if answer.items:
        return "\n".join(_look(answer, "alternative_look", voice))
    found = answer.conclusion or answer.leading
    if found is None:
        return _open(results, voice)
    return voice.say("alternative_none", name=voice.name(found.name, found.root_cause_id))


def tell_resuming(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """When something may run again: once the trouble is seen to be over, and with what keeps it from coming back."""
    found = answer.conclusion or answer.leading
    if found is None:
        return voice.say("resuming_open")
    if names_ddl(found.name.en):
        return tell_rerun(answer, results, voice)
    over = found.verify.say(voice.language).rstrip(" .。")
    lines = [voice.say("resuming_when", verify=over) if over else voice.say("resuming_open")]
    steps = [step for step in found.solution if step.prevents][:_PREVENTS]
    if steps:
        lines += [
            voice.say("resuming_with"),
            *(render_step(number, step, voice) for number, step in enumerate(steps, 1)),
        ]
    return "\n".join(lines)


def _rests_on(found: ConclusionView, voice: Voice) -> str:
    name, percent = voice.name(found.name, found.root_cause_id), voice.percent(found.confidence)
    said = voice.say("grounds", name=name, percent=percent)
    rests = voice.say("rests_on", names=voice.names(found.supporting, _GROUNDS)) if found.supporting else ""
    return voice.stop.join(part for part in (said, rests) if part)


def _look(answer: HelpAnswer, lead: str, voice: Voice) -> list[str]:
    """The first check of an answer with its command."""
    return [line for item in answer.items[:1] for line in (voice.say(lead), checks.check(item, voice))]


def _open(results: TurnResults, voice: Voice) -> str:
    """The next check, where no cause is named yet."""
    found = results.diagnosis
    following = found.recommendations[:1] if found is not None else ()
    shown = [checks.check(item, voice) for item in following]
    return "\n".join([voice.say("nothing_yet"), *shown])
