"""Rewording of an answer by a model, validated before it is sent.

Every number, id and command must occur in the template's text or in the results. The concluded cause, the second cause,
contradicting answers and commands must be kept. A text that fails is replaced by the
template's; `usage` has the reason.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Template

from lang import deferred_re as re
from services.chassis.errors import DbdiagError
from services.chassis.llm import LanguageModel, Message, Usage
from services.planner.model import Language, ModelUsage, PlanSource, Reply, TurnResults
from services.planner.understand.text.word_lists import listed

_PROMPT = Path(__file__).parents[1] / "prompts" / "respond.md"
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_ID = re.compile(r"(?<![A-Za-z0-9])(?:P|RC|T|TK|CASE|INC|DB|PG)-[A-Z0-9-]*\d+", re.IGNORECASE)
_CODE = re.compile(r"```[a-z]*\n?(.*?)```|`([^`\n]+)`", re.DOTALL)
_LIST_NUMBER = re.compile(r"(?m)^\s*(?:\*\*)?\d+[.)、]")
_NUMERALS = dict(zip("一二两三四五六七八九十", ("1", "2", "2", "3", "4", "5", "6", "7", "8", "9", "10"), strict=True))
_SHARE_ZH = listed("model_texts.share_zh")
_SHARE_EN = listed("model_texts.share_en")
_CERTAIN = listed("model_texts.certain")
_LINK = re.compile(r"https?://[^\s)>\]]+|www\.[^\s)>\]]+|!\[", re.IGNORECASE)
# A run of this many words of the prompt counts as a leak.
_QUOTING = 6
_PERCENT = re.compile(r"(\d+(?:\.\d+)?)\s*%")
_MAX_GROWTH, _LEAST_KEPT = 2.0, 0.4
_QUOTED = 1500


async def reword(
    model: LanguageModel, template: str, results: TurnResults, language: Language, message: str, previous: str
) -> Reply:
    """The model's wording if it passes `check_wording`, else the template's text."""
    usage = Usage()
    try:
        text = "".join([piece async for piece in model.text(_prompt(template, language, message, previous), usage)])
        problem = check_wording(text.strip(), template, results, language)
    except DbdiagError as error:
        text, problem = "", error.reason
    counts = ModelUsage(usage.calls, usage.prompt_tokens, usage.completion_tokens, problem)
    if problem:
        return Reply(template, PlanSource.RULES, counts)
    return Reply(text.strip(), PlanSource.MODEL, counts)


def check_wording(text: str, template: str, results: TurnResults, language: Language) -> str:
    """Reason code for rejecting a wording; empty if it is faithful."""
    if not text:
        return "empty_text"
    known = template + "\n" + "\n".join(_strings(results))
    if _ids(text) - _ids(known):
        return "unsupported_id"
    if _numbers(text) - _numbers(known):
        return "unsupported_number"
    if any(word not in known for word in [*_SHARE_ZH.findall(text), *_SHARE_EN.findall(text.lower())]):
        return "unsupported_number"
    if any(link not in known for link in _LINK.findall(text)):
        return "unsupported_link"
    if _runs(text) & _instructions() - _runs(known):
        return "leaked_prompt"
    return _structural(text, template, known, results, language)


def _structural(text: str, template: str, known: str, results: TurnResults, language: Language) -> str:
    flat = _flat(known)
    if any(_flat(command) not in flat for command in _commands(text)):
        return "unsupported_command"
    if any(_flat(command) not in _flat(text) for command in _commands(template)):
        return "lost_command"
    conclusion = results.diagnosis.conclusion if results.diagnosis else None
    if conclusion is not None and _solid(conclusion.name.say(language)) not in _solid(text):
        return "lost_conclusion"
    question = results.clarification.question.say(language) if results.clarification else ""
    if _solid(question) not in _solid(text):
        return "lost_question"
    lost = _lost(text, template, results, language)
    if lost:
        return lost
    if any(word not in known for word in _CERTAIN.findall(text)):
        return "overstated"
    if set(_PERCENT.findall(template)) - set(_PERCENT.findall(text)):
        return "lost_number"
    if len(text) < _LEAST_KEPT * len(template):
        return "too_short"
    return "too_long" if len(text) > _MAX_GROWTH * len(template) + 200 else ""


def _lost(text: str, template: str, results: TurnResults, language: Language) -> str:
    """Reason code if a caveat of the template is missing; empty otherwise."""
    found = results.diagnosis
    if found is None:
        return ""
    pair = found.contradiction if found.contradiction and not found.contradiction.repeated else None
    second = found.conclusion.second_cause if found.conclusion else None
    doubts = {
        "lost_contradiction": (pair.first.name, pair.second.name) if pair else (),
        "lost_second_cause": (second.name,) if second else (),
    }
    said, kept = _solid(template), _solid(text)
    for reason, texts in doubts.items():
        names = [_solid(name.say(language)) for name in texts]
        if all(name in said for name in names) and any(name not in kept for name in names):
            return reason
    return ""


def _runs(text: str) -> set[tuple[str, ...]]:
    """All runs of `_QUOTING` words."""
    words = re.findall(r"\w+", text.lower())
    return {tuple(words[at : at + _QUOTING]) for at in range(len(words) - _QUOTING + 1)}


@cache
def _instructions() -> set[tuple[str, ...]]:
    return _runs(_PROMPT.read_text(encoding="utf-8"))


def _ids(text: str) -> set[str]:
    return {found.upper() for found in _ID.findall(text)}


def _numbers(text: str) -> set[str]:
    """The numbers of a text, with and without what only numbers a list, as plain digits."""
    plain = _LIST_NUMBER.sub(" ", text)
    return {found.replace(",", "").rstrip(".") for found in _NUMBER.findall(_ID.sub(" ", plain))} | {
        digits for numeral, digits in _NUMERALS.items() if re.search(rf"{numeral}(?:成|个百分点|倍)", text)
    }


def _commands(text: str) -> list[str]:
    return [fenced or inline for fenced, inline in _CODE.findall(text)]


def _flat(text: str) -> str:
    return " ".join(text.split())


def _solid(text: str) -> str:
    return "".join(text.split())


def _strings(value: object) -> Iterator[str]:
    """Every text in the results; numbers count only as the template words them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _strings(item)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            yield from _strings(getattr(value, field.name))


@cache
def _template() -> Template:
    return Template(_PROMPT.read_text(encoding="utf-8"))


def _prompt(template: str, language: Language, message: str, previous: str) -> list[Message]:
    system = _template().substitute(language="Chinese" if language is Language.ZH else "English")
    told = {"previous": previous[:_QUOTED], "person": message[:_QUOTED], "draft": template}
    parts = [f"<{name}>\n{text.replace('</', '< /')}\n</{name}>" for name, text in told.items()]
    return [{"role": "system", "content": system}, {"role": "user", "content": "\n".join(parts)}]
