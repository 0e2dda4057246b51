"""Reading by a language model: it states what a message says of the phenomena it is shown, and the code judges.

The model receives one text, the talk it stands in, and candidates. It answers with statements that quote the text. One
foreign id, words or numbers that do not stand in the text, or too many statements invalidate the whole answer; the
rules' reading is then all there is. Verdicts and numbers are always computed by the code.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from lang.concepts.text import has_han
from lang.judging.judge import Context
from lang.listed import lists_beside
from services.chassis.llm import LanguageModel, Message, ModelFailed, Usage
from services.matcher.agreement import Stated, doubted
from services.matcher.index.search_index import Profile
from services.matcher.message_reader import MessageReader, MessageReading
from services.matcher.model import MatchPhenomenaRequest, ModelUsage, Standing, Verdict
from services.matcher.model_statements import StatedRow, StatementMaker
from services.matcher.placing import Placed

_LISTED = lists_beside(__file__)

PROMPT = Path(__file__).parent / "prompts" / "read.txt"
MOST_CANDIDATES, MOST_STATEMENTS, MOST_CHARACTERS = 25, 24, 4000
_MOST_KNOWN = 20
# Of what is in evidence, what a message may go on about without its name.
_LAST_SAID = 3
# Prompt injection: a text that addresses the assistant or its records is withheld from the model.
_ORDERS = _LISTED.pattern("orders", re.IGNORECASE)
_VERDICTS = {"present": Verdict.CONFIRMED, "absent": Verdict.DENIED}


class ReadAnswer(BaseModel):
    """The model's answer. unsaid: phenomena to check of which the text says nothing."""

    model_config = ConfigDict(extra="forbid")

    statements: list[StatedRow]
    unsaid: list[str]


@dataclass(frozen=True)
class Question:
    """What the model is asked: to read `text`, in the talk of `request`, about the candidates (ids).

    check: the phenomena of which the rules read something that counts.
    """

    text: str
    request: MatchPhenomenaRequest
    candidates: tuple[str, ...]
    check: tuple[str, ...] = ()


def question_of(
    text: str, request: MatchPhenomenaRequest, ruled: MessageReading, near: Iterable[str], known: Mapping[str, Profile]
) -> Question:
    """The question about a text: about what was offered, asked, read by the rules and said last, and what is near."""
    said = [item.reading for item in ruled.readings if not item.reading.pasted]
    ids = [*request.option_phenomenon_ids, *request.pending_phenomenon_ids, *(item.phenomenon_id for item in said)]
    ids += [*request.evidence_phenomenon_ids[-_LAST_SAID:], *near]
    candidates = tuple(dict.fromkeys(name for name in ids if name in known))[:MOST_CANDIDATES]
    counted = (item.phenomenon_id for item in said if item.standing is Standing.COUNTS)
    return Question(text, request, candidates, tuple(name for name in counted if name in candidates))


def total(usages: Sequence[ModelUsage]) -> ModelUsage:
    """The cost of several questions, and why the first answer that was of no use was not."""
    return ModelUsage(
        sum(each.calls for each in usages),
        sum(each.prompt_tokens for each in usages),
        sum(each.completion_tokens for each in usages),
        next((each.fallback_reason for each in usages if each.fallback_reason), ""),
    )


def may_be_sent(text: str) -> bool:
    """True for a text that has words, is no longer than what the model is given, and orders nothing."""
    return bool(text.strip()) and len(text) <= MOST_CHARACTERS and not _ORDERS.search(text)


async def read(
    model: LanguageModel, question: Question, reader: MessageReader, known: Mapping[str, Profile]
) -> tuple[Stated | None, ModelUsage]:
    """What the model reads in a text, judged; None with the reason in the usage where its answer is not usable.

    known: every phenomenon by its id.
    """
    usage, stated = Usage(), None
    try:
        answer = await model.structured(_messages(question, known), ReadAnswer, usage)
        problem = _problem(answer, question)
        stated = None if problem else _judged(answer, question, reader)
    except ModelFailed as error:
        problem = error.reason
    return stated, ModelUsage(usage.calls, usage.prompt_tokens, usage.completion_tokens, problem)


@cache
def _system() -> str:
    return PROMPT.read_text(encoding="utf-8")


def _messages(question: Question, known: Mapping[str, Profile]) -> list[Message]:
    zh, request = has_han(question.text), question.request
    recorded = [name for name in request.evidence_phenomenon_ids if name in known][-_MOST_KNOWN:]
    told = {
        "candidates": [
            {"id": name, "name": _name(known[name], zh), "yes": _counts_as_yes(known[name], zh)}
            for name in question.candidates
        ],
        "check": question.check,
        "asked": request.pending_phenomenon_ids,
        "offered": request.option_phenomenon_ids,
        "offered_for": request.open_words if may_be_sent(request.open_words) else "",
        "known": [{"id": name, "name": _name(known[name], zh)} for name in recorded],
        "message": question.text,
    }
    return [{"role": "system", "content": _system()}, {"role": "user", "content": json.dumps(told, ensure_ascii=False)}]


def _name(profile: Profile, zh: bool) -> str:
    """The name in the language of the text, or in the other where it lacks that one."""
    name = profile.name
    return (name.zh or name.en) if zh else (name.en or name.zh)


def _counts_as_yes(profile: Profile, zh: bool) -> str:
    """The presence test in the language of the text, or in the other; empty if there is none."""
    tests = [surface.text for surface in profile.surfaces if surface.kind == "present"]
    return next((test for test in tests if has_han(test) == zh), tests[0] if tests else "")


def _problem(answer: ReadAnswer, question: Question) -> str:
    """Why an answer that fits the schema is not usable; empty if it is."""
    if len(answer.statements) > MOST_STATEMENTS:
        return "model_stated_too_much"
    named = {row.phenomenon_id for row in answer.statements}.union(answer.unsaid)
    if not named.issubset(question.candidates):
        return "model_invented_phenomenon"
    quotes = [quote for row in answer.statements for quote in (row.words, row.value, row.of)]
    return "" if all(quote in question.text for quote in quotes) else "model_invented_words"


def _judged(answer: ReadAnswer, question: Question, reader: MessageReader) -> Stated:
    maker, request = StatementMaker(reader.means, reader.subjects), question.request
    context = Context(frozenset((*request.option_phenomenon_ids, *request.pending_phenomenon_ids)))
    readings: list[Placed] = []
    spans: list[tuple[int, int]] = []
    silent = set(answer.unsaid)
    for name in dict.fromkeys(row.phenomenon_id for row in answer.statements):
        rows = [(question.text.find(row.words), row) for row in answer.statements if row.phenomenon_id == name]
        statements = [statement for start, row in rows for statement in maker.statements_of(row, start)]
        amounts = dict(amount for _, row in rows for amount in maker.amounts_of(row))
        judged = reader.judge(statements, question.text, replace(context, amounts=amounts))
        own = [_checked(item, rows) for item in judged if item.reading.phenomenon_id == name]
        readings += own
        holds = bool(own) or any(row.meaning.is_fact for _, row in rows)
        silent = silent - {name} if holds else silent | {name}
        spans += [(start, start + len(row.words)) for start, row in rows if own or not row.meaning.is_fact]
    return Stated(tuple(readings), tuple(spans), frozenset(silent))


def _checked(item: Placed, rows: Sequence[tuple[int, StatedRow]]) -> Placed:
    """A reading whose verdict is not what the model takes its own words to mean is only proposed."""
    takes = {_VERDICTS[row.polarity] for start, row in rows if row.words == item.reading.words and start == item.start}
    return item if item.reading.verdict in (None, *takes) else doubted(item)
