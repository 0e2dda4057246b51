"""Conversations: loads sessions and runs their turns one at a time, each committed before it is acknowledged."""

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

from dbdiag.planner.v1.planner_types import Language, Reply, RespondRequest, Speaker, TurnResults, Utterance
from pydantic_core import to_jsonable_python

from gateway.contracts.clients import Services
from gateway.investigation.targets import CannotLook, LiveTargets
from gateway.session.case_talk import remarks_of
from gateway.session.catalog import Catalogs
from gateway.session.ledger import Session
from gateway.session.planner_view import answers_before
from gateway.session.references import shown_in
from gateway.session.store import RequestKey, SessionStore, StoredSession
from gateway.settings import GatewaySettings
from gateway.turn import stale_turn
from gateway.turn.context import Turn
from gateway.turn.details.reply_details import details_of
from gateway.turn.loop import Loop
from gateway.turn.tools.data_questions import DataDesk
from redaction import redact_spoken
from services.chassis import channel, logs
from services.chassis.errors import DbdiagError, InvalidInput, NotFound

# Reserved at the end of a turn's deadline for rendering the answer.
_SPEAKING_SECONDS = 15.0


def plain_text(turn: Turn, reason: str) -> str:
    """The recorded evidence and the state of the diagnosis, in two sentences and a list."""
    chinese = turn.language is Language.ZH
    noted = len(turn.noted) + len(turn.corrections)
    lines = [
        f"回复没能生成（{reason}）。这一轮的 {noted} 条信息已记录，没有丢失；稍后再问“现在到哪一步了”即可继续。"
        if chinese
        else f"The answer could not be worded ({reason}). What you said is recorded ({noted} noted), nothing is lost; "
        'ask "where are we?" in a moment to go on.'
    ]
    for belief in turn.session.beliefs()[:3]:
        lines.append(f"- {belief.name.say(turn.language)} {belief.confidence:.0%}")
    return "\n".join(lines)


@dataclass(frozen=True)
class ChatMessage:
    """One message from a door."""

    message: str
    session_id: str | None = None
    request_id: str | None = None
    language: Language | None = None
    # The last turn that the sender saw; None: do not check.
    turn: int | None = None
    # The new target of the session's investigations; None: no change.
    target: str | None = None

    def body_sha256(self) -> str:
        """The digest that distinguishes two bodies with one request id."""
        said = [self.message, self.session_id, self.language]
        body = json.dumps([*said, self.target] if self.target else said, ensure_ascii=False)
        return hashlib.sha256(body.encode()).hexdigest()


class Listener(Protocol):
    """Receives the progress of a turn."""

    def progress(self, step: str, note: str = "") -> None:
        """A step starts; the note reports the progress of a long one."""

    def chunk(self, text: str) -> None:
        """A piece of the answer."""


class Silent:
    """A listener that ignores everything."""

    def progress(self, step: str, note: str = "") -> None:
        """Ignored."""

    def chunk(self, text: str) -> None:
        """Ignored."""


