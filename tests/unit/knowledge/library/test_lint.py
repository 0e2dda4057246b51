"""`dbdiag knowledge lint`: what is valid and still not good is found, with its place and what to do."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from click.testing import CliRunner

from gateway.cli.knowledge.knowledge import validate
from gateway.cli.knowledge.lint import lint as lint_verb
from services.chassis.errors import DependencyDown
from services.engine.tables.parameters import DEFAULT_PARAMETERS
from services.knowledge.library.lint.findings import Finding
from services.knowledge.library.lint.lint import lint
from services.knowledge.library.lint.structure import bits_apart
from services.knowledge.library.schema import Strength
from services.knowledge.library.shipped_libraries import names
from services.knowledge.sql_texts import find_refused
from sql_admission.rules import VERSIONS, catalogue, versions_of
from tests.support.sample_libraries import phenomenon, root_cause, ticket, write_library
from tests.support.servers.postgres import postgres
from tests.support.shipped_libraries import shipped_library

RATES = DEFAULT_PARAMETERS.expert_rates


def good(count: int = 2) -> dict[str, list[dict[str, Any]]]:
    """A library without a finding: causes that share no phenomenon."""
    phenomena, causes, tickets = [], [], []
    for number in range(1, count + 1):
        one = phenomenon(f"P-000{number}", f"sight {number}")
        one["aliases"] = {"zh": [f"看到{number}"], "en": [f"seen {number}"]}
        one["name"] = {"zh": f"现象{number}", "en": f"sight {number}"}
        cause = root_cause(f"RC-000{number}")
        cause |= {
            "name": {"zh": f"根因{number}", "en": f"cause {number}"},
            "aliases": {"zh": [f"因为{number}"], "en": [f"because {number}"]},
            "links": [
                {"phenomenon": one["id"], "strength": "always", "why": {"zh": f"理由{number}", "en": f"why {number}"}}
            ],
            "solution": [{"do": {"zh": "建", "en": "build"}, "risk": "none"}],
            "verify": {"zh": "好了", "en": "it is well"},
        }
        phenomena.append(one)
        causes.append(cause)
        tickets.append(ticket(f"TK-{number}", cause=cause["id"], seen=[one["id"]]))
    return {"phenomena": phenomena, "root_causes": causes, "tickets": tickets}


def found(folder: Path, parts: dict[str, list[dict[str, Any]]]) -> list[Finding]:
    """What lint says of a library made of `parts`."""
    return lint([write_library(folder, **parts)], RATES)


def rules(findings: list[Finding]) -> set[tuple[str, str, str]]:
    """Severity, rule and entry of each."""
    return {(str(item.severity), item.rule, item.entry) for item in findings}


def test_a_good_library_has_no_finding(tmp_path: Path) -> None:
    """What the other tests spoil is clean before."""
    assert found(tmp_path, good()) == []


def test_every_strength_has_a_rate() -> None:
    """The words that a link may use are those of which the engine knows how often they mean."""
    assert RATES.keys() == set(Strength)


def spoiled(
    *, phenomena: dict[str, Any] | None = None, cause: dict[str, Any] | None = None
) -> dict[str, list[dict[str, Any]]]:
    """The good library with the first phenomenon or cause changed."""
    parts = copy.deepcopy(good())
    parts["phenomena"][0] |= phenomena or {}
    parts["root_causes"][0] |= cause or {}
    return parts


WHY = {"zh": "理由", "en": "why"}


def asked(zh: str, en: str, answer: str = "no") -> dict[str, Any]:
    """A question of a cause with one wording a language."""
    return {"asked": {"zh": [zh], "en": [en]}, "answer": {"zh": "不会", "en": answer}}


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (
            spoiled(cause={"links": []}),
            {
                ("error", "unexplained-phenomenon", "P-0001"),
                ("warning", "nothing-typical", "RC-0001"),
                ("warning", "ticket-unlike-cause", "TK-1"),
            },
        ),
        (spoiled(cause={"solution": []}), {("error", "no-remedy", "RC-0001")}),
        (spoiled(cause={"verify": None}), {("warning", "no-verification", "RC-0001")}),
        (
            spoiled(cause={"plain": {"zh": "纸没了。打不出来。", "en": "no paper"}}),
            {("warning", "plain-long", "RC-0001")},
        ),
        (spoiled(cause={"plain": {"zh": "纸没了，打不出来。", "en": "No paper."}}), set()),
        (spoiled(cause={"questions": [asked("会丢吗", "lost?"), asked("还会来吗", "again?")]}), set()),
        (
            spoiled(cause={"questions": [asked("会丢吗", "Lost ?"), asked("还会来吗", "lost")]}),
            {("error", "asked-twice", "RC-0001")},
        ),
        (
            spoiled(cause={"questions": [asked("会丢吗", "lost", "it goes on " * 60)]}),
            {("warning", "answer-long", "RC-0001")},
        ),
        (
            spoiled(cause={"questions": [asked("会丢吗", "会丢吗")]}),
            {("error", "asked-twice", "RC-0001"), ("warning", "missing-language", "RC-0001")},
        ),
        (
            spoiled(cause={"solution": [{"do": {"zh": "拔", "en": "pull"}, "risk": "high"}]}),
            {("warning", "no-way-back", "RC-0001")},
        ),
        (spoiled(phenomena={"aliases": {"zh": ["看到2"], "en": ["seen 1"]}}), {("error", "said-of-two", "P-0002")}),
        (spoiled(phenomena={"aliases": {"zh": [], "en": ["seen 1"]}}), {("warning", "missing-language", "P-0001")}),
        (
            spoiled(phenomena={"name": {"zh": "it is very slow all over again", "en": "slow"}}),
            {("warning", "missing-language", "P-0001")},
        ),
        (spoiled(phenomena={"name": {"zh": "慢", "en": "慢"}}), {("warning", "missing-language", "P-0001")}),
        (spoiled(phenomena={"untranslated": "en"}), {("warning", "untranslated", "P-0001")}),
        (spoiled(phenomena={"same_as": ["P-0002"]}), set()),
        (spoiled(phenomena={"same_as": ["P-3001"]}), set()),
        (spoiled(phenomena={"same_as": ["P-7777"]}), {("warning", "same-as-unknown", "P-0001")}),
    ],
)  # fmt: skip
def test_each_weakness_is_found_where_it_is(
    tmp_path: Path, parts: dict[str, list[dict[str, Any]]], expected: set[tuple[str, str, str]]
) -> None:
    """A spoiled entry is named with its rule; nothing else is."""
    findings = found(tmp_path, parts)
    assert rules(findings) >= expected
    assert {item.entry for item in findings} == {entry for _, _, entry in expected}


def test_causes_that_show_the_same_are_named_together(tmp_path: Path) -> None:
    """Equal links are an error, nearly equal ones a warning; the other cause is named."""
    parts = good()
    parts["root_causes"][1]["links"] = parts["root_causes"][0]["links"]
    (alike,) = [item for item in found(tmp_path, parts) if item.rule == "causes-alike"]
    assert (str(alike.severity), alike.entry) == ("error", "RC-0001")
    assert "RC-0002" in alike.what


def test_what_tells_causes_apart_is_symmetric_and_grows() -> None:
    """Bits are the same both ways, none for equal causes, at most one a phenomenon, and more with more phenomena."""
    one, other = {"P-0001": 0.95, "P-0002": 0.35}, {"P-0001": 0.05, "P-0003": 0.75}
    assert bits_apart(one, other) == pytest.approx(bits_apart(other, one))
    assert bits_apart(one, one) == 0.0
    assert 0.0 < bits_apart({"P-0001": 0.95}, {"P-0001": 0.05}) < bits_apart(one, other) < 3.0


def test_a_ticket_that_fits_nothing_of_its_cause_is_named(tmp_path: Path) -> None:
    """A closed case whose phenomena its cause does not show teaches something odd."""
    parts = good()
    parts["tickets"][0] = ticket("TK-1", cause="RC-0001", seen=["P-0002"])
    assert ("warning", "ticket-unlike-cause", "TK-1") in rules(found(tmp_path, parts))


@pytest.mark.parametrize(
    ("query", "versions", "rule"),
    [
        ("SELECT checkpoints_timed FROM pg_stat_bgwriter", ">=14", "query-versions"),
        ("SELECT checkpoints_timed FROM pg_stat_bgwriter", ">=14,<17", None),
        ("SELECT c.num_timed FROM pg_stat_checkpointer c", ">=14", "query-versions"),
        ("SELECT c.num_timed FROM pg_stat_checkpointer c", ">=17", None),
        ("SELECT pid, no_such FROM pg_stat_activity", ">=14", "query-versions"),
        ("SELECT count(*) AS n FROM pg_stat_activity GROUP BY backend_type ORDER BY n", ">=14", None),
        ("SELECT current_setting('summarize_wal')", ">=14", "query-versions"),
        ("SELECT pg_stat_get_backend_subxact(1)", ">=14", "query-versions"),
        ("WITH a AS (SELECT pid AS p FROM pg_stat_activity) SELECT p FROM a", ">=14", None),
        ("DELETE FROM pg_class", ">=14", "query-writes"),
        ("SELECT FROM WHERE (", ">=14", "query-unreadable"),
        ("SHOW work_mem", ">=14", None),
        ("SHOW summarize_wal", ">=14", "query-versions"),
    ],
)
def test_queries_are_held_against_every_version(tmp_path: Path, query: str, versions: str, rule: str | None) -> None:
    """What a named version lacks, what writes and what does not parse is an error; the rest is none."""
    observe = {"kind": "sql", "how": query, "present_when": {"zh": "有", "en": "a row"}, "versions": versions}
    findings = found(tmp_path, spoiled(phenomena={"observe": observe}))
    assert {item.rule for item in findings} == ({rule} if rule else set())


@pytest.mark.parametrize(
    ("kind", "how", "rows", "rule"),
    [
        ("sql", "SELECT pid FROM pg_stat_activity", {"confirmed": "n() >= 3"}, None),
        ("sql", "SELECT pid FROM pg_stat_activity", {"confirmed": "any(pid > 1)", "key": ["pid"]}, None),
        ("sql", "SELECT pid FROM pg_stat_activity", {"confirmed": "any(waits > 1 s)"}, "rows-column"),
        ("sql", "SELECT pid FROM pg_stat_activity", {"confirmed": "n() >= 3", "key": ["name"]}, "rows-column"),
        ("shell", "grep -hE 'deadlock detected' x.log", {"confirmed": "n() >= 1"}, None),
        ("shell", "nproc", {"confirmed": "n() >= 1"}, "rows-formless"),
    ],
)
def test_a_rule_is_held_against_its_output(
    tmp_path: Path, kind: str, how: str, rows: dict[str, object], rule: str | None
) -> None:
    """A rule about columns that the query does not print, or about an output of no form, is an error."""
    observe = {"kind": kind, "how": how, "rows": rows, "present_when": {"zh": "有", "en": "a row"}}
    findings = found(tmp_path, spoiled(phenomena={"observe": observe}))
    assert {item.rule for item in findings} == ({rule} if rule else set())


def test_a_query_is_checked_in_each_language(tmp_path: Path) -> None:
    """Where the Chinese and the English query differ, a fault of either is found, at its own place."""
    how = {"zh": "SELECT pid AS 没有, nothing FROM pg_stat_activity", "en": "SELECT pid FROM pg_stat_activity"}
    observe = {"kind": "sql", "how": how, "present_when": {"zh": "有", "en": "a row"}}
    findings = found(tmp_path, spoiled(phenomena={"observe": observe}))
    assert [(item.rule, item.field) for item in findings] == [("query-versions", "observe.how.zh")]


def test_the_catalogue_has_every_version() -> None:
    """Views that changed between versions stand there as they did."""
    views = catalogue().relations
    assert views["pg_stat_bgwriter"]["checkpoints_timed"] == {14, 15, 16}
    assert catalogue().relation("pg_stat_io") == {16, 17, 18}
    assert versions_of(">=14") == VERSIONS
    assert versions_of(">=15,<17") == {15, 16}


def test_a_finding_names_the_line(tmp_path: Path) -> None:
    """The line is that of the field in the file."""
    (finding,) = found(tmp_path, spoiled(phenomena={"aliases": {"zh": [], "en": ["seen 1"]}}))
    text = Path(finding.file).read_text(encoding="utf-8").splitlines()
    assert text[finding.line - 1].startswith("aliases:")


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """A PostgreSQL with a role that only monitors."""
    with postgres() as address:
        with psycopg.connect(address, autocommit=True) as admin:
            admin.execute("CREATE EXTENSION pg_stat_statements")
            admin.execute("CREATE ROLE watcher LOGIN IN ROLE pg_monitor")
        yield address.replace("user=postgres", "user=watcher")


def asking(folder: Path, query: str, engine: str = "postgresql") -> Path:
    """A library without another finding, whose first phenomenon is looked for by `query`."""
    observe = {"kind": "sql", "engine": engine, "how": query, "present_when": {"zh": "有", "en": "a row"}}
    return write_library(folder, **spoiled(phenomena={"observe": observe}))


def test_a_query_that_fails_on_a_server_is_an_error(tmp_path: Path, server: str) -> None:
    """The finding repeats the words of the server."""
    findings = lint([asking(tmp_path, "SELECT 1 / 0")], RATES, [server])
    assert [(item.rule, "division by zero" in item.what) for item in findings] == [("query-fails", True)]


@pytest.fixture
def owner(server: str) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    """The superuser, with a table and a function that writes to it."""
    with psycopg.connect(server.replace("user=watcher", "user=postgres"), autocommit=True) as admin:
        admin.execute("CREATE TABLE victim (id int)")
        admin.execute("CREATE FUNCTION hit(text) RETURNS void LANGUAGE sql AS 'INSERT INTO victim VALUES (1)'")
        yield admin
        admin.execute("DROP TABLE IF EXISTS victim; DROP FUNCTION hit")


ATTACKS = [
    "SELECT pg_terminate_backend({pid})",
    "SELECT ({pid}).pg_terminate_backend",
    "SELECT ('select to_tsvector(pg_terminate_backend({pid})::text)'::text).ts_stat",
    "SELECT 1; COMMIT; BEGIN READ WRITE; DROP TABLE public.victim; COMMIT; BEGIN",
    "COMMIT; SET default_transaction_read_only = off; DROP TABLE public.victim",
    "SET TRANSACTION READ WRITE",
    "ROLLBACK",
    "DROP TABLE public.victim",
    "SELECT public.hit('x')",
    "SELECT ('x'::text).hit",
    "SELECT set_config('transaction_read_only', 'off', false)",
]


@pytest.mark.parametrize("attack", ATTACKS)
def test_no_query_of_a_library_acts_on_a_server(
    tmp_path: Path, server: str, owner: psycopg.Connection[tuple[object, ...]], attack: str
) -> None:
    """What is not admitted is an error and is not run: no session ends and no table changes, even for a superuser."""
    dsn = server.replace("user=watcher", "user=postgres")
    with psycopg.connect(dsn, autocommit=True) as victim:
        library = asking(tmp_path, attack.format(pid=victim.info.backend_pid))
        findings = lint([library], RATES, [dsn])
        assert victim.execute("SELECT count(*) FROM public.victim").fetchone() == (0,)
    assert {str(item.severity) for item in findings} == {"error"}
    assert "query-fails" not in {item.rule for item in findings}


@pytest.mark.parametrize("attack", ATTACKS[3:])
def test_a_server_s_own_guards_hold_without_the_admission(
    tmp_path: Path,
    server: str,
    owner: psycopg.Connection[tuple[object, ...]],
    attack: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Were a text admitted by mistake, it could neither end its transaction nor make it writable."""
    monkeypatch.setattr("services.knowledge.library.lint.running.explain_refusal", lambda observe, text: "")
    lint([asking(tmp_path, attack)], RATES, [server.replace("user=watcher", "user=postgres")])
    assert owner.execute("SELECT count(*) FROM public.victim").fetchone() == (0,)


