"""Importing tickets: ids, order, repetition, refusals, crashes."""

from __future__ import annotations

import json
import os
import random
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import yaml

from services.chassis.errors import InvalidInput
from services.knowledge.importing.importer import import_tickets
from services.knowledge.library.load import load
from services.knowledge.model import ImportReport
from services.knowledge.snapshots.compile import compile_libraries
from tests.support.examples import every
from tests.support.sample_libraries import (
    EXAMPLE_EXPORT,
    as_export,
    exported,
    phenomenon,
    root_cause,
    ticket,
    tree_hash,
    write_library,
)

TICKETS = [
    exported("T-1", "索引缺失", "io_wait 占比 65%，远超日常 20% 水平", "打印机没有纸了"),
    exported("T-2", "连接泄漏", "io_wait 占比 70%", "应用没有归还 12 个连接"),
    exported("T-3", "索引缺失", "打印机没有纸了", "work_mem 设置为 4MB，明显不足"),
    exported("T-4", "The fan is broken", "the fan makes a noise", "temperature of the rack above 40 degrees"),
]


def take(folder: Path, tickets: list[dict[str, Any]], base: tuple[Path, ...] = ()) -> ImportReport:
    """Imports these tickets into the library at `folder`."""
    return import_tickets(as_export(tickets), "json", folder, base)


def ids(folder: Path, *base: Path) -> dict[str, list[str | None]]:
    """Each ticket's cause id and phenomenon ids."""
    tickets = load([*base, folder]).tickets
    return {
        name: [item.root_cause_id, *(seen.phenomenon_id for seen in item.anomalies)] for name, item in tickets.items()
    }


def test_what_says_the_same_becomes_one(tmp_path: Path) -> None:
    """Equal statements behind different numbers share a phenomenon, equal causes share a cause, the rest is new."""
    report = take(tmp_path, TICKETS)
    assert (report.tickets, report.new_tickets, report.anomalies) == (4, 4, 8)
    assert (report.new_phenomena, report.new_root_causes, report.merged_anomalies) == (6, 3, 2)
    found = ids(tmp_path)
    assert found["T-1"][1] == found["T-2"][1]
    assert found["T-1"][2] == found["T-3"][1]
    assert found["T-1"][0] == found["T-3"][0]
    entry = load([tmp_path]).phenomena[str(found["T-1"][1])]
    assert entry.name.zh == "io_wait 占比一半以上"
    assert entry.untranslated == "en"
    assert "65%" in load([tmp_path]).tickets["T-1"].anomalies[0].description


def test_importing_again_changes_no_byte(tmp_path: Path) -> None:
    """The second import of the same export adds nothing and leaves every file as it was."""
    take(tmp_path, TICKETS)
    before = tree_hash(tmp_path)
    report = take(tmp_path, TICKETS)
    assert (report.tickets, report.new_tickets, report.new_phenomena, report.merged_anomalies) == (4, 0, 0, 0)
    assert tree_hash(tmp_path) == before


def test_the_order_of_an_export_never_matters(tmp_path: Path) -> None:
    """Any order of the records, and of a record's keys, gives the same library byte for byte."""
    tickets = json.loads(EXAMPLE_EXPORT.read_text(encoding="utf-8")) + TICKETS
    seen = set()
    for seed in range(3):
        shuffled = [dict(reversed(item.items())) if seed else item for item in tickets]
        random.Random(seed).shuffle(shuffled)
        take(tmp_path / str(seed), shuffled)
        seen.add(tuple(tree_hash(tmp_path / str(seed)).items()))
    assert len(seen) == 1


def test_ids_stay_when_tickets_are_added(tmp_path: Path) -> None:
    """Later imports never change an id that was given, and a known statement gets the id it has."""
    take(tmp_path, TICKETS[:2])
    before = ids(tmp_path)
    report = take(tmp_path, [exported("A-0", "磁盘坏了", "打印机没有纸了", "磁盘亮红灯"), *TICKETS])
    after = ids(tmp_path)
    assert {name: after[name] for name in before} == before
    assert after["A-0"][1] == before["T-1"][2]
    assert report.new_tickets == 3


