"""The lists that a person's references count in, and what they refer to; never found by a model."""

from __future__ import annotations

from collections.abc import Iterable

from dbdiag.planner.v1.planner_types import FeedbackStep, Group, Item, ItemList, Reference, TurnPlan

from gateway.session.ledger import Session


class NoSuchItem(Exception):
    """The reference matches nothing; `words` are the person's own."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.words = words


def items_of(session: Session, named: ItemList | None) -> tuple[Item, ...]:
    """The list to which a reference's ordinal belongs."""
    options = session.clarification.options if session.clarification else ()
    if named is ItemList.EARLIER:
        return session.earlier
    if named is ItemList.OPTIONS:
        return options
    if named is ItemList.PENDING:
        return session.pending
    if named is ItemList.EVIDENCE:
        return tuple(Item(index, entry.phenomenon_id) for index, entry in enumerate(session.active(), 1))
    return options or session.pending


def resolve(session: Session, reference: Reference, plan: TurnPlan, known: Iterable[str]) -> tuple[str, ...]:
    """The phenomenon ids of a reference, in list order. Raises NoSuchItem; `known` are all ids of the snapshot."""
    if reference.id is not None:
        if reference.id not in known:
            raise NoSuchItem(reference.id)
        return (reference.id,)
    items = items_of(session, reference.list)
    if reference.ordinal is not None:
        found = tuple(item.phenomenon_id for item in items if item.ordinal == reference.ordinal)
        if not found:
            raise NoSuchItem(str(reference.ordinal))
        return found
    if reference.group is not None:
        return _group(session, reference.group, items, plan)
    raise NoSuchItem(reference.words or "")


def _group(session: Session, group: Group, items: tuple[Item, ...], plan: TurnPlan) -> tuple[str, ...]:
    ids = tuple(item.phenomenon_id for item in items)
    if group is Group.LAST_TURN:
        ids = _last_turn(session)
    elif group is Group.JUST_MENTIONED:
        ids = _just_mentioned(session, ids)
    elif group is Group.LAST:
        ids = ids[-1:]
    elif group is Group.REST:
        named = _named_elsewhere(items, plan)
        ids = tuple(item.phenomenon_id for item in items if item not in named)
    if not ids:
        raise NoSuchItem(group.value)
    return ids


def _last_turn(session: Session) -> tuple[str, ...]:
    active = session.active()
    last = max((entry.turn for entry in active), default=0)
    return tuple(entry.phenomenon_id for entry in active if entry.turn == last)


def _just_mentioned(session: Session, asked: tuple[str, ...]) -> tuple[str, ...]:
    if asked:
        return asked[:1]
    active = session.active()
    return (active[-1].phenomenon_id,) if active else ()


def _named_elsewhere(items: tuple[Item, ...], plan: TurnPlan) -> set[Item]:
    feedback = [step for step in plan.steps if isinstance(step, FeedbackStep)]
    return {item for item in items for step in feedback if _names(step, item, items)}


def _names(step: FeedbackStep, item: Item, items: tuple[Item, ...]) -> bool:
    reference = step.reference
    if reference.group is Group.LAST:
        return item == items[-1]
    return reference.ordinal == item.ordinal or reference.id == item.phenomenon_id


def shown_in(answer: str, session: Session) -> tuple[Item, ...]:
    """What an answer asked: the options of its question, else those of the next checks that it names."""
    if session.clarification is not None:
        return session.clarification.options
    return tuple(item for item in session.pending if _is_named(answer, item))


def _is_named(answer: str, item: Item) -> bool:
    name = item.name
    return name is not None and any(text and text in answer for text in (name.zh, name.en))
