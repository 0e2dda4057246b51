from __future__ import annotations

import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.cli.main import main
from services.chassis.errors import DbdiagError, InvalidInput, NotFound, Precondition
from services.collector.evidence.chain import ChainWriter, read_chain
from services.collector.evidence.evidence_store import EvidenceStore, read_evidence
from services.collector.evidence.session_evidence import verify
from services.collector.model import CheckOutcome

SECRET = "hunter2-secret"


def opened(root: Path, **options: object) -> EvidenceStore:
    """A store of the session `s`, with a redaction that knows one secret."""
    return EvidenceStore(root, "s", lambda text: text.replace(SECRET, "***"), lambda: 1.5, **options)  # type: ignore[arg-type]


def fill(root: Path, checks: int = 3) -> Path:
    """A session with some finished checks, one refused, and an index."""
    with opened(root) as store:
        for number in range(checks):
            ref = store.begin("pg.locks", "t", {"n": str(number)})
            store.finish(ref, CheckOutcome.DONE, "", f"row {number} {SECRET}", {"signals": [{"words": SECRET}]}, 0.1)
        store.refuse("pg.other", "t", "not_allowed")
        store.write_index("evidence_pack.json", {"checks": checks})
    return root / "s"


def test_an_output_is_found_again_by_its_reference(tmp_path: Path) -> None:
    """What a reference names is the redacted output, with the check that brought it."""
    folder = fill(tmp_path)
    evidence = read_evidence(folder, "0002-pg.locks")
    assert (evidence.check_id, evidence.redacted_output) == ("pg.locks", "row 1 ***")


@pytest.mark.parametrize("ref", ["0009-pg.locks", "../../etc/passwd", "", "0001-pg/locks"])
def test_a_reference_leads_nowhere_else(tmp_path: Path, ref: str) -> None:
    """A reference that names no stored output is refused, whatever path it spells."""
    folder = fill(tmp_path)
    with pytest.raises((NotFound, InvalidInput)):
        read_evidence(folder, ref)


@pytest.mark.parametrize("session_id", ["", "..", ".hidden", "a/b", "x" * 65])
def test_a_session_id_is_a_name(tmp_path: Path, session_id: str) -> None:
    """An id that could lead out of the folder is refused."""
    with pytest.raises(InvalidInput):
        EvidenceStore(tmp_path, session_id, str, lambda: 0.0)


def test_redaction_leaves_what_the_store_itself_says(tmp_path: Path) -> None:
    """Digests, references and ids are kept as they are, even where redaction would take any digit for a secret."""
    with EvidenceStore(tmp_path, "s", lambda text: re.sub(r"\d", "#", text), lambda: 1.5) as store:
        ref = store.begin("pg.locks15", "t", {"n": "7"})
        store.finish(ref, CheckOutcome.DONE, "", "row 1", {"signals": [{"words": "1"}]}, 0.1)
        store.write_index("evidence_pack.json", {"checks": 1})
    assert verify(tmp_path / "s").faults == ()


def test_no_secret_is_kept(tmp_path: Path) -> None:
    """What redaction knows stands in no file of the session, the raw part and the log included."""
    folder = fill(tmp_path)
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert len(files) > 9
    assert [path for path in files if SECRET in path.read_text()] == []


def test_raw_outputs_are_kept_on_demand_and_for_one_user(tmp_path: Path) -> None:
    """Who asks for raw outputs gets them as they came, readable by nobody else."""
    with opened(tmp_path, keep_raw=True) as store:
        ref = store.begin("pg.locks", "t", {})
        store.finish(ref, CheckOutcome.DONE, "", SECRET, {}, 0.1)
    path = tmp_path / "s" / "raw" / f"{ref}.json"
    assert json.loads(path.read_text())["output"] == SECRET
    assert path.stat().st_mode & 0o077 == 0


def test_a_large_output_is_cut_and_says_so(tmp_path: Path) -> None:
    """An output beyond the cap is kept as far as it fits, and marked."""
    with opened(tmp_path, most_bytes=1000) as store:
        ref = store.begin("pg.locks", "t", {})
        store.finish(ref, CheckOutcome.DONE, "", "语" * 5000, {}, 0.1)
    body = json.loads((tmp_path / "s" / "redacted" / f"{ref}.json").read_text())
    assert body["truncated"] is True
    assert len(body["output"].encode()) <= 1000
    assert set(body["output"]) == {"语"}


def test_an_untouched_session_verifies(tmp_path: Path) -> None:
    """What nobody changed has no fault."""
    found = verify(fill(tmp_path))
    assert (found.faults, found.outputs, found.unfinished) == ((), 3, ())
    assert found.entries == len((tmp_path / "s" / "audit.jsonl").read_text().splitlines())


def _change(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"row 1", b"row 7"))


def _drop_line(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:3] + lines[4:]))


