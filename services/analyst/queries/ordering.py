"""The order of rows, and which of them are the first by rank."""

from __future__ import annotations

from sqlglot import exp

from services.analyst.queries.identifiers import column, literal
from services.analyst.queries.query import Column, Impossible
from services.analyst.questions.intent import Intent, Order
from services.analyst.semantic.dataset import Dataset

_ROLE_OF = {"measure": "measure", "growth": "growth", "share": "share", "time": "time"}
_BY_MEASURE = Order("measure", True)


class Ordering:
    """Of the columns of a result."""

    def __init__(self, intent: Intent, dataset: Dataset, columns: tuple[Column, ...]) -> None:
        self._intent, self._dataset, self._columns = intent, dataset, columns
        self._order = intent.order or (_BY_MEASURE if intent.limit else None)

    def rank(self) -> exp.Expr | None:
        """True for the first rows of each part, ties included; None without a limit."""
        if not self._intent.limit or self._order is None:
            return None
        window = exp.Window(
            this=exp.func("rank", dialect="duckdb"),
            partition_by=[column(name) for name in self.partition()],
            order=exp.Order(expressions=[self._target(self._order)]),
        )
        return exp.LTE(this=window, expression=exp.convert(self._intent.limit))

    def partition(self) -> list[str]:
        """What the ranking begins anew in: the periods, and of two dimensions the one with fewer values."""
        if not self._intent.limit or self._order is None or self._order.over == "time":
            return []
        times = [each.name for each in self._columns if each.role in ("time", "part")]
        dimensions = [each.id for each in self._columns if each.role == "dimension"]
        if len(dimensions) == 2:
            counts = {each: len(self._dataset.values.get(each, ())) or 10**9 for each in dimensions}
            if counts[dimensions[0]] != counts[dimensions[1]]:
                return [*times, min(dimensions, key=counts.__getitem__)]
        return times if dimensions else []

    def terms(self) -> list[exp.Expr]:
        """What ORDER BY has; the dimensions come last, so that the order is always the same."""
        times: list[exp.Expr] = [_sorted(each.name) for each in self._columns if each.role in ("time", "part")]
        dimensions = [each for each in self._columns if each.role == "dimension"]
        names: list[exp.Expr] = [_sorted(each.name) for each in dimensions]
        if self._order is not None:
            return [*map(_sorted, self.partition()), self._target(self._order), *times, *names]
        if not dimensions:
            return times
        fixed = [each for one in dimensions for each in self._declared(one.id)]
        first = next((each for each in self._columns if each.role == "measure"), None)
        measure = [_sorted(first.name, True)] if first is not None and len(fixed) < len(dimensions) else []
        return [*times, *fixed, *measure, *names]

    def _target(self, order: Order) -> exp.Expr:
        if order.over == "dimension":
            declared = self._declared(order.dimension, order.descending)
            return declared[0] if declared else _sorted(order.dimension, order.descending)
        role = _ROLE_OF[order.over]
        roles = ("time", "part") if role == "time" else ("share", "measure") if role == "share" else (role,)
        for wanted in roles:
            for each in self._columns:
                if each.role == wanted:
                    return _sorted(each.name, order.descending)
        raise Impossible("query_impossible.no_order", over=order.over)

    def _declared(self, dimension_id: str, descending: bool = False) -> list[exp.Expr]:
        """The order of values that the layer declares."""
        dimension = self._dataset.layer.dimension(dimension_id)
        if not dimension.order:
            return []
        kind = self._dataset.type_of(dimension.column)
        ifs = [
            exp.If(this=exp.EQ(this=column(dimension_id), expression=literal(value, kind)), true=exp.convert(at))
            for at, value in enumerate(dimension.order)
        ]
        return [exp.Ordered(this=exp.Case(ifs=ifs), desc=descending, nulls_first=False)]


def _sorted(name: str, descending: bool = False) -> exp.Expr:
    return exp.Ordered(this=column(name), desc=descending, nulls_first=False)
