"""Accuracy of the engine on worlds with known truth: `python -m tests.benchmarks.engine_worlds [NAME=NUMBER ...]`.

A world draws 49 causes and what each shows, tickets to learn from and cases to play. Networks are sampled where pgmpy
is installed. Everything is drawn from a seed; NAME=NUMBER changes a number of the model. Prints Markdown.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from services.engine.calibration.evaluation import Course, play_cases, read_cases, read_tickets
from services.engine.calibration.learning import open_learned
from services.engine.calibration.metrics import Played, measure
from services.engine.kernel.binding import ACCELERATE
from services.engine.tables.numerics import Floats
from services.engine.tables.parameters import DEFAULT_PARAMETERS, Parameters
from tests.benchmarks.engines.networks import NETWORKS, installed, sampled

CAUSES = 49
CASES = 300
SEEDS = (1, 2)
Fault = tuple[str, list[str], list[str]]
"""A cause, what is present, and what is said first."""


@dataclass(frozen=True)
class World:
    """least and most: how many of the phenomena a cause shows; each as often as one of `rates`, all others at the
    background rate. by_chance: the complaint is any phenomenon that is present, else the cause's most typical one."""

    name: str
    least: int
    most: int
    phenomena: int
    background: float
    rates: tuple[float, ...]
    by_chance: bool = False


_STRENGTHS = (0.95, 0.95, 0.75, 0.75, 0.75, 0.35, 0.35, 0.15)
_EVEN = tuple(0.2 + 0.05 * step for step in range(16))
_HIGH = tuple(0.5 + 0.05 * step for step in range(10))
WORLDS = (
    World("clear", 5, 10, 300, 0.01, _HIGH),
    World("strengths", 6, 14, 300, 0.005, _STRENGTHS),
    World("few phenomena a cause", 4, 7, 300, 0.005, _STRENGTHS),
    World("any rate", 5, 9, 150, 0.005, _EVEN),
    World("noisy background", 6, 10, 150, 0.01, _EVEN),
    World("any complaint", 5, 10, 200, 0.01, _HIGH, by_chance=True),
)


def rates_of(world: World, chance: np.random.Generator) -> Floats:
    """How often each cause shows each phenomenon (causes, phenomena)."""
    rates = np.full((CAUSES, world.phenomena), world.background)
    for cause in range(CAUSES):
        count = int(chance.integers(world.least, world.most + 1))
        shown = chance.choice(world.phenomena, size=count, replace=False)
        rates[cause, shown] = chance.choice(world.rates, size=count)
    return rates


def faults(world: World, rates: Floats, count: int, chance: np.random.Generator) -> list[Fault]:
    """Faults of all causes alike; those that show nothing are drawn again."""
    drawn: list[Fault] = []
    while len(drawn) < count:
        cause = int(chance.integers(CAUSES))
        present = np.flatnonzero(chance.random(world.phenomena) < rates[cause])
        if len(present):
            first = chance.choice(present) if world.by_chance else present[np.argmax(rates[cause, present])]
            drawn.append((f"c{cause:02d}", [f"p{at:03d}" for at in present], [f"p{first:03d}"]))
    return drawn


def played(learned: Sequence[Fault], unseen: Sequence[Fault], course: Course, parameters: Parameters) -> list[Played]:
    """The cases, played by what was learned from the tickets."""
    tickets = [
        json.dumps({"ticket_id": f"t{at:05d}", "root_cause_id": cause, "phenomena": present})
        for at, (cause, present, _) in enumerate(learned)
    ]
    cases = [
        json.dumps({"case_id": f"k{at:05d}", "root_cause_id": cause, "present": present, "initial": first})
        for at, (cause, present, first) in enumerate(unseen)
    ]
    library = open_learned(read_tickets(tickets, "tickets"), parameters, ACCELERATE)
    return play_cases(library, read_cases(cases, "cases"), course, lambda _done, _all: None)


def in_world(world: World, tickets: int, flip: float, parameters: Parameters) -> list[Played]:
    """All cases of a world over all seeds."""
    everything: list[Played] = []
    for seed in SEEDS:
        chance = np.random.default_rng(seed)
        rates = rates_of(world, chance)
        unseen, learned = faults(world, rates, CASES, chance), faults(world, rates, tickets, chance)
        everything += played(learned, unseen, Course(flip=flip), parameters)
    return everything


def in_network(name: str, by_prior: bool, parameters: Parameters) -> list[Played]:
    """All cases of a sampled network, of every seed, with 490 tickets."""
    everything: list[Played] = []
    for seed in SEEDS:
        chance = np.random.default_rng(seed)
        unseen, learned = sampled(name, CASES, by_prior, chance), sampled(name, 490, by_prior, chance)
        everything += played(learned, unseen, Course(), parameters)
    return everything


def row(cells: Iterable[str], cases: Sequence[Played]) -> str:
    """A line of the table."""
    found = measure(cases)
    figures = [f"{found.top1:.3f}", f"{found.mean_questions:.1f}", f"{found.right_when_stopped:.3f}"]
    figures += [f"{found.stopped_share:.2f}", f"{found.false_confidence_rate:.3f}", f"{found.ece:.3f}"]
    return "| " + " | ".join([*cells, *figures, f"{found.log_loss_bits:.2f}"]) + " |"


def table(parameters: Parameters) -> Iterator[str]:
    """The lines of both tables."""
    figures = ("top-1", "questions", "right when stopped", "stopped", "false confidence", "ECE", "log loss, bits")
    for titles in (("world", "tickets", "wrong answers"), ("network", "causes", "wrong answers")):
        yield "| " + " | ".join((*titles, *figures)) + " |"
        yield "|" + "---|" * (len(titles) + len(figures))
        if titles[0] == "world":
            for world in WORLDS:
                for tickets, flip in ((490, 0.0), (490, 0.05), (245, 0.0), (245, 0.05)):
                    cells = (world.name, str(tickets), f"{100 * flip:.0f} %")
                    yield row(cells, in_world(world, tickets, flip, parameters))
            continue
        for name in NETWORKS if installed() else ():
            for by_prior in (True, False):
                cells = (name, "as likely as they are" if by_prior else "all alike", "0 %")
                yield row(cells, in_network(name, by_prior, parameters))


def main() -> None:
    """Prints the figures for NAME=NUMBER arguments."""
    changes: dict[str, Any] = {}
    for item in sys.argv[1:]:
        name, _, value = item.partition("=")
        changes[name] = float(value)
    for line in table(replace(DEFAULT_PARAMETERS, **changes)):
        print(line, flush=True)


if __name__ == "__main__":
    main()