def test_ids_survive_the_loss_of_the_review(tmp_path: Path) -> None:
    """Without its review file a library still gives known statements their ids, and no number is used twice."""
    take(tmp_path, TICKETS)
    before = ids(tmp_path)
    (tmp_path / "review.yaml").unlink()
    take(tmp_path, [*TICKETS, exported("T-9", "新的", "打印机没有纸了", "从来没有见过的事")])
    after = ids(tmp_path)
    assert {name: after[name] for name in before} == before
    assert after["T-9"][1] == before["T-1"][2]
    assert after["T-9"][2] not in {item for found in before.values() for item in found}


def test_a_clear_match_with_the_base_is_taken(tmp_path: Path) -> None:
    """An anomaly that says what a phenomenon of the base says gets its id, in either language, and adds no entry."""
    known = phenomenon("P-0001", "deadlock detected 报错", aliases={"zh": ["应用报死锁"], "en": ["deadlock errors"]})
    base = write_library(
        tmp_path / "base", phenomena=[known, phenomenon("P-0002", "磁盘满")], root_causes=[], tickets=[]
    )
    site = tmp_path / "site"
    take(site, [exported("T-1", "x", "应用报死锁 30 次"), exported("T-2", "y", "deadlock errors")], (base,))
    found = ids(site, base)
    assert found["T-1"][1] == found["T-2"][1] == "P-0001"
    assert not (site / "phenomena").exists()
    assert compile_libraries([base, site])


@every(3)
def test_a_crash_at_any_write_leaves_a_valid_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, every: int
) -> None:
    """Whichever write an import dies at, the library loads; importing again gives what an undisturbed import gives."""
    take(tmp_path / "whole", TICKETS)
    whole = tree_hash(tmp_path / "whole")
    replace = os.replace
    for survived in range(0, len(whole), every):
        calls, site = count(), tmp_path / f"site{survived}"

        def dying(source: str, target: Path, calls: count[int] = calls, survived: int = survived) -> None:
            if next(calls) >= survived:
                raise KeyboardInterrupt
            replace(source, target)

        with monkeypatch.context() as patched:
            patched.setattr(os, "replace", dying)
            with pytest.raises(KeyboardInterrupt):
                take(site, TICKETS)
        if survived > 1:
            assert load([site]).tickets == {}
        take(site, TICKETS)
        assert tree_hash(site) == whole


def test_given_ids_are_kept(tmp_path: Path) -> None:
    """A ticket that names its cause and phenomena keeps them; one that names what does not exist is refused."""
    base = write_library(tmp_path / "base", tickets=[])
    site = tmp_path / "site"
    report = take(site, [ticket("T-1"), ticket("T-2", cause="RC-0404"), ticket("T-3", seen=["P-0404"])], (base,))
    assert ids(site, base) == {"T-1": ["RC-0001", "P-0001"]}
    assert [(item.record, item.field) for item in report.rejected] == [
        (2, "root_cause_id"),
        (3, "anomalies.0.phenomenon_id"),
    ]


def test_a_changed_ticket_is_refused_as_changed(tmp_path: Path) -> None:
    """The same id with other content is refused naming the field, in a later export and within one."""
    take(tmp_path, TICKETS)
    before = tree_hash(tmp_path)
    again = [{**TICKETS[0], "solution": "买纸"}, exported("T-5", "a", "x"), exported("T-5", "b", "x")]
    report = take(tmp_path, again)
    assert [(item.record, item.ticket_id, item.field) for item in report.rejected] == [
        (1, "T-1", "solution"),
        (2, "T-5", "ticket_id"),
        (3, "T-5", "ticket_id"),
    ]
    assert tree_hash(tmp_path) == before


def test_an_id_of_the_base_is_refused(tmp_path: Path) -> None:
    """A ticket id that another library uses is refused, so that both can be compiled together."""
    base = write_library(tmp_path / "base")
    report = take(tmp_path / "site", [exported("TK-1", "a", "b")], (base,))
    assert [(item.ticket_id, item.field) for item in report.rejected] == [("TK-1", "ticket_id")]


