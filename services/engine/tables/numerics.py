"""Logarithm, power and entropy to base 2 with the same bits on every processor.

NumPy chooses its log and exp by processor, and the choices differ in the last bit. These functions use only additions,
multiplications, divisions and exact scaling, which IEEE 754 defines, and tables of correctly rounded numbers. Their
relative error is below 1e-15, that of a logarithm near 0 below 2e-16.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
# Non-negative integers of the narrowest type that holds them.
Counts: TypeAlias = npt.NDArray[np.unsignedinteger[Any]]
Indices: TypeAlias = npt.NDArray[np.int64]
# Positions in tables whose length grows with the model.
Places: TypeAlias = npt.NDArray[np.int32]

_LN2 = math.log(2.0)
_DECIMALS = 1e12
_BLOCK = 64
# Up to this many numbers, sorting is faster than selecting.
_SORTED = 512
# Up to this many greatest values are found one by one.
_FEW = 8
_SMALLEST = -1060.0
# log2(m) = log2(c) + 2/ln2 * atanh(f) with f = (m - c) / (m + c) and c the nearest of 128 steps; |f| <= 1/256, so that
# the sum over k of 2/ln2 * f^(2k+1) / (2k+1) has a relative error below 1e-20 after four terms.
_STEPS = 128
_LN2_OF = Decimal(2).ln()
_LOGS_OF = [0.0] + [float((Decimal(step) / _STEPS).ln() / _LN2_OF) for step in range(1, _STEPS + 1)]
_ATANH_OF = [2.0 / _LN2 / (2 * k + 1) for k in range(4)]
# 2^x = 2^n * 2^(j/64) * 2^f with |f| <= 1/128; the sum over k of (f ln2)^k / k! has an error below 1e-19 after
# seven terms.
_PARTS = 64
_ROOTS = np.array([float(Decimal(2) ** (Decimal(part) / _PARTS)) for part in range(_PARTS)])
_POWER = [np.array(_LN2**k / math.factorial(k)) for k in range(7)]
# Arrays avoid a conversion at every use.
TABLES = (_LOGS_OF, _ATANH_OF, _ROOTS.tolist(), [float(number) for number in _POWER])
_LOGS, _ATANH, _SCALE = np.array(_LOGS_OF), [np.array(number) for number in _ATANH_OF], np.array(float(_STEPS))


def log2(values: Floats) -> Floats:
    """log2 of positive `values`, elementwise."""
    mantissa, exponent = np.frexp(values)
    nearest = np.rint(mantissa * _SCALE)
    whole: Floats = _LOGS[nearest.astype(np.intp)]
    whole += exponent
    nearest /= _SCALE
    fraction = mantissa - nearest
    mantissa += nearest
    fraction /= mantissa
    total = _horner(fraction * fraction, _ATANH)
    total *= fraction
    total += whole
    return total


def log2_scalar(value: float) -> float:
    """log2 of one positive number, with the same bits as `log2`."""
    mantissa, exponent = math.frexp(value)
    step = round(mantissa * _STEPS)
    fraction = (mantissa - step / _STEPS) / (mantissa + step / _STEPS)
    square = fraction * fraction
    total = square * _ATANH_OF[-1]
    for coefficient in _ATANH_OF[-2:0:-1]:
        total = (total + coefficient) * square
    return (total + _ATANH_OF[0]) * fraction + (_LOGS_OF[step] + exponent)


def exp2(values: Floats) -> Floats:
    """2 to the power of `values` (at most 0 here), elementwise; results below 2^-1060 become 0."""
    kept = np.maximum(values, _SMALLEST)
    parts = np.rint(kept * _PARTS)
    powers = _horner(kept - parts / _PARTS, _POWER)
    places = parts.astype(np.int32)
    powers *= _ROOTS[places % _PARTS]
    powers *= values >= _SMALLEST
    return np.asarray(np.ldexp(powers, places // _PARTS))


def _horner(values: Floats, coefficients: Sequence[Floats]) -> Floats:
    """The polynomial with these coefficients, the constant first; at least three."""
    total: Floats = values * coefficients[-1]
    for coefficient in coefficients[-2:0:-1]:
        total += coefficient
        total *= values
    total += coefficients[0]
    return total


def entropy_bits(belief: Floats) -> float:
    """H(belief) in bits."""
    positive = belief[belief > 0.0]
    return max(0.0, -float(np.add.reduce(positive * log2(positive))))


def binary_entropy(rates: Floats) -> Floats:
    """h(x) in bits, elementwise, for rates strictly between 0 and 1."""
    both = np.empty((2, *rates.shape))
    both[0] = rates
    np.subtract(1.0, rates, out=both[1])
    both *= log2(both)
    found: Floats = both[0] + both[1]
    return np.negative(found, out=found)


def sum_groups(positions: Indices, weights: npt.NDArray[Any], size: int) -> Floats:
    """Weights added up by position (size,), in the order they stand."""
    return np.asarray(np.bincount(positions, weights=weights, minlength=size), dtype=np.float64)


def round_reported(value: float) -> float:
    """A value as it is reported and ordered by: to twelve decimals, so that ties look like ties."""
    return round(value * _DECIMALS) / _DECIMALS


def round_all(values: Floats) -> Floats:
    """As `round_reported`, elementwise."""
    found: Floats = values * _DECIMALS
    np.rint(found, out=found)
    found /= _DECIMALS
    # Adding zero turns -0.0 into 0.0.
    found += 0.0
    return found


def order_descending(values: Floats, limit: int | None = None) -> list[int]:
    """Positions of `values` by falling value; values that agree to twelve decimals are ties, ties by position."""
    keys = np.rint(values * _DECIMALS)
    few = _few_greatest(keys, limit) if limit is not None and 0 < limit <= _FEW and len(keys) > limit else None
    if few is not None:
        return few
    if limit is None or len(keys) <= _SORTED or not 0 < limit < len(keys):
        order: list[int] = (-keys).argsort(kind="stable").tolist()
        return order[:limit]
    last = nth_greatest(keys, limit)
    before = (keys > last).nonzero()[0]
    tied = (keys == last).nonzero()[0][: limit - len(before)]
    order = before[(-keys[before]).argsort(kind="stable")].tolist()
    return order + list(tied.tolist())


def _few_greatest(keys: Floats, count: int) -> list[int] | None:
    """Positions of the `count` greatest; None if fewer are finite."""
    left, found = keys.copy(), list[int]()
    for _ in range(count):
        at = int(left.argmax())
        if left[at] == -math.inf:
            return None
        left[at] = -math.inf
        found.append(at)
    return found


def nth_greatest(values: Floats, count: int) -> float:
    """The `count`-th greatest value, 1 being the greatest; there are at least `count` values."""
    blocks = len(values) // _BLOCK
    if blocks > count:
        # `count` block maxima are at least the bound, so the value sought is at least the bound as well.
        greatest = values[: blocks * _BLOCK].reshape(blocks, _BLOCK).max(axis=1)
        bound = float(np.partition(greatest, blocks - count)[blocks - count])
        values = values[values > bound]
        if len(values) < count:
            return bound
    return float(np.partition(values, len(values) - count)[len(values) - count])


def order_descending_few(values: Sequence[float], limit: int | None = None) -> list[int]:
    """As `order_descending`, for few values."""
    return sorted(range(len(values)), key=lambda at: -round(values[at] * _DECIMALS))[:limit]
