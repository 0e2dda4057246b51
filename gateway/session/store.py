"""The session store: a SQLite file by default, PostgreSQL by URL, through SQLAlchemy. One transaction a turn."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

import sqlalchemy as sa
from pydantic import TypeAdapter

from gateway.session.ledger import Session
from services.chassis.errors import DependencyDown, Precondition
from services.chassis.problems import verbatim

_Result = TypeVar("_Result")
_METADATA = sa.MetaData()

_SESSIONS = sa.Table(
    "sessions",
    _METADATA,
    sa.Column("session_id", sa.String(64), primary_key=True),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("created_at", sa.Float, nullable=False),
    sa.Column("updated_at", sa.Float, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
)
_TURNS = sa.Table(
    "turns",
    _METADATA,
    sa.Column("session_id", sa.String(64), primary_key=True),
    sa.Column("turn", sa.Integer, primary_key=True),
    sa.Column("created_at", sa.Float, nullable=False),
    sa.Column("response", sa.Text, nullable=False),
    sa.Column("trace", sa.Text, nullable=False),
)
# A first message has no session yet; its scope is empty.
_REQUESTS = sa.Table(
    "requests",
    _METADATA,
    sa.Column("scope", sa.String(64), primary_key=True),
    sa.Column("request_id", sa.String(128), primary_key=True),
    sa.Column("body_sha256", sa.String(64), nullable=False),
    sa.Column("session_id", sa.String(64), nullable=False),
    sa.Column("turn", sa.Integer, nullable=False),
)


@cache
def _state() -> TypeAdapter[Session]:
    return TypeAdapter(Session)


@dataclass(frozen=True)
class AnsweredRequest:
    """A request that was answered before, with the answer as sent."""

    body_sha256: str
    response: dict[str, Any]


@dataclass(frozen=True)
class RequestKey:
    """The key of a retryable request; scope is its session id, or empty."""

    scope: str
    request_id: str
    body_sha256: str


@dataclass
class StoredSession:
    """A session with the version at loading; 0: not stored yet."""

    session: Session
    version: int = 0


class SessionStore:
    """Sessions, turns and answered requests. Open with `start`, close with `close`."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._engine = sa.create_engine(url)

    async def start(self) -> None:
        """Creates missing tables. Raises DependencyDown if the store cannot be opened."""
        try:
            await self._transact(_create_tables)
        except (sa.exc.SQLAlchemyError, OSError) as error:
            problem = verbatim(getattr(error, "orig", error))
            raise DependencyDown("session_store_unreachable", problem=problem) from error

    async def close(self) -> None:
        """Closes all connections."""
        await asyncio.to_thread(self._engine.dispose)

    async def load(self, session_id: str) -> StoredSession | None:
        """The last committed state of a session."""
        query = sa.select(_SESSIONS.c.state, _SESSIONS.c.version).where(_SESSIONS.c.session_id == session_id)
        row = await self._transact(lambda connection: connection.execute(query).first())
        return StoredSession(_state().validate_json(row.state), row.version) if row else None

    async def commit_turn(
        self, stored: StoredSession, response: Mapping[str, Any], trace: Mapping[str, Any], key: RequestKey | None
    ) -> None:
        """Stores session, turn and answer in one transaction.

        Raises Precondition if another gateway changed the session meanwhile.
        """
        await self._transact(lambda connection: _write_turn(connection, stored, response, trace, key))
        stored.version += 1

    async def answered(self, scope: str, request_id: str) -> AnsweredRequest | None:
        """The earlier answer to a request, or None."""
        query = (
            sa.select(_REQUESTS.c.body_sha256, _TURNS.c.response)
            .join(_TURNS, sa.and_(_TURNS.c.session_id == _REQUESTS.c.session_id, _TURNS.c.turn == _REQUESTS.c.turn))
            .where(_REQUESTS.c.scope == scope, _REQUESTS.c.request_id == request_id)
        )
        row = await self._transact(lambda connection: connection.execute(query).first())
        return AnsweredRequest(row.body_sha256, json.loads(row.response)) if row else None

    async def traces(self, session_id: str) -> list[dict[str, Any]]:
        """The traces of all turns, oldest first."""
        return await self._column(session_id, _TURNS.c.trace)

    async def last_response(self, session_id: str) -> dict[str, Any] | None:
        """The response of the last turn."""
        responses = await self._column(session_id, _TURNS.c.response)
        return responses[-1] if responses else None

    async def pinned(self) -> set[str]:
        """The snapshots to which sessions are pinned."""
        states = await self._scalars(sa.select(_SESSIONS.c.state))
        return {str(json.loads(state)["snapshot_id"]) for state in states} - {""}

    async def sessions(self) -> list[Session]:
        """All sessions as they were last committed, the oldest first."""
        states = await self._scalars(sa.select(_SESSIONS.c.state).order_by(_SESSIONS.c.created_at))
        return [_state().validate_json(state) for state in states]

    async def commit(self, stored: StoredSession) -> None:
        """Stores the session without a turn. Raises Precondition if it was changed meanwhile."""
        await self._transact(lambda connection: _write_session(connection, stored))
        stored.version += 1

    async def delete(self, session_id: str) -> bool:
        """Deletes a session with its turns and requests. Returns False if it does not exist."""

        def delete(connection: sa.Connection) -> bool:
            for table in (_REQUESTS, _TURNS):
                connection.execute(sa.delete(table).where(table.c.session_id == session_id))
            return connection.execute(sa.delete(_SESSIONS).where(_SESSIONS.c.session_id == session_id)).rowcount > 0

        return await self._transact(delete)

    async def _column(self, session_id: str, column: sa.Column[str]) -> list[dict[str, Any]]:
        query = sa.select(column).where(_TURNS.c.session_id == session_id).order_by(_TURNS.c.turn)
        return [json.loads(text) for text in await self._scalars(query)]

    async def _scalars(self, query: sa.Select[Any]) -> list[str]:
        return await self._transact(lambda connection: list(connection.scalars(query)))

    async def _transact(self, work: Callable[[sa.Connection], _Result]) -> _Result:
        """Does the work in a transaction of its own on a thread; its end is waited for even if the caller gives up."""

        def run() -> _Result:
            with self._engine.begin() as connection:
                return work(connection)

        task = asyncio.ensure_future(asyncio.to_thread(run))
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            await asyncio.gather(task, return_exceptions=True)
            raise


