"""Questions asked of the analyst's core over the games company's data."""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from dbdiag.analyst.v1.analyst_types import AskRequest

from gateway.analysis.answer import Answer, fold
from services.analyst.analyst import Analyst
from services.analyst.open_dataset import OpenDataset, open_layer
from services.analyst.semantic.loading import load_layer
from services.analyst.sources.source import Source
from services.chassis.llm import LanguageModel
from tests.support.data.game_flow import LAYER

TODAY = dt.date(2025, 5, 20)


@asynccontextmanager
async def games(file: Path, model: LanguageModel | None = None) -> AsyncIterator[OpenDataset]:
    """The games company, open."""
    opened = await open_layer(load_layer(LAYER), (Source(path=file),), model=model)
    try:
        yield opened
    finally:
        await opened.close()


async def ask(opened: OpenDataset, question: str, conversation: Sequence[str] = ()) -> Answer:
    """The whole answer."""
    request = AskRequest("games", question, "", tuple(conversation))
    return await fold(Analyst(lambda: TODAY).ask(request, opened))
