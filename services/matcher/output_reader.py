"""What outputs tell in words: errors and log lines, quoted server messages, and single values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, pairwise

from lang import pastes
from lang.expressions import Moment, Row
from lang.judging import judge as judging
from lang.judging import rulings
from lang.modality import is_negated
from lang.objects.figures_shown import is_transaction
from lang.objects.series import tells_contents
from lang.objects.settings_said import covers, is_limit, limits_told
from lang.pastes import CheckIndex
from lang.pastes.cells import type_cell
from lang.pastes.formats.pasted_lines import split_lines
from lang.pastes.model import Block, Span, Table
from lang.statements import Reader
from lang.statements import Reading as TextReading
from lang.vocabulary import Event, Subject
from services.matcher.placing import Placed, Placer
from services.matcher.reading.pasted_words import speak_cell

# So many different lines of a log are read for what they tell.
_MOST_LINES = 50
_OF_SETTINGS = ("event", "absent", "none")
_OF_STANDBYS, _SWITCHES = "standby", ("on", "off")
_OF_VALUES = ("value", "zero", "state", "needs_base")
# What the count of all rows of the list of sessions is.
_SESSIONS = "connections"
# The setting that limits them, as a column beside the counts.
_MOST = "max_connections"
# The view that lists them, and its column that counts them.
_SESSIONS_VIEW, _COUNTED = "sessions", "sessions"
# What it may count them by; the first that is there tells which rows are of background processes.
_OF_SESSIONS = ("state", "usename", "client_addr", "application_name")
_SETTINGS_VIEW, _UNIT = "settings", re.compile(r"(\d*)([A-Za-z]+)")
# Name, value and unit: with more columns it is the output of a check, which judges it.
_SETTING_COLUMNS, _NAME = 3, re.compile(r"[a-z][a-z0-9_.]*")
# A row of settings without its heading.
_BARE_ROW = re.compile(r"^\s*([a-z]+(?:_[a-z0-9]+)+)\s*\|\s*([\w.]+)\s*(?:\|\s*(\w*)\s*\|?)?$", re.MULTILINE)
# "removable cutoff: 812345678, which was 25012345 XIDs old when operation ended" of VACUUM VERBOSE and its log.
_CUTOFF = re.compile(r"removable cutoff: \d+, which was (\d+) XIDs old", re.IGNORECASE)
# "temporary file: path "base/pgsql_tmp/..", size 1892345856" of a log.
_TEMPORARY = re.compile(r"temporary file: path \S+, size (\d+)", re.IGNORECASE)
_LEVEL = re.compile(r"(?<!\w)(?:WARNING|ERROR|FATAL|PANIC|LOG|DETAIL|警告|错误|致命错误|日志)[:：]\s+")
# "checkpoint complete: ... sync=14.877 s" of a log.
_SYNC = re.compile(r"checkpoint complete: .*?\bsync=([\d.]+) s", re.IGNORECASE)
# Such lines with what they are said as.
_AMOUNTS = (
    (_CUTOFF, "oldest xmin {}"),
    (_TEMPORARY, "logged temporary file {} bytes"),
    (_SYNC, "checkpoint sync took {} s"),
)
# In more values than these a name may be of anything.
_MOST_VALUES = 4


class OutputReader:
    """Reads outputs by a vocabulary, where no check's own rule judges them."""

    def __init__(
        self, reader: Reader, judge: judging.Judge, checks: CheckIndex, subjects: Mapping[str, Subject], placer: Placer
    ) -> None:
        self._reader, self._judge, self._checks = reader, judge, checks
        self._subjects, self._placer = subjects, placer

    def report(self, message: str, paste: pastes.PasteReading) -> list[Placed]:
        """The events that a server's errors and log lines tell, where no check searches for their words."""
        tables = [block.table for block in _own_blocks(paste) if block.kind in ("error", "log") and block.table]
        lines = dict.fromkeys(line.strip() for table in tables for row in table.rows for line in row[1].split("\n"))
        told = islice((line for line in lines if line and not pastes.is_searched(line, self._checks)), _MOST_LINES)
        found = [(line, message.find(line)) for line in told]
        told_of = [placed for line, start in found if start >= 0 for placed in self._events_in(line, start)]
        return told_of + self._amounts_in(message)

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

    def spoken(self, blocks: Sequence[Block]) -> str:
        """Single values, and sizes of what is known, as a person would say them: "max_connections 300, count 297"."""
        return _say(self._pairs(blocks))

    def show(self, message: str, paste: pastes.PasteReading) -> list[Placed]:
        """What single values and sizes of directories show."""
        pairs = self._pairs(paste.blocks)
        said = _say(pairs)
        names = list(_shown_settings(paste.blocks))
        found = [item for item in self._judge.judge(self._reader.read(said)) if item.kind in _OF_VALUES]
        found = [item for item in found if not any(self._is_by_name(item, name) for name in names)]
        switched = _say([pair for pair in pairs if "_" in pair[0] and pair[1].strip().lower() in _SWITCHES])
        found += [item for item in self._judge.judge(self._reader.read(switched)) if item.kind in _OF_SETTINGS]
        return [self.reported_in(said, item, max(message.find(pairs[0][1].strip()), 0)) for item in found]

    def _pairs(self, blocks: Sequence[Block]) -> list[tuple[str, str]]:
        sizes = [pair for pair in _sizes_in(blocks) if self._judge.judge(self._reader.read(_say([pair])))]
        return [*sizes, *_values_in(blocks), *self._totals_in(blocks), *self._unruled_in(blocks)]

    def _unruled_in(self, blocks: Sequence[Block]) -> Iterator[tuple[str, str]]:
        """The sizes in the one row of a check without a rule: the vocabulary may have a limit for them."""
        for table in (block.table for block in blocks if block.table and not block.elsewhere):
            ids = self._checks.by_columns.get(frozenset(map(str.lower, table.columns)), ())
            for known in (self._checks.checks[one] for one in ids if len(table.rows) == 1):
                kinds = {column.name: column.kind for printed in known.prints for column in printed}
                if known.check.rows is None:
                    pairs = zip(table.columns, table.rows[0], strict=False)
                    yield from (pair for pair in pairs if kinds.get(pair[0].lower()) == "bytes")

    def settings(self, message: str, paste: pastes.PasteReading) -> list[Placed]:
        """What the rows of pg_settings show, each in its line; on another system only those that are of standbys."""
        return [
            self.reported_in(line, finding, start)
            for name, said, line, start in self._settings_in(message, paste)
            for finding in self._judge.judge(self._reader.read(said))
            if finding.kind in (*_OF_VALUES, *_OF_SETTINGS) and not self._is_by_name(finding, name)
        ]

    def _settings_in(self, message: str, paste: pastes.PasteReading) -> Iterator[tuple[str, str, str, int]]:
        """Each setting that rows tell: its name, what the row says, and the row's line with its place."""
        index = self._checks.views.views.get(_SETTINGS_VIEW)
        lines = split_lines(message)
        for block in paste.blocks:
            if block.table is None or index is None or len(block.table.columns) > _SETTING_COLUMNS:
                continue
            places = range(block.first, block.last)
            for row in (index.read(block.table, "") or ())[:_MOST_LINES]:
                for name, said in _setting_of(row):
                    place = next((at for at in places if name in lines.lines[at]), None)
                    if place is not None and (not block.elsewhere or _OF_STANDBYS in name):
                        line = lines.lines[place].strip()
                        yield name, f"{name} {said}", line, message.find(line, lines.starts[place])
        records = [each for each in _own_blocks(paste) if each.table and _BARE_ROW.fullmatch(lines.lines[each.first])]
        ends = [(lines.starts[each.first], (*lines.starts, len(lines.text))[each.last]) for each in records]
        for span in (*paste.prose, *(Span(start, end, lines.text[start:end]) for start, end in ends)):
            for found in _BARE_ROW.finditer(span.words):
                line = found.group().strip()
                yield found[1], f"{found[1]} {found[2]} {found[3] or ''}", line, message.find(line, span.start)

    def without_settings(self, said: str, found: Sequence[judging.Finding]) -> tuple[judging.Finding, ...]:
        """What words say, less errors that only a limit's name tells, and ages that are a transaction's number."""
        limits = [*limits_told(said), *((row.span(), row[1]) for row in _BARE_ROW.finditer(said) if is_limit(row[1]))]
        kept = (
            item
            for item in found
            if not any(covers(said, span, item.span) and self._is_by_name(item, name) for span, name in limits)
        )
        return tuple(item for item in kept if not (item.kind in _OF_VALUES and is_transaction(item.words)))

    def _is_by_name(self, finding: judging.Finding, name: str) -> bool:
        """True for an event that a setting's name alone tells: lock_timeout is no error, whatever it is set to."""
        subject = finding.why.details["subject"]
        if not isinstance(self._subjects[str(subject)], Event):
            return False
        return any(each.why.details["subject"] == subject for each in self._judge.judge(self._reader.read(name)))

    def _totals_in(self, blocks: Sequence[Block]) -> list[tuple[str, str]]:
        """How many sessions there are by a list that counts all of them; a background process has no state or owner."""
        index = self._checks.views.views.get(_SESSIONS_VIEW)
        totals: list[float] = []
        limits: list[str] = []
        for above, block in zip((None, *blocks), blocks, strict=False):
            words = above.words if above and above.kind in ("echo", "query") else ""
            if index is None or block.table is None or block.elsewhere or _is_partial(words):
                continue
            rows = index.read(block.table, words) or ()
            named = [row for row in rows if next((row[each] for each in _OF_SESSIONS if each in row), None)]
            counts = [row.get(_COUNTED) for row in named]
            if len(counts) > 1 and not block.table.left_out and all(isinstance(each, float) for each in counts):
                totals.append(sum(each for each in counts if isinstance(each, float)))
                limits += [
                    cell for name, cell in zip(block.table.columns, block.table.rows[0], strict=False) if name == _MOST
                ]
        return [*((_MOST, each) for each in limits), (_SESSIONS, f"{totals[0]:.0f}")] if len(totals) == 1 else []

    def _amounts_in(self, message: str) -> list[Placed]:
        """How old the oldest snapshot was, as VACUUM reports it, and how large a temporary file; it denies nothing."""
        found = [
            (each.group(), each.start(), said.format(each[1]))
            for line, said in _AMOUNTS
            for each in islice(line.finditer(message), _MOST_LINES)
        ]
        return [
            self.reported_in(line, finding, start)
            for line, start, said in found
            for finding in self._judge.judge(self._reader.read(said))
            if finding.verdict is rulings.Verdict.CONFIRMED and finding.kind in _OF_VALUES
        ]

    def _events_in(self, line: str, start: int) -> Iterator[Placed]:
        """The events that a server's line tells by the vocabulary; what one line lacks, others may have.

        Whose session it was, before the level, tells nothing: "app@shop WARNING:".
        """
        level = _LEVEL.search(line)
        before = level.end() if level else 0
        for finding in self._judge.judge(self._reader.read(line[level.start() :] if level else line)):
            is_event = isinstance(self._subjects[str(finding.why.details["subject"])], Event)
            if is_event and finding.verdict is rulings.Verdict.CONFIRMED:
                yield self.reported_in(line[before:], finding, start + before)

    def reported_in(self, line: str, finding: judging.Finding, start: int) -> Placed:
        """The finding as one of the output that begins at `start`; line: its words."""
        placed = self._placer.state(
            replace(finding, span=(0, len(line)), words=line), line, range(start, start + len(line))
        )
        return replace(placed, reading=replace(placed.reading, pasted=True))


