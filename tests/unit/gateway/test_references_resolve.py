"""References resolved against what was asked and said."""

import pytest
from dbdiag.planner.v1.planner_types import FeedbackStep, Group, Item, ItemList, Reference, TurnPlan
from dbdiag.vocabulary import Verdict

from gateway.session.ledger import OpenClarification, Session
from gateway.session.references import NoSuchItem, resolve
from tests.support.cases import for_each

KNOWN = {f"P-000{number}": None for number in range(1, 10)}
ASKED = tuple(Item(number, f"P-000{number}") for number in (1, 2, 3))


def session_with(asked: tuple[Item, ...] = ASKED) -> Session:
    return Session("s", 0.0, 0.0, pending=asked)


def plan_of(*references: Reference) -> TurnPlan:
    steps = tuple(FeedbackStep(reference, Verdict.CONFIRMED) for reference in references)
    return TurnPlan(steps)


@for_each(
    ("reference", "expected"),
    [
        (Reference(ordinal=2), ("P-0002",)),
        (Reference(id="P-0009"), ("P-0009",)),
        (Reference(group=Group.ALL), ("P-0001", "P-0002", "P-0003")),
        (Reference(group=Group.LAST), ("P-0003",)),
        (Reference(group=Group.JUST_MENTIONED), ("P-0001",)),
    ],
)
def test_a_reference_means_what_was_asked(reference: Reference, expected: tuple[str, ...]) -> None:
    """Ordinals and groups count in the pending list; an id of the snapshot needs no list."""
    assert resolve(session_with(), reference, TurnPlan(), KNOWN) == expected


def test_the_rest_leaves_out_what_other_steps_name() -> None:
    """ "The rest" is every item that no other step of the plan names, by ordinal, id or as the last one."""
    rest = Reference(group=Group.REST)
    assert resolve(session_with(), rest, plan_of(Reference(ordinal=1), rest), KNOWN) == ("P-0002", "P-0003")
    assert resolve(session_with(), rest, plan_of(Reference(id="P-0002"), rest), KNOWN) == ("P-0001", "P-0003")
    assert resolve(session_with(), rest, plan_of(Reference(group=Group.LAST), rest), KNOWN) == ("P-0001", "P-0002")


def test_an_open_clarification_comes_first() -> None:
    """While options are open an ordinal means an option, unless the reference names the pending list."""
    session = session_with()
    session.clarification = OpenClarification("slow", (Item(1, "P-0007"), Item(2, "P-0008")))
    assert resolve(session, Reference(ordinal=2), TurnPlan(), KNOWN) == ("P-0008",)
    assert resolve(session, Reference(ordinal=2, list=ItemList.PENDING), TurnPlan(), KNOWN) == ("P-0002",)


@for_each(
    "reference",
    [
        Reference(ordinal=4),
        Reference(ordinal=0),
        Reference(id="P-9999"),
        Reference(words="that one"),
        Reference(group=Group.LAST_TURN),
        Reference(ordinal=1, list=ItemList.EARLIER),
    ],
)
def test_a_reference_to_nothing_is_never_guessed(reference: Reference) -> None:
    """What does not exist raises, whatever else is there."""
    with pytest.raises(NoSuchItem):
        resolve(session_with(), reference, TurnPlan(), KNOWN)


def test_the_last_turn_is_the_last_that_recorded() -> None:
    """GROUP_LAST_TURN means the active entries of the latest turn that has any."""
    session = session_with()
    for turn, phenomenon_id in ((1, "P-0001"), (2, "P-0002"), (2, "P-0003")):
        session.turn = turn
        session.record(session.entry(phenomenon_id, Verdict.CONFIRMED, 1.0, "", "answer"))
    session.turn = 5
    assert resolve(session, Reference(group=Group.LAST_TURN), TurnPlan(), KNOWN) == ("P-0002", "P-0003")
