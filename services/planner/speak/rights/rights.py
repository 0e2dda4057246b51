"""Who may take a step, what is left to whoever may not, and the sentence to send to whoever may."""

from __future__ import annotations

from typing import NamedTuple

from lang import deferred_re as re
from lang.objects import PID, bind
from services.planner.model import ConclusionView, HelpAnswer, QuestionTopic, ReliefStep, SolutionStep, TurnResults
from services.planner.speak.case.action_facts import facts_of, is_this, say_blank
from services.planner.speak.case.meant import meant
from services.planner.speak.case.place_in_queue import with_named
from services.planner.speak.case.remedy_steps import is_done, is_in_vain, next_change, next_step
from services.planner.speak.case.wishes import goes_against
from services.planner.speak.follow_ups.source import stands_in
from services.planner.speak.objects import objects_known
from services.planner.speak.rights.named_actions import named_in
from services.planner.speak.rights.who_may import ANY, group_of, has_absent, how_to_see, lacking
from services.planner.speak.steps.as_code import code
from services.planner.speak.steps.render import fitting
from services.planner.speak.voice import Voice, polish
from services.planner.treatment.actions import action_named, actions_of_statements, actions_of_step, read_actions
from services.planner.treatment.bearing import lacking_in
from services.planner.treatment.shown_actions import SESSION
from services.planner.treatment.wanted.wants import LOOK_BY_OTHERS, wants_in
from services.planner.understand.text.word_lists import names

_SESSION, _SETTING, _ASKED = "session", "setting", "rights"
# Settings that a person may set for a session or role of their own.
_FOR_USERS = ("alter role", "_timeout", "work_mem")
# From this belief on a cause is given as the reason.
_LIKELY = 0.5
_ADDRESS = re.compile(r"(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])", re.ASCII)
_LOOKS = ("select", "show", "explain")
# What an account is said to be that may look at anything and change nothing.
# "Not the cap" names what is not asked about.
_NOT_MEANT = re.compile(
    r"\bnot\s+(?:about\s+)?(?:the|that)\s+\w+|\binstead of\s+(?:the\s+)?\w+|不是(?:说|问)?[^，。？！\s]{1,6}", re.I
)
# Verbs that a sentence names alone; what is before tells what they are done to.
_VERBS_ALONE = frozenset(("drop", "stop", "set_parameter", "switch_setting", "cancel", "terminate", "restart"))
_ABSENT = re.compile(
    r"\b(?:not|n'?t|nobody|no one|never|cannot|can'?t)\b[^.?!]{0,24}"
    r"\b(?:answer\w*|reach\w*|reply|replies|picks? up|there)\b"
    r"|\b(?:asleep|on leave|on holiday|out of office|unreachable)\b"
    r"|联系不上|找不[到着]|没人(?:回|接|应|确认|管)|不(?:回|接|理)|请假|休假|睡了|离职",
    re.IGNORECASE,
)


class Meant(NamedTuple):
    """The step that is meant: its action, that in words, and its statement, where it has one."""

    action: str
    words: str
    how: str


