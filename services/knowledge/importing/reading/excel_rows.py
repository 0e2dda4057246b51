"""Rows of an Excel workbook, streamed: displayed values, with merged cells repeated in each row and column."""

from __future__ import annotations

import datetime
import io
import re
import warnings
import zipfile
from collections.abc import Iterator
from typing import Any

from services.chassis.errors import InvalidInput
from services.knowledge.importing.reading.csv_rows import Row, Table

_OLD_FORMAT = b"\xd0\xcf\x11\xe0"
_MOST_BYTES = 1024 * 1024 * 1024
_MERGED = re.compile(rb'<(?:\w+:)?mergeCell\s[^>]*?ref="([A-Z]{1,3}\d{1,7}:[A-Z]{1,3}\d{1,7})"')
_CHUNK = 1024 * 1024
# A cell merged over more columns is decoration rather than a value for each of them.
_WIDEST_MERGE = 200
Merges = list[tuple[int, int, int, int]]


def excel_tables(content: bytes, sheet: str | None = None) -> Iterator[Table]:
    """The sheets in the workbook's order, or only `sheet`. Raises InvalidInput for anything but a workbook."""
    if content.startswith(_OLD_FORMAT):
        raise InvalidInput("invalid_tickets.old_workbook")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if sum(part.file_size for part in archive.infolist()) > _MOST_BYTES:
                raise InvalidInput("invalid_tickets.large_workbook")
            yield from _sheets(content, archive, sheet)
    except InvalidInput:
        raise
    # zipfile, the XML parser and openpyxl raise any of these for a corrupt workbook.
    except (
        zipfile.BadZipFile,
        KeyError,
        ValueError,
        TypeError,
        AttributeError,
        SyntaxError,
        OSError,
        EOFError,
    ) as error:
        raise InvalidInput("invalid_tickets.no_workbook", why=str(error)[:200]) from error


def _sheets(content: bytes, archive: zipfile.ZipFile, wanted: str | None) -> Iterator[Table]:
    import openpyxl

    with warnings.catch_warnings():
        # openpyxl warns about skipped styles and drawings, which are irrelevant here.
        warnings.simplefilter("ignore")
        workbook = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
        names = [sheet.title for sheet in workbook.worksheets]
        if wanted is not None and wanted not in names:
            raise InvalidInput("invalid_tickets.no_sheet", sheet=wanted, sheets=", ".join(map(repr, names)))
        for sheet in workbook.worksheets:
            if wanted in (None, sheet.title):
                sheet.reset_dimensions()
                merges = _merges(archive, sheet._worksheet_path)
                yield Table(sheet.title, tuple(_rows(sheet, merges)))
        workbook.close()


def _rows(sheet: Any, merges: Merges) -> Iterator[Row]:
    waiting = sorted(merges, reverse=True)
    open_now: Merges = []
    values: dict[tuple[int, int], str] = {}
    for number, found in enumerate(sheet.iter_rows(values_only=True), start=1):
        cells = [_text(value) for value in found]
        while waiting and waiting[-1][0] <= number:
            open_now.append(waiting.pop())
        joined: set[int] = set()
        for top, left, _, right in open_now:
            if len(cells) < right:
                cells += [""] * (right - len(cells))
            if top == number:
                values[top, left] = cells[left - 1]
            else:
                joined.update(range(left - 1, right))
            cells[left - 1 : right] = [values.get((top, left), "")] * (right - left + 1)
        open_now = [merge for merge in open_now if merge[2] > number]
        if any(cells):
            yield Row(number, tuple(cells), frozenset(joined))


def _merges(archive: zipfile.ZipFile, path: str) -> Merges:
    """The merged areas as first row, first column, last row, last column; the cell stream lacks them."""
    found: Merges = []
    kept = b""
    with archive.open(path.lstrip("/")) as part:
        while chunk := part.read(_CHUNK):
            text = kept + chunk
            end = 0
            for match in _MERGED.finditer(text):
                area = _area(match[1].decode())
                found += [area] if area[3] - area[1] < _WIDEST_MERGE else []
                end = match.end()
            kept = text[max(end, len(text) - 200) :]
    return found


def _area(reference: str) -> tuple[int, int, int, int]:
    from openpyxl.utils.cell import range_boundaries

    left, top, right, bottom = range_boundaries(reference)
    return top, left, bottom, right


def _text(value: object) -> str:
    """A cell as text: whole numbers without a fraction, dates as ISO 8601, empty cells as the empty string."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, datetime.datetime):
        at_midnight = value.time() == datetime.time()
        return value.date().isoformat() if at_midnight else value.isoformat(timespec="seconds")
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return str(value)
