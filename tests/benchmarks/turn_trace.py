"""`python -m tests.benchmarks.turn_trace`: how much code one turn of a conversation passes through.

Measured is the third turn ("1 no, 2 yes, 3 no") of a conversation in English with the shipped library and the rules
alone: the real conversations of a gateway with their store before all services in one process, over gRPC on a unix
socket, as `dbdiag up` runs them. The same conversation is held once before: what is done only once is not counted.

Counted are the calls of the project's own Python functions on the event loop, resumed coroutines included:

- files: the files that these functions stand in, outside of `services/planner/understand`
- changes of file: how often a call is in another file than the call before it, outside of that folder
- calls, and the share of them that only convert between wire and values: the functions of a `wire.py` and of the
  gateway's clients, and whatever a type of a contract is constructed, compared or hashed by
- rpcs: the gateway's requests of the services, by name

What `dataclass` makes for a type of a contract stands in the file of the type. `--calls` lists the functions.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType

from gateway.contracts.clients import Services
from gateway.embedded import services
from gateway.session.store import SessionStore
from gateway.settings import GatewaySettings
from gateway.turn.conversations import ChatMessage, Conversations, Silent
from services.chassis import logs

OPENING = ("our reporting queries suddenly got slow", "IO waits are high, CPU is fine")
TRACED = "1 no, 2 yes, 3 no"
# What a turn may at most come to.
FLOORS = {"files": 36, "changes_of_file": 700, "converting": 0.3, "rpcs": 3}
_ROOT = f"{Path(__file__).parent.parent.parent}/"
_ELSEWHERE = (".venv/", "tests/")
_UNDERSTANDING = "services/planner/understand/"
_CONVERTERS = ("wire.py", "gateway/contracts/clients.py")
# What `dataclass` makes has this for a file.
_MADE = "<string>"
_SERVED = "CallInterceptor.intercept_service"


@dataclass(frozen=True)
class Call:
    """A function that was called: its file in the repository and its name."""

    file: str
    name: str
    converts: bool


@dataclass
class Trace:
    """The calls of a turn in their order, and the requests that services were asked."""

    calls: list[Call] = field(default_factory=list)
    requests: list[object] = field(default_factory=list)
    _known: dict[CodeType, Call | None] = field(default_factory=dict)

    def hear(self, frame: FrameType, event: str, _: object) -> None:
        """Records a call of the project's own code."""
        if event != "call":
            return
        code = frame.f_code
        if code not in self._known:
            self._known[code] = _call_of(frame)
        call = self._known[code]
        if call is None:
            return
        self.calls.append(call)
        asked = frame.f_locals.get("handler_call_details") if call.name == _SERVED else None
        # A coroutine is heard again when it is resumed.
        if asked is not None and all(asked is not one for one in self.requests):
            self.requests.append(asked)

    def figures(self) -> dict[str, object]:
        """The figures of the turn."""
        files = [call.file for call in self.calls if not call.file.startswith(_UNDERSTANDING)]
        named = Counter(str(getattr(asked, "method", "")).rpartition("/")[2] for asked in self.requests)
        return {
            "files": len(set(files)),
            "changes_of_file": sum(one != two for one, two in itertools.pairwise(files)),
            "calls": len(self.calls),
            "converting": round(sum(call.converts for call in self.calls) / len(self.calls), 3),
            "rpcs": dict(sorted(named.items())),
        }


def _call_of(frame: FrameType) -> Call | None:
    code = frame.f_code
    if code.co_filename == _MADE:
        kind = type(frame.f_locals.get("self"))
        file = getattr(sys.modules.get(kind.__module__), "__file__", None) or ""
        contract = kind.__module__.startswith("dbdiag.")
        return Call(file.removeprefix(_ROOT), f"{kind.__name__}.{code.co_name}", True) if contract else None
    file = code.co_filename.removeprefix(_ROOT)
    if file == code.co_filename or file.startswith(_ELSEWHERE):
        return None
    return Call(file, code.co_qualname, file.endswith(_CONVERTERS))


@contextmanager
def _listening(trace: Trace) -> Iterator[None]:
    sys.setprofile(trace.hear)
    try:
        yield
    finally:
        sys.setprofile(None)


async def _converse(conversations: Conversations, trace: Trace) -> None:
    """Holds the conversation; its third turn is traced."""
    session_id = None
    for message in OPENING:
        session_id = (await conversations.chat(ChatMessage(message, session_id), Silent()))["session_id"]
    with _listening(trace):
        await conversations.chat(ChatMessage(TRACED, session_id), Silent())


async def _traced(folder: Path) -> Trace:
    ids = map(str, itertools.count())
    async with services(folder, {}) as address:
        clients = Services(address, address, address, address, address)
        store = SessionStore(f"sqlite:///{folder}/sessions.db")
        await store.start()
        conversations = Conversations(clients, store, GatewaySettings(), lambda: 0.0, lambda: next(ids))
        try:
            await _converse(conversations, Trace())
            await _converse(conversations, trace := Trace())
        finally:
            await store.close()
            await clients.close()
    return trace


def traced() -> Trace:
    """The trace of the turn."""
    logs.configure("error")
    with tempfile.TemporaryDirectory() as name:
        return asyncio.run(_traced(Path(name)))


def main() -> None:
    """Traces and prints."""
    trace = traced()
    print(json.dumps(trace.figures(), indent=1))
    if "--calls" in sys.argv[1:]:
        for call, count in Counter(trace.calls).most_common():
            print(f"{count:6} {call.file} {call.name}{' (converts)' if call.converts else ''}")


if __name__ == "__main__":
    main()
