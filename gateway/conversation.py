"""Conversations: sessions loaded, turns taken one after the other, each committed before it is acknowledged."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import time
import weakref
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

from gateway import passed
from gateway.catalog import Catalogs
from gateway.clients import Services
from gateway.details import details_of
from gateway.language import Language
from gateway.live_targets import CannotLook, LiveTargets
from gateway.loop import Loop
from gateway.plain import plain_text
from gateway.plan import Item, Speaker, Utterance
from gateway.results import Reply, RespondRequest
from gateway.session import Session
from gateway.settings import GatewaySettings
from gateway.store import RequestKey, SessionStore, StoredSession
from gateway.trace import trace_of
from gateway.turn import Turn
from redaction import redact_spoken
from services.chassis import channel, logs
from services.chassis.errors import DbdiagError, InvalidInput, NotFound

# Kept free at the end of a turn's time, so that what was found can still be said.
_SPEAKING_SECONDS = 15.0


@dataclass(frozen=True)
class ChatMessage:
    """One message from a door."""

    message: str
    session_id: str | None = None
    request_id: str | None = None
    language: Language | None = None
    # The last turn that the sender saw; None: whatever holds.
    turn: int | None = None
    # The target that the session is to look at from here on; None: no change.
    target: str | None = None

    def body_sha256(self) -> str:
        """Tells two bodies under one request id apart."""
        said = [self.message, self.session_id, self.language]
        body = json.dumps([*said, self.target] if self.target else said, ensure_ascii=False)
        return hashlib.sha256(body.encode()).hexdigest()


class Listener(Protocol):
    """Hears a turn while it runs."""

    def progress(self, step: str, note: str = "") -> None:
        """A step begins; with a note, what a step that takes long is at."""

    def chunk(self, text: str) -> None:
        """A piece of the answer."""


class Silent:
    """A listener that does not listen."""

    def progress(self, step: str, note: str = "") -> None:
        """Ignored."""

    def chunk(self, text: str) -> None:
        """Ignored."""


class Conversations:
    """All sessions of this gateway. Clock and ids are given."""

    def __init__(
        self,
        services: Services,
        store: SessionStore,
        settings: GatewaySettings,
        clock: Callable[[], float],
        new_id: Callable[[], str],
    ) -> None:
        self.catalogs = Catalogs(services.engine)
        self._loop = Loop(services, self.catalogs, settings)
        self._services = services
        self._store = store
        self._settings = settings
        self._clock = clock
        self._new_id = new_id
        self._locks: weakref.WeakValueDictionary[str, asyncio.Lock] = weakref.WeakValueDictionary()

    async def chat(self, message: ChatMessage, listener: Listener) -> dict[str, Any]:
        """The answer to one message, committed. A request id answered before returns the first answer again.

        Raises NotFound for an unknown session, InvalidInput for a request id used with another body, TurnPassed for a
        message written before another one was answered.
        """
        scope = message.session_id or ""
        async with self._lock(scope or f"request:{message.request_id or self._new_id()}"):
            key = RequestKey(scope, message.request_id, message.body_sha256()) if message.request_id else None
            if key is not None:
                answered = await self._answered(key)
                if answered is not None:
                    listener.chunk(answered["message"])
                    return answered
            stored = await self._open(message.session_id)
            if message.turn is not None:
                passed.check(stored.session, message.turn, message.language)
            if message.target:
                stored.session.target_id = await self._chosen(message.target, message.language)
            said = replace(message, message=redact_spoken(message.message))
            return await self._take_turn(stored, said, key, listener)

    async def _chosen(self, target: str, language: Language | None) -> str:
        try:
            return (await self.targets.of_session(target, "", language or Language.EN)).target_id
        except CannotLook as error:
            raise InvalidInput(f"target: {error.message}", reason=error.reason) from error

    @property
    def targets(self) -> LiveTargets:
        """What can be looked at."""
        return self._loop.targets

    def _lock(self, name: str) -> asyncio.Lock:
        lock = self._locks.get(name)
        if lock is None:
            lock = self._locks[name] = asyncio.Lock()
        return lock

    async def _answered(self, key: RequestKey) -> dict[str, Any] | None:
        answered = await self._store.answered(key.scope, key.request_id)
        if answered is None:
            return None
        if answered.body_sha256 != key.body_sha256:
            raise InvalidInput(
                f"request_id {key.request_id} was used with another message; use a new id for a new message",
                reason="request_id_reused",
            )
        return answered.response

    async def _open(self, session_id: str | None) -> StoredSession:
        if session_id is None:
            now = self._clock()
            return StoredSession(Session(self._new_id(), now, now))
        return await self.stored(session_id)

    async def stored(self, session_id: str) -> StoredSession:
        """A session as last committed; raises NotFound."""
        stored = await self._store.load(session_id)
        if stored is None:
            raise NotFound(
                f"there is no session {session_id}; leave session_id out to start one", reason="session_not_found"
            )
        return stored

    async def _take_turn(
        self, stored: StoredSession, message: ChatMessage, key: RequestKey | None, listener: Listener
    ) -> dict[str, Any]:
        session = stored.session
        started_at, started = self._clock(), time.monotonic()
        channel.session_id.set(session.session_id)
        channel.deadline.set(started + self._settings.gateway_turn_seconds)
        logs.bind(session_id=session.session_id)
        turn = await self._loop.run(session, message.message, message.language, listener.progress)
        channel.deadline.set(max(channel.deadline.get(), time.monotonic() + _SPEAKING_SECONDS))
        listener.progress("respond")
        reply = await self._speak(turn, listener)
        session.updated_at = self._clock()
        session.dialogue += [Utterance(Speaker.USER, message.message), _said(turn, reply)]
        response = {
            "session_id": session.session_id,
            "turn": session.turn,
            "message": reply.text,
            "details": details_of(turn, reply),
        }
        trace = trace_of(turn, reply, message.request_id or "", started_at, time.monotonic() - started)
        await self._store.commit_turn(stored, response, trace, key)
        return response

    async def _speak(self, turn: Turn, listener: Listener) -> Reply:
        previous = next(
            (item.text for item in reversed(turn.session.dialogue) if item.speaker is Speaker.ASSISTANT), ""
        )
        request = RespondRequest(turn.language, turn.results(), turn.message, previous)
        try:
            async for part in self._services.planner.respond(request):
                if isinstance(part, Reply):
                    return part
                listener.chunk(part)
            failure = "no answer"
        except DbdiagError as error:
            failure = error.message
        text = plain_text(turn, failure)
        listener.chunk(text)
        return Reply(text)

    @contextlib.asynccontextmanager
    async def alone_with(self, session_id: str) -> AsyncIterator[StoredSession]:
        """A session as last committed, while no turn of it runs; what is changed is committed in the end."""
        async with self._lock(session_id):
            stored = await self.stored(session_id)
            before = list(stored.session.closings)
            yield stored
            if stored.session.closings != before:
                await self._store.commit(stored)

    async def traces(self, session_id: str) -> list[dict[str, Any]]:
        """The traces of a session's turns; raises NotFound."""
        await self.stored(session_id)
        return await self._store.traces(session_id)

    async def last_response(self, session_id: str) -> dict[str, Any] | None:
        """The last answer of a session."""
        return await self._store.last_response(session_id)

    async def delete(self, session_id: str) -> None:
        """Removes a session for good; raises NotFound."""
        async with self._lock(session_id):
            if not await self._store.delete(session_id):
                raise NotFound(f"there is no session {session_id}", reason="session_not_found")

    def now(self) -> float:
        """Seconds since 1970, UTC."""
        return self._clock()

    def archived(self, session: Session) -> bool:
        """Whether a session has been idle for longer than the timeout; it can be resumed all the same."""
        return self._clock() - session.updated_at > self._settings.session_timeout_minutes * 60


def _said(turn: Turn, reply: Reply) -> Utterance:
    asked = turn.session.clarification
    items: tuple[Item, ...] = asked.options if asked else turn.session.pending
    return Utterance(Speaker.ASSISTANT, reply.text, items)
