"""The numbers of the model that are not counted but chosen; `docs/engine.md` has the measurements behind them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType

from services.chassis.errors import InvalidInput

STRENGTHS = ("always", "usually", "sometimes", "rarely")


_SHARES = ("unstated_rate", "leak_share", "described_leak_share", "clamp", "told_apart", "temper")
_MAY_BE_ZERO = (
    "unstated_rate",
    "leak_share",
    "described_leak_share",
    "answer_noise",
    "redundancy_shrinkage",
    "told_apart",
    "fewest_tickets",
)


def _expert_rates() -> Mapping[str, float]:
    return MappingProxyType({"always": 0.95, "usually": 0.75, "sometimes": 0.35, "rarely": 0.05})


@dataclass(frozen=True)
class Parameters:
    """Weights are in tickets' worth, rates are probabilities.

    expert_rates: e_pr of a stated strength. unstated_rate: e_pr where experts described the phenomenon, but not for
    this cause. expert_weight and base_weight: m where a strength is stated, and where q_p stands in for it.
    leak_share and described_leak_share: what an unlinked cause keeps of q_p before tickets; the second where experts
    described the phenomenon and left this cause out. cause_weight: alpha_r. other_weight: alpha of OTHER.
    answer_noise: eta, how often an answer is wrong. redundancy_shrinkage: added to the pooled deviation before two
    phenomena are called redundant; redundancy_floor: less than this counts as none.
    told_apart: how far rates that only tickets speak of go from those above to those of background.py. temper: the
    power of an answer's odds. fewest_tickets: from so many on learning.py chooses these two and answer_noise.
    """

    expert_rates: Mapping[str, float] = field(default_factory=_expert_rates)
    unstated_rate: float = 0.02
    expert_weight: float = 4.0
    base_weight: float = 1.5
    leak_share: float = 0.6
    described_leak_share: float = 0.15
    cause_weight: float = 1.0
    other_weight: float = 1.0
    answer_noise: float = 0.005
    clamp: float = 1e-4
    redundancy_shrinkage: float = 2.0
    redundancy_floor: float = 0.3
    told_apart: float = 0.0
    temper: float = 1.0
    fewest_tickets: float = 200.0

    def __post_init__(self) -> None:
        """Raises InvalidInput for numbers that no probability comes of."""
        numbers = {item.name: getattr(self, item.name) for item in fields(self) if item.name != "expert_rates"}
        for name, value in {**numbers, **self.expert_rates}.items():
            most = 0.5 if name == "answer_noise" else 1.0 if name in _SHARES or name in self.expert_rates else math.inf
            least = 0.0 if name in _MAY_BE_ZERO else 1e-9
            if not (math.isfinite(value) and least <= value <= most):
                raise InvalidInput(f"setting the model's {name}: {value}; it must be in [{least:g}, {most:g}]")


DEFAULT_PARAMETERS = Parameters()
