"""The planner's two jobs: decide what a message asks for and what comes next; say what came of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from services.chassis.errors import InvalidInput, Precondition
from services.chassis.llm import LanguageModel
from services.planner.decision import Decision, ModelUsage, ToolOutcome
from services.planner.evidence import PlanEvidenceRequest, PlanEvidenceResponse
from services.planner.model import Language, PlanSource, SessionView, TurnPlan
from services.planner.model_evidence import plan_evidence
from services.planner.model_plan import with_model
from services.planner.model_speak import reworded
from services.planner.results import Reply, TurnResults
from services.planner.settling import read_answering
from services.planner.speak.compose import compose
from services.planner.transitions import next_tool

MAX_MESSAGE = 20_000
# Up to and with the end of a sentence or line, together with the space after it.
_CHUNK = re.compile(r".+?(?:[。！？]+|[.!?](?=\s)|\n+|$)[^\S\n]*\n*", re.DOTALL)


class Planner:
    """Understands and speaks. Holds no state; a missing model means that the rules and the templates answer."""

    def __init__(self, agent: LanguageModel | None = None, response: LanguageModel | None = None) -> None:
        self._agent, self._response = agent, response

    async def decide(
        self, view: SessionView, message: str, plan: TurnPlan | None = None, done: Sequence[ToolOutcome] = ()
    ) -> Decision:
        """The plan (made now when there is none) and the next tool. Raises InvalidInput when it is too long."""
        usage = ModelUsage()
        if plan is None:
            if len(message) > MAX_MESSAGE:
                raise InvalidInput(
                    f"understanding a message of {len(message)} characters: at most {MAX_MESSAGE} are read; "
                    "send the decisive lines",
                    reason="message_too_long",
                )
            plan, unsure = read_answering(message, view)
            if self._agent is not None:
                plan, usage = await with_model(self._agent, message, view, plan, unsure)
        return Decision(plan, next_tool(plan, view, done), usage)

    async def plan_evidence(self, request: PlanEvidenceRequest) -> PlanEvidenceResponse:
        """A round's checks by the model. Raises Precondition without one: the engine plans then."""
        if self._agent is None:
            message = "planning evidence: no language model is configured; the engine plans the rounds itself"
            raise Precondition(message, reason="no_model")
        return await plan_evidence(self._agent, request)

    async def respond(self, results: TurnResults, language: Language, message: str, previous: str) -> Reply:
        """The answer in whole; never empty."""
        text = compose(results, language, previous)
        if self._response is None:
            return Reply(text, PlanSource.RULES)
        return await reworded(self._response, text, results, language, message, previous)

    async def close(self) -> None:
        """Lets go of the models' connections."""
        for model in (self._agent, self._response):
            if model is not None:
                await model.close()

    @staticmethod
    def chunks(text: str) -> Iterator[str]:
        """The text in pieces of a sentence or a line; joined they are the text."""
        return (match.group() for match in _CHUNK.finditer(text))