def _own_blocks(paste: pastes.PasteReading) -> Iterator[Block]:
    return (block for block in paste.blocks if not block.elsewhere)


def _say(values: Sequence[tuple[str, str]]) -> str:
    return ", ".join(f"{name} {speak_cell(cell)}" for name, cell in values)


def _values_in(blocks: Sequence[Block]) -> list[tuple[str, str]]:
    """The name and cell of each single value, what a count is a part of before it; empty where there are many."""
    single = [
        (_name_of(above, block.table), block.table)
        for above, block in zip((None, *blocks), blocks, strict=False)
        if block.table and block.kind == "table" and block.table.form == "rows" and not _counts_others(above)
        if not block.elsewhere and len(block.table.rows) == len(block.table.columns) == 1
    ]
    pairs = [(name, table.rows[0][0]) for name, table in single if table.rows[0]]
    pairs = [pair for pair in pairs if not isinstance(type_cell(pair[1]), Moment)]
    pairs.sort(key=lambda pair: pair[0].lower() in ("count", _SESSIONS))
    return pairs if len(pairs) <= _MOST_VALUES else []


def _shown_settings(blocks: Sequence[Block]) -> Iterator[str]:
    """The settings that SHOW printed."""
    for above, block in pairwise(blocks):
        if block.table and above.kind in ("echo", "query") and above.words.lower().lstrip().startswith("show "):
            yield from block.table.columns[:1]


