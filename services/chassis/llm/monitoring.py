"""A model whose failures are logged once: when it starts to fail, fails differently, or recovers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from services.chassis import logs
from services.chassis.llm.model import Answer, LanguageModel, Message, ModelFailed, Usage


class WatchedModel:
    """Forwards every question to `model`, logged as `name`."""

    def __init__(self, model: LanguageModel, name: str) -> None:
        self._model = model
        self._name = name
        self._reason = ""
        self._log = logs.logger("model")

    async def structured(self, messages: Sequence[Message], answer: type[Answer], usage: Usage) -> Answer:
        """See LanguageModel."""
        try:
            found = await self._model.structured(messages, answer, usage)
        except ModelFailed as error:
            self._failed(error)
            raise
        self._answered()
        return found

    async def text(self, messages: Sequence[Message], usage: Usage) -> AsyncIterator[str]:
        """See LanguageModel."""
        try:
            async for piece in self._model.text(messages, usage):
                yield piece
        except ModelFailed as error:
            self._failed(error)
            raise
        self._answered()

    async def close(self) -> None:
        """See LanguageModel."""
        await self._model.close()

    def _failed(self, error: ModelFailed) -> None:
        if error.reason != self._reason:
            self._reason = error.reason
            self._log.warning(
                "the model does not help, the rules answer", model=self._name, reason=error.reason, error=error.message
            )

    def _answered(self) -> None:
        if self._reason:
            self._reason = ""
            self._log.warning("the model answers again", model=self._name)


def watch_model(model: LanguageModel | None, name: str | None) -> LanguageModel | None:
    """The watched model; None stays None."""
    return WatchedModel(model, name or "") if model is not None else None
