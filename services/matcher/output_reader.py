"""What outputs tell in words: errors and log lines, quoted server messages, and single values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from lang import pastes
from lang.expressions import Moment
from lang.judging import judge as judging
from lang.judging import rulings
from lang.modality import is_negated
from lang.pastes import CheckIndex
from lang.pastes.cells import type_cell
from lang.pastes.model import Block
from lang.statements import Reader
from lang.statements import Reading as TextReading
from lang.vocabulary import Event, Subject
from services.matcher.pasted_words import speak_cell
from services.matcher.placing import Placed, Placer

# So many different lines of a log are read for what they tell.
_MOST_LINES = 50
_OF_VALUES = ("value", "zero", "state")
# In more values than these a name may be of anything.
_MOST_VALUES = 4


class OutputReader:
    """Reads outputs by a vocabulary, where no check's own rule judges them."""

    def __init__(
        self,
        reader: Reader,
        judge: judging.Judge,
        checks: CheckIndex,
        subjects: Mapping[str, Subject],
        placer: Placer,
    ) -> None:
        self._reader, self._judge, self._checks = reader, judge, checks
        self._subjects, self._placer = subjects, placer

    def report(self, message: str, paste: pastes.PasteReading) -> list[Placed]:
        """The events that a server's errors and log lines tell, where no check searches for their words."""
        tables = [block.table for block in _own_blocks(paste) if block.kind in ("error", "log") and block.table]
        lines = dict.fromkeys(line.strip() for table in tables for row in table.rows for line in row[1].split("\n"))
        told = islice((line for line in lines if line and not pastes.is_searched(line, self._checks)), _MOST_LINES)
        return [
            placed for line in told if (start := message.find(line)) >= 0 for placed in self._events_in(line, start)
        ]

    def quote(
        self, said: str, offsets: Sequence[int], found: Sequence[judging.Finding], text: TextReading
    ) -> list[Placed]:
        """The server's messages that a person's sentence quotes, where the sentence says that they come."""
        claimed = {item.phenomenon_id for item in found if item.verdict is rulings.Verdict.CONFIRMED}
        doubted = [each.span for each in text.statements if not each.meaning.is_fact]
        quoted: list[Placed] = []
        for span, findings in pastes.judge_messages(said, self._checks):
            before = said[said.rfind("\n", 0, span.start) + 1 : span.start]
            if is_negated(before) or any(start < span.end and span.start < end for start, end in doubted):
                continue
            start = offsets[span.start]
            told = [
                replace(self._placer.paste(said, each), start=start, end=start + len(span.words)) for each in findings
            ]
            told = told or list(self._events_in(span.words, start))
            quoted += [each for each in told if each.reading.phenomenon_id in claimed]
        return quoted

    def show(self, message: str, paste: pastes.PasteReading) -> list[Placed]:
        """What single values show, as a person would say it: "max_connections 300", "count 297"."""
        single = [
            block.table
            for above, block in zip((None, *paste.blocks), paste.blocks, strict=False)
            if block.table and block.kind == "table" and block.table.form == "rows" and not _counts_others(above)
            if not block.elsewhere
            if len(block.table.rows) == len(block.table.columns) == 1
        ]
        pairs = [(table.columns[0], table.rows[0][0]) for table in single if table.rows[0]]
        pairs = [pair for pair in pairs if not isinstance(type_cell(pair[1]), Moment)]
        if not 0 < len(pairs) <= _MOST_VALUES:
            return []
        # What a count is a part of comes before it.
        pairs.sort(key=lambda pair: pair[0].strip().lower() == "count")
        said = ", ".join(f"{name.strip()} {speak_cell(cell)}" for name, cell in pairs)
        start = max(message.find(pairs[0][1].strip()), 0)
        found = [item for item in self._judge.judge(self._reader.read(said)) if item.kind in _OF_VALUES]
        return [self._reported_in(said, item, start) for item in found]

    def _events_in(self, line: str, start: int) -> Iterator[Placed]:
        """The events that a server's line tells by the vocabulary; what one line lacks, others may have."""
        for finding in self._judge.judge(self._reader.read(line)):
            is_event = isinstance(self._subjects[str(finding.why.details["subject"])], Event)
            if is_event and finding.verdict is rulings.Verdict.CONFIRMED:
                yield self._reported_in(line, finding, start)

    def _reported_in(self, line: str, finding: judging.Finding, start: int) -> Placed:
        placed = self._placer.state(
            replace(finding, span=(0, len(line)), words=line), line, range(start, start + len(line))
        )
        return replace(placed, reading=replace(placed.reading, pasted=True))


def _own_blocks(paste: pastes.PasteReading) -> Iterator[Block]:
    return (block for block in paste.blocks if not block.elsewhere)


def _counts_others(above: Block | None) -> bool:
    """True for a query that counts other things than sessions: its value is no one's who is not named."""
    words = " ".join(above.words.lower().split()) if above and above.kind in ("echo", "query") else ""
    return "count(" in words and " from " in words and "pg_stat_activity" not in words
