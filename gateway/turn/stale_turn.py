"""Stale messages, written before another one was answered: their numbers refer to an outdated list."""

from __future__ import annotations

from dbdiag.planner.v1.planner_types import Item, Language

from gateway.session.ledger import Session
from services.chassis.errors import Precondition


class TurnPassed(Precondition):
    """The sender's last turn is outdated; `turn` is the current one and `items` are its pending questions."""

    def __init__(self, turn: int, seen: int, items: tuple[Item, ...], language: Language) -> None:
        names = ("；" if language is Language.ZH else "; ").join(
            f"{item.ordinal}. {item.name.say(language)}" for item in items
        )
        super().__init__("turn_passed.pending" if items else "turn_passed", turn=turn, seen=seen, items=names)
        self.turn = turn
        self.items = [
            {"ordinal": item.ordinal, "phenomenon_id": item.phenomenon_id, "description": item.name.say(language)}
            for item in items
        ]
        self._language = language

    def text(self, language: str) -> str:
        """The text in the language of the conversation, as its list."""
        return super().text(self._language)


def require_current(session: Session, seen: int, language: Language | None) -> None:
    """Raises TurnPassed unless `seen` is the session's last turn."""
    if seen != session.turn:
        items = session.clarification.options if session.clarification else session.pending
        raise TurnPassed(session.turn, seen, items, language or session.language or Language.EN)
