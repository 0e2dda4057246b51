"""Reranking by the language model: it may reorder the candidates and nothing else.

The model receives each uncertain observation with its candidates and returns one row per observation, keyed by index.
An id outside that observation's candidates, a duplicate row or a missing row invalidates the whole answer; the ranking
by the rules is then used. Verdicts and numbers are always computed by the code.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from services.chassis.llm import LanguageModel, Message, ModelFailed, Usage
from services.matcher.model import Candidate, ModelUsage
from services.matcher.ranking.decision import Ranked
from services.matcher.reading.text import has_han

PROMPT = Path(__file__).parent / "prompts" / "rerank.txt"
# At this score and above the rules decide without the model.
SURE = 0.8
_AGREED, _PREFERRED, _DOUBTED = 0.9, 0.75, 0.3
# A candidate scored below `_WORTH_PREFERRING` is never promoted; one at `_MORE_LIKELY` or above is never demoted.
_WORTH_PREFERRING, _MORE_LIKELY = 0.02, 0.5
# The first candidate may score at most this many times as high as the model's choice.
_TRUST = 6.0
# Prompt injection: text that addresses the assistant or its records is withheld from the model.
_ORDERS = re.compile(
    r"\b(?:ignore|disregard|override|pretend|instructions?|system prompt|assistant|developer mode|phenomenon_id|"
    r"mark (?:all|every\w*|item|p-)|confirm (?:all|every\w*|item|p-)|choose p-|answer p-)|<\|?/?(?:im_|system|user)|"
    r"忽略|无视|绕过|指令|提示词|管理员|(?:标记?|记录?|视|设置?)为|你(?:现在)?是",
    re.IGNORECASE,
)


class RerankRow(BaseModel):
    """The model's choice for one observation; an empty id means no candidate fits."""

    model_config = ConfigDict(extra="forbid")

    index: int = Field(ge=0)
    phenomenon_id: str = ""


class RerankAnswer(BaseModel):
    """The model's answer: exactly one row per observation sent."""

    model_config = ConfigDict(extra="forbid")

    rows: list[RerankRow]


@dataclass(frozen=True)
class Reviewed:
    """The model's choices by observation index; empty if it was not called or its answer was invalid."""

    choices: Mapping[int, str]
    usage: ModelUsage

    def apply(self, number: int, ranked: Ranked) -> Ranked:
        """The ranking of observation `number` after applying the model's choice."""
        if number not in self.choices or not ranked.candidates:
            return ranked
        choice, first = self.choices[number], ranked.candidates[0]
        if not choice:
            return ranked if first.score >= _MORE_LIKELY else _scaled(ranked, _DOUBTED)
        if first.phenomenon_id == choice:
            raised = replace(first, score=max(first.score, _AGREED))
            return replace(ranked, candidates=(raised, *ranked.candidates[1:]), vague=False)
        return _preferring(ranked, choice)


async def review(
    model: LanguageModel, texts: Mapping[int, str], candidates: Mapping[int, Sequence[Candidate]]
) -> Reviewed:
    """Sends all uncertain observations to the model in one call. On failure the ranking by the rules stands."""
    asked = {
        number: group
        for number, group in candidates.items()
        if group and group[0].score < SURE and not _ORDERS.search(texts[number])
    }
    usage = Usage()
    if not asked:
        return Reviewed({}, ModelUsage())
    try:
        answer = await model.structured(_messages(texts, asked), RerankAnswer, usage)
        choices, problem = _checked(answer, asked), ""
    except ModelFailed as error:
        choices, problem = {}, error.reason
    except ValueError as error:
        choices, problem = {}, f"model_malformed: {error}"
    return Reviewed(choices, ModelUsage(usage.calls, usage.prompt_tokens, usage.completion_tokens, problem))


def _messages(texts: Mapping[int, str], asked: Mapping[int, Sequence[Candidate]]) -> list[Message]:
    rows = [
        {
            "index": number,
            "text": texts[number],
            "candidates": [{"phenomenon_id": item.phenomenon_id, "name": _name(texts[number], item)} for item in group],
        }
        for number, group in asked.items()
    ]
    return [
        {"role": "system", "content": PROMPT.read_text(encoding="utf-8")},
        {"role": "user", "content": json.dumps({"observations": rows}, ensure_ascii=False)},
    ]


def _name(text: str, candidate: Candidate) -> str:
    """The candidate's name in the language of the text, or in the other if it lacks that one."""
    zh, en = candidate.name.zh, candidate.name.en
    return (zh or en) if has_han(text) else (en or zh)


def _checked(answer: RerankAnswer, asked: Mapping[int, Sequence[Candidate]]) -> dict[int, str]:
    choices = {row.index: row.phenomenon_id for row in answer.rows}
    if len(choices) != len(answer.rows) or set(choices) != set(asked):
        raise ValueError("the rows do not fit the observations")
    for number, choice in choices.items():
        if choice and choice not in {item.phenomenon_id for item in asked[number]}:
            raise ValueError(f"row {number} names an id that was not offered")
    return choices


def _scaled(ranked: Ranked, factor: float) -> Ranked:
    lowered = tuple(replace(item, score=round(item.score * factor, 6)) for item in ranked.candidates)
    return replace(ranked, candidates=lowered)


def _preferring(ranked: Ranked, choice: str) -> Ranked:
    chosen = next(item for item in ranked.candidates if item.phenomenon_id == choice)
    if chosen.score < max(_WORTH_PREFERRING, ranked.candidates[0].score / _TRUST):
        return ranked
    others = replace(ranked, candidates=tuple(item for item in ranked.candidates if item is not chosen))
    raised = replace(chosen, score=_PREFERRED)
    return replace(ranked, candidates=(raised, *_scaled(others, 1 - _PREFERRED).candidates), vague=False)
