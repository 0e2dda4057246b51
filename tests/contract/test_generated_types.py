"""Generated types are frozen dataclasses like any other, only made faster."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import pytest
from dbdiag.collector.v1 import collector_types
from dbdiag.engine.v1 import engine_types
from dbdiag.planner.v1 import planner_types

MODULES = (engine_types, planner_types, collector_types)
TYPES = [
    kind
    for module in MODULES
    for name in module.__all__
    if isinstance(kind := getattr(module, name), type) and dataclasses.is_dataclass(kind)
]


def twin_of(kind: Any) -> Any:
    """The dataclass that the standard library makes of the same fields."""
    fields = [
        (field.name, Any, dataclasses.field(default=field.default, default_factory=field.default_factory))
        for field in dataclasses.fields(kind)
    ]
    return dataclasses.make_dataclass(kind.__name__, fields, frozen=True)


@pytest.mark.parametrize("kind", TYPES)
def test_a_type_is_what_the_standard_library_makes_of_its_fields(kind: Any) -> None:
    """Defaults, order of arguments, equality, hash, text and the refusal to change are the same."""
    twin, names = twin_of(kind), [field.name for field in dataclasses.fields(kind)]
    assert vars(kind()) == vars(twin())
    made, same, other = kind(*names), twin(*names), twin()
    assert (list(vars(made).items()), repr(made), hash(made)) == (list(vars(same).items()), repr(same), hash(same))
    assert (
        made == kind(**dict(zip(names, names, strict=True))) == copy.deepcopy(made) == pickle.loads(pickle.dumps(made))
    )
    assert (made == kind()) == (same == other)
    assert made != same
    assert kind.__match_args__ == twin.__match_args__
    for name in (*names, "another"):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(made, name, 1)
        with pytest.raises(dataclasses.FrozenInstanceError):
            delattr(made, name)


def test_values_are_replaced() -> None:
    """`dataclasses.replace` and `asdict` work on generated types."""
    hint = engine_types.Hint("RC-0001", 0.1)
    assert dataclasses.replace(hint, boost=0.2) == engine_types.Hint("RC-0001", 0.2)
    assert dataclasses.asdict(hint) == {"root_cause_id": "RC-0001", "boost": 0.1}
    assert collector_types.CheckCall().parameters is not collector_types.CheckCall().parameters
