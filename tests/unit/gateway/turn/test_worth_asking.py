"""Which recommended checks change something."""

from __future__ import annotations

from dbdiag.engine.v1.engine_types import Belief, Hypothesis, Outcome, Recommendation
from hypothesis import given
from hypothesis import strategies as st

from gateway.turn.tools.worth_asking import is_far_off, is_idle, worth_asking
from tests.support.cases import for_each


def leader(belief: float) -> tuple[Hypothesis, ...]:
    return (Hypothesis("RC-1", confidence=belief), Hypothesis("RC-2", confidence=0.02))


def check(yes: tuple[str, float], no: tuple[str, float]) -> Recommendation:
    return Recommendation(
        "P-1", if_yes=Outcome(0.5, (Belief(*yes),)), if_no=Outcome(0.5, (Belief(*no), Belief("RC-9", 0.01)))
    )


@for_each(
    ("belief", "yes", "no", "idle"),
    [
        (0.96, ("RC-1", 0.70), ("RC-1", 0.97), True),
        (0.96, ("RC-2", 0.55), ("RC-1", 0.97), False),
        (0.83, ("RC-1", 0.99), ("RC-1", 0.46), False),
        (0.50, ("RC-1", 0.54), ("RC-1", 0.47), True),
        (0.50, ("RC-1", 0.54), ("RC-2", 0.47), False),
    ],
)
def test_a_check_is_idle_if_no_answer_changes_what_to_do(
    belief: float, yes: tuple[str, float], no: tuple[str, float], idle: bool
) -> None:
    """The same cause leads after both answers, and either it is likely enough already or it hardly moves."""
    assert is_idle(check(yes, no), leader(belief)) is idle


@for_each(
    ("belief", "likely", "yes", "far_off"),
    [(0.7, 0.1, "RC-2", True), (0.7, 0.1, "RC-1", False), (0.7, 0.5, "RC-2", False), (0.3, 0.1, "RC-2", False)],
)
def test_an_unlikely_answer_that_speaks_for_another_cause_is_far_off(
    belief: float, likely: float, yes: str, far_off: bool
) -> None:
    """Where one cause leads clearly, what belongs to it is asked before a surprise from elsewhere."""
    surprise = Recommendation("P-2", if_yes=Outcome(likely, (Belief(yes, 0.9),)), if_no=Outcome(1 - likely))
    own = check(("RC-1", 0.99), ("RC-1", 0.4))
    assert is_far_off(surprise, leader(belief)) is far_off
    assert worth_asking((surprise, own), leader(belief)) == ((own, surprise) if far_off else (surprise, own))


def test_a_check_of_unknown_effect_is_worth_asking() -> None:
    """Without outcomes, or without causes, nothing is called idle."""
    assert not is_idle(Recommendation("P-1"), leader(0.96))
    assert not is_idle(check(("RC-1", 0.9), ("RC-1", 0.9)), ())


def test_idle_checks_are_left_out_where_others_tell() -> None:
    """The telling ones stay, all of them where none tells; beside an all but sure cause the first alone."""
    idle, telling = check(("RC-1", 0.54), ("RC-1", 0.53)), check(("RC-2", 0.6), ("RC-1", 0.97))
    assert worth_asking((idle, telling, idle), leader(0.55)) == (telling,)
    assert worth_asking((idle, idle), leader(0.55)) == (idle, idle)
    idle = check(("RC-1", 0.97), ("RC-1", 0.96))
    assert worth_asking((idle, telling, telling), leader(0.96)) == (telling,)


CHANCES = st.floats(0.001, 0.6)
CHECKS = st.lists(st.tuples(CHANCES, st.floats(0.01, 0.5)), min_size=1, max_size=12)


def rated(number: int, chance: float, score: float) -> Recommendation:
    """A check with the chance of a yes, after which another cause leads."""
    outcomes = Outcome(chance, (Belief("RC-2", 0.5),)), Outcome(1 - chance, (Belief("RC-1", 0.1),))
    return Recommendation(f"P-{number}", rank_score=score, if_yes=outcomes[0], if_no=outcomes[1])


@given(CHECKS)
def test_while_nothing_stands_out_a_rare_yes_is_not_asked_for_first(found: list[tuple[float, float]]) -> None:
    """A check whose yes has a fair chance comes before every one that hardly anybody answers with yes."""
    rated_checks = [rated(number, *each) for number, each in enumerate(found)]
    first = worth_asking(rated_checks, leader(0.1))[0]
    if any(each.if_yes.probability >= 0.07 for each in rated_checks):
        assert first.if_yes.probability >= 0.07


@given(CHECKS, CHANCES)
def test_what_the_person_spoke_of_is_never_asked_later_for_that(found: list[tuple[float, float]], near: float) -> None:
    """Words that may be about a check bring it forward, and no other check past it."""
    rated_checks = [rated(number, *each) for number, each in enumerate(found)]
    before = worth_asking(rated_checks, leader(0.1)).index(rated_checks[-1])
    name = rated_checks[-1].phenomenon_id
    assert worth_asking(rated_checks, leader(0.1), {name: near}).index(rated_checks[-1]) <= before


def test_words_outweigh_what_is_merely_likelier() -> None:
    """Of two checks the one that the person most likely spoke of is asked, though its yes is rare at large."""
    broad, special = rated(1, 0.11, 0.2), rated(2, 0.03, 0.08)
    assert worth_asking((broad, special), leader(0.05)) == (broad, special)
    assert worth_asking((broad, special), leader(0.05), {"P-2": 0.6}) == (special, broad)