class Conversations:
    """All sessions of this gateway. Clock and ids are injected."""

    def __init__(
        self,
        services: Services,
        store: SessionStore,
        settings: GatewaySettings,
        clock: Callable[[], float],
        new_id: Callable[[], str],
    ) -> None:
        self.catalogs = Catalogs(services.engine)
        desk = DataDesk(services.analyst, store.sessions, settings.gateway_data_seconds) if services.analyst else None
        self._loop = Loop(services, self.catalogs, settings, desk)
        self._services = services
        self._store = store
        self._settings = settings
        self._clock = clock
        self._new_id = new_id
        self._locks: weakref.WeakValueDictionary[str, asyncio.Lock] = weakref.WeakValueDictionary()

    async def chat(self, message: ChatMessage, listener: Listener) -> dict[str, Any]:
        """Answers one message and commits the turn. A repeated request id returns the first answer.

        Raises NotFound for an unknown session, InvalidInput for a request id used with another body, TurnPassed for a
        message that was written before another one was answered.
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
                stale_turn.require_current(stored.session, message.turn, message.language)
            if message.target:
                stored.session.target_id = await self._chosen(message.target)
            said = replace(message, message=redact_spoken(message.message))
            return await self._take_turn(stored, said, key, listener)

    async def _chosen(self, target: str) -> str:
        try:
            return (await self.targets.of_session(target, "")).target_id
        except CannotLook as error:
            raise InvalidInput("invalid_body", reason=error.reason, field="target", problem=error.as_message) from error

    @property
    def targets(self) -> LiveTargets:
        """The targets of live investigations."""
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
            raise InvalidInput("request_id_reused", request_id=key.request_id)
        return answered.response

    async def _open(self, session_id: str | None) -> StoredSession:
        if session_id is None:
            now = self._clock()
            return StoredSession(Session(self._new_id(), now, now))
        return await self.stored(session_id)

    async def stored(self, session_id: str) -> StoredSession:
        """The last committed state of a session. Raises NotFound."""
        stored = await self._store.load(session_id)
        if stored is None:
            raise NotFound("session_not_found.conversation", session_id=session_id)
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
        results = replace(turn.results(), remarks=remarks_of(session, message.message))
        reply = await self._speak(turn, results, listener)
        session.updated_at = self._clock()
        session.dialogue += [Utterance(Speaker.USER, message.message), _said(turn, reply)]
        response = {
            "session_id": session.session_id,
            "turn": session.turn,
            "message": reply.text,
            "details": details_of(turn, reply),
        }
        trace = _trace_of(turn, message.request_id or "", started_at, time.monotonic() - started)
        trace |= to_jsonable_python({"results": results, "reply": reply})
        await self._store.commit_turn(stored, response, trace, key)
        return response

    async def _speak(self, turn: Turn, results: TurnResults, listener: Listener) -> Reply:
        request = RespondRequest(turn.language, results, turn.message, *answers_before(turn.session))
        try:
            async for part in self._services.planner.respond(request):
                if isinstance(part, Reply):
                    return part
                listener.chunk(part)
            failure = "no answer"
        except DbdiagError as error:
            failure = error.text(turn.language)
        text = plain_text(turn, failure)
        listener.chunk(text)
        return Reply(text)

    @contextlib.asynccontextmanager
    async def alone_with(self, session_id: str) -> AsyncIterator[StoredSession]:
        """The last committed state of a session, under its turn lock; commits changes at the end."""
        async with self._lock(session_id):
            stored = await self.stored(session_id)
            before = list(stored.session.closings)
            yield stored
            if stored.session.closings != before:
                await self._store.commit(stored)

    async def traces(self, session_id: str) -> list[dict[str, Any]]:
        """The traces of a session's turns. Raises NotFound."""
        await self.stored(session_id)
        return await self._store.traces(session_id)

    async def last_response(self, session_id: str) -> dict[str, Any] | None:
        """The last answer of a session."""
        return await self._store.last_response(session_id)

    async def delete(self, session_id: str) -> None:
        """Deletes a session permanently. Raises NotFound."""
        async with self._lock(session_id):
            if not await self._store.delete(session_id):
                raise NotFound("session_not_found", session_id=session_id)

    def now(self) -> float:
        """Seconds since 1970, UTC."""
        return self._clock()

    def is_archived(self, session: Session) -> bool:
        """True if a session has been idle past the timeout; it can still be resumed."""
        return self._clock() - session.updated_at > self._settings.session_timeout_minutes * 60


def _said(turn: Turn, reply: Reply) -> Utterance:
    return Utterance(Speaker.ASSISTANT, reply.text, shown_in(reply.text, turn.session))


def _trace_of(turn: Turn, request_id: str, started_at: float, seconds: float) -> dict[str, Any]:
    """The trace of a turn up to its results and reply: enough to show, verify and replay it, with all exchanges."""
    trace: dict[str, Any] = to_jsonable_python(
        {
            "turn": turn.session.turn,
            "case": turn.session.case,
            "request_id": request_id or None,
            "started_at": started_at,
            "seconds": round(seconds, 4),
            "snapshot_id": turn.session.snapshot_id,
            "message": turn.message,
            "plan": turn.plan,
            "tools": turn.done,
            "exchanges": [{"tool": tool, "request": asked, "response": told} for tool, asked, told in turn.exchanges],
            "model_usage": turn.usage,
        }
    )
    return trace
