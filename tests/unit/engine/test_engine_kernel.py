"""The compiled kernel against the modules it stands beside: the same bits, on any library and any request."""

from __future__ import annotations

import gc
import os
import random
import sys
import sysconfig
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from dbdiag.engine.v1 import engine_pb2 as pb
from hypothesis import given, settings
from hypothesis import strategies as st

from services.chassis.wire import to_wire
from services.engine.diagnose import diagnose, explain_belief, what_if
from services.engine.inference import gain
from services.engine.inference.bayes import bind_bayes
from services.engine.inference.evidence import Answer, read_answers
from services.engine.inference.gain_bounds import bound_gains
from services.engine.inference.reasoner import ReasoningModel, open_model
from services.engine.kernel import build
from services.engine.kernel.binding import ACCELERATE, WRITE
from services.engine.model import (
    DiagnoseRequest,
    Diagnosis,
    Evidence,
    ExplainRequest,
    Hint,
    Verdict,
    WhatIfRequest,
)
from services.engine.results.recommendation import rank
from services.engine.tables.parameters import DEFAULT_PARAMETERS, STRENGTHS, Parameters
from tests.benchmarks.engines.graphs import Size, draw, snapshot_of
from tests.support.engine_graphs import cases, document, library, three_causes
from tests.support.examples import examples

Case = tuple[dict[str, Any], list[Evidence]]
# Redundancy as it is, a great deal of it, and answers that tell less.
MODELS = (
    DEFAULT_PARAMETERS,
    replace(DEFAULT_PARAMETERS, redundancy_floor=0.01, redundancy_shrinkage=0.1),
    replace(DEFAULT_PARAMETERS, answer_noise=0.0, temper=0.6),
)
pytestmark = pytest.mark.skipif(ACCELERATE is None, reason="no C compiler was there when dbdiag was installed")


def both(opened: ReasoningModel, request: DiagnoseRequest) -> tuple[Diagnosis, Diagnosis]:
    """By the kernel and by NumPy."""
    assert opened.accelerator is not None
    return diagnose(opened, request), diagnose(replace(opened, accelerate=None), request)


def drawn(seed: int) -> tuple[dict[str, Any], list[Evidence]]:
    """A library of up to 60 causes and 80 phenomena, and evidence that often leads to a conclusion."""
    chance = random.Random(seed)
    names = [f"P-{at:04d}" for at in range(chance.randint(1, 80))]
    causes = [f"RC-{at:04d}" for at in range(chance.randint(1, 60))]
    most = min(len(names), 15)
    links = {
        cause: {name: chance.choice(STRENGTHS) for name in chance.sample(names, chance.randint(0, most))}
        for cause in causes
    }
    tickets = [
        (cause, sorted(links[cause])[4 * chance.randint(0, 3) :][:4])
        for cause in chance.choices(causes, k=chance.randint(0, 120))
    ]
    own = links[chance.choice(causes)]
    told = [Evidence(name, Verdict.DENIED if own[name] == "rarely" else Verdict.CONFIRMED) for name in sorted(own)]
    for name in chance.sample(names, chance.randint(0, min(len(names), 20))):
        if name not in own:
            told.append(Evidence(name, Verdict(chance.randint(1, 3)), chance.choice([1.0, chance.random()])))
    return document(links, tickets, len(names)), told[: chance.randint(0, 30)]


def asked(evidence: list[Evidence], chance: random.Random) -> DiagnoseRequest:
    return DiagnoseRequest(
        evidence=tuple(evidence),
        max_hypotheses=chance.choice([0, 1, 7, 100]),
        max_recommendations=chance.choice([0, 1, 50]),
        threshold=chance.choice([None, 0.6, 0.99]),
    )


@settings(max_examples=examples(150), deadline=None)
@given(cases(), st.sampled_from(MODELS), st.randoms(use_true_random=False))
def test_small_libraries_are_diagnosed_alike(case: Case, model: Parameters, chance: random.Random) -> None:
    """Numbers, order, ids and what is concluded are equal to the last bit."""
    left, right = both(library(case[0], model), asked(case[1], chance))
    assert repr(left) == repr(right)


