"""Numbers that tickets choose: noise, temper, and how far links and background are told apart."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.engine.calibration.evaluation import Case, Course, play_cases, read_cases, read_tickets
from services.engine.calibration.learning import Learned, choose_mildest, choose_parameters, open_learned
from services.engine.calibration.metrics import measure
from services.engine.inference.bayes import bind_bayes
from services.engine.inference.evidence import Answer
from services.engine.inference.reasoner import open_model
from services.engine.model import Verdict
from services.engine.serving.catalog import describe_loaded
from services.engine.tables.background import blend_odds, fit_background
from services.engine.tables.numerics import Floats
from services.engine.tables.parameters import DEFAULT_PARAMETERS
from services.engine.tables.snapshot import Snapshot
from tests.benchmarks.engine_worlds import WORLDS, World, faults, rates_of
from tests.support.engine_graphs import documents, library
from tests.support.examples import examples

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
# One world in the fast suite, three beside the slow tests.
of_worlds = pytest.mark.parametrize("seeds", [(1,), pytest.param((1, 2, 3), marks=pytest.mark.slow)])
FEATURES = "AVX2 FMA3 AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL AVX512_SPR"
PROGRAM = """
import sys
from services.engine.calibration.evaluation import read_tickets
from services.engine.calibration.learning import choose_parameters
from services.engine.inference.reasoner import open_model
tickets = read_tickets(sys.stdin.read().splitlines(), "tickets")
found = choose_parameters(tickets)
library = open_model(tickets, found.parameters)
print(found, library.likelihoods.surplus.tobytes().hex(), library.likelihoods.answer_leak.tobytes().hex())
"""


def rows(seed: int, flipped: float = 0.0, copies: int = 1, count: int = 300) -> list[str]:
    """Tickets of 12 causes with six of 60 phenomena each, recorded wrongly at times, or several times over."""
    chance, rates = np.random.default_rng(seed), np.full((12, 60), 0.01)
    for shown in rates:
        shown[chance.choice(60, 6, replace=False)] = chance.uniform(0.5, 0.95, 6)
    tickets = []
    for number in range(count):
        cause = int(chance.integers(12))
        present = (chance.random(60) < rates[cause]) != (chance.random(60) < flipped)
        present[int(np.argmax(rates[cause]))] |= not present.any()
        names = [f"p{at:03d}-{copy}" for at in np.flatnonzero(present) for copy in range(copies)]
        tickets.append({"ticket_id": f"t{number:04d}", "root_cause_id": f"c{cause:02d}", "phenomena": names})
    return [json.dumps(ticket) for ticket in tickets]


@cache
def world(seed: int, flipped: float = 0.0, copies: int = 1, count: int = 300) -> Snapshot:
    return read_tickets(rows(seed, flipped, copies, count), "tickets")


@cache
def chosen(seed: int, flipped: float = 0.0, copies: int = 1) -> Learned:
    """What such a world chooses, which several tests look at."""
    return choose_parameters(world(seed, flipped, copies))


def test_too_few_tickets_choose_nothing() -> None:
    """Below the fewest tickets, or with one cause only, the numbers given stand, and the tables are those of them."""
    few = world(1, count=199)
    assert choose_parameters(few) == Learned(DEFAULT_PARAMETERS)
    assert np.array_equal(open_learned(few).likelihoods.surplus, open_model(few).likelihoods.surplus)
    one_cause = [json.dumps({**json.loads(row), "root_cause_id": "c"}) for row in rows(1)]
    assert choose_parameters(read_tickets(one_cause, "tickets")).tickets == 0
    assert choose_parameters(world(1), replace(DEFAULT_PARAMETERS, fewest_tickets=1000.0)).tickets == 0


@of_worlds
def test_wrong_records_teach_noise(seeds: tuple[int, ...]) -> None:
    """The more often tickets record what was not there, the more noise is learned; clean ones teach none."""
    clean, some, many = (
        sum(chosen(seed, flipped).parameters.answer_noise for seed in seeds) for flipped in (0.0, 0.05, 0.2)
    )
    assert clean == pytest.approx(DEFAULT_PARAMETERS.answer_noise * len(seeds))
    assert clean < some < many


@of_worlds
def test_what_comes_together_teaches_temper(seeds: tuple[int, ...]) -> None:
    """Phenomena recorded four times over are tempered more where redundancy does not see them."""
    blind = replace(DEFAULT_PARAMETERS, redundancy_floor=2.0)
    for seed in seeds:
        single, fourfold = (choose_parameters(world(seed, copies=copies), blind) for copies in (1, 4))
        assert fourfold.parameters.temper < single.parameters.temper


@of_worlds
def test_no_number_makes_answers_count_for_more(seeds: tuple[int, ...]) -> None:
    """Noise never falls, temper never rises, and the held-out loss never does either."""
    for seed in seeds:
        for found in (chosen(seed, 0.0), chosen(seed, 0.1), chosen(seed, 0.0, 2)):
            assert found.parameters.answer_noise >= DEFAULT_PARAMETERS.answer_noise
            assert found.parameters.temper <= 1.0
            assert found.bits_after <= found.bits_before


def test_the_choice_is_the_snapshot_s() -> None:
    """The tickets' order does not show in what is chosen."""
    found = chosen(2, 0.0)
    assert choose_parameters(read_tickets(rows(2)[::-1], "tickets")) == found
    assert found.tickets == 240


