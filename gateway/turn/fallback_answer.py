"""The fallback answer if the planner is unavailable."""

from __future__ import annotations

from dbdiag.planner.v1.planner_types import Language

from gateway.turn.context import Turn


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
