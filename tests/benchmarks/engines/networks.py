"""Faults sampled from the Bayesian networks that ship with pgmpy.

One root of the network is the fault and in one of its less likely states, every other root is in its likeliest one. A
phenomenon is a node with parents in another state than its likeliest; a fault that shows nothing is drawn again.
"""

from __future__ import annotations

import gzip
import importlib.util
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from services.engine.tables.numerics import Floats

# Of each network, the roots that say what a system or a patient is rather than what is wrong.
NETWORKS: Mapping[str, frozenset[str]] = {
    "win95pts": frozenset({"NetPrint", "DSApplctn", "PrtPScript", "EPSGrphc"}),
    "alarm": frozenset({"FIO2", "MINVOLSET"}),
    "hepar2": frozenset({"hospital", "surgery", "sex", "age"}),
}
_SAMPLES = 2_000
_MOST_DRAWS = 50


@dataclass(frozen=True)
class Network:
    """Nodes with parents before children; tables have a parent's state an axis and the node's own last."""

    order: tuple[str, ...]
    parents: Mapping[str, tuple[str, ...]]
    tables: Mapping[str, Floats]

    def sample(self, chance: np.random.Generator, fixed: Mapping[str, int]) -> dict[str, int]:
        """The state of every node, once."""
        states: dict[str, int] = {}
        for node in self.order:
            rates = self.tables[node][tuple(states[parent] for parent in self.parents[node])]
            drawn = int(np.searchsorted(np.cumsum(rates), chance.random()))
            states[node] = fixed.get(node, min(drawn, len(rates) - 1))
        return states


def installed() -> bool:
    """True if the networks are installed."""
    return importlib.util.find_spec("pgmpy") is not None


def read(text: str) -> Network:
    """A network in the BIF format."""
    states = {
        found[1]: [state.strip() for state in found[2].split(",")]
        for found in re.finditer(r"variable\s+(\S+)\s*\{[^}]*\[\s*\d+\s*\]\s*\{([^}]*)\}", text)
    }
    parents: dict[str, tuple[str, ...]] = {}
    tables: dict[str, Floats] = {}
    for found in re.finditer(r"probability\s*\(\s*([^)|]+?)\s*(?:\|\s*([^)]*?))?\s*\)\s*\{(.*?)\n\}", text, re.DOTALL):
        node, given = found[1], tuple(name.strip() for name in (found[2] or "").split(",") if name.strip())
        table = np.zeros([len(states[name]) for name in (*given, node)])
        for line in re.finditer(r"(?:\(([^)]*)\)|table)([^;]*);", found[3]):
            values = [value.strip() for value in (line[1] or "").split(",") if value.strip()]
            at = tuple(states[name].index(value) for name, value in zip(given, values, strict=True))
            table[at] = [float(number) for number in line[2].split(",")]
        parents[node], tables[node] = given, table / table.sum(axis=-1, keepdims=True)
    order: list[str] = []
    while len(order) < len(parents):
        order += [node for node in parents if node not in order and set(parents[node]) <= set(order)]
    return Network(tuple(order), parents, tables)


@cache
def network(name: str) -> Network:
    """One of NETWORKS, as pgmpy has it."""
    spec = importlib.util.find_spec("pgmpy")
    assert spec is not None, "pgmpy is not installed; it is in the extra `bench`"
    assert spec.origin is not None
    packed = next(Path(spec.origin).parent.rglob(f"{name}.bif.gz"))
    return read(gzip.decompress(packed.read_bytes()).decode())


@cache
def likeliest(name: str) -> Mapping[str, int]:
    """The most likely state of each node."""
    net, chance = network(name), np.random.default_rng(0)
    samples = [net.sample(chance, {}) for _ in range(_SAMPLES)]
    return {
        node: int(np.bincount([states[node] for states in samples]).argmax())
        if net.parents[node]
        else int(rates.argmax())
        for node, rates in net.tables.items()
    }


def sampled(
    name: str, count: int, by_prior: bool, chance: np.random.Generator
) -> list[tuple[str, list[str], list[str]]]:
    """Faults with what they show and one of it, drawn by chance, as the complaint; causes by their prior or alike."""
    net, usual = network(name), likeliest(name)
    roots = [node for node in net.order if not net.parents[node]]
    causes = [node for node in roots if node not in NETWORKS[name]]
    wrong = np.array([1.0 - net.tables[node][usual[node]] for node in causes])
    weights = wrong / (1.0 - wrong) if by_prior else np.ones(len(causes))
    faults: list[tuple[str, list[str], list[str]]] = []
    while len(faults) < count:
        cause = causes[int(chance.choice(len(causes), p=weights / weights.sum()))]
        for _ in range(_MOST_DRAWS):
            present = _shown(net, usual, roots, cause, chance)
            if present:
                faults.append((cause, present, [present[int(chance.integers(len(present)))]]))
                break
    return faults


def _shown(
    net: Network, usual: Mapping[str, int], roots: list[str], cause: str, chance: np.random.Generator
) -> list[str]:
    rates = net.tables[cause].copy()
    rates[usual[cause]] = 0.0
    fault = int(chance.choice(len(rates), p=rates / rates.sum()))
    states = net.sample(chance, {**{node: usual[node] for node in roots}, cause: fault})
    return [node for node in net.order if net.parents[node] and states[node] != usual[node]]
