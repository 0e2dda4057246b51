"""The parameters of the model; `docs/engine.md` has the measurements behind their defaults."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType

from services.chassis.errors import InvalidInput

# e_pr of each strength that an expert may state.
EXPERT_RATES: Mapping[str, float] = MappingProxyType(
    {"always": 0.95, "usually": 0.75, "sometimes": 0.35, "rarely": 0.05}
)
STRENGTHS = tuple(EXPERT_RATES)

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


@dataclass(frozen=True)
class Parameters:
    """Weights are numbers of tickets, rates are probabilities.

    expert_rates: e_pr of a stated strength. unstated_rate: e_pr if experts described the phenomenon, but not for this
    cause. expert_weight and base_weight: m if a strength is stated, and if q_p replaces it. leak_share and
    described_leak_share: the share of q_p for an unlinked cause before tickets; the second if experts described the
    phenomenon and left this cause out. cause_weight: alpha_r. other_weight: alpha of OTHER. answer_noise: eta, the
    probability that an answer is wrong. redundancy_shrinkage: added to the pooled deviation in rho; redundancy_floor: a
    smaller rho counts as 0. told_apart: the share of the way from the rates above to those of background.py, for rates
    without a stated strength. temper: the power of an answer's odds. fewest_tickets: with at least this many tickets,
    learning.py chooses told_apart, temper and answer_noise.
    """

    expert_rates: Mapping[str, float] = field(default_factory=lambda: EXPERT_RATES)
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
        """Raises InvalidInput for a parameter out of its range."""
        numbers = {item.name: getattr(self, item.name) for item in fields(self) if item.name != "expert_rates"}
        for name, value in {**numbers, **self.expert_rates}.items():
            most = 0.5 if name == "answer_noise" else 1.0 if name in _SHARES or name in self.expert_rates else math.inf
            least = 0.0 if name in _MAY_BE_ZERO else 1e-9
            if not (math.isfinite(value) and least <= value <= most):
                raise InvalidInput(
                    "invalid_request.model_parameter", name=name, value=value, least=f"{least:g}", most=f"{most:g}"
                )


DEFAULT_PARAMETERS = Parameters()
