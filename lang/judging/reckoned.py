"""Quantities that follow from the settings that were told: what these add up to, as a share of the memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lang.expressions import Reads, Scope, parse
from lang.modality import Meaning
from lang.numbers.model import Value
from lang.objects.settings_said import MEMORY, amount_of, setting_of, values_told
from lang.says import Says
from lang.statements import Statement
from lang.vocabulary import Quantity


def reckoned(quantities: Iterable[Quantity], settings: Sequence[str], said: str) -> Iterator[Statement]:
    """A statement for each quantity that the settings give, where the words tell one of those that it takes."""
    expressions = [(quantity, parse(quantity.reckoned)) for quantity in quantities if quantity.reckoned]
    told = {each.name: each.span for each in values_told(said) if each.value} if expressions and settings else {}
    amounts = {setting_of(each): amount_of(each.partition("=")[2]) for each in settings}
    for quantity, expression in expressions:
        spans = [told[name] for name in expression.names if name in told and name != MEMORY]
        spans = spans or [told[name] for name in expression.names if name in told]
        amount = expression.value(Scope(Reads(()), amounts, None))
        if spans and isinstance(amount, float):
            span = min(first for first, _ in spans), max(last for _, last in spans)
            value = Value(0, 0, {quantity.unit: (amount, amount)}, number=amount)
            yield Statement(quantity.id, Says.VALUE, Meaning(), said[slice(*span)], span, value)
