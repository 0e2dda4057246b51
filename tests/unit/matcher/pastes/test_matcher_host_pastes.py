"""What a host or its console prints decides all that it shows, in the words that were pasted."""

from __future__ import annotations

import pytest

from lang.judging.dialogue import Topics
from services.matcher.message_reader import MessageReader
from services.matcher.model import Reading, Standing
from tests.support.cases import for_each
from tests.support.matching import shipped_reader

DISKS = """avg-cpu:  %user   %nice %system %iowait  %steal   %idle
           6.12    0.00    2.87   {iowait}    0.10   22.50

Device   r/s     rkB/s   r_await  w/s    wkB/s   w_await  aqu-sz  %util
vdb    182.00  2912.00   88.41  118.00  2204.00  96.73   27.52  100.00
vda      9.00   112.00    0.41   11.00   204.00   0.73    0.52    2.00
vdb    179.00  2864.00   91.02  121.00  2188.00  98.10   28.16  100.00
vda      9.00   112.00    0.41   11.00   204.00   0.73    0.52    2.00
"""
BURST, WAL, IO, BUSY, CPU_CREDITS = "P-0157", "P-0128", "P-0010", "P-0011", "P-0379"


@pytest.fixture(scope="module")
def reader() -> MessageReader:
    return shipped_reader()


def counted(reader: MessageReader, message: str, *asked: str) -> dict[str, Reading]:
    readings = [item.reading for item in reader.read(message, Topics(pending=asked)).readings]
    return {each.phenomenon_id: each for each in readings if each.standing is Standing.COUNTS}


@for_each(
    ("said", "name", "verdict"),
    [
        ("突发余额(Burst Balance)  09:00 41%  09:30 19%  10:00 2%  10:15 0%", BURST, "confirmed"),
        ("BurstBalance (%)\n08:00 97\n09:00 60\n10:20 3", BURST, "confirmed"),
        ("burst balance 09:00 97%, 10:00 91%, 11:00 88%", BURST, "denied"),
        ("CPUCreditBalance 08:00 288  09:00 140  10:10 0", CPU_CREDITS, "confirmed"),
        ("disk util 09:00 40%  09:30 70%  10:00 99%", BUSY, "confirmed"),
    ],
)
def test_a_series_is_judged_by_what_became_of_it(said: str, name: str, verdict: str, reader: MessageReader) -> None:
    """A balance that ran out has run out, however full it was; the words stay as they were pasted."""
    found = counted(reader, said)[name]
    assert (found.verdict, found.words.split()) == (verdict, said[said.index(found.words) :].split())


def test_the_device_that_holds_the_wal_may_be_told(reader: MessageReader) -> None:
    """Words that put pg_wal on a device make its rows those of the WAL's; a denial or another device does not."""
    shown = DISKS.format(iowait="68.41")
    for said in ("数据和pg_wal都在vdb上\n", "pg_wal sits on /dev/vdb1\n"):
        assert counted(reader, said + shown)[WAL].verdict == "confirmed"
        assert counted(reader, said.replace("vdb", "vda") + shown)[WAL].verdict == "denied"
    for said in ("", "pg_wal is not on vdb\n", "is pg_wal on vdb?\n", "the backups are on vdb\n"):
        assert WAL not in counted(reader, said + shown)


def test_shares_of_the_cpu_tell_of_waits_for_the_disk(reader: MessageReader) -> None:
    """More than half of the time waiting for IO is much; less denies nothing, and swapping waits for the disk, too."""
    assert counted(reader, DISKS.format(iowait="68.41"))[IO].verdict == "confirmed"
    assert IO not in counted(reader, DISKS.format(iowait="8.41"))
    samples = (
        " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n"
        " 1 15      0 812100  10212 512340   {0}    0  2864  2188 1790 2871  5  3 21 71  0\n"
    )
    assert counted(reader, samples.format(0))[IO].verdict == "confirmed"
    assert IO not in counted(reader, samples.format(911))


def test_a_row_of_samples_is_quoted_as_it_was_pasted(reader: MessageReader) -> None:
    """What several samples come to is reckoned, and no row of it was ever printed."""
    shown = DISKS.format(iowait="68.41")
    words = counted(reader, shown)[BUSY].words
    assert words.split(" | ") in [line.split() for line in shown.splitlines()]


SESSIONS = """ pid  | state  | wait_event_type | wait_event   | query
------+--------+-----------------+--------------+--------
 7    | active | IO              | DataFileRead | SELECT 1
 8    | active | IO              | DataFileRead | SELECT b FROM c
 9    | active | IO              | {}           | COMMIT
 10   | active | LWLock          | WALWrite     | COMMIT"""


def test_sessions_that_wait_for_reads_and_for_the_wal_wait_for_the_disk(reader: MessageReader) -> None:
    """Most of their waits are of IO, and of both kinds; reads alone may be those of what one statement wants."""
    assert counted(reader, SESSIONS.format("WALSync"))[IO].verdict == "confirmed"
    rows = SESSIONS.format("DataFileRead").replace("WALWrite", "ProcArray")
    assert IO not in counted(reader, rows)
