"""The tables of a query: a base table, and what is joined to it without multiplying its rows."""

from __future__ import annotations

from sqlglot import exp

from services.analyst.queries.identifiers import Impossible, column, identifier, read_expression
from services.analyst.semantic.dataset import Dataset, Edge, split_column
from services.analyst.semantic.schema import Dimension


class JoinTree:
    """Grows by each column that is asked for. One table joined along two paths has two aliases."""

    def __init__(self, dataset: Dataset, base: str) -> None:
        self.dataset, self.base = dataset, base
        self._aliases: dict[tuple[Edge, ...], str] = {(): base}

    def alias(self, goal: str, via: str = "") -> str:
        """The alias of a table or role. Raises Impossible where a join would multiply rows, or none leads there."""
        path = self.dataset.path(self.base, goal, via)
        if path is None:
            raise no_path(self.dataset, self.base, goal)
        return self.add(path)

    def add(self, path: tuple[Edge, ...]) -> str:
        """The alias at the end of a path from the base."""
        for length in range(1, len(path) + 1):
            if path[:length] not in self._aliases:
                self._aliases[path[:length]] = self._free(path[length - 1].right)
        return self._aliases[path]

    def dimension(self, dimension: Dimension) -> exp.Expr:
        """The column of a dimension."""
        return self.at(dimension.column, dimension.via)

    def key(self, dimension: Dimension) -> exp.Expr | None:
        """The column that tells its values apart, where that is another one."""
        return self.at(dimension.key, dimension.via) if dimension.key and dimension.key != dimension.column else None

    def at(self, place: str, via: str = "") -> exp.Expr:
        """The column `table.column`, or one of the base table."""
        table, name = split_column(place)
        if not table or (
            self.dataset.aliases.get(table) == self.base and self.dataset.path(self.base, table, via) is None
        ):
            return column(name, self.base)
        return column(name, self.alias(table, via))

    def bind(self, text: str) -> exp.Expr:
        """An expression of the layer with its columns bound to the aliases of this query."""
        expression = read_expression(text)
        for each in list(expression.find_all(exp.Column)):
            if each.table:
                each.set("table", identifier(self.alias(each.table)))
            elif each.name in self.dataset.columns.get(self.base, {}):
                each.set("table", identifier(self.base))
            each.set("this", identifier(each.name))
        return expression

    def select_from(self, select: exp.Select) -> exp.Select:
        """The select with FROM and the joins."""
        select = select.from_(_table(self.base, self.base))
        for path, alias in sorted(self._aliases.items(), key=lambda entry: len(entry[0])):
            if not path:
                continue
            edge = path[-1]
            on = exp.EQ(
                this=column(edge.left_column, self._aliases[path[:-1]]), expression=column(edge.right_column, alias)
            )
            outer = any(each.optional for each in path)
            select = select.join(_table(edge.table, alias), on=on, join_type="left" if outer else "inner")
        return select

    def _free(self, name: str) -> str:
        taken = set(self._aliases.values())
        return next(each for each in (name, *(f"{name}_{n}" for n in range(2, 99))) if each not in taken)


def _table(name: str, alias: str) -> exp.Expr:
    table = exp.Table(this=identifier(name))
    return table if name == alias else exp.alias_(table, identifier(alias), table=True)


def no_path(dataset: Dataset, base: str, goal: str) -> Impossible:
    """Why a table cannot be joined to another."""
    table = dataset.aliases.get(goal, goal)
    multiplies = dataset.path(table, base) is not None
    return Impossible(
        "query_impossible.fan_out" if multiplies else "query_impossible.unrelated", table=base, other=table
    )
