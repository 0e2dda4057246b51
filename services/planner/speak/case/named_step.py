"""One step of the remedy that is asked about by its number, its setting or its value; and what else there is to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from lang import deferred_re as re
from lang.objects import identifiers_in
from lang.objects.settings_said import VERSION, settings_named
from services.planner.model import ConclusionView, HelpAnswer, SolutionStep, TurnResults
from services.planner.sizing.known import known_numbers
from services.planner.sizing.table import default_of, setting_named, settings_known
from services.planner.speak.case.action_facts import name_of
from services.planner.speak.case.in_case import conditions, relief_that, rulings, steps_that
from services.planner.speak.case.meant import meant
from services.planner.speak.case.remedy_steps import Numbered, is_done, steps_left
from services.planner.speak.settings_now import in_place
from services.planner.speak.steps.render import render_alone, render_step
from services.planner.speak.voice import Voice
from services.planner.treatment.actions import actions_in, actions_of_step, read_actions
from services.planner.treatment.named_steps import (
    STEP,
    has_value,
    names_setting,
    step_numbers,
    value_given,
    with_value,
    without_left,
)
from services.planner.treatment.sentences import clauses_of, sentences_of
from services.planner.treatment.shown_actions import POINTS, settings_of
from services.planner.treatment.wanted.wants import wants_in

_MOST = 3
# From this belief on a setting that is no step of the remedy stays as it is.
_LIKELY = 0.8
# A look at a setting that is not named yet.
_NAMELESS = re.compile(r"name = '(?:\.\.\.|…)'")
# What stops work that somebody wants done: who objects to one of these objects to all.
_ENDING = frozenset(("cancel", "terminate", "stop_job", "stop", "stop_backup"))
_LOOKS = ("select", "show", "explain", "df ", "du ")
# What asks for what a step does.
_EFFECTS = frozenset(("affects", "effects"))
_GENERAL = frozenset(("set_parameter", "switch_setting"))
# What may be asked of a setting that is as it should be.
_OF_SETTING = frozenset(("where", "size", "needs_restart", *_EFFECTS))


def tell_named_step(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """What is known of what is asked of a step, then the step; empty where no step is meant."""
    found = answer.conclusion or answer.leading
    if found is None:
        return ""
    asked = _asked_of(answer.text, found, results, voice)
    if answer.action != STEP and any(_actions(found.solution[number - 1], voice) - _GENERAL for number in asked):
        return ""  # Of its action more is known than of a setting.
    lines: list[str] = []
    left = {each.number: each.step for each in steps_left(found, results, voice)}
    for number, words in asked.items():
        step = left.get(number, found.solution[number - 1])
        if over := _over(Numbered(number, step), left, results, voice):
            lines += [over, *_known(step, wants, voice)] if (wants := _beside_leave(words)) else [over]
        else:
            lines += _of_open_step(Numbered(number, step), words, answer.text, results, voice)
    return "\n".join(lines)


def _over(asked: Numbered, left: Mapping[int, SolutionStep], results: TurnResults, voice: Voice) -> str:
    """That a step is done, or sets what is set so already; empty where it is left."""
    if asked.number not in left and is_done(asked.step, results, voice):
        return voice.say("step_done", number=asked.number)
    return in_place(asked.step.how, voice)


def _beside_leave(words: str) -> tuple[str, ...]:
    """What is asked of a step beside whether it may be done."""
    return tuple(each for each in wants_in(read_actions(words)) if each in _OF_SETTING)


def _of_open_step(asked: Numbered, words: str, said: str, results: TurnResults, voice: Voice) -> list[str]:
    """What is known of what the words ask of a step that is left, then the step."""
    wants, now = wants_in(read_actions(words)), next((value for _, value in settings_of(asked.step.how)), "")
    at = asked.step.how.lower().find(now)
    example = [voice.say("amount_example", value=asked.step.how[at : at + len(now)])] if has_value(words, now) else []
    leave = "leave" in wants and not ({"where", "size"} & {*wants} or example)
    sized = ["size"] * bool(example or value_given(words, now))
    step = replace(asked.step, how=with_value(asked.step.how, words))
    known = [*(_leave(step, said, results, voice) if leave else []), *example, *_known(step, (*wants, *sized), voice)]
    return [*(known or [voice.say("step_open")] * bool(wants)), render_alone(asked.number, step, voice)]


def tell_other_setting(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """That a setting that is no step against a likely cause stays as it is; which one is meant, where none is told."""
    found = answer.conclusion or answer.leading
    if found is None:
        return ""
    asked = answer.text.partition("\n")[0]
    named = settings_named(asked)
    action = meant(answer.action, asked, found, voice)
    of_remedy = any(each(action, asked, found, voice) for each in (steps_that, relief_that))
    if action in _GENERAL and not (named or of_remedy or identifiers_in(asked)):
        own = actions_in(asked)  # Whoever names another act, or points at nothing, means no setting.
        means = action in own if own else POINTS.search(asked) is not None
        return voice.say("leave_which_setting") if means else ""
    if len(named) != 1 or found.confidence < _LIKELY:
        return ""
    hows = [*(each.how for each in found.relief), *(each.how for each in found.solution)]
    if named[0] in {name for how in hows for name, _ in settings_of(how)} or named[0] not in identifiers_in(asked):
        return ""
    cause, percent = voice.name(found.name, found.root_cause_id), voice.percent(found.confidence)
    told = voice.say("leave_other_setting", setting=named[0], name=cause, percent=percent)
    default = default_of(named[0], int(known_numbers(voice.choices).get(VERSION, 0)))
    by_itself = [voice.say("leave_other_default", setting=named[0], value=default)] if default else []
    return "\n".join([told, *by_itself])


def where_set(asked: str, how: str, voice: Voice) -> str:
    """The server where a setting is set that is asked about, else one that a statement sets; empty where none is."""
    named = next((name for name in settings_known() if names_setting(asked, name)), "")
    name = named or next((each for each, _ in settings_of(how)), "")
    where = setting_named(name).where
    return voice.say(f"step_where_{where}", name=name) if where else ""


def of_setting(words: str, found: ConclusionView | None) -> str:
    """Words that look up a setting, with its name where the remedy changes just one."""
    steps = found.solution if found is not None else ()
    names = dict.fromkeys(name for step in steps if not step.prevents for name, _ in settings_of(step.how))
    name = next(iter(names)) if len(names) == 1 else ""
    return _NAMELESS.sub(f"name = '{name}'", words) if name else words


def _asked_of(asked: str, found: ConclusionView, results: TurnResults, voice: Voice) -> Mapping[int, str]:
    """The words about each step that is named, by its number; where only a size is asked, about the next that sets."""
    words: dict[int, str] = {}
    before = ""
    for clause in (clause for sentence in sentences_of(asked) for clause in clauses_of(sentence)):
        numbers = _named(without_left(clause), found) or [*words][-1:]
        for number in numbers:
            words[number] = f"{words.get(number, before)} {clause}"
        before = "" if numbers else f"{before} {clause}"
    if words or "size" not in wants_in(read_actions(asked)) or {*actions_in(asked)} - _GENERAL:
        return words
    sets = (each.number for each in steps_left(found, results, voice) if settings_of(each.step.how))
    return {number: asked for number in (next(sets, 0),) if number}


def _named(clause: str, found: ConclusionView) -> list[int]:
    """The numbers of the steps that a clause names; else of the one that it names by a setting or a value of it."""
    if numbers := step_numbers(clause):
        return [number for number in numbers if number <= len(found.solution)]
    setting = [(at, *each) for at, step in enumerate(found.solution, 1) for each in settings_of(step.how)]
    named = [at for at, name, _ in setting if names_setting(clause, name)]
    named = named or [at for at, name, value in setting if names_setting(clause, name, value)]
    given = [at for at, _, value in setting if value_given(clause, value)]
    return named[:1] or (given if len(given) == 1 else [])


def _known(step: SolutionStep, wants: tuple[str, ...], voice: Voice) -> list[str]:
    """What is known of the setting of a step that is asked about, aspect by aspect."""
    name = next((each for each, _ in settings_of(step.how)), "")
    lines: list[str] = []
    if "where" in wants:
        where = setting_named(name).where
        lines.append(voice.say(f"step_where_{where}", name=name) if where else voice.say("step_open_where"))
    if "size" in wants:
        lines += voice.known(f"size_{name}") or [voice.say("step_open_size")]
    if "needs_restart" in wants and name:
        lines.append(voice.say(f"step_takes_{setting_named(name).takes}", name=name))
    if not {"where", "size", "needs_restart"} & {*wants} or _EFFECTS & {*wants}:
        lines += voice.known(f"does_{name}") or _acts(step, voice)
    return lines


def _leave(step: SolutionStep, said: str, results: TurnResults, voice: Voice) -> list[str]:
    """That a step may be done, with what has to hold before its action unless it was said to."""
    action = next(iter(sorted(_actions(step, voice) - _GENERAL)), "")
    if not action:
        return [voice.say("leave_yes")]
    met, left = conditions(action, said, results)
    if met and not left:
        return [voice.say("leave_go", given=voice.listed(voice.say(f"need_{each}") for each in met))]
    return [voice.say(f"leave_{rulings()[action].leave}", first=voice.say(f"first_{action}"))]


def _acts(step: SolutionStep, voice: Voice) -> list[str]:
    """What the action of a step does, where it is no setting of any kind."""
    return [line for each in sorted(_actions(step, voice) - _GENERAL)[:1] for line in voice.known(f"act_{each}")]


def tell_other_steps(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """What is to be done without the action that the person objects to; that no step does without it, else."""
    found = answer.conclusion or answer.leading
    if found is None:
        return voice.say("help_early")
    objected = _ENDING if answer.action in _ENDING else frozenset((answer.action,))
    left = [each for each in steps_left(found, results, voice) if not _actions(each.step, voice) & objected]
    changing = [each for each in left if each.step.risk != "none" or not _looks(each.step)]
    treating = [each for each in changing if not each.step.prevents]
    names = {"done": name_of(answer.action, voice), "name": voice.name(found.name, found.root_cause_id)}
    told = treating or [each for each in changing if not _looks(each.step)]
    lead = voice.say("other_steps" if treating else "other_steps_later" if told else "other_steps_none", **names)
    percent = voice.percent(found.confidence)
    by = [voice.say("command_leading", name=names["name"], percent=percent)] if answer.conclusion is None else []
    return "\n".join([*by, lead, *(render_step(*each, voice) for each in told[:_MOST])])


def _actions(step: SolutionStep, voice: Voice) -> frozenset[str]:
    return actions_of_step(voice.name(step.action, step.how), step.how)


def _looks(step: SolutionStep) -> bool:
    """Whether the statement of a step changes nothing, or it has none and treats nothing."""
    how = step.how.strip().lower()
    return how.startswith(_LOOKS) and not actions_of_step("", how)
