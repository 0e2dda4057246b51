"""A language model that reads labelled messages perfectly: what it answers the matcher, made from the labels.

Its statements quote the message and are the first that the judge takes to the label's verdict, so that figures with it
show what the matcher makes of a right reading, and nothing of how well a model reads.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lang.judging.judge import Context
from lang.numbers.values import read_values
from lang.tokens import Kind, read_text
from services.matcher.message_reader import MessageReader
from services.matcher.model import MatchPhenomenaResponse, Reading, Standing, Verdict
from services.matcher.model_statements import StatedRow, StatementMaker

_VERDICTS = {"confirmed": Verdict.CONFIRMED, "denied": Verdict.DENIED}
_POLARITIES = {"confirmed": "present", "denied": "absent"}
_OUTCOMES = ("helped_for_a_while", "trouble_began", "helped", "no_help", "done")
_WORDED = {
    "confirmed": ("bad", "state_bad", "rising", "falling", *_OUTCOMES),
    "denied": ("none", "fine", "state_good", "steady", *_OUTCOMES),
}
# Tokens around a number that a quote of it may take along: "left", "used".
_AROUND = 3


@dataclass(frozen=True)
class Labelled:
    """A message with the labels of its phenomena: sets of which one must be recorded, and what else may be."""

    message: str
    confirmed: tuple[tuple[str, ...], ...]
    denied: tuple[tuple[str, ...], ...]
    allowed: frozenset[str]
    ask_ok: bool
    before: tuple[str, ...] = ()
    id: str = ""

    @property
    def wanted(self) -> list[tuple[str, tuple[str, ...]]]:
        """The verdict and the alternatives of everything that must be recorded."""
        pairs = (("confirmed", self.confirmed), ("denied", self.denied))
        return [(verdict, ids) for verdict, several in pairs for ids in several]

    @property
    def allowed_labels(self) -> set[tuple[str, str]]:
        """What may be recorded: pairs of phenomenon and verdict."""
        wanted = {(name, verdict) for verdict, ids in self.wanted for name in ids}
        return wanted | {(label.split(":")[0], label.split(":")[1]) for label in self.allowed}

    def is_whole_right(self, recorded: Set[tuple[str, str]], asked: bool) -> bool:
        """True if nothing false is recorded and all that must be is; where asking is right, asking will do."""
        heard = all(any((name, verdict) in recorded for name in ids) for verdict, ids in self.wanted)
        return recorded <= self.allowed_labels and (heard or (self.ask_ok and asked))


def read_labelled(path: Path) -> list[Labelled]:
    """The labelled messages of a file, one JSON object a line."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    return [
        Labelled(
            row["message"],
            tuple(tuple(ids) for ids in row["want"]["confirmed"]),
            tuple(tuple(ids) for ids in row["want"]["denied"]),
            frozenset(row["allowed"]),
            row["ask_ok"],
            tuple(row.get("before", ())),
            row["id"],
        )
        for row in rows
    ]


class Oracle:
    """Answers by the labels of the messages it knows; of any other it states nothing."""

    def __init__(self, labelled: Iterable[Labelled], reader: MessageReader) -> None:
        self._labelled = {each.message.strip(): each for each in labelled}
        self._reader, self._maker = reader, StatementMaker(reader.means, reader.subjects)

    def answer(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """The whole answer to a question of the matcher, given as its JSON."""
        known = self._labelled.get(str(asked["message"]).strip())
        if known is None:
            return {"statements": [], "unsaid": []}
        offered = [row["id"] for row in asked["candidates"]]
        rows = [self._row(asked["message"], verdict, ids, offered) for verdict, ids in known.wanted]
        labelled = {name for _, ids in known.wanted for name in ids} | {each.split(":")[0] for each in known.allowed}
        unsaid = [name for name in asked["check"] if name not in labelled]
        return {"statements": [row.model_dump(mode="json") for row in rows if row], "unsaid": unsaid}

    def _row(self, message: str, verdict: str, ids: Iterable[str], offered: list[str]) -> StatedRow | None:
        """The first statement about one of the phenomena that the judge rules on as it is labelled."""
        rows = [row for name in ids if name in offered for row in _rows(message, name, verdict)]
        return next((row for row in rows if self._holds(row, message, verdict)), rows[-1] if rows else None)

    def _holds(self, row: StatedRow, message: str, verdict: str) -> bool:
        statements = list(self._maker.statements_of(row, message.find(row.words)))
        found = self._reader.judge(statements, message, Context(amounts=dict(self._maker.amounts_of(row))))
        return any(
            item.reading.phenomenon_id == row.phenomenon_id
            and item.reading.verdict is _VERDICTS[verdict]
            and item.reading.standing is Standing.COUNTS
            for item in found
        )


def _rows(message: str, name: str, verdict: str) -> Iterator[StatedRow]:
    """What may be said of a phenomenon in these words: each number with each other as its base, then words."""
    fixed = {"words": message.strip(), "phenomenon_id": name, "polarity": _POLARITIES[verdict]}
    fixed |= {"modality": "asserted", "when": "now", "where": "here"}
    for value, of in _quotes(message):
        yield StatedRow.model_validate({**fixed, "says": "value", "value": value, "of": of})
    for says in _WORDED[verdict]:
        yield StatedRow.model_validate({**fixed, "says": says})


def _quotes(message: str) -> Iterator[tuple[str, str]]:
    """Each number of a message, alone and with the words around it, beside nothing and beside each other number."""
    text = read_text(message)
    spans = {(value.first, value.last) for value in read_values(text)}
    numbers = [at for at, token in enumerate(text.tokens) if token.kind is Kind.NUMBER]
    spans |= {(at, min(at + length, len(text.tokens))) for at in numbers for length in (1, 2)}
    for first, last in sorted(spans):
        wide = text.quote(max(first - _AROUND, 0), min(last + _AROUND, len(text.tokens)))
        others = [text.quote(*other) for other in sorted(spans) if other[1] <= first or last <= other[0]]
        yield from ((each, of) for each in (text.quote(first, last), wide) for of in ("", *others))


def recorded_of(response: MatchPhenomenaResponse) -> set[tuple[str, str]]:
    """What the matcher lets count: pairs of phenomenon and verdict."""
    names = {verdict: name for name, verdict in _VERDICTS.items()}
    return {
        (reading.phenomenon_id, names[reading.verdict])
        for reading in _readings(response)
        if reading.standing is Standing.COUNTS and reading.verdict in names
    }


def shown_of(response: MatchPhenomenaResponse) -> set[str]:
    """The phenomena that the matcher reads anything of, asks about their value or proposes."""
    return {reading.phenomenon_id for reading in _readings(response)}


def is_right(labelled: Labelled, response: MatchPhenomenaResponse) -> bool:
    """True if what the matcher lets count of a message is right, whole."""
    asked = any(reading.standing is not Standing.COUNTS for reading in _readings(response))
    return labelled.is_whole_right(recorded_of(response), asked)


def _readings(response: MatchPhenomenaResponse) -> list[Reading]:
    return [*response.readings, *(reading for each in response.interpretations for reading in each.readings)]
