"""The session store: a SQLite file by default, PostgreSQL by URL, through SQLAlchemy. One transaction a turn."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from pydantic import TypeAdapter
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from gateway.session.ledger import Session
from services.chassis.errors import DependencyDown, Precondition
from services.chassis.problems import verbatim

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

_STATE: TypeAdapter[Session] = TypeAdapter(Session)


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
        self._engine: AsyncEngine = create_async_engine(url)

    async def start(self) -> None:
        """Creates missing tables. Raises DependencyDown if the store cannot be opened."""
        try:
            async with self._engine.begin() as connection:
                if connection.dialect.name == "sqlite":
                    await connection.execute(sa.text("PRAGMA journal_mode=WAL"))
                await connection.run_sync(_METADATA.create_all)
        except (sa.exc.SQLAlchemyError, OSError) as error:
            problem = verbatim(getattr(error, "orig", error))
            raise DependencyDown("session_store_unreachable", problem=problem) from error

    async def close(self) -> None:
        """Closes all connections."""
        await self._engine.dispose()

    async def load(self, session_id: str) -> StoredSession | None:
        """The last committed state of a session."""
        query = sa.select(_SESSIONS.c.state, _SESSIONS.c.version).where(_SESSIONS.c.session_id == session_id)
        async with self._engine.connect() as connection:
            row = (await connection.execute(query)).first()
        return StoredSession(_STATE.validate_json(row.state), row.version) if row else None

    async def commit_turn(
        self, stored: StoredSession, response: Mapping[str, Any], trace: Mapping[str, Any], key: RequestKey | None
    ) -> None:
        """Stores session, turn and answer in one transaction.

        Raises Precondition if another gateway changed the session meanwhile.
        """
        session = stored.session
        async with self._engine.begin() as connection:
            await _write_session(connection, stored)
            turn = {
                "session_id": session.session_id,
                "turn": session.turn,
                "created_at": session.updated_at,
                "response": json.dumps(response, ensure_ascii=False),
                "trace": json.dumps(trace, ensure_ascii=False),
            }
            await connection.execute(sa.insert(_TURNS).values(turn))
            if key is not None:
                await connection.execute(
                    sa.insert(_REQUESTS).values(
                        scope=key.scope,
                        request_id=key.request_id,
                        body_sha256=key.body_sha256,
                        session_id=session.session_id,
                        turn=session.turn,
                    )
                )
        stored.version += 1

    async def answered(self, scope: str, request_id: str) -> AnsweredRequest | None:
        """The earlier answer to a request, or None."""
        query = (
            sa.select(_REQUESTS.c.body_sha256, _TURNS.c.response)
            .join(_TURNS, sa.and_(_TURNS.c.session_id == _REQUESTS.c.session_id, _TURNS.c.turn == _REQUESTS.c.turn))
            .where(_REQUESTS.c.scope == scope, _REQUESTS.c.request_id == request_id)
        )
        async with self._engine.connect() as connection:
            row = (await connection.execute(query)).first()
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
        async with self._engine.connect() as connection:
            states = await connection.stream_scalars(sa.select(_SESSIONS.c.state))
            return {str(json.loads(state)["snapshot_id"]) async for state in states} - {""}

    async def sessions(self) -> list[Session]:
        """All sessions as they were last committed, the oldest first."""
        async with self._engine.connect() as connection:
            states = await connection.stream_scalars(sa.select(_SESSIONS.c.state).order_by(_SESSIONS.c.created_at))
            return [_STATE.validate_json(state) async for state in states]

    async def commit(self, stored: StoredSession) -> None:
        """Stores the session without a turn. Raises Precondition if it was changed meanwhile."""
        async with self._engine.begin() as connection:
            await _write_session(connection, stored)
        stored.version += 1

    async def delete(self, session_id: str) -> bool:
        """Deletes a session with its turns and requests. Returns False if it does not exist."""
        async with self._engine.begin() as connection:
            for table in (_REQUESTS, _TURNS):
                await connection.execute(sa.delete(table).where(table.c.session_id == session_id))
            result = await connection.execute(sa.delete(_SESSIONS).where(_SESSIONS.c.session_id == session_id))
        return result.rowcount > 0

    async def _column(self, session_id: str, column: sa.Column[str]) -> list[dict[str, Any]]:
        query = sa.select(column).where(_TURNS.c.session_id == session_id).order_by(_TURNS.c.turn)
        async with self._engine.connect() as connection:
            return [json.loads(text) for text in (await connection.execute(query)).scalars()]


async def _write_session(connection: AsyncConnection, stored: StoredSession) -> None:
    session = stored.session
    values = {
        "version": stored.version + 1,
        "updated_at": session.updated_at,
        "state": _STATE.dump_json(session).decode(),
    }
    if stored.version == 0:
        new = {"session_id": session.session_id, "created_at": session.created_at}
        await connection.execute(sa.insert(_SESSIONS).values(values | new))
        return
    mine = sa.and_(_SESSIONS.c.session_id == session.session_id, _SESSIONS.c.version == stored.version)
    result = await connection.execute(sa.update(_SESSIONS).where(mine).values(values))
    if result.rowcount == 0:
        raise Precondition("session_changed", session_id=session.session_id)