@pytest.mark.parametrize(
    ("engine", "query"),
    [
        ("postgresql", "SELECT pg_terminate_backend(1)"),
        ("postgresql", "SELECT pg_read_file('/etc/passwd')"),
        ("postgresql", "SELECT lo_import('/etc/passwd')"),
        ("postgresql", "SELECT ('select 1'::text).ts_stat"),
        ("mysql", "SELECT sleep(9)"),
        ("mysql", "SELECT user, authentication_string FROM mysql.user"),
        ("mysql", "KILL 1"),
        ("mysql", "SELECT sys.ps_thread_id(1)"),
    ],
)
def test_a_query_that_is_not_admitted_needs_no_server_to_be_an_error(tmp_path: Path, engine: str, query: str) -> None:
    """Lint and validate name the file, the entry and the reason."""
    library = asking(tmp_path, query, engine)
    (finding,) = lint([library], RATES)
    assert (str(finding.severity), finding.rule, finding.entry) == ("error", "query-refused", "P-0001")
    done = CliRunner().invoke(validate, ["--library", str(library)], standalone_mode=False)
    assert done.return_value == 1
    assert "000.yaml: observe.how: P-0001: SQL refused: " in done.output


def test_the_shipped_queries_are_admitted() -> None:
    """Every SQL text of every shipped library passes its admission."""
    library = shipped_library(*names())
    assert list(find_refused(library)) == []