@pytest.mark.slow
@settings(max_examples=examples(150), deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(MODELS))
def test_larger_libraries_are_diagnosed_alike(seed: int, model: Parameters) -> None:
    """The same with conclusions, second causes, contradictions and long evidence, closed questions and promises."""
    content, evidence = drawn(seed)
    opened, chance = library(content, model), random.Random(seed)
    request = asked(evidence, chance)
    names = opened.snapshot.phenomenon_ids
    request = replace(request, excluded_phenomenon_ids=tuple(chance.sample(names, min(3, len(names)))))
    promised = replace(opened, bounds=bound_gains(opened.snapshot, opened.likelihoods, opened.product))
    assert len({repr(found) for way in (opened, promised) for found in both(way, request)}) == 1


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(MODELS))
def test_beliefs_and_questions_by_themselves_are_alike(seed: int, model: Parameters) -> None:
    """What evaluations, explanations and what-ifs ask of the kernel has the same bits as well."""
    content, evidence = drawn(seed)
    opened = library(content, model)
    plain = replace(opened, accelerate=None)
    answers = read_answers(opened.snapshot, evidence)
    ways = [(reasoner, reasoner.posterior(answers)) for reasoner in (bind_bayes(opened), bind_bayes(plain))]
    (_, left), (_, right) = ways
    assert left.belief.tobytes() == right.belief.tobytes()
    assert left.entropy_bits == right.entropy_bits
    for count in (1, 5, 50):
        first, second = (rank(reasoner, answers, state).top(count) for reasoner, state in ways)
        assert first == second
    for threshold in (0.6, 0.95):
        leader = left.leading(1)[0]
        assert len({one.is_concluded(answers, state, leader, threshold) for one, state in ways}) == 1
    asked = opened.snapshot.phenomenon_ids[seed % len(opened.snapshot.phenomenon_ids)]
    explained = ExplainRequest(evidence=tuple(evidence), phenomenon_id=asked)
    assert repr(explain_belief(opened, explained)) == repr(explain_belief(plain, explained))
    edited = WhatIfRequest(evidence=tuple(evidence), retract_phenomenon_ids=(asked,))
    assert repr(what_if(opened, edited)) == repr(what_if(plain, edited))


@pytest.mark.slow
def test_the_cases_drawn_reach_every_part() -> None:
    """Among the drawn cases are conclusions, second causes, contradictions, redundancy and unknown answers."""
    found = [(library(content, MODELS[1]), evidence) for content, evidence in map(drawn, range(80))]
    told = [diagnose(opened, DiagnoseRequest(evidence=tuple(said), threshold=0.6)) for opened, said in found]
    concluded = [one.conclusion for one in told if one.conclusion is not None]
    assert len(concluded) > 10
    assert any(one.second_root_cause_id for one in concluded)
    assert any(one.unexplained_phenomenon_ids for one in concluded)
    assert any(one.conflicting_phenomenon_ids for one in concluded)
    assert any(one.contradiction for one in told)
    assert any(opened.likelihoods.redundancy.partners for opened, _ in found)
    assert any(item.verdict is Verdict.UNKNOWN for _, said in found for item in said)


@pytest.mark.slow
def test_many_answers_and_wide_questions_are_diagnosed_alike() -> None:
    """Hundreds of answers, causes by the thousand and phenomena that hundreds of causes show make no difference."""
    chance = random.Random(5)
    names = [f"P-{at:04d}" for at in range(300)]
    links = {
        f"RC-{at:04d}": {name: chance.choice(STRENGTHS) for name in {*chance.sample(names, 6), *names[at % 3 :: 60]}}
        for at in range(1500)
    }
    opened = library(document(links, [], 300))
    for count in (0, 3, 40, 250):
        said = tuple(Evidence(name, Verdict(chance.randint(1, 2))) for name in chance.sample(names, count))
        left, right = both(opened, DiagnoseRequest(evidence=said, max_recommendations=20, max_hypotheses=100))
        assert repr(left) == repr(right)


