"""A model that remembers what it answered to what, with its tokens and seconds, so that a run can be repeated."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from services.chassis.llm import Answer, LanguageModel, Message, ModelFailed, Usage


@dataclass
class Remembering:
    """Asks `inner` what is not in `file`; `file` None remembers nothing. `seconds` are those of every answer."""

    inner: LanguageModel
    file: Path | None = None
    known: dict[str, dict[str, object]] = field(default_factory=dict)
    seconds: float = 0.0

    def __post_init__(self) -> None:
        if self.file is not None and self.file.exists():
            lines = self.file.read_text(encoding="utf-8").splitlines()
            self.known = {row["key"]: row for row in map(json.loads, lines)}

    async def structured(self, messages: Sequence[Message], answer: type[Answer], usage: Usage) -> Answer:
        """See LanguageModel."""
        key = hashlib.sha256(json.dumps([answer.__name__, list(messages)]).encode()).hexdigest()
        if key not in self.known:
            self.known[key] = {"key": key} | await self._asked(messages, answer)
            if self.file is not None and self.known[key]["reason"] != "model_unreachable":
                with self.file.open("a", encoding="utf-8") as out:
                    out.write(json.dumps(self.known[key], ensure_ascii=False) + "\n")
        row = self.known[key]
        counted = Usage(*(int(str(row[name])) for name in ("calls", "prompt_tokens", "completion_tokens")))
        usage.calls += counted.calls
        usage.prompt_tokens += counted.prompt_tokens
        usage.completion_tokens += counted.completion_tokens
        self.seconds += float(str(row["seconds"]))
        if row["reason"]:
            raise ModelFailed("remembered", reason=str(row["reason"]))
        return answer.model_validate(row["answer"])

    async def _asked(self, messages: Sequence[Message], answer: type[Answer]) -> dict[str, object]:
        usage, begun, said, reason = Usage(), time.perf_counter(), None, ""
        try:
            said = (await self.inner.structured(messages, answer, usage)).model_dump()
        except ModelFailed as error:
            reason = error.reason
        return {"answer": said, "reason": reason, "seconds": round(time.perf_counter() - begun, 3), **vars(usage)}

    def text(self, messages: Sequence[Message], usage: Usage) -> AsyncIterator[str]:
        """See LanguageModel."""
        return self.inner.text(messages, usage)

    async def close(self) -> None:
        """See LanguageModel."""
        await self.inner.close()