def test_the_laws_hold_by_chosen_numbers() -> None:
    """Told apart and tempered, a gain is still the expected fall of entropy, and odds are still sums of bits."""
    numbers = replace(DEFAULT_PARAMETERS, told_apart=0.5, temper=0.8, answer_noise=0.02, redundancy_floor=2.0)
    reasoner = bind_bayes(open_model(world(3), numbers))
    said = tuple(Answer(at, verdict, 1.0) for at, verdict in ((0, Verdict.CONFIRMED), (7, Verdict.DENIED)))
    state = reasoner.posterior(said)
    gains = reasoner.gains(state)
    for asked in (1, 5, 30):
        sides = [(*said, Answer(asked, verdict, 1.0)) for verdict in (Verdict.CONFIRMED, Verdict.DENIED)]
        after = [reasoner.posterior(sorted(side)).entropy_bits for side in sides]
        yes = float(gains.yes[asked])
        assert gains.bits[asked] == pytest.approx(
            state.entropy_bits - yes * after[0] - (1.0 - yes) * after[1], abs=1e-9
        )
    for cause in range(12):
        odds = np.log2(state.of(cause) / state.other)
        assert reasoner.prior_odds_bits(cause) + sum(reasoner.contributions(state, cause)) == pytest.approx(odds)


@settings(max_examples=examples(50), deadline=None)
@given(documents(), st.floats(0.1, 1.0), st.floats(0.1, 1.0))
def test_any_library_can_choose(content: dict[str, object], told_apart: float, temper: float) -> None:
    """Whatever the library, choosing ends, no loss grows, and told apart and tempered rates are probabilities."""
    opened = library(content, replace(DEFAULT_PARAMETERS, told_apart=told_apart, temper=temper))
    tables = opened.likelihoods
    linked = tables.answer_leak[opened.snapshot.edge_phenomenon] + tables.surplus.real
    for rates in (linked, tables.answer_leak, tables.fact_rates(opened.snapshot, np.arange(len(linked)))):
        assert np.all((rates > 0.0) & (rates < 1.0))
    found = choose_parameters(opened.snapshot, replace(DEFAULT_PARAMETERS, fewest_tickets=0.0))
    assert found.bits_after <= found.bits_before


def test_tickets_that_recorded_nothing_choose_nothing() -> None:
    """Tickets without any phenomenon do not count."""
    empty = [json.dumps({**json.loads(row), "phenomena": []}) for row in rows(1)]
    assert choose_parameters(read_tickets(empty, "tickets")) == Learned(DEFAULT_PARAMETERS)