def test_a_server_runs_the_query_of_each_language(tmp_path: Path, server: str) -> None:
    """A query that only one language has wrong fails on the server, and the progress tells how many were run."""
    told: list[str] = []
    observe = {
        "kind": "sql",
        "how": {"zh": "SELECT 1 / 0", "en": "SELECT 1"},
        "present_when": {"zh": "有", "en": "yes"},
    }
    findings = lint([write_library(tmp_path, **spoiled(phenomena={"observe": observe}))], RATES, [server], told.append)
    assert [(item.rule, item.field) for item in findings] == [("query-fails", "observe.how.zh")]
    assert told[-1].startswith("2 queries on PostgreSQL")


def test_a_server_that_does_not_answer_is_named_without_its_password(tmp_path: Path) -> None:
    """The error repeats nothing of the address."""
    with pytest.raises(DependencyDown) as caught:
        lint([write_library(tmp_path, **good())], RATES, ["postgresql://who:secret-word@127.0.0.1:1/none"])
    assert "secret-word" not in str(caught.value)


def test_the_verb_fails_on_errors_only(tmp_path: Path) -> None:
    """Exit 0 for warnings, 1 for errors or with --strict; --json has all findings and their counts."""
    warned = write_library(tmp_path / "warned", **spoiled(cause={"verify": None}))
    wrong = write_library(tmp_path / "wrong", **spoiled(cause={"solution": []}))
    run = CliRunner().invoke
    assert run(lint_verb, ["--library", str(warned)], standalone_mode=False).return_value == 0
    assert run(lint_verb, ["--library", str(warned), "--strict"], standalone_mode=False).return_value == 1
    result = run(lint_verb, ["--library", str(wrong), "--json"], standalone_mode=False)
    assert result.return_value == 1
    body = json.loads(result.stdout)
    assert body["counts"] == {"error": 1}
    assert body["findings"][0]["rule"] == "no-remedy"


def test_a_shipped_cause_is_told_in_plain_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a sentence for somebody who knows no databases a shipped cause is an error."""
    monkeypatch.setattr("services.knowledge.library.lint.texts.FOLDER", tmp_path)
    parts = spoiled(cause={"plain": {"zh": "纸没了", "en": "no paper"}})
    assert ("error", "no-plain", "RC-0002") in rules(found(tmp_path, parts))
    assert not any(item.rule == "no-plain" and item.entry == "RC-0001" for item in found(tmp_path, parts))
