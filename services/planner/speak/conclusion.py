"""The conclusion in short, with what stops the bleeding; the whole remedy when it is asked for."""

from __future__ import annotations

from collections.abc import Sequence

from lang.objects import bind, blanks_in
from services.planner.model import (
    Aftermath,
    ConclusionView,
    HelpAnswer,
    Language,
    QuestionTopic,
    ReliefStep,
    TurnResults,
)
from services.planner.speak import caveats
from services.planner.speak.case.remedy_steps import (
    Numbered,
    acts_on_culprit,
    done_in_words,
    is_done,
    is_in_vain,
    next_action,
    next_change,
    next_step,
    numbers_beside,
    steps_left,
    treatments_of,
)
from services.planner.speak.case.wishes import goes_against
from services.planner.speak.record.set_aside import claims_beside
from services.planner.speak.steps.render import render_again, render_alone, render_relief, render_step
from services.planner.speak.voice import Voice, polish
from services.planner.treatment.actions import actions_of_statements
from services.planner.treatment.bearing import BEARING, RELEASE
from services.planner.understand.text.word_lists import listed

_HAN = listed("briefs.han")
_TICKETS, _GROUNDS, _RELIEF = 3, 4, 2
_ROLLBACK = "roll_back_release"
# A remedy of fewer steps is told at once; a ticket is told by so much of it.
_LONG, _TICKET_LENGTH = 2, 60


def render_conclusion(found: ConclusionView, results: TurnResults, voice: Voice) -> str:
    """The cause, its grounds and what to do first; one line when repeated."""
    name, percent = voice.name(found.name, found.root_cause_id), voice.percent(found.confidence)
    if found.repeated_conclusion:
        new = any(noted.name in found.unexplained for noted in results.noted)
        second = caveats.render_unexplained(found, voice) if new else ""
        action = "" if results.answers else next_action(found, results, voice)
        following = voice.say("told_next", action=action) if action else ""
        claims = "" if results.answers or results.noted else claims_beside(results, voice)
        again = voice.say("concluded_beside" if claims else "concluded_again", name=name, percent=percent, words=claims)
        return "\n".join(part for part in (again, second, following) if part)
    blocks = [
        voice.say("concluded", name=name, percent=percent),
        _mechanism(found, voice),
        "\n".join(_render_weights(found, results, voice)),
        _first_aid_once(found, results, voice),
    ]
    return "\n\n".join(block for block in blocks if block)


def _mechanism(found: ConclusionView, voice: Voice) -> str:
    text = found.mechanism.say(voice.language)
    return voice.say("mechanism", text=text) if text and not voice.was_told(text) else ""


def _render_weights(found: ConclusionView, results: TurnResults, voice: Voice) -> list[str]:
    second = caveats.render_unexplained(found, voice)
    conflicting = [name for name in found.conflicting if not second or name not in found.unexplained]
    lines = [
        voice.say("for", names=voice.names(found.supporting[:_GROUNDS])) if found.supporting else "",
        *caveats.render_against(conflicting, results, voice),
        second,
    ]
    return [line for line in lines if line]


def first_aid(found: ConclusionView, results: TurnResults, voice: Voice) -> str:
    """The relief, else the next step, and how to get the whole remedy; what is done is left out."""
    if len(found.solution) < _LONG:
        return remedy(found, results, voice)
    fitting = [step for step in found.relief if not goes_against(step, voice)]
    following = next_step(found, results, voice)
    if len(fitting) < len(found.relief):
        following = next_change(found, results, voice) or following
    first = [step for step in fitting[:1] if not is_done(step, results, voice)]
    told = [step for step in first if not is_in_vain(step, found, results, voice)]
    lines = _relief(told, goes_back_first(fitting[:1], results, voice), voice)
    if not lines and following is not None:
        lines = [voice.say("first_step"), render_alone(*following, voice)]
    if were_told(steps_left(found, results, voice), voice):
        return "\n".join(lines)
    return "\n".join([*lines, "", voice.say("more_steps", count=len(found.solution))])


def _first_aid_once(found: ConclusionView, results: TurnResults, voice: Voice) -> str:
    """First aid where it was not told before, else that the steps told before hold."""
    told = first_aid(found, results, voice)
    if not was_given(told, voice):
        return told
    if any(isinstance(each, HelpAnswer) and each.topic in (None, QuestionTopic.RELIEF) for each in results.answers):
        return ""
    action = next_action(found, results, voice)
    return voice.say("told_next", action=action) if action else ""


def _relief(steps: Sequence[ReliefStep], back: bool, voice: Voice) -> list[str]:
    """What stops the bleeding; after going back to the version before, where that comes first."""
    first = [voice.say("relief_release")] if back else []
    return [*first, *(render_relief(step, voice, "relief_until" if back else "relief") for step in steps)]


