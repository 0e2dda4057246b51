"""Outputs whose one column or line decides, in the forms in which people paste them."""

from __future__ import annotations

import pytest

from services.matcher.message_reader import MessageReader
from services.matcher.model import Reading, Standing
from tests.support.cases import for_each
from tests.support.matching import shipped_reader

CHANGED, OFF, INVALID = "P-0081", "P-0066", "P-0096"
THROTTLED, XMIN, SYNC, REFUSED = "P-0157", "P-0070", "P-0348", "P-0421"


@pytest.fixture(scope="module")
def reader() -> MessageReader:
    return shipped_reader()


def read(reader: MessageReader, message: str) -> dict[str, Reading]:
    return {item.reading.phenomenon_id: item.reading for item in reader.read(message).readings}


def counts(reader: MessageReader, message: str, name: str) -> str | None:
    found = read(reader, message).get(name)
    return found.verdict if found and found.standing is Standing.COUNTS else None


@for_each(
    ("options", "verdict"),
    [
        ("{fillfactor=80,autovacuum_enabled=off}", "confirmed"),
        ("{autovacuum_enabled=false}", "confirmed"),
        ("{fillfactor=80}", None),
        ("{autovacuum_enabled=true}", None),
    ],
)
def test_the_options_of_a_table_tell_that_it_is_not_vacuumed(
    options: str, verdict: str | None, reader: MessageReader
) -> None:
    """The storage options of a table switch autovacuum off for it, and nothing else in them does."""
    assert (
        counts(reader, f" relname | reloptions\n---------+------------\n parcels | {options}\n(1 row)", OFF) == verdict
    )


@pytest.mark.parametrize(("shown", "verdict"), [("f", "confirmed"), ("t", None)])
def test_whether_an_index_is_valid_needs_no_name_beside_it(
    shown: str, verdict: str | None, reader: MessageReader
) -> None:
    """The result of a query for one index has the one column that was asked for."""
    assert counts(reader, f" indisvalid\n------------\n {shown}\n(1 row)", INVALID) == verdict


@for_each(
    ("live", "changed", "seen"),
    [(180_000_000, 21_000_000, "proposed"), (9_000_000, 2_100_000, "counts"), (180_000_000, 400_000, "denied")],
)
def test_many_millions_of_changed_rows_are_never_a_no(
    live: int, changed: int, seen: str, reader: MessageReader
) -> None:
    """Millions of rows that statistics do not know may mislead a plan, though they are a small share of the table."""
    shown = f""" relname | n_live_tup | n_mod_since_analyze |    last_autoanalyze    | last_analyze
---------+------------+---------------------+------------------------+--------------
 parcels | {live} | {changed} | 2026-03-02 04:10:09+00 |
(1 row)"""
    found = read(reader, shown)[CHANGED]
    kinds = {"proposed": Standing.PROPOSED, "counts": Standing.COUNTS, "denied": Standing.COUNTS}
    assert found.standing is kinds[seen]
    assert found.verdict == ("denied" if seen == "denied" else "confirmed")


DISKS = "Device  r/s  w/s  rkB/s  wkB/s  r_await  w_await  aqu-sz  %util\n"
FLAT = ((420, 180), (431, 170), (398, 201), (415, 186))


@for_each(
    ("samples", "wait", "busy", "verdict"),
    [
        (FLAT, 61.0, 100.0, "confirmed"),
        (((420, 180), (700, 170), (398, 261), (515, 86)), 61.0, 100.0, None),
        (FLAT, 0.8, 40.0, None),
        (FLAT[:2], 61.0, 100.0, None),
    ],
)
def test_a_busy_disk_that_does_the_same_number_each_time_is_throttled(
    samples: tuple[tuple[int, int], ...], wait: float, busy: float, verdict: str | None, reader: MessageReader
) -> None:
    """Reads and writes share one number in all samples while both wait: that is a limit, not the load."""
    rows = [f"sdc  {r}  {w}  9000  4000  {wait}  {wait}  30.1  {busy}\n" for r, w in samples]
    assert counts(reader, DISKS + "".join(rows), THROTTLED) == verdict


def test_the_number_of_a_transaction_is_no_age(reader: MessageReader) -> None:
    """VACUUM names the oldest transaction that it spares; how old that is it tells in other words."""
    named = "DETAIL:  4120 dead row versions cannot be removed yet, oldest xmin: 73120044"
    assert counts(reader, named, XMIN) is None
    aged = "removable cutoff: 73120044, which was 25012345 XIDs old when operation ended"
    assert counts(reader, aged, XMIN) == "confirmed"


@pytest.mark.parametrize(("seconds", "verdict"), [("21.402", "confirmed"), ("0.112", None)])
def test_a_checkpoint_tells_how_long_it_waited_for_the_disk(
    seconds: str, verdict: str | None, reader: MessageReader
) -> None:
    """One line of the log with a sync of many seconds says it; a short one denies nothing about the others."""
    line = f"LOG:  checkpoint complete: wrote 5120 buffers (3.1%); write=60.1 s, sync={seconds} s, total=83.9 s"
    assert counts(reader, line, SYNC) == verdict


@for_each(
    "shown",
    [
        "ERROR: failed to push 00000001000000AB, ExpiredToken: The provided token has expired.",
        "upload failed: pg_wal/00AB to s3://wal\nAn error occurred (SignatureDoesNotMatch) when calling PutObject",
        "archive script says InvalidAccessKeyId",
    ],
)
def test_the_store_that_refuses_the_upload_is_named(shown: str, reader: MessageReader) -> None:
    """What the store answers to the archive command tells which of the ways of failing it is."""
    assert counts(reader, shown, REFUSED) == "confirmed"
    assert counts(reader, "archive command failed with exit code 1, the bucket answers in time", REFUSED) is None