def test_hints_and_the_baseline_are_not_the_kernel_s() -> None:
    """A request with a suspicion is answered with the same numbers and the boost on top."""
    opened, said = library(three_causes()), (Evidence("P-0001", Verdict.CONFIRMED),)
    plain = diagnose(opened, DiagnoseRequest(evidence=said))
    hinted = diagnose(opened, DiagnoseRequest(evidence=said, hints=(Hint("RC-0003", 0.1),)))
    assert plain.recommendations == hinted.recommendations
    assert [item.boost for item in hinted.hypotheses if item.root_cause_id == "RC-0003"] == [0.1]


def test_gains_of_all_phenomena_are_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel's sums and both of NumPy's lead to the same gains within rounding."""
    content, evidence = drawn(11)
    opened = library(content)
    monkeypatch.setattr(gain, "_BY_PLACE_FROM", 0)
    ways = (opened, replace(opened, accelerate=None), replace(library(content), accelerate=None))
    found = [way.gains(way.posterior(read_answers(opened.snapshot, evidence))) for way in map(bind_bayes, ways)]
    for one in found[1:]:
        assert one.yes == pytest.approx(found[0].yes, abs=1e-13)
        assert one.bits == pytest.approx(found[0].bits, abs=1e-13)


@pytest.mark.parametrize("few", [1, 2, 16, 10_000])
@pytest.mark.parametrize("seed", range(4))
def test_sums_by_place_are_those_of_a_loop_to_the_bit(seed: int, few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each phenomenon's sum is that of its edges added one after another, also with no edges or with very many."""
    monkeypatch.setattr(gain, "_BY_PLACE_FROM", 0)
    monkeypatch.setattr(gain, "_FEW", few)
    opened = library(drawn(seed)[0])
    surplus, causes, starts = opened.likelihoods.surplus, opened.snapshot.edge_cause, opened.snapshot.starts
    belief = np.random.default_rng(seed).dirichlet(np.ones(len(opened.snapshot.cause_ids)))
    looped = []
    for phenomenon in range(len(starts) - 1):
        total = 0j
        for edge in range(starts[phenomenon], starts[phenomenon + 1]):
            total += complex(belief[causes[edge]] * surplus[edge])
        looped.append(total)
    assert np.asarray(looped).tobytes() == opened.product(belief).tobytes()


@pytest.mark.slow
def test_threads_do_not_share_numbers() -> None:
    """Calls that overlap on one library answer as calls one after another."""
    content, _ = drawn(21)
    opened, chance = library(content), random.Random(1)
    names = opened.snapshot.phenomenon_ids
    requests = [
        DiagnoseRequest(evidence=tuple(Evidence(name, Verdict.CONFIRMED) for name in chance.sample(names, 3)))
        for _ in range(40)
    ]
    expected = [repr(diagnose(opened, request)) for request in requests]
    wrong: list[int] = []

    def ask() -> None:
        for _ in range(20):
            wrong.extend(at for at, one in enumerate(requests) if repr(diagnose(opened, one)) != expected[at])

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert wrong == []


@pytest.mark.slow
def test_memory_is_given_back() -> None:
    """Two thousand calls leave no object behind."""
    content, evidence = drawn(31)
    opened = library(content)
    answers = read_answers(opened.snapshot, evidence)
    assert opened.accelerator is not None
    assert WRITE is not None
    WRITE(opened.accelerator.diagnose(answers, (), 5, 5, 0.6))
    gc.collect()
    held, blocks = sys.getrefcount(opened.snapshot.snapshot_id), sys.getallocatedblocks()
    for _ in range(2_000):
        WRITE(opened.accelerator.diagnose(answers, (), 5, 5, 0.6))
    gc.collect()
    more = sys.getrefcount(opened.snapshot.snapshot_id) - held, sys.getallocatedblocks() - blocks
    assert more[0] == 0
    assert more[1] < 1_000


