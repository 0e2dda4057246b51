"""Which object it is: the names that were seen or said; else the step that finds it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from lang.objects import PID, Role, Seen, bind, identifiers_in, objects_in
from lang.objects.lock_queue import Wait
from lang.objects.scan_keys import KEY
from lang.tokens import Kind, read_text
from services.planner.model import HelpAnswer, ReliefStep, SolutionStep, TurnResults, Verdict
from services.planner.speak import checks
from services.planner.speak.conclusion import shorten
from services.planner.speak.follow_ups.source import is_shown_in_the_way
from services.planner.speak.objects import cost_known, name_object, objects_known, objects_seen, waits_shown, whose_told
from services.planner.speak.steps.render import render_step
from services.planner.speak.voice import Voice
from services.planner.treatment.actions import actions_in, actions_of_statements, read_actions
from services.planner.treatment.shown_actions import SESSION
from services.planner.treatment.wanted.wants import kinds_asked, wants_in
from services.planner.understand.questions.questions import asks_who_waits

_GROUNDS, _CELL = 3, " | "
# Shorter numbers are those of checks and causes.
_PID_DIGITS = 3
# Words of a check, which names its signals: "new_sessions = 692 /s".
_MEASURED = " = "
# Most objects that are named at once.
_NAMED = 4
# From so many on it is asked which one.
_SEVERAL = 2
# Words of a question, or of what is on record, that tell that a snapshot is held, not a lock.
_SNAPSHOT = ("snapshot", "xmin", "快照", "dead rows cannot be removed")


def tell_which(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """The objects that were seen, and the words on record that name one; else the step that finds it."""
    if filled := _tell_filled(answer, voice):
        return filled
    open_case = results.diagnosis
    words = [view.words for view in answer.evidence if view.verdict is Verdict.CONFIRMED and names_object(view.words)]
    known = objects_known(results)
    told = [line for name in _names_asked(answer.text) if (line := _known(name, known, results, voice))]
    if told:
        return "\n".join(dict.fromkeys(told))
    held = any(each.culprit and each.kind == PID for each in known)
    blocker = "blocker" in wants_in(read_actions(answer.text))
    if blocker and (queue := _tell_queue(known, results, voice)):
        return queue
    if blocker and not held and _is_of_snapshot(answer, results):
        return "\n".join([voice.say("object_holder"), voice.shown("holders")])
    if (blocker and not held and not words) or asks_who_waits(answer.text):
        return "\n".join([voice.say("object_blocker"), voice.shown("blockers")])
    asked = _session_asked(answer.text)
    if asked:
        said = _quoted([each for each in words if asked in each], voice)
        return "\n".join(
            [*([said] if said else []), voice.say("object_number", number=asked), voice.shown("session", pid=asked)]
        )
    kinds = kinds_asked(answer.text)
    if "index" in kinds and (new := _tell_new_index(answer, voice)):
        return new
    if kinds:
        named = [each for each in known if each.kind in kinds]
        if named:
            return _of_kind(named, voice)
    behind = {each.name for each in known if each.role in (Role.WAITS, Role.LAST)}
    seen = tuple(each for each in objects_seen(results.seen) if each.name not in behind)
    if kinds == {"index"}:
        seen, words = (), []  # What was seen of sessions and roles names no index.
    if seen:
        return _seen(seen, [*words, *(view.words for view in results.seen if any(objects_in(view.value)))], voice)
    if quoted := _quoted(words, voice):
        return quoted
    if answer.conclusion is None or not answer.conclusion.solution:
        following = open_case.recommendations[:1] if open_case else ()
        shown = [checks.in_a_line(one, open_case, voice) for one in following if open_case]
        return "\n".join([voice.say("object_nobody"), *shown])
    return "\n".join([voice.say("object_unknown"), render_step(1, answer.conclusion.solution[0], voice)])


def _is_of_snapshot(answer: HelpAnswer, results: TurnResults) -> bool:
    """Whether what is held is a snapshot: the question says so, or what is on record."""
    there = (*answer.evidence, *results.seen)
    told = [answer.text, *(view.name.en for view in there if view.verdict is Verdict.CONFIRMED)]
    return any(word in each.lower() for each in told for word in _SNAPSHOT)


def _tell_filled(answer: HelpAnswer, voice: Voice) -> str:
    """Which of several sessions the command that is asked about is for, by the step that has it; else empty."""
    asked, found = {*SESSION.findall(answer.text)}, answer.conclusion or answer.leading
    if len(asked) < _SEVERAL or found is None:
        return ""
    acts = {*actions_in(answer.text)}
    steps: tuple[ReliefStep | SolutionStep, ...] = (*found.relief, *found.solution)
    for step in steps:
        how = bind(step.how, voice.objects)
        named = asked & {*SESSION.findall(how)}
        if acts & actions_of_statements(step.how) and len(named) == 1:
            put = voice.say("object_put", name=named.pop())
            return f"{put} `{how}`\n{voice.name(step.action, step.how)}{voice.stop}".rstrip()
    return ""


def _tell_new_index(answer: HelpAnswer, voice: Voice) -> str:
    """The step that builds the index which the slow statement needs; empty where it is not known what that is on."""
    key, found = voice.objects.get(KEY, ""), answer.conclusion or answer.leading
    for step in found.solution if key and found is not None else ():
        if key in (how := bind(step.how, voice.objects)):
            return f"{voice.say('object_put', name=key)} `{how}`\n{voice.name(step.action, step.how)}{voice.stop}"
    return ""


def _tell_queue(known: Sequence[Seen], results: TurnResults, voice: Voice) -> str:
    """Who holds the others up, and who heads their queue, in a line each; empty where neither is known.

    Where no row shows who waits for whom it is no more than likely, and the query that shows it is told.
    """
    sessions = [each for each in known if each.kind == PID]
    held = [each.name for each in sessions if each.culprit]
    root = voice.objects.get(PID) or (held[0] if len(held) == 1 else "")
    head = next((each.name for each in sessions if each.role in (Role.DDL, Role.HEAD)), "")
    if not root:
        return voice.say("queue_head_alone", name=head) if head else ""
    behind = is_shown_in_the_way(root, results)
    lines = [voice.say("queue_root" if behind else "queue_root_likely", name=root)]
    if head:
        shown = Wait(head, root) in waits_shown(results)
        lines.append(voice.say("queue_head" if shown else "queue_head_likely", name=head, root=root))
    return "\n".join(lines if behind else [*lines, voice.say("object_blocker"), voice.shown("blockers")])


def tell_idle_holder(asked: str, known: Sequence[Seen], voice: Voice) -> str:
    """Why a session that does nothing holds the others up, where the words name one; else empty."""
    number = _session_asked(asked)
    idle = [each for each in known if each.name == number and each.role in (Role.IDLE, Role.ROOT) and each.culprit]
    return voice.say("object_idle_holds", name=number) if idle else ""


def _names_asked(asked: str) -> tuple[str, ...]:
    """The names that a question is about: identifiers, and the numbers of sessions."""
    return (*identifiers_in(asked), *filter(None, (_session_asked(asked),)))


def _known(name: str, known: Sequence[Seen], results: TurnResults, voice: Voice) -> str:
    """What the rows and words of the case tell of one object; empty where they tell nothing of it."""
    seen = next((each for each in known if each.name == name), None)
    if seen is None:
        return ""
    if seen.role is Role.FINE:
        return voice.say("object_known_fine", name=name)
    if seen.kind == "slot" and seen.culprit:
        return voice.say("object_known_slot", name=name)
    if seen.kind != PID:
        return ""
    if seen.role is Role.DDL:
        return voice.say("object_known_ddl", name=name)
    look = voice.shown("session", pid=name)
    if seen.culprit:
        shown = is_shown_in_the_way(name, results)
        held = voice.say("object_known_holds" if shown else "queue_root_likely", name=name)
        told = [*whose_told(name, results, voice), held, *cost_known(name, results, voice)]
        return "\n".join([voice.stop.join(told), look])
    return voice.say("object_known_waits", name=name) if seen.role in (Role.WAITS, Role.LAST) else ""


def _of_kind(named: Sequence[Seen], voice: Voice) -> str:
    """The objects of the kind that is asked for: the one to act on first, else all of them."""
    kind = named[0].kind
    fitting = voice.choices.get(kind, ()) or tuple(each.name for each in named)
    chosen = [each for each in named if each.name in fitting] or list(named)
    names = voice.listed(name_object(each, voice) for each in chosen[:_NAMED])
    if kind == PID:
        return voice.say("object_held" if any(each.culprit for each in chosen) else "object_seen", names=names)
    return voice.say("object_is" if len(chosen) == 1 else "object_several", names=names)


def _seen(seen: Sequence[Seen], words: Sequence[str], voice: Voice) -> str:
    """The objects, those that hold others up first, and the words or rows that they are from."""
    held = [each for each in seen if each.culprit]
    named = voice.listed(name_object(each, voice) for each in (held or seen)[:_NAMED])
    lines = [voice.say("object_held" if held else "object_seen", names=named)]
    return "\n".join(each for each in (*lines, _quoted(words[:_GROUNDS], voice)) if each)


def _quoted(words: Sequence[str], voice: Voice) -> str:
    said = [each for each in dict.fromkeys(words) if _CELL not in each]
    quoted = voice.listed(voice.say("quoted", words=shorten(each)) for each in said)
    return voice.say("object_said", words=quoted) if quoted else ""


def _session_asked(asked: str) -> str:
    """The number of a session that a question names; empty if it names none."""
    numbers = (token.text for token in read_text(asked).tokens if token.kind is Kind.NUMBER)
    return next((number for number in numbers if number.isdecimal() and len(number) >= _PID_DIGITS), "")


def names_object(words: str) -> bool:
    """Whether words name an object of somebody's system: an identifier of several parts, or a number after `pid`."""
    tokens = () if _MEASURED in words else read_text(words).tokens
    return any(
        token.joined or (before.key == "pid" and token.kind is Kind.NUMBER) for before, token in pairwise(tokens)
    )
