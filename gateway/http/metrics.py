"""Prometheus metrics of the gateway. No label contains a user's words or an id."""

from __future__ import annotations

from typing import Any

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest


class Metrics:
    """The gateway's metrics, in their own registry."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._turns = Counter("dbdiag_turns", "Turns answered.", ["status", "language"], registry=self.registry)
        self._seconds = Histogram(
            "dbdiag_turn_seconds",
            "Seconds from message to answer.",
            buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60),
            registry=self.registry,
        )
        self._failures = Counter(
            "dbdiag_tool_failures", "Tools that failed in a turn.", ["tool", "reason"], registry=self.registry
        )
        self._refused = Counter("dbdiag_refused", "Messages refused.", ["reason"], registry=self.registry)
        self._tokens = Counter("dbdiag_model_tokens", "Tokens of language models.", ["step"], registry=self.registry)
        self._fallbacks = Counter(
            "dbdiag_model_fallbacks",
            "Steps in which a language model was asked and the rules answered.",
            ["step", "reason"],
            registry=self.registry,
        )

    def count_turn(self, response: dict[str, Any], seconds: float) -> None:
        """Counts a turn."""
        details = response["details"]
        self._turns.labels(details["status"], details["language"]).inc()
        self._seconds.observe(seconds)
        for failure in details["call_errors"]:
            self._failures.labels(failure["tool"], failure["reason"]).inc()
        for step, usage in details["model_usage"].items():
            self._tokens.labels(step).inc(usage["prompt_tokens"] + usage["completion_tokens"])
            if usage["fallback_reason"]:
                # The part after the colon varies and would make labels unbounded.
                self._fallbacks.labels(step, usage["fallback_reason"].partition(":")[0]).inc()

    def count_refusal(self, reason: str) -> None:
        """Counts a refused request."""
        self._refused.labels(reason).inc()

    def render(self) -> bytes:
        """All metrics in the Prometheus text format."""
        return generate_latest(self.registry)
