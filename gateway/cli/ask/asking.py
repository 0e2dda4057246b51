"""Whom a question goes to (one layer and its data, or what this installation knows), and `--keep` for its answer."""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from gateway.cli import output
from gateway.cli.language import Texts

if TYPE_CHECKING:
    from gateway.analysis.answer import Answer
    from gateway.cli.language import LanguageCode
    from gateway.session.ledger import Session


_SECONDS = 600.0
say = Texts("ask").say
# Another day of another month, quarter, year and week day.
_ANOTHER_DAY = dt.date(2019, 2, 6).isoformat()


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


def own_file(data_dir: Path) -> Path:
    """Where verified answers about dbdiag's own data are kept."""
    from services.analyst.dataset_files import own_examples

    return own_examples(data_dir)


async def keep(ask: Ask, answer: Answer, asked: str, before: Sequence[str], question: str, path: Path) -> str:
    """Keeps the intent of an answer under the question that was `asked`, and says so or why not.

    before, question: what gave the answer. One that would differ on another day is not kept.
    """
    from services.analyst.dataset_files import keep_intent

    language: LanguageCode = "zh" if any("\u3400" <= sign <= "\u9fff" for sign in asked) else "en"
    if answer.status != "answered" or answer.intent is None:
        return say("not_kept_status", language)
    if (await ask(question, language, before, _ANOTHER_DAY)).intent != answer.intent:
        return say("not_kept_time", language)
    keep_intent(path, asked, answer.intent)
    return say("kept", language, question=asked, path=path)
