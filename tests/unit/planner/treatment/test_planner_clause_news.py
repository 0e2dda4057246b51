"""What a clause tells of the treatment is learned: that something was done, and how things are now."""

from __future__ import annotations

from itertools import chain

import pytest

from lang.linear.array_file import map_file
from services.planner.model import Aftermath
from services.planner.training.clause_news import (
    Told,
    digest_of,
    labelled_clauses,
    load_told,
    train_deeds,
    train_states,
)
from services.planner.treatment.clause_news import (
    BAD,
    BETTER,
    DEEDS_FILE,
    DONE,
    NO_NEWS,
    STATES,
    STATES_FILE,
    WELL,
    aftermath_of,
    features_of,
    news_in,
)
from services.planner.understand.acts.softmax import SoftmaxModel, from_bytes
from tests.support.cases import for_each

# Each so many-th message is not learned from where the model is measured.
_FOLDS = 5


def test_the_weights_are_of_the_messages_that_are_shipped() -> None:
    """The shipped models are learned from the shipped messages."""
    told = digest_of(load_told())
    assert {from_bytes(map_file(file)).digest for file in (DEEDS_FILE, STATES_FILE)} == {told}


@for_each(
    "clause, done",
    [
        ("i bounced the pooler", True),
        ("we stopped the nightly export", True),
        ("把那个定时任务停掉了", True),
        ("刚把连接池的上限调回去了", True),
        ("should i bounce the pooler?", False),
        ("we will stop the nightly export tonight", False),
        ("要不要把那个定时任务停掉", False),
        ("谁也没动过连接池的上限", False),
        ("the job deletes old rows every night", False),
    ],
)
def test_a_deed_is_told_apart_from_an_act_that_is_only_named(clause: str, done: bool) -> None:
    """What was carried out is a deed; what is asked, planned, denied or routine is none."""
    assert any(each.tells_deed for each in news_in(clause)) is done


@for_each(
    "words, how",
    [
        ("no more errors since five minutes, all green", Aftermath.WELL),
        ("延迟归零了，页面也都正常了", Aftermath.WELL),
        ("lag is down from 4000 s to 1200 s, still falling", Aftermath.BETTER),
        ("还是一样卡，一点没变", Aftermath.UNCHANGED),
        ("no change at all, same timeouts", Aftermath.UNCHANGED),
        ("will it recover by itself?", None),
        ("pid 4711 belongs to the report job", None),
    ],
)
def test_how_things_are_is_told_by_news_alone(words: str, how: Aftermath | None) -> None:
    """Good and bad news are told apart, and neither is heard where nothing new is told."""
    assert aftermath_of(words) is how


@pytest.mark.slow
def test_deeds_and_news_of_messages_not_learned_from_are_heard() -> None:
    """Of clauses that the models did not learn from most deeds and news are heard, and few others taken for them."""
    told = load_told()
    held, learned = told[::_FOLDS], tuple(each for at, each in enumerate(told) if at % _FOLDS)
    deeds, states = from_bytes(train_deeds(learned)), from_bytes(train_states(learned))
    precision, recall = _figures(held, deeds, {DONE})
    assert precision >= 0.75
    assert recall >= 0.55
    precision, recall = _figures(held, states, {WELL, BETTER, BAD})
    assert precision >= 0.85
    assert recall >= 0.6


def _figures(told: tuple[Told, ...], model: SoftmaxModel, wanted: set[str]) -> tuple[float, float]:
    """Precision and recall of clauses that have one of the wanted labels, whichever of them."""
    of_states = set(model.labels) == set(STATES)
    found = list(chain.from_iterable(_judged(each, model, wanted, of_states=of_states) for each in told))
    both = sum(right and heard for right, heard in found)
    return both / sum(heard for _, heard in found), both / sum(right for right, _ in found)


def _judged(told: Told, model: SoftmaxModel, wanted: set[str], *, of_states: bool) -> list[tuple[bool, bool]]:
    """Of each clause that is labelled whether it is wanted, and whether it is heard as such."""
    places = [place for place, label in enumerate(model.labels) if label in wanted]
    labels = labelled_clauses(told.states if of_states else told.deeds)
    heard = ((label, model.shares(*features_of(told.clauses, at))[places].sum()) for at, label in labels)
    return [(label in wanted, bool(share >= 0.5)) for label, share in heard]


def test_each_message_says_what_is_labelled_in_it() -> None:
    """No label of the shipped messages is without a clause that has it."""
    told = load_told()
    assert sum(DONE in each.deeds for each in told) > 1_000
    assert sum(any(state != NO_NEWS for state in each.states) for each in told) > 1_000
