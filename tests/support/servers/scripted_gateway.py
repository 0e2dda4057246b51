"""A gateway that says scripted things over real HTTP, for tests of its clients."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest


class ScriptedGateway(ThreadingHTTPServer):
    """A gateway over real HTTP that says messages back; "refuse", "break", "wait", "late" and "down" do as they say."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self.bodies: list[dict[str, Any]] = []
        self.paths: dict[str, Any] = {"/chat/stream": {}}
        self.broken = 0
        self.token = ""
        self.hurry = threading.Event()


class _Handler(BaseHTTPRequestHandler):
    server: ScriptedGateway

    def do_GET(self) -> None:
        if self._is_refused():
            return
        if self.path == "/openapi.json":
            self._json(200, {"paths": self.server.paths})
        elif self.path == "/readyz":
            self._json(200, {})
        elif self.path == "/sessions/s-1":
            dialogue = [{"speaker": "user", "text": "慢"}, {"speaker": "assistant", "text": "**记下了**"}]
            self._json(200, {"session_id": "s-1", "turn": 1, "dialogue": dialogue, "details": {}})
        else:
            self._json(404, {"status": 404, "title": "gone", "detail": "no session", "reason": "session_not_found"})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self._is_refused():
            return
        self.server.bodies.append(body)
        if self.path == "/sessions/s-1/close":
            self._close(body)
            return
        message = body["message"]
        if message == "refuse":
            self._json(422, {"status": 422, "title": "no", "detail": "refused as told", "reason": "invalid_request"})
            return
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        self._event("progress", {"step": "match_phenomena"})
        if message == "late":
            self._event("error", {"status": 409, "detail": "now at 7", "reason": "turn_passed", "turn": 7})
            return
        if message == "break" and not self.server.broken:
            self.server.broken += 1
            return
        if message == "wait":
            self.server.hurry.wait(20)
        if message == "down":
            self._event("error", {"status": 503, "detail": "the engine does not answer", "reason": "engine_down"})
            return
        text = f"You said {message} <to me>\x1b[31m"
        self._event("chunk", {"text": text})
        answer = {"session_id": "s-1", "turn": len(self.server.bodies), "message": text, "details": {}}
        self._event("final", answer)

    def _is_refused(self) -> bool:
        """Whether the request lacks the token, which it is told in its language."""
        token = self.server.token
        if not token or self.path == "/readyz" or self.headers["authorization"] == f"Bearer {token}":
            return False
        detail = "要令牌 DBDIAG_TOKEN" if self.headers["accept-language"] == "zh" else "a token: DBDIAG_TOKEN"
        self._json(401, {"status": 401, "title": "no", "detail": detail, "reason": "token_required"})
        return True

    def _close(self, body: dict[str, Any]) -> None:
        if body.get("root_cause_id") == "RC-0404":
            refusal = {"status": 422, "title": "no", "detail": "there is no RC-0404", "reason": "unknown_root_cause"}
            self._json(422, refusal)
            return
        proposal = {
            "proposal_id": "PR-1",
            "root_cause_id": body.get("root_cause_id", "RC-9000"),
            "complaint": "慢" if body.get("language") == "zh" else "slow",
            "solution": body.get("solution", ""),
            "quarantined": False,
            "held_out": False,
        }
        moved = {"root_cause_id": proposal["root_cause_id"], "confidence_before": 0.25, "confidence_after": 0.5}
        preview = {"beliefs": [moved], "past_cases": {"changed": [], "replayed": 7}}
        self._json(200, {"session_id": "s-1", "proposal": proposal, "preview": preview})

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def _json(self, status: int, body: dict[str, Any]) -> None:
        content = json.dumps(body, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _event(self, name: str, data: dict[str, Any]) -> None:
        self.wfile.write(f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode())
        self.wfile.flush()


@pytest.fixture
def scripted() -> Iterator[ScriptedGateway]:
    """A scripted gateway that listens for the length of a test."""
    with ScriptedGateway() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.hurry.set()
        server.shutdown()
        thread.join()
