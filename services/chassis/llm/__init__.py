"""One client for language models: any OpenAI-compatible endpoint, and its scripted twin.

A call either returns a validated answer or raises ModelFailed; callers then fall back to rules. Structured
answers get one repair attempt. Texts are never logged; calls and tokens are counted. A watched model is logged
when it starts to fail and when it recovers.
"""

from services.chassis.llm.endpoint import OpenAiModel, connect
from services.chassis.llm.model import Answer, LanguageModel, Message, ModelFailed, Usage, watch_model, without_thinking
from services.chassis.llm.scripted import ScriptedModel

__all__ = [
    "Answer",
    "LanguageModel",
    "Message",
    "ModelFailed",
    "OpenAiModel",
    "ScriptedModel",
    "Usage",
    "connect",
    "watch_model",
    "without_thinking",
]
