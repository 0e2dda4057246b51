"""A model under watch: what its log says of a model that fails and comes back."""

from __future__ import annotations

import contextlib

from pydantic import BaseModel
from structlog.testing import capture_logs

from services.chassis.llm import Message, ModelFailed, ScriptedModel, Usage, watch_model

PROMPT: list[Message] = [{"role": "user", "content": "private words"}]


class Verdict(BaseModel):
    score: float


GONE = ModelFailed("small: APIConnectionError")
REFUSED = ModelFailed("small: it refused", reason="model_refused")


async def logged(structured: list[object], texts: list[object]) -> list[tuple[object, object]]:
    """The level and reason of each line, when these answers come in turn: first all structured ones, then the texts."""
    with capture_logs() as lines:
        model = watch_model(ScriptedModel({"Verdict": list(structured), "text": list(texts)}), "small")
        assert model is not None
        for _ in structured:
            with contextlib.suppress(ModelFailed):
                await model.structured(PROMPT, Verdict, Usage())
        for _ in texts:
            with contextlib.suppress(ModelFailed):
                assert [piece async for piece in model.text(PROMPT, Usage())]
        await model.close()
    assert "private" not in str(lines)
    assert {line["model"] for line in lines} <= {"small"}
    return [(line["log_level"], line.get("reason")) for line in lines]


async def test_a_model_is_logged_once_a_change_of_its_state() -> None:
    """However many calls fail in one way there is one warning; another way and the recovery are one more each."""
    gone, refused, back = ("warning", "model_unreachable"), ("warning", "model_refused"), ("warning", None)
    assert await logged([GONE] * 5, [GONE, GONE]) == [gone]
    assert await logged([GONE, GONE, REFUSED], [REFUSED, "words", "words"]) == [gone, refused, back]
    assert await logged([{"score": 1}], ["words", GONE]) == [gone]
    assert await logged([{"score": 1}], ["words"]) == []


def test_where_there_is_no_model_nothing_is_watched() -> None:
    """None stays None, and the rules know that nobody is to be asked."""
    assert watch_model(None, None) is None
