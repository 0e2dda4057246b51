"""One client for language models: any OpenAI-compatible endpoint, and its scripted twin.

A call either returns what was asked for, validated, or raises ModelFailed; callers then use their rules. Structured
answers get one repair attempt. Texts are never logged here; calls and tokens are counted.
"""

from services.chassis.llm.asking import Answer, LanguageModel, Message, ModelFailed, Usage
from services.chassis.llm.endpoint import OpenAiModel, connect
from services.chassis.llm.scripted import ScriptedModel
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
    "without_thinking",
]
