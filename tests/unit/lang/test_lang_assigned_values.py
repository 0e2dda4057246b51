"""Values that are written as `name=value`: they are of that name."""

from __future__ import annotations

from tests.support.cases import for_each
from tests.support.hearing import Evidence, Judged


@for_each(
    ("message", "expected"),
    [
        ("deadlocks=0 conflicts=3", {"DEADLOCK": "denied"}),
        ("deadlocks=2 conflicts=0", {"DEADLOCK": "confirmed"}),
        ("死锁 cnt=0", {"DEADLOCK": "denied"}),
        ("deadlocks: count=4", {"DEADLOCK": "confirmed"}),
        ("disk used=97%", {"DISK": "confirmed"}),
        ("the disk scan said calls=1", {}),
        ("磁盘那个脚本 loops=3", {}),
    ],
)
def test_a_value_is_of_the_name_that_it_is_assigned_to(evidence: Judged, message: str, expected: Evidence) -> None:
    """Of an event or a share another name's number says nothing; words for a value name the subject itself."""
    found = evidence(message)
    assert {name: verdict for name, verdict in found.items() if name in ("DEADLOCK", "DISK")} == expected