def test_bad_records_are_refused_and_the_rest_goes_on() -> None:
    """Each bad record is named by number, id and field; good ones around it are read."""
    from services.knowledge.importing.reading.exports import read_export

    good = exported("T-1", "a", "x")
    lines = [
        json.dumps(good, ensure_ascii=False),
        "{not json",
        "",
        '"text"',
        json.dumps({**good, "ticket_id": "T-2", "anomalys": []}),
        json.dumps({**good, "ticket_id": "T-3", "anomalies": [{"description": ""}]}),
        json.dumps({**good, "ticket_id": "T-4", "description": "x" * 20_001}),
        json.dumps({**good, "ticket_id": "T-5", "description": "\ud800"}),
        json.dumps({**good, "ticket_id": "T-6"}),
    ]
    records, rejected = read_export("\n".join(lines).encode(), "jsonl")
    assert [record.ticket.ticket_id for record in records] == ["T-1", "T-6"]
    assert [(item.record, item.ticket_id, item.field) for item in rejected] == [
        (2, "", ""),
        (4, "", ""),
        (5, "T-2", "anomalys"),
        (6, "T-3", "anomalies.0.description"),
        (7, "T-4", "description"),
        (8, "T-5", "description"),
    ]
    assert "nearest known one is anomalies" in rejected[2].reason.text()
    # The reason is in the reader's language.
    assert rejected[4].reason.text("zh") == "超过 20000 个字符"


@pytest.mark.parametrize(
    ("content", "form"),
    [(b"", "json"), (b"{}", "json"), (b"[1,", "json"), (b"\xff", "jsonl"), (b"[]", "csv"), (b"[" * 100_000, "json")],
)
def test_an_unreadable_export_is_refused_whole(tmp_path: Path, content: bytes, form: str) -> None:
    """What is no list of tickets in UTF-8 writes nothing and is refused with reason invalid_tickets."""
    with pytest.raises(InvalidInput) as caught:
        import_tickets(content, form, tmp_path / "site", ())
    assert caught.value.reason == "invalid_tickets"
    assert not (tmp_path / "site").exists()


def test_a_solution_keeps_its_steps(tmp_path: Path) -> None:
    """Numbered lines become steps in their order, with the statement after the colon as what to run, and a risk."""
    look, drop = "SELECT count(*) FROM pg_stat_activity", "SELECT pg_drop_replication_slot('s')"
    solution = f"1. 看一眼: {look}\n2. 调整两个参数:\n   - a\n3. 删除旧槽: {drop}"
    take(
        tmp_path, [exported("T-1", "槽没人用", "槽不动", solution=solution, metadata={"module": "logical_replication"})]
    )
    (cause,) = load([tmp_path]).root_causes.values()
    assert cause.category == "LOGICAL_REPLICATION"
    assert [(step.do.zh, step.how, step.risk) for step in cause.solution] == [
        (f"看一眼: {look}", look, "medium"),
        ("调整两个参数: - a", None, "medium"),
        (f"删除旧槽: {drop}", drop, "high"),
    ]


def test_a_persons_changes_to_an_entry_stay(tmp_path: Path) -> None:
    """A phenomenon that somebody renamed and translated keeps its words through further imports."""
    take(tmp_path, TICKETS)
    (file,) = [path for path in (tmp_path / "phenomena").iterdir() if "打印机" in path.read_text(encoding="utf-8")]
    entry = yaml.safe_load(file.read_text(encoding="utf-8"))
    entry["name"] = {"zh": "打印机缺纸", "en": "printer out of paper"}
    del entry["untranslated"]
    file.write_text(yaml.safe_dump(entry, allow_unicode=True), encoding="utf-8")
    before = file.read_bytes()
    take(tmp_path, [*TICKETS, exported("T-8", "没人加纸", "打印机没有纸了")])
    assert file.read_bytes() == before
    assert ids(tmp_path)["T-8"][1] == entry["id"]


def test_causes_follow_words_and_signs(tmp_path: Path) -> None:
    """A cause's words decide; its linked phenomena tell between causes whose words fit, and never carry one alone."""
    causes = [
        {**root_cause("RC-0001", ["P-0001"]), "name": {"zh": "连接泄漏", "en": "connection leak"}},
        {**root_cause("RC-0002", ["P-0002"]), "name": {"zh": "磁盘故障", "en": "disk failing"}},
    ]
    both = [phenomenon("P-0001", "连接数打满"), phenomenon("P-0002", "磁盘报 I/O error")]
    base = write_library(tmp_path / "base", both, causes, [])
    site = tmp_path / "site"
    take(
        site,
        [exported("T-1", "应用连接泄漏", "连接数打满"), exported("T-2", "海底光缆断了", "磁盘报 I/O error")],
        (base,),
    )
    found = ids(site, base)
    assert found["T-1"] == ["RC-0001", "P-0001"]
    assert found["T-2"] == ["RC-5000", "P-0002"]
