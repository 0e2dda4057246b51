"""Frozen dataclasses whose `__init__` is written out; `make proto` copies this file from protos/ to its types.

`dataclasses` writes and compiles six methods of a frozen class whenever it is imported; of the contracts' two hundred
classes that was a tenth of a start.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from operator import attrgetter
from typing import Any

_Class = type[Any]
set_field = object.__setattr__


def dataclass(*, frozen: bool) -> Callable[[_Class], _Class]:
    """As `dataclasses.dataclass` for a class that has an `__init__`."""

    def make(kind: _Class) -> _Class:
        dataclasses.dataclass(init=False, repr=False, eq=False)(kind)
        params = kind.__dataclass_params__
        params.init = params.repr = params.eq = params.frozen = frozen
        names = tuple(kind.__dataclass_fields__)
        values = attrgetter(*names) if len(names) > 1 else lambda made: tuple(getattr(made, name) for name in names)

        def equals(made: Any, other: Any) -> Any:
            return values(made) == values(other) if other.__class__ is made.__class__ else NotImplemented

        kind.__eq__ = equals
        kind.__hash__ = lambda made: hash(values(made))
        kind.__repr__ = _describe
        kind.__setattr__ = _refuse_assignment
        kind.__delattr__ = _refuse_deletion
        return kind

    return make


def _describe(made: Any) -> str:
    listed = ", ".join(f"{name}={getattr(made, name)!r}" for name in made.__dataclass_fields__)
    return f"{made.__class__.__qualname__}({listed})"


def _refuse_assignment(made: Any, name: str, value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_deletion(made: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")
