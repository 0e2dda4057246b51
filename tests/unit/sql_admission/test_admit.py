from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.collector.catalogue.reader import shipped
from sql_admission import ENGINES, Admission, admit
from tests.support.examples import every, examples
from tests.support.shipped_libraries import shipped_library
from tests.unit.sql_admission.statement_lists import Listed, listed

ATTACKS = listed("attacks")
LEGITIMATE = listed("legitimate")


def test_no_attack_is_admitted_and_each_refusal_says_why() -> None:
    """Of every kind of attack, none may stand in a catalogue or run on a dataset."""
    decided = [(attack, admit(attack.sql, attack.engine)) for attack in ATTACKS]
    assert [attack for attack, decision in decided if decision.allow] == []
    assert [attack for attack, decision in decided if not decision.reason] == []
    assert len(ATTACKS) >= 500


def test_what_people_really_ask_is_admitted() -> None:
    """Diagnostic statements in many styles are admitted."""
    decided = [(asked, admit(asked.sql, asked.engine)) for asked in LEGITIMATE]
    assert [(asked, decision.reason) for asked, decision in decided if not decision.allow] == []
    assert len(LEGITIMATE) >= 250


def test_the_library_s_own_queries_are_admitted() -> None:
    """What the shipped PostgreSQL library tells people to run may stand in a catalogue."""
    entries = [entry for entry in shipped_library("postgresql").phenomena.values() if entry.observe.kind == "sql"]
    asked = {(entry.id, how) for entry in entries for how in entry.observe.texts.values()}
    assert [(known, admit(how, "postgres").reason) for known, how in asked if not admit(how, "postgres").allow] == []
    assert len(entries) > 100


def test_the_catalogue_s_own_queries_are_admitted() -> None:
    """Every statement of the shipped catalogue stands there by right."""
    checks = [check for check in shipped().checks.values() if check.engine == "postgres"]
    asked = [(check.id, item.sql) for check in checks for item in check.statements]
    assert [(check, admit(sql, "postgres").reason) for check, sql in asked if not admit(sql, "postgres").allow] == []
    assert len(asked) > 10


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["; DROP TABLE orders", ", pg_sleep(9)", " FOR UPDATE", "; COMMIT", " \0", " $$"])
@every(4)
def test_what_is_admitted_is_not_admitted_with_an_attack_behind_it(ending: str, every: int) -> None:
    """An attack appended to a good statement, behind its comments too, is not admitted."""
    asked = [one.sql.rstrip().rstrip(";") for one in LEGITIMATE if one.engine == "postgres" and "--" not in one.sql]
    behind = [sql for sql in asked[::every] if admit(sql + ending, "postgres").allow]
    assert [sql for sql in behind if not (ending == ", pg_sleep(9)" and sql.lower().startswith("show"))] == []


@given(st.text(max_size=200), st.sampled_from(ENGINES))
@settings(max_examples=examples(150), deadline=None)
def test_any_text_is_decided(text: str, engine: str) -> None:
    """No text makes the decision fail: it is admitted, or refused with a reason."""
    decision = admit(text, engine)
    assert decision.allow is not bool(decision.reason)


@pytest.mark.slow
@given(
    st.sampled_from(ATTACKS), st.integers(0, 300), st.sampled_from(["/**/", "--\n", "\n", "\t", " ", "/* ' */", ";"])
)
@settings(max_examples=examples(300), deadline=None)
def test_blanks_and_comments_make_no_attack_admitted(attack: Listed, place: int, blank: str) -> None:
    """Wherever a gap of an attack is filled with blanks or comments, it stays refused."""
    gaps = [at for at, sign in enumerate(attack.sql) if sign == " "] or [0]
    at = gaps[place % len(gaps)]
    changed = attack.sql[:at] + blank + attack.sql[at:]
    quoted = attack.sql[:at].count("'") % 2 or attack.sql[:at].count('"') % 2 or "--" in attack.sql[:at]
    assert quoted or not admit(changed, attack.engine).allow


def test_depth_and_length_are_refused_quickly() -> None:
    """A statement made to overwhelm the reader is refused within a second."""
    started = time.process_time()
    for sql in ("SELECT " + "(" * 5_000 + "1" + ")" * 5_000, "SELECT " + "1+" * 9_000 + "1", "SELECT 1" + " " * 30_000):
        assert isinstance(admit(sql, "postgres"), Admission)
    assert not admit("SELECT " + "x" * 30_000, "postgres").allow
    assert time.process_time() - started < 5