def _name_of(above: Block | None, table: Table) -> str:
    """What a value is called: its heading, or what all sessions of a count are."""
    words = above.words.lower() if above and above.kind in ("echo", "query") else ""
    counts = "count(" in words and "pg_stat_activity" in words and " where " not in " ".join(words.split())
    return _SESSIONS if counts else table.columns[0].strip()


def _sizes_in(blocks: Sequence[Block]) -> list[tuple[str, str]]:
    tables = [block.table for block in blocks if block.table and block.table.form == "sizes" and not block.elsewhere]
    pairs = [pair for table in tables for pair in zip(table.columns, table.rows[0], strict=True)]
    return [pair for pair in pairs if tells_contents(pair[0])][:_MOST_LINES]


def _setting_of(row: Row) -> Iterator[tuple[str, str]]:
    """A setting with its value in its unit, of which there may be several: 16384 of 8kB are 131072 kB."""
    name, setting, unit = row.get("name"), row.get("setting"), row.get("unit")
    if not isinstance(name, str) or not isinstance(setting, str) or not _NAME.fullmatch(name):
        return
    many = _UNIT.fullmatch(unit) if isinstance(unit, str) else None
    if many and setting.isdecimal():
        yield name, f"{int(setting) * int(many[1] or 1)} {many[2]}"
    else:
        yield name, setting


def _is_partial(query: str) -> bool:
    """True for a query that leaves out sessions."""
    words = " ".join(query.lower().split())
    return any(f" {word} " in words for word in ("limit", "having")) or (
        " where " in words and "where backend_type = 'client backend' group" not in words
    )


def _counts_others(above: Block | None) -> bool:
    """True for a query that counts other things than sessions: its value is no one's who is not named."""
    words = " ".join(above.words.lower().split()) if above and above.kind in ("echo", "query") else ""
    return "count(" in words and " from " in words and "pg_stat_activity" not in words