def _create_tables(connection: sa.Connection) -> None:
    if connection.dialect.name == "sqlite":
        connection.execute(sa.text("PRAGMA journal_mode=WAL"))
    _METADATA.create_all(connection)


def _write_turn(
    connection: sa.Connection,
    stored: StoredSession,
    response: Mapping[str, Any],
    trace: Mapping[str, Any],
    key: RequestKey | None,
) -> None:
    session = stored.session
    _write_session(connection, stored)
    turn = {
        "session_id": session.session_id,
        "turn": session.turn,
        "created_at": session.updated_at,
        "response": json.dumps(response, ensure_ascii=False),
        "trace": json.dumps(trace, ensure_ascii=False),
    }
    connection.execute(sa.insert(_TURNS).values(turn))
    if key is not None:
        connection.execute(
            sa.insert(_REQUESTS).values(
                scope=key.scope,
                request_id=key.request_id,
                body_sha256=key.body_sha256,
                session_id=session.session_id,
                turn=session.turn,
            )
        )


def _write_session(connection: sa.Connection, stored: StoredSession) -> None:
    session = stored.session
    values = {
        "version": stored.version + 1,
        "updated_at": session.updated_at,
        "state": _state().dump_json(session).decode(),
    }
    if stored.version == 0:
        new = {"session_id": session.session_id, "created_at": session.created_at}
        connection.execute(sa.insert(_SESSIONS).values(values | new))
        return
    mine = sa.and_(_SESSIONS.c.session_id == session.session_id, _SESSIONS.c.version == stored.version)
    result = connection.execute(sa.update(_SESSIONS).where(mine).values(values))
    if result.rowcount == 0:
        raise Precondition("session_changed", session_id=session.session_id)
