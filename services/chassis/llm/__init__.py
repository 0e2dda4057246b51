"""One client for language models: any OpenAI-compatible endpoint, and its scripted twin.

A call either returns what was asked for, validated, or raises ModelFailed; callers then use their rules. Structured
answers get one repair attempt. Texts are never logged here; calls and tokens are counted. A model under watch is logged
when it begins to fail and when it answers again.
"""

from services.chassis.llm.asking import Answer, LanguageModel, Message, ModelFailed, Usage
from services.chassis.llm.endpoint import OpenAiModel, connect
from services.chassis.llm.scripted import ScriptedModel
from services.chassis.llm.watched import watched
from services.chassis.llm.wording import without_thinking

__all__ = [
    "Answer",
    "LanguageModel",
    "Message",
    "ModelFailed",
    "OpenAiModel",
    "ScriptedModel",
    "Usage",
    "connect",
    "watched",
    "without_thinking",
]