def tell_rights(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """Who may take the step that is meant, what can be done without, and what to send on."""
    if answer.action == LOOK_BY_OTHERS:
        return _tell_look(answer, voice)
    named = _named(answer)
    of_looking = names("named.looking", answer.text) and not names("named.read_only", answer.text)
    if not named and lacking_in(answer.text) and of_looking:
        return voice.say("rights_look")
    if named:
        voice = with_named(named[0], answer.text, objects_known(results), voice)
    step = _meant_step(named, answer, results, voice)
    if step is None:
        return "\n".join([voice.say("rights_readonly"), voice.say("rights_look")])
    group, pid = group_of(step.action), _session(step, voice)
    role = voice.say("rights_role", role=found) if (found := _told_of(pid, "usename", results)) else ""
    who = voice.say(f"rights_who_{group}", **({"role": role} if group == _SESSION else {}))
    lines = [voice.say("rights_readonly")] if names("named.read_only", answer.text) else []
    lines.append(voice.say("rights_step", action=step.words))
    if group == ANY and step.how.lower().lstrip().startswith(_LOOKS):
        return "\n".join([*lines, voice.say("rights_look")])
    if has_absent(group) and _ABSENT.search(answer.text):
        lines.append(voice.say(f"rights_absent_{group}"))
    lines.append(voice.say("rights_who", who=who))
    if look := how_to_see(group, voice.engine):
        lines.append(voice.say("rights_see", how=f"`{bind(look, voice.objects)}`"))
    if _ASKED in wants_in(read_actions(answer.text)) and polish(lines[-1], voice.language) in voice.previous:
        return " ".join(lines[1:])
    lines.append(left_to_do(step, answer, results, voice))
    return "\n".join([*lines, _to_send(step, pid, answer, results, voice)])


def _tell_look(answer: HelpAnswer, voice: Voice) -> str:
    """The check that somebody else has to make, in words to send on."""
    if not answer.items:
        return voice.say("look_ask_none")
    item = answer.items[0]
    name, present = voice.name(item.name, item.phenomenon_id), item.present_when.say(voice.language).rstrip(" .。")
    lines = [voice.say("look_ask", name=name, present=present)]
    return "\n".join([*lines, code(item.observation_method, item.observe_kind), voice.say("look_ask_back")])


def lacks_next(answer: HelpAnswer, results: TurnResults, voice: Voice) -> bool:
    """Whether the person has said to lack the right for what is to be done next."""
    found = answer.conclusion or answer.leading
    step = _next(found, results, voice) if found is not None else None
    return step is not None and bool(lacking(sorted(_actions(step, voice)), voice))


def left_to_do(step: Meant, answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """What is left without the right for a step: by the step itself, else by another one against the cause."""
    group = group_of(step.action)
    if group == _SETTING and not any(each in step.how.lower() for each in _FOR_USERS):
        actions = (each for other in _steps(answer.conclusion or answer.leading) for each in _actions(other, voice))
        others = (each for each in map(group_of, actions) if each not in (_SETTING, ANY))
        group = next(others, group)
    client = {"client": _client(_session(step, voice), results, voice)} if group == _SESSION else {}
    return voice.say(f"rights_meanwhile_{group}", **client)


def step_to_ask_for(answer: HelpAnswer, results: TurnResults, voice: Voice) -> Meant | None:
    """The step that somebody is to be asked to take: the next one that the person may not take, else the next one."""
    found = answer.conclusion or answer.leading
    for step in _steps(found):
        done = (
            found is None
            or is_done(step, results, voice)
            or goes_against(step, voice)
            or (isinstance(step, ReliefStep) and is_in_vain(step, found, results, voice))
        )
        if step.how and not done and lacking(sorted(_actions(step, voice)), voice):
            return _as_meant(step, voice)
    return _meant_step((), answer, results, voice)


def _named(answer: HelpAnswer) -> tuple[str, ...]:
    """The actions that are asked about: by the words of a question of rights, without what it says not to mean."""
    said = named_in(_NOT_MEANT.sub(" ", answer.text)) or named_in(answer.text)
    if said and answer.topic is QuestionTopic.RIGHTS and not {*said} & _VERBS_ALONE:
        return said
    return (answer.action,) if action_named(answer.action) is not None else said


def _meant_step(named: tuple[str, ...], answer: HelpAnswer, results: TurnResults, voice: Voice) -> Meant | None:
    """The step of the named action, else the one to take next that changes something, else the next one."""
    found = answer.conclusion or answer.leading
    if named:
        action = meant(named[0], answer.text, found, voice)
        steps = [step for step in _steps(found) if action in _actions(step, voice)]
        steps = [step for step in steps if _does(action, step.how, voice)]
        left = [step for step in steps if not is_done(step, results, voice)] or steps
        how = left[0].how if left else facts_of(action, voice.engine).do
        return Meant(action, voice.say(f"name_{action}"), _bound(how, voice))
    step = _next(found, results, voice) if found is not None else None
    if step is None:
        return None
    return _as_meant(step, voice)


def _does(action: str, how: str, voice: Voice) -> bool:
    """Whether the statement of a step does an action: one that only goes by its words may be another statement."""
    own = not facts_of(action, voice.engine).do or action in actions_of_statements(how)
    return own and is_this(action, how, voice.engine)


def _as_meant(step: SolutionStep | ReliefStep, voice: Voice) -> Meant:
    action = next(iter(sorted(_actions(step, voice))), ANY)
    return Meant(action, voice.name(step.action, step.how), _bound(step.how, voice))


def _next(found: ConclusionView, results: TurnResults, voice: Voice) -> SolutionStep | ReliefStep | None:
    for relief in found.relief:
        fits = not is_in_vain(relief, found, results, voice) and not goes_against(relief, voice)
        if fits and not is_done(relief, results, voice):
            return relief
    following = next_change(found, results, voice) or next_step(found, results, voice)
    return following.step if following is not None else None


def _steps(found: ConclusionView | None) -> tuple[SolutionStep | ReliefStep, ...]:
    return (*found.relief, *found.solution) if found is not None else ()


def _actions(step: SolutionStep | ReliefStep, voice: Voice) -> frozenset[str]:
    return actions_of_step(voice.name(step.action, step.how), step.how)


def _bound(how: str, voice: Voice) -> str:
    return bind(fitting(how, voice), voice.objects).strip().rstrip(";")


def _session(step: Meant, voice: Voice) -> str:
    """The number of the session that a step ends; empty where it is not known."""
    number = SESSION.search(step.how)
    return number[0] if number is not None else voice.objects.get(PID, "")


def _told_of(pid: str, column: str, results: TurnResults) -> str:
    """What rows on record tell of a session in a column; empty where they tell nothing."""
    for view in results.seen if pid else ():
        if stands_in(f"pid = {pid}", view.value):
            found = re.search(rf"\b{column} = ([\w.:@/ -]+?)(?=,|$)", view.value)
            if found is not None and found[1].strip():
                return found[1].strip()
    return ""


def _client(pid: str, results: TurnResults, voice: Voice) -> str:
    """The program behind a session, by what was seen of it, else how to find it."""
    name, role = (_told_of(pid, each, results) for each in ("application_name", "usename"))
    if name:
        address = _address(pid, results)
        at = voice.say("rights_client_at", address=address) if address else ""
        return voice.say("rights_client", name=name, at=at)
    if role:
        return voice.say("rights_client_role", role=role)
    return voice.say("rights_client_open", pid=pid) if pid else voice.say("rights_client_any")


def _address(pid: str, results: TurnResults) -> str:
    """The address that a session came from: its own column, else the only one in its row."""
    rows = (view.words for view in results.seen if stands_in(pid, view.words))
    only = (found[0] for words in rows if len(found := _ADDRESS.findall(words)) == 1)
    return _told_of(pid, "client_addr", results) or next(only, "")


def _to_send(step: Meant, pid: str, answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """The one sentence for whoever has the right, with the command and the reason."""
    found = answer.conclusion or answer.leading
    likely = found is not None and (answer.conclusion is not None or found.confidence >= _LIKELY)
    reasons = [voice.say("rights_reason", cause=voice.name(found.name))] if likely and found is not None else []
    held = any(each.kind == PID and each.culprit and each.name == pid for each in objects_known(results))
    if held and group_of(step.action) == _SESSION:
        reasons = [voice.say("rights_reason_held", pid=pid), *reasons]
    reason = "".join(voice.stop + each for each in reasons)
    if not step.how:
        return voice.say("rights_ask_do", action=step.words, reason=reason)
    told = voice.say("rights_ask", how=f"`{' '.join(step.how.split())}`", reason=reason)
    return told + say_blank(step.how, voice)
