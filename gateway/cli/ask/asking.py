"""Whom a question goes to: an analyst over one layer and its data, or over what this installation knows and did."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from gateway.cli import output

if TYPE_CHECKING:
    from gateway.analysis.answer import Answer
    from gateway.session.ledger import Session

_SECONDS = 600.0


class Ask(Protocol):
    """Answers one question. conversation: those before it, oldest first; now: a day, or empty."""

    async def __call__(self, question: str, language: str, conversation: Sequence[str], now: str) -> Answer:
        """The whole answer. Raises a member of the error tree."""
        ...


@contextlib.asynccontextmanager
async def open_analyst(layer: Path | None, places: Sequence[str], data_dir: Path) -> AsyncIterator[Ask]:
    """An analyst of a layer over `places`, or what lies beside it; without a layer, of the data folder's own data."""
    if layer is not None:
        async with _over_layer(layer, places) as ask:
            yield ask
        return
    if places:
        raise output.BadUsage("bad_usage.database_alone")
    async with _over_own_data(data_dir) as ask:
        yield ask


@contextlib.asynccontextmanager
async def _over_layer(layer: Path, places: Sequence[str]) -> AsyncIterator[Ask]:
    from dbdiag.analyst.v1.analyst_types import AskRequest

    from gateway.analysis.answer import fold
    from gateway.cli.services import start_analyst

    async with start_analyst(layer, places) as client:

        async def ask(question: str, language: str, conversation: Sequence[str], now: str) -> Answer:
            return await fold(client.ask(AskRequest("", question, language, tuple(conversation), now)))

        yield ask


@contextlib.asynccontextmanager
async def _over_own_data(data_dir: Path) -> AsyncIterator[Ask]:
    from gateway.cli.services import start
    from gateway.cli.tools.session_files import open_sessions
    from gateway.turn.tools.data_questions import DataDesk

    async with start(data_dir, "knowledge", "analyst") as services, open_sessions(data_dir) as store:
        assert services.analyst is not None

        async def sessions() -> list[Session]:
            return await store.sessions() if store is not None else []

        desk = DataDesk(services.analyst, sessions, _SECONDS)

        async def ask(question: str, language: str, conversation: Sequence[str], now: str) -> Answer:
            return await desk.ask(question, language, "", conversation, now)

        yield ask
