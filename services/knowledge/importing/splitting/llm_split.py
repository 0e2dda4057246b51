"""Splits the free text of an analysis into anomalies by a language model. Its words must be quotes from the text.

One question a ticket, without a repair: whatever is wrong with the answer, the rules split the text instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from services.chassis.llm import LanguageModel, Message, ModelFailed, Usage
from services.knowledge.importing.splitting.analysis import MOST_ANOMALIES, anomalies_of
from services.knowledge.library.schema import Anomaly

_PROMPT = Path(__file__).parents[2] / "prompts" / "split_analysis.md"
_LONGEST = 500


class SplitRow(BaseModel):
    """One thing that was seen. words and method are copied from the text; method is empty where it tells none."""

    model_config = ConfigDict(extra="forbid")

    words: str = Field(min_length=4, max_length=_LONGEST)
    method: str = Field(default="", max_length=1_000)


class SplitAnalysis(BaseModel):
    """Everything unusual that was seen, in the order of the text."""

    model_config = ConfigDict(extra="forbid")

    observations: list[SplitRow] = Field(max_length=MOST_ANOMALIES)


@dataclass
class _OneCall(Usage):
    """Permits a single call: a repair would be a second one."""

    def __setattr__(self, name: str, value: int) -> None:
        if name == "calls" and value > 1:
            raise ModelFailed("model_malformed.split")
        super().__setattr__(name, value)


async def split_by_model(model: LanguageModel, text: str) -> tuple[Anomaly, ...] | None:
    """The anomalies; None if the model's answer is unusable."""
    messages: list[Message] = [
        {"role": "system", "content": _PROMPT.read_text(encoding="utf-8")},
        {"role": "user", "content": f"<analysis>\n{text}\n</analysis>"},
    ]
    try:
        answer = await model.structured(messages, SplitAnalysis, _OneCall())
    except ModelFailed:
        return None
    return keep_quoted(answer, text)


def keep_quoted(answer: SplitAnalysis, text: str) -> tuple[Anomaly, ...] | None:
    """The rows as anomalies; None if one is not a quote from the text, or if there are none."""
    found: dict[str, Anomaly] = {}
    for row in answer.observations:
        words, method = row.words.strip(), row.method.strip()
        if len(words) < 4 or words not in text or method not in text:
            return None
        found.setdefault(words, Anomaly(description=words, observation_method=method))
    if not found and anomalies_of(text):
        return None
    return tuple(found.values())
