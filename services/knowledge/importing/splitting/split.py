"""Splits the free text of tickets into anomalies, by a language model if configured, otherwise by rules.

The model's answers are kept in a journal beside the library until the import is done, so that a crash loses none.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from services.chassis.llm import LanguageModel
from services.knowledge.importing.progress import Progress
from services.knowledge.importing.reading.exports import Record
from services.knowledge.importing.splitting.analysis import anomalies_of
from services.knowledge.importing.splitting.llm_split import split_by_model
from services.knowledge.library.schema import Anomaly, TicketEntry

JOURNAL = ".analysis.jsonl"
AT_ONCE = 4
_STEP = "splitting the analyses"
# This many consecutive failures disable the model for the rest of the import.
_MOST_FAILURES = 5
_ANOMALIES: TypeAdapter[tuple[Anomaly, ...]] = TypeAdapter(tuple[Anomaly, ...])


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
