"""Which of two sessions of a queue to end first: the DDL that waits, then perhaps the one that it waits for."""

from __future__ import annotations

from lang import deferred_re as re
from lang.objects import PID, Role, Seen
from services.planner.model import TurnResults
from services.planner.speak.objects import objects_known, only_reads
from services.planner.speak.voice import Voice
from services.planner.treatment.shown_actions import SESSION

_ASKS = re.compile(
    r"\bfirst\b|\bwhich\b|\b\d{3,7}\s+or\s+(?:pid\s+)?\d{3,7}\b|先.{0,24}(?:还是|哪|谁|后)|哪个|哪一个|\d{3,7}\s*还是",
    re.IGNORECASE,
)
_ENDING = ("cancel", "terminate")


def tell_order(asked: str, results: TurnResults, voice: Voice) -> str:
    """What to end first of a DDL and the session that it waits for, and what the other one costs; else empty."""
    numbers = {*SESSION.findall(asked)}
    named = [each for each in objects_known(results) if each.kind == PID and each.name in numbers]
    ddl = next((each for each in named if each.role is Role.DDL), None)
    root = next((each for each in named if each.culprit or each.role is Role.AUTOVACUUM), None)
    if ddl is None or root is None or not _ASKS.search(asked):
        return ""
    first = "order_done" if _is_ended(ddl, results) else "order_ddl"
    return "\n".join([voice.say(first, name=ddl.name, root=root.name), _of_root(root, ddl, results, voice)])


def _is_ended(each: Seen, results: TurnResults) -> bool:
    return any(done.action in _ENDING and each.name in done.objects for done in results.treatments)


def _of_root(root: Seen, ddl: Seen, results: TurnResults, voice: Voice) -> str:
    """Whether to end the session in the way as well, and what that costs."""
    if root.role is Role.AUTOVACUUM:
        return voice.say("order_autovacuum", name=root.name)
    cost = voice.say("cost_reads" if only_reads(root.name, results) else "cost_terminate")
    return voice.stop.join([voice.say("order_root", name=root.name, ddl=ddl.name), cost])
