"""A pasted message: taken apart by form, its outputs judged, the person's own words left over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from lang.expressions import Row
from lang.pastes.alert_values import judge_alert
from lang.pastes.cells import told_row, type_rows
from lang.pastes.check_index import CheckIndex
from lang.pastes.formats.blocks import find_blocks
from lang.pastes.formats.hidden_rows import without_hidden
from lang.pastes.formats.pasted_lines import FOOTER, PastedLines, split_lines
from lang.pastes.formats.tables.spoken_results import tells_empty_result
from lang.pastes.judge_rows import deciding_row, is_likely, is_of_rule, judge_rows, value_of
from lang.pastes.marks import MARKS, has_mark, merged, settle, tells_foreign, worth_asking
from lang.pastes.model import UNCHANGED, Block, EarlierReading, Finding, PasteReading, RowRule, Span, Table, Verdict
from lang.pastes.own_queries.plain_queries import query_printing
from lang.pastes.reading_of_logs import judge_error, judge_log
from lang.pastes.recognition import Recognised, echoed_checks, recognise
from lang.pastes.told.counted_rows import judge_counted
from lang.pastes.told.named_device import of_named_device, with_cores, with_leads
from lang.pastes.told.rows import judge_told_output
from lang.pastes.told.second_readings import judge_told
from lang.pastes.two_readings import readings_in, seconds_between
from lang.pastes.whose_output import is_of_standbys, mark_owners
from lang.vocabulary import Vocabulary

_LONGEST = 300
# Catalogs that describe one database only: an empty result in the maintenance database says nothing of the others.
_LOCAL = ("pg_stat_user", "pg_statio_user", "pg_stat_all_tables", "pg_class", "pg_index", "pg_sequences", "pg_proc")
_NO_VOCABULARY = Vocabulary()


@dataclass(frozen=True, slots=True)
class _Message:
    lines: PastedLines
    blocks: tuple[Block, ...]
    prose: tuple[Span, ...]
    key: str = ""
    shown: Sequence[str] = ()
    said: str = ""
    _typed: dict[tuple[int, frozenset[str]], tuple[Row, ...]] = field(default_factory=dict)

    def rows_of(self, table: Table, texts: frozenset[str]) -> tuple[Row, ...]:
        """The typed rows of a table; checks of one form share them."""
        key = (id(table), texts.intersection(table.columns))
        if key not in self._typed:
            self._typed[key] = type_rows(table, texts)
        return self._typed[key]


def judge_paste(
    message: str,
    checks: CheckIndex,
    asked: Sequence[str] = (),
    earlier: Sequence[EarlierReading] = (),
    vocabulary: Vocabulary = _NO_VOCABULARY,
    now: float = 0.0,
    key: str = "",
    shown: Sequence[str] = (),
) -> PasteReading:
    """What a message's outputs say about the checks' phenomena, and the words that are the person's own.

    asked: the phenomena whose checks were given to the person, the latest first. earlier: readings pasted before. now:
    when the message was sent, in seconds since 1970; 0 if unknown. key: what the slow statement filters by. shown: the
    queries that were given to the person beside the checks.
    """
    lines = split_lines(message)
    expected = [columns for one in asked if one in checks.checks for columns in checks.checks[one].prints]
    blocks = mark_owners(lines, [*map(without_hidden, find_blocks(lines, checks.known, expected))])
    prose = _prose(lines, blocks)
    said = "\n".join(span.words for span in prose)
    found = _Message(lines, blocks, prose, key, shown, said)
    findings = [*_of_tables(found, checks, asked, earlier, now), *_of_lines(found, checks, asked, vocabulary, now)]
    if not findings:
        findings += judge_told_output([span.words for span in prose], checks, asked)
    # A row that tells something is not asked about for something else that it only leaves open.
    telling = {finding.words for finding in findings if finding.standing == "counts" and finding.verdict == "confirmed"}
    findings = [one for one in findings if one.why != "open" or one.words not in telling]
    foreign = tells_foreign(prose)
    standing = [_doubted(finding) if foreign else finding for finding in findings]
    return PasteReading(prose, merged(standing), _language(prose), blocks, lines.cut)


def _of_lines(
    message: _Message, checks: CheckIndex, asked: Sequence[str], vocabulary: Vocabulary, now: float
) -> Iterator[Finding]:
    # An error among the lines of a log is one of them, and answers no check.
    asked_for = () if any(block.kind == "log" for block in message.blocks) else asked
    for place, block in enumerate(message.blocks):
        if block.kind == "log":
            yield from _of_own(block, judge_log(block, checks, asked), checks)
            yield from _of_own(block, checks.views.judge(block.table, "", now) if block.table else (), checks)
        elif block.kind == "error":
            echo = _echo_above(message, place)
            yield from _of_own(block, judge_error(block, checks, [*echoed_checks(echo, checks), *asked_for]), checks)
        elif block.kind == "alert":
            yield from judge_alert(block, checks, vocabulary)


def _of_tables(
    message: _Message, checks: CheckIndex, asked: Sequence[str], earlier: Sequence[EarlierReading], now: float
) -> Iterator[Finding]:
    """Findings of all tables; several tables of one check are its readings, in the order of the message."""
    readings: dict[str, list[Recognised]] = {}
    tables = sum(_is_unexplained(message, place) for place in range(len(message.blocks)))
    for place, block in enumerate(message.blocks):
        if block.kind == "table":
            echo = _echo_above(message, place)
            answered = "" if echo or not block.table else query_printing(block.table, message.shown)
            recognised = recognise(block, echo, checks, () if answered else asked, tables == 1)
            if block.table:
                shown = checks.views.judge(block.table, echo.words if echo else answered, now)
                yield from _of_own(block, _beside_checks(shown, message, block.table, recognised), checks)
            for found in (of_named_device(one, message.said) for one in recognised):
                if block.elsewhere and not is_of_standbys(found.check.check.how):
                    continue
                local = echo is not None and echo.database == "postgres" and any(name in echo.words for name in _LOCAL)
                readings.setdefault(found.check.phenomenon_id, []).append(
                    replace(found, standing="proposed") if local else found
                )
    for identity, outputs in readings.items():
        before = [one for one in earlier if one.phenomenon_id == identity]
        yield from _judge_readings(message, outputs, before)


def _is_unexplained(message: _Message, place: int) -> bool:
    """True for a table without a query above it."""
    return message.blocks[place].kind == "table" and _echo_above(message, place) is None


def _of_own(block: Block, findings: Iterable[Finding], checks: CheckIndex) -> Iterator[Finding]:
    """Of an output of another system, only what is about standbys."""
    for finding in findings:
        if not block.elsewhere or is_of_standbys(checks.checks[finding.phenomenon_id].check.how):
            yield finding


def _beside_checks(
    shown: Iterable[Finding], message: _Message, table: Table, recognised: Sequence[Recognised]
) -> Iterator[Finding]:
    """What a table shows of its view. The output of a check is no list of all: it only confirms, and nothing that a
    check's own rule decides.
    """
    certain = [found for found in recognised if _is_certain(message, found)] if table.form == "rows" else []
    decided = {found.check.phenomenon_id for found in certain if _decides(message, found)}
    for finding in shown:
        if not certain or (finding.verdict == "confirmed" and finding.phenomenon_id not in decided):
            yield finding


def _is_certain(message: _Message, found: Recognised) -> bool:
    """True for the output of just this check: it was asked for, or no other one prints such rows."""
    rule = found.check.check.rows
    printed = rule is None or is_of_rule(rule, message.rows_of(found.table, rule.texts))
    return found.asked or (found.standing == "counts" and printed)


def _decides(message: _Message, found: Recognised) -> bool:
    rule = found.check.check.rows
    return rule is not None and judge_rows(rule, (message.rows_of(found.table, rule.texts),), 0.0) != "unknown"


def _judge_readings(
    message: _Message, found: Sequence[Recognised], earlier: Sequence[EarlierReading]
) -> Iterator[Finding]:
    last, rule = found[-1], found[-1].check.check.rows
    if rule is None:
        if last.asked:
            open_ = _open(last, message.rows_of(last.table, frozenset()))
            yield from worth_asking(settle(open_, message.prose), likely=False)
        return
    if last.table.form == UNCHANGED:
        told = message.lines.lines[last.block.first].strip()
        yield Finding(last.check.phenomenon_id, "denied", "counts", told, "", "rows")
        return
    typed = [
        with_leads(rule, with_cores(rule, rows, message.said), message.key)
        for one in found
        for rows in readings_in(rule, message.rows_of(one.table, rule.texts))
    ]
    if not last.asked and not is_of_rule(rule, typed[-1]):
        return
    if last.check.on_standby and any(row.get("is_standby") is False for row in typed[-1]):
        yield Finding(last.check.phenomenon_id, "unknown", "counts", _row_words(last, 0), "", "wrong_server")
        return
    readings = [*(one.rows for one in earlier), *typed]
    elapsed = earlier[0].seconds if earlier else 0.0
    elapsed = elapsed or seconds_between(readings[0], typed[-1], message.said, last.check.check.how)
    verdict = judge_rows(rule, readings, elapsed if len(readings) > 1 else 0.0)
    finding = _finding(last, rule, typed[-1], verdict)
    if finding is None:
        return
    if finding.why == "one_reading" and (later := judge_told(rule, last.check.check.how, typed[-1], message.said)):
        yield _told(finding, later)
        return
    finding = finding if typed[-1] else _of_no_rows(finding, message.lines, last.block)
    if len(typed) > 1 and rule.repeat is None and not has_mark(message.said, MARKS.now):
        verdicts = {judge_rows(rule, (rows,), 0.0) for rows in typed} - {"unknown", None}
        finding = _doubted(finding) if len(verdicts) > 1 else finding
    if last.asked:
        finding = settle(finding, message.prose, value_of(rule, typed[-1][0]) if typed[-1] else "")
    yield from worth_asking(finding, _may_be_trouble(last, rule, typed[-1]))


def _finding(found: Recognised, rule: RowRule, rows: Sequence[Row], verdict: Verdict | None) -> Finding | None:
    """None where an output that nobody asked for leaves its phenomenon open."""
    identity = found.check.phenomenon_id
    if verdict is None:
        return Finding(
            identity, "unknown", "needs_second_reading", _row_words(found, 0), "", "one_reading", tuple(rows)
        )
    if verdict == "confirmed" and rule.asked_only and not found.asked:
        verdict = "unknown"
    if verdict == "unknown":
        return _open(found, rows) if found.asked or _may_be_trouble(found, rule, rows) else None
    if verdict == "denied" and (found.table.left_out or (found.table.form == "plan" and not found.asked)):
        # A plan is of one statement: it shows what is wrong with it, not what is right with the others.
        return None
    if not rows:
        return Finding(identity, verdict, found.standing, "(0 rows)", "", "no_rows")
    place = deciding_row(rule.confirmed, rows) if verdict == "confirmed" else 0
    value = value_of(rule, told_row(found.table, place, rows[place]))
    return Finding(identity, verdict, found.standing, _row_words(found, place), value, "rows")


def judge_later(finding: Finding, checks: CheckIndex, said: str) -> Finding | None:
    """An earlier finding that needs a second reading or a count, where words tell it; None where they do not."""
    indexed = checks.checks.get(finding.phenomenon_id)
    rule = indexed.check.rows if indexed else None
    if indexed is None or rule is None or finding.why not in ("one_reading", "open"):
        return None
    rows, how, counted = finding.rows, indexed.check.how, finding.why == "open"
    told = judge_counted(rule, rows, said) if counted else judge_told(rule, how, rows, said)
    return _told(finding, told) if told else None


def _may_be_trouble(found: Recognised, rule: RowRule, rows: Sequence[Row]) -> bool:
    only_denies = rule.confirmed is None and rule.denied is not None and found.standing == "counts"
    return is_likely(rule, rows) or (only_denies and found.table.form == "rows")


def _told(finding: Finding, told: tuple[Verdict, str]) -> Finding:
    """A finding that needed a second reading, as one told in words decides it."""
    return Finding(finding.phenomenon_id, told[0], "counts", told[1], "", "rows")


def _open(found: Recognised, rows: Sequence[Row]) -> Finding:
    """An output that decides nothing is worth a question: rows may be the phenomenon's, no rows its absence."""
    verdict: Verdict = "confirmed" if rows else "denied"
    rule = found.check.check.rows
    words = _row_words(found, deciding_row(rule.likely if rule else None, rows)) if rows else "(0 rows)"
    return Finding(found.check.phenomenon_id, verdict, "proposed", words, "", "open", tuple(rows))


