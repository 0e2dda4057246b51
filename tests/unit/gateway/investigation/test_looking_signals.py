"""What a check showed is the same text before it is stored and after it is read again."""

from __future__ import annotations

from dataclasses import asdict

from dbdiag.collector.v1.collector_pb2 import CollectResponse as CollectResult
from pydantic import TypeAdapter

from gateway.investigation.journal import to_canonical
from gateway.investigation.model import CheckRun
from gateway.investigation.ports import read_result
from services.chassis.wire import from_wire, to_wire
from services.collector.model import CheckOutcome, CollectResponse, signal_of
from tests.support.cases import for_each


@for_each("value", [0, 3, 2.5, True, False, "auto", "0"])
def test_a_signal_is_read_back_as_it_was_written(value: float | bool | str) -> None:
    """Whole numbers, fractions, switches and words of a look survive the trace to the letter."""
    result = CollectResponse("pg.x", CheckOutcome.DONE, signals=(signal_of("n", value),))
    look = read_result(from_wire(to_wire(result, CollectResult), CollectResponse))
    again = TypeAdapter(CheckRun).validate_python(asdict(look))
    assert to_canonical(asdict(again)) == to_canonical(asdict(look))
    assert type(again.signals[0].value) is type(look.signals[0].value)
