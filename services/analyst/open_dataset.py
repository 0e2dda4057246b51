"""A dataset that is open: its layer over its data, a warm child, the parser and the team."""

from __future__ import annotations

from dataclasses import dataclass

from services.analyst.execution.limits import Limits
from services.analyst.execution.runner import Runner
from services.analyst.questions.parser import Parser
from services.analyst.semantic.dataset import Dataset
from services.analyst.semantic.reading_values import open_dataset
from services.analyst.semantic.schema import Layer
from services.analyst.sources.source import Source
from services.analyst.team.team import Team
from services.analyst.tools import Tools
from services.analyst.verified import VerifiedAnswers
from services.chassis.llm import LanguageModel

DEFAULT_LIMITS = Limits()


@dataclass(frozen=True)
class OpenDataset:
    """What a question over one dataset needs."""

    dataset: Dataset
    runner: Runner
    parser: Parser
    tools: Tools
    team: Team
    verified: VerifiedAnswers
    limits: Limits

    async def close(self) -> None:
        """Ends the child."""
        await self.runner.close()


async def open_layer(
    layer: Layer,
    sources: tuple[Source, ...],
    limits: Limits = DEFAULT_LIMITS,
    model: LanguageModel | None = None,
) -> OpenDataset:
    """The dataset of a layer over its sources. Raises InvalidInput where a source cannot be read."""
    runner = Runner(sources, limits)
    try:
        dataset = await open_dataset(layer, runner)
    except BaseException:
        await runner.close()
        raise
    tools = Tools(runner, dataset)
    parser = Parser(dataset)
    team = Team(parser, dataset, tools, model)
    return OpenDataset(dataset, runner, parser, tools, team, VerifiedAnswers(dataset), limits)