def _row_words(found: Recognised, place: int) -> str:
    told = found.table.told or [" | ".join(filter(None, row)) for row in found.table.rows]
    return told[place][:_LONGEST] if place < len(told) else ""


def _of_no_rows(finding: Finding, lines: PastedLines, block: Block) -> Finding:
    """The finding in the words that tell of no rows; doubted where there are none: a heading alone may be a part."""
    own = lines.lines[block.first : block.last]
    told = next((line for line in own if FOOTER.fullmatch(line) or tells_empty_result(line)), None)
    return _doubted(finding) if told is None else replace(finding, words=told.strip())


def _doubted(finding: Finding) -> Finding:
    certain = finding.standing == "counts" and finding.verdict != "unknown"
    return replace(finding, standing="proposed") if certain else finding


def _echo_above(message: _Message, place: int) -> Block | None:
    """The query or command right above a block; several queries above one another are one echo."""
    words: list[Block] = []
    while place > 0 and message.blocks[place - 1].kind in ("echo", "query"):
        place -= 1
        words.insert(0, message.blocks[place])
    return replace(words[-1], words=";\n".join(block.words for block in words)) if words else None


def _prose(lines: PastedLines, blocks: Sequence[Block]) -> tuple[Span, ...]:
    """The person's own words: prose lines in a row are one span."""
    runs: list[tuple[int, int]] = []
    for block in blocks:
        if block.kind == "prose":
            first = runs.pop()[0] if runs and runs[-1][1] == block.first else block.first
            runs.append((first, block.last))
    places = [(lines.starts[first], lines.starts[last - 1] + len(lines.lines[last - 1])) for first, last in runs]
    return tuple(Span(start, end, lines.text[start:end]) for start, end in places)


def _language(prose: Sequence[Span]) -> Literal["zh", "en"] | None:
    words = " ".join(span.words for span in prose)
    chinese = sum("\u4e00" <= char <= "\u9fff" for char in words)
    latin = sum(part.isascii() and part.isalpha() for part in words.split())
    return "zh" if chinese > latin else "en" if latin > 1 else None
