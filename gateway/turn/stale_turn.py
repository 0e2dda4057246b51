"""Stale messages, written before another one was answered: their numbers refer to an outdated list."""

from __future__ import annotations

from dbdiag.planner.v1.planner_types import Item, Language

from gateway.session.ledger import Session
from services.chassis.errors import Precondition

_WORDS = {
    Language.ZH: (
        "这个会话在别处已经说到第 {turn} 轮（你看到的是第 {seen} 轮），这句没有记。",
        "现在的清单：{items}。",
        "；",
    ),
    Language.EN: (
        "This conversation has gone on to turn {turn} elsewhere (you saw turn {seen}); nothing was recorded.",
        " The list is now: {items}.",
        "; ",
    ),
}


class TurnPassed(Precondition):
    """The sender's last turn is outdated; `turn` is the current one and `items` are its pending questions."""

    default_reason = "turn_passed"

    def __init__(self, message: str, turn: int, items: tuple[Item, ...], language: Language) -> None:
        super().__init__(message)
        self.turn = turn
        self.items = [
            {"ordinal": item.ordinal, "phenomenon_id": item.phenomenon_id, "description": item.name.say(language)}
            for item in items
        ]


def check(session: Session, seen: int, language: Language | None) -> None:
    """Raises TurnPassed unless `seen` is the session's last turn."""
    if seen == session.turn:
        return
    language = language or session.language or Language.EN
    items = session.clarification.options if session.clarification else session.pending
    told, listed, separator = _WORDS[language]
    names = separator.join(f"{item.ordinal}. {item.name.say(language)}" for item in items)
    message = told.format(turn=session.turn, seen=seen) + (listed.format(items=names) if names else "")
    raise TurnPassed(message, session.turn, items, language)
