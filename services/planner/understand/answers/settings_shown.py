"""Settings that an output shows, and questions of such: what they mean for the case is told."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from lang import deferred_re as re
from lang.objects import Seen
from lang.objects.clients_counted import CONNECTIONS
from lang.objects.named_objects import objects_named
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

# The action of an answer that tells what settings mean.
SETTINGS = "settings"
_OF_THEM = re.compile(
    r"\b(?:these|those|both|the) (?:two |2 )?(?:settings?|parameters?|params?|values?|ones)\b|\b(?:these|those) (?:two|2)\b"
    r"|设置|参数|[这那](?:俩|两个?|几个)",
    re.IGNORECASE,
)
_JUDGES = re.compile(
    r"\b(?:is|are|does|do|so)\b.*\b(?:ok|okay|fine|normal|right|wrong|bad|good|low|small|high|big|short|problem|reason"
    r"|cause|why|matter)\b|正常|问题|是不是|原因|太[小大短长低高]|合理|对不对|对吗|够不够|算不算",
    re.IGNORECASE,
)
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
