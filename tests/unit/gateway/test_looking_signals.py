"""What a check showed is the same text before it is stored and after it is read again."""

from __future__ import annotations

from dataclasses import asdict

import pytest
from pydantic import TypeAdapter

from gateway.cli.looking_parts import _looked
from gateway.looking.model import Looked
from gateway.looking.trace import canonical
from services.collector.model import CheckOutcome, CheckResult, Signal


@pytest.mark.parametrize("value", [0, 3, 2.5, True, False, "auto", "0"])
def test_a_signal_is_read_back_as_it_was_written(value: float | bool | str) -> None:
    """Whole numbers, fractions, switches and words of a look survive the trace to the letter."""
    look = _looked(CheckResult("pg.x", CheckOutcome.DONE, signals=(Signal("n", value),)))
    again = TypeAdapter(Looked).validate_python(asdict(look))
    assert canonical(asdict(again)) == canonical(asdict(look))
    assert type(again.signals[0].value) is type(look.signals[0].value)
