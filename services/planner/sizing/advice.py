"""The one value that a setting is advised to have: as agreed, as it was before, as worked out, else the example."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from lang.objects.settings_said import SETTING, SETTING_BEFORE, SETTING_WANTED, VERSION, amount_of, same_kind
from services.planner.sizing.known import Told, known_numbers, values_of
from services.planner.sizing.table import Fit, Numbers, default_of, fit, setting_named, worked_out

# A value that is to be chosen.
OPEN = "<value>"


class Why(StrEnum):
    """Where a value is from."""

    WANTED = "wanted"
    BEFORE = "before"
    TOLD = "told"
    EXAMPLE = "example"


class Advice(NamedTuple):
    """A value, where it is from, and what the setting is by now."""

    value: str
    why: Why
    now: str = ""

    @property
    def in_place(self) -> bool:
        """Whether the setting has the value by what was told."""
        return bool(self.now) and amount_of(self.value) == amount_of(self.now)


def advise(name: str, example: str, told: Told) -> Advice:
    """The value for a setting. told: what was told of the case, by its kind."""
    now, before, wanted = (values_of(told, kind).get(name, "") for kind in (SETTING, SETTING_BEFORE, SETTING_WANTED))
    numbers = known_numbers(told)
    now = now or default_of(name, int(numbers.get(VERSION, 0)))
    if wanted and same_kind(wanted, example) and _may_be(name, wanted, numbers):
        return Advice(wanted, Why.WANTED, now)
    if before and _goes_back(now, before, example) and fit(name, before, numbers) in (Fit.FITS, Fit.OPEN):
        return Advice(before, Why.BEFORE, now)
    fitting = fit(name, example, numbers) is Fit.FITS and not setting_named(name).take
    worked = "" if fitting else worked_out(name, numbers)
    if not worked and setting_named(name).rises and _is_below(example, now):
        return Advice(OPEN, Why.EXAMPLE, now)
    return Advice(worked, Why.TOLD, now) if worked else Advice(example, Why.EXAMPLE, now)


def _is_below(example: str, now: str) -> bool:
    """Whether an example is no more than what the setting is."""
    present, advised = amount_of(now), amount_of(example)
    return present is not None and advised is not None and advised < present


def _may_be(name: str, value: str, numbers: Numbers) -> bool:
    """Whether a value keeps to what was told, or there is no rule for it."""
    found = fit(name, value, numbers)
    return found is Fit.FITS or (found is Fit.OPEN and not setting_named(name).is_sized)


def _goes_back(now: str, before: str, example: str) -> bool:
    """Whether to go back to the value before is a change in the direction of the advice."""
    present, former, advised = amount_of(now), amount_of(before), amount_of(example)
    if present is None or former is None or former == present:
        return False
    return advised is None or (former < present) is (advised < present)
