"""Equal requests give equal bytes, in whatever process and on whatever processor."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
# Prints the hash of the answers to a request whose evidence is shuffled by the process's own hash seed, by the kernel
# as it was built or, where that is the argument, by NumPy.
PROGRAM = """
import hashlib, json, random, sys
from dataclasses import replace
from dbdiag.engine.v1 import engine_pb2 as pb
from services.engine.diagnose import diagnose, explain_belief
from services.engine.model import DiagnoseRequest, Evidence, ExplainRequest, Verdict
from services.engine.inference.gain_bounds import bound_gains
from services.engine.tables.parameters import STRENGTHS
from services.chassis.wire import to_wire
from tests.support import engine_graphs
from tests.support.engine_graphs import document, library
if sys.argv[1:] == ["NumPy"]:
    engine_graphs.ACCELERATE = None
chance = random.Random(3)
many = [f"P-{at:04d}" for at in range(2000)]
names = many[:200]
links = {f"RC-{at:04d}": {name: chance.choice(STRENGTHS) for name in chance.sample(names, 12)} for at in range(70)}
tickets = [(cause, chance.sample(sorted(stated), 6)) for cause, stated in links.items() for _ in range(5)]
opened = library(document(links, tickets, 200))
verdicts = [Verdict(chance.choice([1, 2])) for _ in range(40)]
scores = [chance.choice([1.0, chance.random()]) for _ in range(40)]
evidence = list(map(Evidence, names, verdicts, scores))
evidence.sort(key=lambda item: hash(item.phenomenon_id))
found = to_wire(diagnose(opened, DiagnoseRequest(evidence=tuple(evidence), max_hypotheses=70)), pb.DiagnoseResponse)
told = to_wire(explain_belief(opened, ExplainRequest(evidence=tuple(evidence[:9]))), pb.ExplainResponse)
few = sorted(evidence, key=lambda item: item.phenomenon_id)[:5]
few.sort(key=lambda item: hash(item.phenomenon_id))
small = to_wire(diagnose(opened, DiagnoseRequest(evidence=tuple(few), max_recommendations=50)), pb.DiagnoseResponse)
# Large enough to be added by places, and looked at by promises first.
links = {f"RC-{at:04d}": {name: chance.choice(STRENGTHS) for name in chance.sample(many, 12)} for at in range(500)}
large = library(document(links, [], 2000))
promised = replace(large, bounds=bound_gains(large.snapshot, large.likelihoods, large.product))
asked = DiagnoseRequest(evidence=tuple(few), max_recommendations=20)
both = [to_wire(diagnose(each, asked), pb.DiagnoseResponse) for each in (large, promised)]
assert both[0] == both[1] and "scipy" not in sys.modules
data = b"".join(item.SerializeToString(deterministic=True) for item in (found, small, *both))
print(hashlib.sha256(data).hexdigest(), len(data), len(told.contributions))
"""
FEATURES = "AVX2 FMA3 AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL AVX512_SPR"
SEED = {"PYTHONHASHSEED": "2"}
PROCESSOR = {"PYTHONHASHSEED": "1", "NPY_DISABLE_CPU_FEATURES": FEATURES}


@cache
def digest(way: str = "as built", **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM, way],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


# Each environment and each way once in the fast run.
@pytest.mark.parametrize(
    ("environment", "way"),
    [
        pytest.param(SEED, "as built", id="another hash seed-as built"),
        pytest.param(SEED, "NumPy", id="another hash seed-NumPy", marks=pytest.mark.slow),
        pytest.param(PROCESSOR, "as built", id="another processor-as built", marks=pytest.mark.slow),
        pytest.param(PROCESSOR, "NumPy", id="another processor-NumPy"),
    ],
)
def test_equal_requests_give_equal_bytes(environment: dict[str, str], way: str) -> None:
    """Neither the hash seed, the evidence's order, the processor's features nor the kernel show in the reply."""
    assert digest(way, **environment) == digest(PYTHONHASHSEED="1")
