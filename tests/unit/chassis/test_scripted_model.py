"""The scripted model: for every outcome what a real one does."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from pydantic import BaseModel, Field

from services.chassis.llm import Message, ModelFailed, ScriptedModel, Usage
from tests.support.cases import for_each

PROMPT: list[Message] = [{"role": "user", "content": "is it P-0001?"}]


class Verdict(BaseModel):
    phenomenon: str
    score: float = Field(ge=0, le=1)


GOOD = {"phenomenon": "P-0001", "score": 0.5}
BAD = {"phenomenon": "P-0001", "score": 98}


async def failure(reply: object) -> ModelFailed:
    with pytest.raises(ModelFailed) as failed:
        await ScriptedModel({"Verdict": reply}).structured(PROMPT, Verdict, Usage())
    return failed.value


async def text_of(reply: object) -> list[str]:
    return [piece async for piece in ScriptedModel({"text": reply}).text(PROMPT, Usage())]


@for_each("reply", [GOOD, '```json\n{"phenomenon": "P-0001", "score": 0.5}\n```', [GOOD]])
async def test_a_structured_reply_comes_back_validated(reply: object) -> None:
    """A mapping, raw text in a code fence, or a list used up in order; the call is counted and the prompt is kept."""
    model, usage = ScriptedModel({"Verdict": reply}), Usage()
    assert await model.structured(PROMPT, Verdict, usage) == Verdict(phenomenon="P-0001", score=0.5)
    assert (usage.calls, model.asked) == (1, [PROMPT])
    await model.close()


async def test_a_reply_may_depend_on_the_prompt() -> None:
    """A function of the prompt is asked with it."""

    def answer(messages: Sequence[Message]) -> object:
        return {"phenomenon": messages[-1]["content"], "score": 1}

    verdict = await ScriptedModel({"Verdict": answer}).structured(PROMPT, Verdict, Usage())
    assert verdict.phenomenon == "is it P-0001?"


async def test_a_wrong_reply_may_be_repaired_once() -> None:
    """As with a real model: what is wrong is sent back, the second reply counts, both calls are counted."""
    model, usage = ScriptedModel({"Verdict": [BAD, GOOD]}), Usage()
    assert (await model.structured(PROMPT, Verdict, usage)).score == 0.5
    assert (usage.calls, len(model.asked)) == (2, 2)
    assert model.asked[1][:1] == PROMPT
    assert "score" in model.asked[1][-1]["content"]


@for_each("reply", [BAD, "no JSON at all", [BAD, "still none"]])
async def test_a_second_wrong_reply_is_malformed(reply: object) -> None:
    """After one repair the question is given up."""
    assert (await failure(reply)).reason == "model_malformed"


@pytest.mark.parametrize("reply", [None, []])
async def test_nothing_to_say_is_a_refusal(reply: object) -> None:
    """A script that has no reply, or none left, refuses."""
    assert (await failure(reply)).reason == "model_refused"


async def test_an_error_of_the_script_is_raised() -> None:
    """An outage is scripted as the error itself, for answers and for texts."""
    down = ModelFailed("scripted: nobody there")
    assert await failure(down) is down
    with pytest.raises(ModelFailed, match="nobody there"):
        await text_of(down)


@for_each("text", ["连接数 is at 80 %.", "one\n\ntwo ", " "])
async def test_a_text_comes_in_pieces_that_join_to_it(text: str) -> None:
    """The pieces of a text are the text."""
    assert "".join(await text_of(text)) == text


@pytest.mark.parametrize("reply", [None, ""])
async def test_an_empty_text_is_a_refusal(reply: object) -> None:
    """A text without a word is nothing usable."""
    with pytest.raises(ModelFailed) as failed:
        await text_of(reply)
    assert failed.value.reason == "model_refused"
