"""The language model's second look at the candidates: it may reorder them, and nothing else.

It sees each observation with its few candidates, and answers one row an observation, keyed by index. A row that
names an id outside that observation's candidates, comes twice or is missing makes the whole answer unusable; the
rules then stand alone. Verdicts and numbers stay with the code.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from services.chassis.llm import LanguageModel, Message, ModelFailed, Usage
from services.matcher.decide import Ranked
from services.matcher.model import Candidate, ModelUsage
from services.matcher.text import has_han

PROMPT = Path(__file__).parent / "prompts" / "rerank.txt"
# Above this the rules are sure, and the model is not asked.
SURE = 0.8
_AGREED, _PREFERRED, _DOUBTED = 0.9, 0.75, 0.3
# Rules below this saw nothing in an entry that a model could build on; rules above `_MORE_LIKELY` outweigh its doubt.
_WORTH_PREFERRING, _MORE_LIKELY = 0.02, 0.5
# How many times likelier another candidate may be than the one that the model chooses.
_TRUST = 6.0
# Words for an assistant and its records, in which nothing was seen: such a text is not shown.
_ORDERS = re.compile(
    r"\b(?:ignore|disregard|override|pretend|instructions?|system prompt|assistant|developer mode|phenomenon_id|"
    r"mark (?:all|every\w*|item|p-)|confirm (?:all|every\w*|item|p-)|choose p-|answer p-)|<\|?/?(?:im_|system|user)|"
    r"忽略|无视|绕过|指令|提示词|管理员|(?:标记?|记录?|视|设置?)为|你(?:现在)?是",
    re.IGNORECASE,
)


class RerankRow(BaseModel):
    """What the model takes one observation to mean; an empty id for none of its candidates."""

    model_config = ConfigDict(extra="forbid")

    index: int = Field(ge=0)
    phenomenon_id: str = ""


class RerankAnswer(BaseModel):
    """Exactly one row an observation."""

    model_config = ConfigDict(extra="forbid")

    rows: list[RerankRow]


@dataclass(frozen=True)
class Reviewed:
    """The model's choices by observation index, empty when it was not asked or not usable."""

    choices: Mapping[int, str]
    usage: ModelUsage

    def applied(self, number: int, ranked: Ranked) -> Ranked:
        """The ranking with the model's choice taken in."""
        if number not in self.choices or not ranked.candidates:
            return ranked
        choice, first = self.choices[number], ranked.candidates[0]
        if not choice:
            return ranked if first.score >= _MORE_LIKELY else _scaled(ranked, _DOUBTED)
        if first.phenomenon_id == choice:
            raised = replace(first, score=max(first.score, _AGREED))
            return replace(ranked, candidates=(raised, *ranked.candidates[1:]), vague=False)
        return _preferring(ranked, choice)


async def review(model: LanguageModel, texts: Sequence[str], candidates: Sequence[Sequence[Candidate]]) -> Reviewed:
    """Asks the model once about all observations the rules are not sure of; failures leave the rules' ranking."""
    asked = {
        number: group
        for number, group in enumerate(candidates)
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


def _messages(texts: Sequence[str], asked: Mapping[int, Sequence[Candidate]]) -> list[Message]:
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
    """The candidate's name in the language of the text, where it has one."""
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