def _swap_lines(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    lines[2], lines[3] = lines[3], lines[2]
    path.write_bytes(b"".join(lines))


@pytest.mark.parametrize(
    ("name", "harm"),
    [
        ("redacted/0002-pg.locks.json", _change),
        ("redacted/0002-pg.locks.json", Path.unlink),
        ("parsed/0001-pg.locks.json", lambda path: path.write_text("{}")),
        ("raw/0001-pg.locks.json", lambda path: path.write_text("{}")),
        ("index/evidence_pack.json", lambda path: path.write_text("{}")),
        ("redacted/0009-pg.locks.json", lambda path: path.write_text("{}")),
        ("audit.jsonl", _drop_line),
        ("audit.jsonl", _swap_lines),
        ("audit.jsonl", lambda path: path.write_bytes(path.read_bytes().replace(b'"n":"1"', b'"n":"2"'))),
    ],
)
def test_every_change_is_found(tmp_path: Path, name: str, harm: Callable[[Path], None]) -> None:
    """Whatever of a session is changed, added, moved or taken away is a fault, and the verb ends with 1."""
    folder = fill(tmp_path)
    harm(folder / name)
    assert verify(folder).faults
    assert main(["audit", "verify", str(folder), "--json"]) == 1


def test_an_end_that_was_cut_off_is_found_by_its_head(tmp_path: Path) -> None:
    """The chain alone cannot tell that its last lines are gone; the head that was noted elsewhere can."""
    folder = fill(tmp_path)
    head = verify(folder).head
    assert verify(folder, head).faults == ()
    path = folder / "audit.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    assert any("cut off" in fault.text() for fault in verify(folder, head).faults)


def test_a_changed_log_is_not_written_on(tmp_path: Path) -> None:
    """Who appends to a log that was changed is refused: nothing is signed after a break."""
    folder = fill(tmp_path)
    _swap_lines(folder / "audit.jsonl")
    with pytest.raises(Precondition, match="changed"):
        opened(tmp_path)


def test_a_session_has_one_writer(tmp_path: Path) -> None:
    """A second writer of the same session is refused while the first is there."""
    with opened(tmp_path), pytest.raises(Precondition, match="another process"):
        opened(tmp_path)


@given(cut=st.integers(min_value=0, max_value=2000), data=st.data())
@settings(max_examples=10, deadline=None)
def test_a_torn_end_is_read_and_written_on(
    tmp_path_factory: pytest.TempPathFactory, cut: int, data: st.DataObject
) -> None:
    """Wherever a kill cuts the log, what stood whole before it is read, and the next writer goes on."""
    path = tmp_path_factory.mktemp("torn") / "audit.jsonl"
    writer = ChainWriter(path)
    for number in range(5):
        writer.append({"event": "e", "n": number, "text": data.draw(st.text(max_size=5))})
    writer.close()
    whole = path.read_bytes()
    kept = whole[: min(cut, len(whole))]
    path.write_bytes(kept)
    chain = read_chain(path)
    assert chain.fault is None
    assert len(chain.entries) == kept.count(b"\n")
    again = ChainWriter(path)
    again.append({"event": "after"})
    again.close()
    assert (read_chain(path).fault, read_chain(path).torn) == (None, b"")


_WRITER = """
import sys
from pathlib import Path
from services.collector.evidence.evidence_store import EvidenceStore
from services.collector.model import CheckOutcome
with EvidenceStore(Path(sys.argv[1]), "s", str, lambda: 1.0) as store:
    print("ready", flush=True)
    while True:
        ref = store.begin("pg.locks", "t", {})
        store.finish(ref, CheckOutcome.DONE, "", "x" * 3000, {}, 0.1)
        store.write_index("evidence_pack.json", {"last": ref})
"""


@pytest.mark.parametrize("seconds", [0.0, 0.03])
def test_a_killed_writer_leaves_a_session_that_verifies_and_goes_on(tmp_path: Path, seconds: float) -> None:
    """After kill -9 at any moment nothing is at fault, and the session can be written on."""
    child = subprocess.Popen([sys.executable, "-c", _WRITER, str(tmp_path)], stdout=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stdout.readline() == b"ready\n"
    time.sleep(seconds)
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    child.stdout.close()
    assert verify(tmp_path / "s").faults == ()
    with opened(tmp_path) as store:
        store.finish(store.begin("pg.locks", "t", {}), CheckOutcome.DONE, "", "y", {}, 0.1)
    assert verify(tmp_path / "s").faults == ()


def test_the_verb_says_where_there_is_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder without a log is bad input, told in one line."""
    assert main(["audit", "verify", str(tmp_path)]) == 2
    assert "no audit log" in capsys.readouterr().err
    assert issubclass(NotFound, DbdiagError)


def test_the_verb_tells_the_head(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A whole session ends with 0 and names the head to note."""
    folder = fill(tmp_path)
    assert main(["audit", "verify", str(folder)]) == 0
    assert f"head {verify(folder).head}" in capsys.readouterr().out


def test_a_full_disk_is_told_and_gone_on_with(tmp_path: Path) -> None:
    """Wherever the place ends, what could not be written is named, nothing is half there, and later it goes on."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        for most in (20, 400, 900):
            root = tmp_path / str(most)
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
            with pytest.raises(Precondition) as full:
                _one_step(root)
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
            assert full.value.reason == "evidence_not_writable"
            assert str(root) in full.value.message
            assert not list(root.rglob("*.part"))
            _one_step(root)
            assert verify(root / "s").faults == ()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def _one_step(root: Path) -> None:
    with EvidenceStore(root, "s", str, lambda: 9.0) as store:
        ref = store.begin("pg.locks", "orders", {})
        store.finish(ref, CheckOutcome.DONE, "", "x" * 2000, {"signals": []}, 0.1)