def test_a_listing_tells_what_was_chosen() -> None:
    """A loaded snapshot is listed with the numbers that its tickets chose."""
    snapshot = world(1, 0.1)
    listed, parameters = describe_loaded(open_learned(snapshot), current=True), chosen(1, 0.1).parameters
    numbers = (parameters.answer_noise, parameters.temper, parameters.told_apart)
    assert (listed.answer_noise, listed.temper, listed.told_apart) == numbers
    assert numbers[0] > DEFAULT_PARAMETERS.answer_noise


def test_equal_snapshots_are_opened_alike_by_every_process() -> None:
    """Neither hash seed nor the processor's features show in the choice and in the tables."""
    printed = {
        subprocess.run(
            [sys.executable, "-W", "ignore", "-c", PROGRAM],
            input="\n".join(rows(1)),
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
            timeout=60,
        ).stdout
        for environment in ({"PYTHONHASHSEED": "1"}, {"PYTHONHASHSEED": "2", "NPY_DISABLE_CPU_FEATURES": FEATURES})
    }
    assert len(printed) == 1


def test_a_number_moves_only_where_it_clearly_helps() -> None:
    """The first within one standard error of the least is taken; noise in one ticket is no reason."""
    standing = np.array([1.0, 1.0, 1.0, 1.0])
    clearly, hardly = standing - [0.5, 0.4, 0.5, 0.4], standing - [2.0, -0.6, -0.6, -0.6]
    assert choose_mildest(np.array([standing, clearly])) == 1
    assert choose_mildest(np.array([standing, hardly])) == 0
    assert choose_mildest(np.array([standing, clearly, clearly - [0.1, -0.08, 0.0, 0.0]])) == 1


@pytest.mark.slow
def test_unseen_cases_are_not_believed_in_less() -> None:
    """In two kinds of worlds, 2,400 unseen cases lose no more bits by the chosen numbers than by the default."""
    lost = {"default": 0.0, "learned": 0.0}
    for drawn, seed in product(WORLDS[:2], (31, 32, 33, 34)):
        tickets, cases = drawn_from(drawn, seed)
        for name, opened in (("default", open_model(tickets)), ("learned", open_learned(tickets))):
            lost[name] += measure(play_cases(opened, cases, Course(), lambda _done, _all: None)).log_loss_bits
    assert lost["learned"] <= lost["default"]


def drawn_from(drawn: World, seed: int) -> tuple[Snapshot, list[Case]]:
    """490 tickets and 300 unseen cases."""
    chance = np.random.default_rng(seed)
    rates = rates_of(drawn, chance)
    unseen, learned = faults(drawn, rates, 300, chance), faults(drawn, rates, 490, chance)
    tickets = [
        json.dumps({"ticket_id": f"t{at:04d}", "root_cause_id": cause, "phenomena": present})
        for at, (cause, present, _) in enumerate(learned)
    ]
    cases = [
        json.dumps({"case_id": f"k{at}", "root_cause_id": cause, "present": present, "initial": first})
        for at, (cause, present, first) in enumerate(unseen)
    ]
    return read_tickets(tickets, "tickets"), read_cases(cases, "cases")


def test_one_record_is_background_and_many_are_a_link() -> None:
    """What one ticket of 25 recorded is held for chance, what 20 did for a link; rates rise with the hits."""
    snapshot = world(1)
    fitted = fit_background(snapshot, np.full(len(snapshot.phenomenon_ids), 20.0))
    hits = np.arange(26)
    rates = fitted.means(np.zeros(26, dtype=np.int64), hits, np.full(26, 25))
    assert np.all(np.diff(rates) > 0.0)
    assert rates[1] < 0.04
    assert rates[20] == pytest.approx(20 / 25, abs=0.05)


def test_odds_are_moved_by_their_share() -> None:
    """No share stays, all of it arrives, and half of it is the geometric mean of the odds."""
    first, second = np.array([0.1, 0.5, 0.9]), np.array([0.5, 0.2, 0.9999])

    def odds(rates: Floats) -> Floats:
        return rates / (1.0 - rates)

    assert blend_odds(first, second, 0.0) == pytest.approx(first)
    assert blend_odds(first, second, 1.0) == pytest.approx(second)
    assert odds(blend_odds(first, second, 0.5)) == pytest.approx(np.sqrt(odds(first) * odds(second)))
