"""Which of two things that are set against each other to do first: by the remedy of the cause that leads."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from lang.objects.settings_said import SETTING
from services.planner.model import ConclusionView, HelpAnswer, ReliefStep, SolutionStep, Text, TurnResults
from services.planner.questions_asked.likeness import likeness
from services.planner.sizing.known import values_of
from services.planner.speak.follow_ups.comparison import RISKS, compare
from services.planner.speak.follow_ups.options import ENDING
from services.planner.speak.objects import objects_known
from services.planner.speak.steps.render import render_alone, render_relief
from services.planner.speak.voice import Voice
from services.planner.treatment.actions import actions_in, names_ddl
from services.planner.treatment.named_steps import step_numbers
from services.planner.treatment.sentences import two_in
from services.planner.treatment.shown_actions import SESSION

# From so much likeness in all, words mean a step; by less, none of them.
_ALIKE = 0.75
# What is no more than a change of some setting.
_SETTING = frozenset(("set_parameter", "switch_setting"))


def tell_first(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """The one of two to do first, and why; empty where nothing is set against each other, or no step tells."""
    parts = two_in(answer.text)
    found = answer.conclusion or answer.leading
    if not parts or found is None:
        return ""
    if answer.action in ENDING and all(SESSION.search(part) or names_ddl(part) for part in parts):
        known = {each.name for each in objects_known(results)}
        both_seen = known.issuperset(SESSION.findall(" ".join(parts)))
        return "" if both_seen else compare(answer, results, voice)
    return _within_a_step(parts, found, voice) or _of_two_steps(parts, found, voice) or _by_order(parts, found, voice)


def _within_a_step(parts: Sequence[str], found: ConclusionView, voice: Voice) -> str:
    """The one step that does both things, in the order of its words."""
    for number, step in enumerate(found.solution, 1):
        if step.prevents or any(_alike(part, step.action) < _ALIKE for part in parts):
            continue
        lead = voice.say("both_of_two", name=voice.name(found.name, found.root_cause_id))
        return "\n".join([lead, render_alone(number, step, voice)])
    return ""


def tell_steps(answer: HelpAnswer, voice: Voice) -> str:
    """Two steps that set something and are set against each other; empty where actions of their own tell them apart."""
    parts, found = two_in(answer.text), answer.conclusion or answer.leading
    if not parts or found is None or any({*actions_in(part)} - _SETTING for part in parts):
        return ""
    return _of_two_steps(parts, found, voice)


def _of_two_steps(parts: Sequence[str], found: ConclusionView, voice: Voice) -> str:
    """Both things, where each is a step of its own, and which of them is better here, with the reason."""
    if step_numbers(" ".join(parts)):
        return ""  # A step by its number, on one server or the other.
    acting = [(at, each) for at, each in enumerate(found.solution, 1) if not each.prevents and each.risk in RISKS[1:]]
    steps = [max(acting, key=partial(_fits, _with_setting(part, voice)), default=None) for part in parts]
    meant = {each for each, part in zip(steps, parts, strict=True) if each and _fits(_with_setting(part, voice), each)}
    if len(meant) < len(parts):
        return ""
    first, second = sorted(meant, key=lambda each: (RISKS.index(each[1].risk), each[0]))
    why = "compare_first" if first[1].risk == second[1].risk else "compare_risk"
    reason = voice.say(why, cause=voice.name(found.name, found.root_cause_id))
    better = voice.say("compare_better", name=voice.name(first[1].action, first[1].how), why=reason)
    return "\n".join([better, *(render_alone(*each, voice) for each in (first, second))])


def _fits(words: str, step: tuple[int, SolutionStep]) -> float:
    """How much words are like a step; 0 where they do not mean it."""
    alike = _alike(words, step[1].action)
    return alike if alike >= _ALIKE else 0.0


def _with_setting(words: str, voice: Voice) -> str:
    """Words with the name of the setting that has a value which they call it by: "that 30s"."""
    values = {value: name for name, value in values_of(voice.choices, SETTING).items()}
    return " ".join([words, *(name for value, name in values.items() if value and value in words)])


def _by_order(parts: Sequence[str], found: ConclusionView, voice: Voice) -> str:
    """The relief that one of the two is, else the step of them that comes first."""
    lead = voice.say("first_of_two", name=voice.name(found.name, found.root_cause_id))
    if (relief := _meant(parts, found.relief)) is not None:
        return "\n".join([lead, render_relief(relief, voice)])
    acting = [(number, each) for number, each in enumerate(found.solution, 1) if not each.prevents]
    fitting = [each for each in acting if each[1].risk != "none" and _likest(parts, each[1].action) >= _ALIKE]
    return "\n".join([lead, render_alone(*fitting[0], voice)]) if fitting else ""


def _meant(parts: Sequence[str], relief: Sequence[ReliefStep]) -> ReliefStep | None:
    return next((each for each in relief if _likest(parts, each.action) >= _ALIKE), None)


def _likest(parts: Sequence[str], action: Text) -> float:
    return max(_alike(part, action) for part in parts)


def _alike(words: str, action: Text) -> float:
    """How much words are like a step in either language, in all views together."""
    return float(likeness(words, (action.zh, action.en)).max(axis=1).sum())
