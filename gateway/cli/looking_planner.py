"""Who plans the rounds of a diagnosis from the command line: the engine, or a language model behind the planner."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace

from gateway.cli.looking_session import Finished, Sight, looked
from gateway.clients import PlannerClient, Services
from gateway.looking.model import Case
from gateway.looking.model_planner import ModelPlanner
from gateway.looking.proposing import Proposer


def planned_by(planner: str) -> Callable[[Services], Proposer] | None:
    """The planner among running services; None: the engine."""
    return (lambda services: ModelPlanner(services.planner)) if planner == "model" else None


async def planning_here(planner: str, sight: Sight, case: Case) -> Finished:
    """Runs a diagnosis with the planner in this process. Raises Precondition where no model is configured for it."""
    if planner == "engine":
        return await looked(sight, case)
    from gateway import embedded
    from services.chassis import channel, logs

    _needs_model()
    # What the planner logs when all is well is no part of what the verb prints.
    logs.configure("warning")
    async with embedded.planner(os.environ) as address, channel.connect(address) as opened:
        return await looked(replace(sight, proposer=ModelPlanner(PlannerClient(opened))), case)


def _needs_model() -> None:
    from services.chassis.errors import Precondition
    from services.chassis.settings import LlmServerSettings, load

    settings = load(LlmServerSettings, os.environ)
    named = settings.understand_model or settings.agent_model
    if not named or not (settings.llm_base_url or settings.llm_api_key):
        wanted = "set DBDIAG_LLM_BASE_URL and DBDIAG_AGENT_MODEL, or leave --planner out"
        message = f"planning by a model: none is configured; {wanted}"
        raise Precondition(message, reason="no_model")
