"""Settings that an output shows, and questions of such: what they mean for the case is told."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from lang import deferred_re as re
from lang.listed import lists_beside
from lang.objects import Seen
from lang.objects.named_objects import objects_named
from lang.objects.servers_and_clients import CONNECTIONS
from lang.objects.settings_said import SETTING
from services.planner.model import (
    ClarifyStep,
    NamedObject,
    ObservationStep,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    SessionView,
    SmalltalkStep,
    Speaker,
    TurnPlan,
)
from services.planner.treatment.sentences import sentences_of

_LISTED = lists_beside(__file__)

# The action of an answer that tells what settings mean.
SETTINGS = "settings"
_OF_THEM = _LISTED.pattern("of_them", re.IGNORECASE)
_JUDGES = _LISTED.pattern("judges", re.IGNORECASE)
_NAME = re.compile(r"(?<![\w.])[a-z]+(?:_[a-z]+)+(?!\w)")
# What counts are compared with, and the count: the comparison tells more than either. The mode of a pool is told with it.
_COMPARED = (CONNECTIONS, "max_connections", "pool_mode")
_IN_PLACE = (QuestionTopic.RELATED, QuestionTopic.IDENTIFICATION, None)


def with_settings_shown(plan: TurnPlan, said: str, view: SessionView) -> TurnPlan:
    """The plan with the settings that its message shows, or of which it asks whether they are right."""
    shown = _names(plan.objects) if plan.pasted else []
    before = [each.text for each in view.history if each.speaker is Speaker.USER]
    asked = next((each for each in sentences_of(said) if _JUDGES.search(each)), "")
    known = _names(each for text in before for each in objects_named(text)) if asked and not shown else []
    named = [name for name in known if name in _NAME.findall(asked)]
    about = shown or named or (known if asked and _OF_THEM.search(asked) else [])
    if not about or not view.evidence:
        return plan
    told = QuestionStep(QuestionKind.HELP, text=" ".join(about), topic=QuestionTopic.IDENTIFICATION, action=SETTINGS)
    return replace(plan, steps=(*(step for step in plan.steps if not (asked and _is_of(step, asked))), told))


def _names(objects: Iterable[NamedObject | Seen]) -> list[str]:
    settings = (each.name.split("=", 1)[0] for each in objects if each.kind == SETTING)
    return [name for name in dict.fromkeys(settings) if name not in _COMPARED]


def _is_of(step: PlanStep, sentence: str) -> bool:
    """Whether a step is another reading of a question of settings."""
    match step:
        case QuestionStep(topic=topic, text=words) if topic not in _IN_PLACE:
            return False
        case QuestionStep(text=words) | ObservationStep(text=words) | ClarifyStep(words=words):
            return bool(words.strip()) and (words.strip() in sentence or sentence.strip() in words)
        case SmalltalkStep():
            return True
    return False
