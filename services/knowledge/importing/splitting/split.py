"""Splits the free text of tickets into anomalies, by a language model if configured, otherwise by rules.

The model's answers are kept in a journal beside the library until the import is done, so that a crash loses none.

A language model is asked one question a ticket, without a repair, and answers in quotes: whatever is wrong with the
answer, the rules split the text instead.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from services.chassis.llm import LanguageModel, Message, ModelFailed, Usage
from services.knowledge.importing.progress import Progress
from services.knowledge.importing.reading.exports import Record
from services.knowledge.importing.splitting.analysis import MOST_ANOMALIES, anomalies_of
from services.knowledge.library.schema import Anomaly, TicketEntry

JOURNAL = ".analysis.jsonl"
AT_ONCE = 4
_STEP = "splitting the analyses"
# This many consecutive failures disable the model for the rest of the import.
_MOST_FAILURES = 5
_ANOMALIES: TypeAdapter[tuple[Anomaly, ...]] = TypeAdapter(tuple[Anomaly, ...])
_PROMPT = Path(__file__).parents[2] / "prompts" / "split_analysis.md"
_LONGEST = 500


class Splitter:
    """Splits by `model`, or by rules if it is None or fails. The journal lies in the library's folder."""

    def __init__(self, library: Path, model: LanguageModel | None = None) -> None:
        self._journal = library / JOURNAL
        self._model = model
        self._failures = 0

    def split(self, records: Sequence[Record], progress: Progress) -> list[Record]:
        """The records with their anomalies, in order; a text that mentions nothing unusual yields none."""
        waiting = sum(_waits(record.ticket) for record in records)
        if self._model is not None and waiting:
            return asyncio.run(self._by_model(self._model, records, waiting, progress))
        done, found = 0, []
        for record in records:
            if _waits(record.ticket):
                record = _with(record, anomalies_of(record.ticket.analysis))
                done += 1
                progress(_STEP, done, waiting)
            found.append(record)
        return found

    def finish(self) -> None:
        """Deletes the journal; the anomalies are in the library now."""
        self._journal.unlink(missing_ok=True)

    async def _by_model(
        self, model: LanguageModel, records: Sequence[Record], waiting: int, progress: Progress
    ) -> list[Record]:
        told = self._read()
        texts = list(dict.fromkeys(record.ticket.analysis for record in records if _waits(record.ticket)))
        done = 0
        try:
            async for text, anomalies in self._asked(model, [text for text in texts if _digest(text) not in told]):
                told[_digest(text)] = anomalies
                self._write(text, anomalies)
                done += 1
                progress(_STEP, min(done, waiting), waiting)
        finally:
            await model.close()
        return [
            _with(record, told[_digest(record.ticket.analysis)]) if _waits(record.ticket) else record
            for record in records
        ]

    async def _asked(
        self, model: LanguageModel, texts: Sequence[str]
    ) -> AsyncIterator[tuple[str, tuple[Anomaly, ...]]]:
        for start in range(0, len(texts), AT_ONCE):
            some = texts[start : start + AT_ONCE]
            for text, anomalies in zip(
                some, await asyncio.gather(*(self._one(model, text) for text in some)), strict=True
            ):
                yield text, anomalies

    async def _one(self, model: LanguageModel, text: str) -> tuple[Anomaly, ...]:
        found = await split_by_model(model, text) if self._failures < _MOST_FAILURES else None
        self._failures = self._failures + 1 if found is None else 0
        return anomalies_of(text) if found is None else found

    def _read(self) -> dict[str, tuple[Anomaly, ...]]:
        if not self._journal.is_file():
            return {}
        found = {}
        for line in self._journal.read_bytes().split(b"\n"):
            try:
                entry = json.loads(line)
                found[str(entry["analysis"])] = _ANOMALIES.validate_python(entry["anomalies"])
            except (ValueError, KeyError, TypeError, ValidationError):
                # A line truncated by a crash.
                continue
        return found

    def _write(self, text: str, anomalies: Sequence[Anomaly]) -> None:
        self._journal.parent.mkdir(parents=True, exist_ok=True)
        entry = {"analysis": _digest(text), "anomalies": [item.model_dump(mode="json") for item in anomalies]}
        with self._journal.open("ab") as journal:
            journal.write(b"\n" + json.dumps(entry, ensure_ascii=False).encode() + b"\n")


def _waits(ticket: TicketEntry) -> bool:
    return bool(ticket.analysis.strip()) and not ticket.anomalies


def _with(record: Record, anomalies: tuple[Anomaly, ...]) -> Record:
    return Record(record.number, record.ticket.model_copy(update={"anomalies": anomalies}), record.line)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


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
