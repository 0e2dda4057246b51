"""Whether the connections that are there can be those of the pools: the product, and what is beyond it."""

from __future__ import annotations

from services.planner.model import HelpAnswer, TurnResults
from services.planner.sizing.pool_sums import PoolSum, pool_sum_of
from services.planner.speak.voice import Voice


def tell_pool_sum(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """The product of instances and pool size, what is there against it, and what follows."""
    found = pool_sum_of(answer.text)
    if found is None:
        return ""
    told = {"sum": _sum(found), "seen": found.seen, "where": _where(found, voice), "limit": found.limit}
    if found.seen <= found.sum:
        return voice.say("pools_hold", **told)
    beyond = voice.say("pools_beyond", beyond=found.seen - found.sum, times=f"{found.seen / found.sum:.2g}", **told)
    within = found.limit and not found.per and found.sum < found.limit
    return voice.stop.join(
        [beyond, *([voice.say("pools_below_limit", **told)] if within else []), voice.say("pools_leak")]
    )


def _sum(found: PoolSum) -> str:
    return f"{found.instances} × {found.size} = {found.sum}" if found.instances > 1 else str(found.size)


def _where(found: PoolSum, voice: Voice) -> str:
    return voice.say(f"pools_per_{found.per}") if found.per else ""