def goes_back_first(relief: Sequence[ReliefStep], results: TurnResults, voice: Voice) -> bool:
    """Whether to roll back what it began with comes before such relief: it is told, not done, and risks less."""
    if RELEASE not in voice.choices.get(BEARING, ()) or results.aftermath is Aftermath.WELL:
        return False
    done = any(each.action == _ROLLBACK for each in results.treatments)
    return not done and all(step.risk in ("medium", "high") for step in relief)


def relieve(found: ConclusionView, results: TurnResults, voice: Voice) -> str:
    """What to do right now: first aid where it was not told yet, else the whole remedy.

    A conclusion of this very turn has first aid in it already.
    """
    told_now = results.diagnosis.conclusion if results.diagnosis is not None else None
    if told_now is not None and not told_now.repeated_conclusion:
        return ""
    first = first_aid(found, results, voice)
    return advise(found, results, voice) if found.repeated_conclusion or was_given(first, voice) else first


def was_given(advice: str, voice: Voice) -> bool:
    """Whether one of the last answers gave the first step of an advice: its statement, else its words."""
    first, *below = advice.splitlines()
    statement = next((line for line in below[:1] if line.lstrip().startswith("`")), "")
    return voice.was_told(statement or first)


def advise(found: ConclusionView, results: TurnResults, voice: Voice) -> str:
    """The whole remedy; where an answer has listed it, what is to be done now."""
    whole, told = remedy(found, results, voice), were_told(steps_left(found, results, voice), voice)
    if not told and polish(whole, voice.language) not in voice.previous:
        return whole
    following, change = next_step(found, results, voice), next_change(found, results, voice)
    if following is None:
        return voice.say("remaining_none")
    verify, first = bind(found.verify.say(voice.language), voice.objects), voice.name(following.step.action)
    acts = acts_on_culprit(following.step, results, voice)  # What holds the others up is there still.
    if verify and not acts and treatments_of(found, results, voice).treatments and results.aftermath is None:
        again = voice.was_told(verify)
        return voice.say("remedy_wait_again" if again else "remedy_wait", text=verify, action=first)
    after = voice.say("remedy_after", number=following.number, action=first)
    if change is None or change == following or voice.was_told(after):
        return "\n".join([voice.say("remedy_again"), render_again(*(change or following), voice)])
    return "\n".join([after, render_alone(*change, voice)])


def were_told(steps: Sequence[Numbered], voice: Voice) -> bool:
    """Whether an answer has listed all of these steps, with whatever names in their statements."""
    words = [(each.number, voice.name(each.step.action, each.step.how)) for each in steps]
    told = (voice.say("step", number=number, action=action, notes="") for number, action in words)
    return len(steps) > 1 and all(map(voice.was_told, told))


def remedy(found: ConclusionView, results: TurnResults, voice: Voice) -> str:
    """What was done, what stops the bleeding, the steps left in order, the verification, and similar tickets."""
    told = [
        step
        for step in found.relief[:_RELIEF]
        if not _is_a_step(step, found) and not is_done(step, results, voice)
        if not is_in_vain(step, found, results, voice) and not goes_against(step, voice)
        if not was_given(render_relief(step, voice), voice)
    ]
    relief = [] if results.aftermath is Aftermath.WELL else _relief(told, goes_back_first(told, results, voice), voice)
    left = steps_left(found, results, voice)
    before, over = numbers_beside(found, left, results, voice)
    steps = [*before, *(render_step(*each, voice) for each in left), *over]
    taken = treatments_of(found, results, voice)
    done = [voice.say("remedy_done", done=done_in_words(taken, voice))] if taken.treatments else []
    ended = voice.say("remaining_none" if found.solution else "no_steps")
    lines = [*done, *relief, *([voice.say("steps"), *steps] if left else [ended])]
    verify = bind(found.verify.say(voice.language), voice.objects)
    if verify:
        lines += ["", voice.say("verify", text=verify)]
    if found.tickets and not results.treatments and not voice.was_told(found.tickets[0].ticket_id):
        lines += ["", voice.say("tickets", tickets=_tickets(found, voice))]
    return "\n".join(lines)


def _tickets(found: ConclusionView, voice: Voice) -> str:
    return voice.say("semicolon").join(
        voice.say("ticket", id=ticket.ticket_id, text=shorten(ticket.description))
        if ticket.description and bool(_HAN.search(ticket.description)) is (voice.language is Language.ZH)
        else ticket.ticket_id
        for ticket in found.tickets[:_TICKETS]
    )


def shorten(text: str) -> str:
    """A ticket's description, shortened to one line."""
    line = " ".join(text.split())
    return line if len(line) <= _TICKET_LENGTH else line[: _TICKET_LENGTH - 1] + "…"


def _is_a_step(relief: ReliefStep, found: ConclusionView) -> bool:
    """Whether the cure has the same statement or begins with the same deed, so that it need not stand before it."""
    how = relief.how.strip("; ")
    begins = next((step.how for step in found.solution if step.risk != "none"), "")
    actions = actions_of_statements(how)
    same = bool(actions) and actions == actions_of_statements(begins) and blanks_in(how) == blanks_in(begins)
    return same or (bool(how) and any(how in step.how for step in found.solution))
