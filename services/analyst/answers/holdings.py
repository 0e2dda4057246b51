"""Says of a question about rows that are not there at all what there is to ask about."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from services.analyst.answers.labels import Labels
from services.analyst.answers.words import Words, number
from services.analyst.questions.intent import Intent, Measure
from services.analyst.semantic.dataset import Dataset

_SHOWN = 4


async def say_holdings(
    intent: Intent, dataset: Dataset, words: Words, count: Callable[[Intent], Awaitable[float]]
) -> str:
    """ "No session is recorded yet; there are 431 tickets": empty where the tables of the question have rows.

    count: the one figure of an intent.
    """

    async def rows_of(table: str) -> float:
        return await count(Intent(measures=(Measure(table=table),)))

    asked = _tables(intent, dataset)
    if not asked or any([await rows_of(table) for table in asked]):
        return ""
    labels = Labels(dataset, words)
    held: list[str] = []
    for table in dataset.layer.tables:
        if table.key and len(held) < _SHOWN and (found := await rows_of(table.name)):
            held.append(words.say("held", name=labels.table(table.name), count=number(found)))
    names = words.join([labels.table(table) for table in asked])
    return words.say("none_yet", names=names, held=words.join(held)) if held else ""


def _tables(intent: Intent, dataset: Dataset) -> list[str]:
    found = [intent.listing] if intent.listing else []
    for measure in intent.measures:
        if measure.metric:
            found.append(dataset.layer.metric(measure.metric).table)
        else:
            found.append(measure.table or dataset.table_of(dataset.layer.dimension(measure.dimension)))
    return list(dict.fromkeys(found))