def test_bytes_are_written_as_protobuf_writes_them() -> None:
    """What the kernel writes parses to the message and is its canonical form."""
    assert WRITE is not None
    for seed in range(60):
        content, evidence = drawn(seed)
        found = diagnose(library(content), DiagnoseRequest(evidence=tuple(evidence), threshold=0.6))
        message = to_wire(found, pb.DiagnoseResponse)
        data = WRITE(found)
        assert pb.DiagnoseResponse.FromString(data) == message
        assert data == message.SerializeToString(deterministic=True)


def compiler(folder: Path, script: str) -> dict[str, str]:
    """An environment whose only compiler is a shell script."""
    path = folder / "cc"
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return {"CC": str(path), "PATH": str(folder)}


def test_without_a_compiler_there_is_no_kernel(tmp_path: Path) -> None:
    """Where nothing compiles, building says so and leaves nothing behind; where something does, the kernel loads."""
    assert build.build(tmp_path, {"PATH": str(tmp_path)}) is None
    assert list(tmp_path.iterdir()) == []
    assert build.build(tmp_path, compiler(tmp_path, "exit 1")) is None
    [built] = build.HOME.glob(f"{build.NAME}{sysconfig.get_config_var('EXT_SUFFIX')}")
    copying = compiler(tmp_path, f'while [ "$1" != -o ]; do shift; done; exec /bin/cp "{built}" "$2"')
    assert build.build(tmp_path / "missing", copying) is None
    found = build.build(tmp_path, copying)
    assert found is not None
    assert found.read_bytes() == built.read_bytes()


@pytest.mark.slow
def test_what_a_compiler_here_builds_can_be_loaded(tmp_path: Path) -> None:
    """A compiler of this machine builds the kernel; where it cannot be stored there is none."""
    assert build.build(tmp_path / "missing", os.environ) is None
    assert build.build(tmp_path, os.environ) is not None


ODD = [
    Evidence("P-9999", Verdict.CONFIRMED),
    Evidence("", Verdict.CONFIRMED),
    Evidence("P-0000", Verdict.UNSPECIFIED),
    Evidence("P-0000", Verdict.CONFIRMED, -0.0),
    Evidence("P-0000", Verdict.CONFIRMED, 1.5),
    Evidence("P-0000", Verdict.CONFIRMED, float("nan")),
    Evidence("P-0000", Verdict.DENIED, True),
]


@settings(max_examples=examples(100), deadline=None)
@given(st.integers(0, 2**32), st.lists(st.sampled_from(ODD), max_size=1), st.booleans())
def test_evidence_is_read_alike_or_left_to_who_refuses_it(seed: int, odd: list[Evidence], twice: bool) -> None:
    """Plain evidence gives the same answers in the same order; any other is not the kernel's."""
    content, evidence = drawn(seed)
    opened, said = library(content), [*evidence, *odd, *evidence[:twice]]
    random.Random(seed).shuffle(said)
    assert opened.accelerator is not None
    found = opened.accelerator.read(said)
    if odd or (twice and evidence) or len(said) > 64:
        assert found is None
    else:
        assert found == read_answers(opened.snapshot, said)
        assert all(type(one) is Answer for one in found)


@pytest.mark.parametrize("said", [0, 1, 5, 300])
def test_gains_from_the_prior_s_sums_are_right(said: int) -> None:
    """Where few causes are touched only their links are looked at, where many are, all; the gains are exact ones."""
    opened, chance = open_model(snapshot_of(draw(Size(400, 1500, 8000, 3))), accelerate=ACCELERATE), random.Random(said)
    names = opened.snapshot.phenomenon_ids
    evidence = [Evidence(name, Verdict(chance.randint(1, 2))) for name in chance.sample(names, said)]
    reasoner = bind_bayes(opened)
    state = reasoner.posterior(read_answers(opened.snapshot, evidence))
    found, exact = reasoner.gains(state), reasoner.exact_gains(state, np.arange(len(names)))
    assert found.yes == pytest.approx(exact.yes, abs=1e-13)
    assert found.bits == pytest.approx(exact.bits, abs=1e-13)
