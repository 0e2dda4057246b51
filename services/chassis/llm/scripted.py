"""A model that answers from a script."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from services.chassis.llm.model import Answer, Message, ModelFailed, Usage, ask_validated


@dataclass
class ScriptedModel:
    """A model that answers from a script: for tests, demonstrations and replays.

    `replies` maps an answer's class name, or "text", to the reply: a mapping, raw text, an error to raise, or a
    function of the prompt; a list is consumed in order. `asked` keeps every prompt.
    """

    replies: Mapping[str, object]
    asked: list[list[Message]] = field(default_factory=list)

    async def structured(self, messages: Sequence[Message], answer: type[Answer], usage: Usage) -> Answer:
        """See LanguageModel."""

        async def complete(asked: Sequence[Message]) -> str:
            usage.calls += 1
            self.asked.append(list(asked))
            reply = self._next(answer.__name__, asked)
            return reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)

        return await ask_validated("scripted", complete, messages, answer)

    async def text(self, messages: Sequence[Message], usage: Usage) -> AsyncIterator[str]:
        """See LanguageModel."""
        usage.calls += 1
        self.asked.append(list(messages))
        pieces = re.findall(r"\S+\s*|\s+", str(self._next("text", messages)))
        if not pieces:
            raise ModelFailed("model_refused.silent", model="scripted")
        for piece in pieces:
            yield piece

    async def close(self) -> None:
        """See LanguageModel."""

    def _next(self, name: str, messages: Sequence[Message]) -> object:
        reply = self.replies.get(name)
        if isinstance(reply, list):
            reply = reply.pop(0) if reply else None
        if isinstance(reply, Callable):  # type: ignore[arg-type]
            reply = reply(messages)  # type: ignore[operator]
        if isinstance(reply, Exception):
            raise reply
        if reply is None:
            raise ModelFailed("model_refused.unscripted", name=name)
        return reply
