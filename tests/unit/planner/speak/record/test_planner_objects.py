"""Objects of the person's system: named when asked for, bound into steps only where it is certain which one."""

from __future__ import annotations

import pytest

from lang.objects import Seen, objects_in
from services.planner.model import (
    ConclusionView,
    DiagnosisView,
    EvidenceView,
    HelpAnswer,
    Language,
    QuestionTopic,
    ReliefStep,
    SolutionStep,
    Text,
    TurnResults,
    Verdict,
)
from services.planner.speak.compose import compose
from tests.support.cases import for_each

LANGUAGES = (Language.ZH, Language.EN)
BLOCKER = EvidenceView(
    "P-0011",
    Text("空闲事务", "Idle in transaction"),
    Verdict.CONFIRMED,
    "4711 | settlement-batch | idle in transaction",
    2,
    "state = idle in transaction, pid = 4711, application_name = settlement-batch",
)
WAITER = EvidenceView(
    "P-0021",
    Text("等锁", "Waiting for locks"),
    Verdict.CONFIRMED,
    "5802 | flyway | active | Lock",
    2,
    "wait_event_type = Lock, pid = 5802, application_name = flyway",
)
SLOT = EvidenceView("P-0132", Text("槽", "Slot"), Verdict.CONFIRMED, "slot", 1, "slot_name = debezium_old, active = no")
KILL = ReliefStep(
    Text("结束它", "End it"), "SELECT pg_terminate_backend(<pid>);", "medium", Text("x", "x"), Text("y", "y")
)
DROP = SolutionStep(Text("删槽", "Drop the slot"), "SELECT pg_drop_replication_slot('<slot>');", "high")


def told(evidence: tuple[EvidenceView, ...], language: Language) -> str:
    """The remedy of a conclusion with this evidence on record."""
    found = ConclusionView("RC-0001", Text("因", "Cause"), 0.99, solution=(DROP, DROP), relief=(KILL,))
    return compose(TurnResults(answers=(HelpAnswer(conclusion=found),), seen=evidence), language)


@for_each(
    ("words", "seen"),
    [
        ("pid = 4711, state = idle in transaction", [Seen("pid", "4711", True)]),
        (
            "waiting = 5, blocker_pid = 4711, blocker_application = settlement",
            [Seen("pid", "4711", True), Seen("app", "settlement", True)],
        ),
        ("pid = 5802, wait_event_type = Lock", [Seen("pid", "5802", False)]),
        ("retaining_slot = debezium_old", [Seen("slot", "debezium_old", False)]),
        ("blocked_by = {4711}", [Seen("pid", "4711", True)]),
        ("pid 4711 is idle in transaction", [Seen("pid", "4711", True)]),
        ("slot debezium_old is inactive", [Seen("slot", "debezium_old", False)]),
        ("表 public.shipments 没分析过", [Seen("table", "public.shipments", False)]),
        ("index_size = 5 GB, slot_active = no", []),
        ("the table is large and 40 sessions wait", []),
        ("进程 95% CPU", []),
    ],
)
def test_objects_are_read_from_values_and_words(words: str, seen: list[Seen]) -> None:
    """An object is a name in a column of names or after its kind; sizes, flags and shares are none."""
    assert list(objects_in(words)) == seen


@pytest.mark.parametrize("language", LANGUAGES)
def test_steps_name_what_was_seen(language: Language) -> None:
    """The blanks of a step are filled with the one object of their kind that is on record."""
    text = told((BLOCKER, SLOT), language)
    assert "pg_terminate_backend(4711)" in text
    assert "pg_drop_replication_slot('debezium_old')" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_session_that_waits_is_never_bound(language: Language) -> None:
    """The process id of a session that waits is in no step that ends one."""
    assert "pg_terminate_backend(<pid>)" in told((WAITER,), language)
    assert "pg_terminate_backend(4711)" in told((WAITER, BLOCKER), language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_several_objects_none_is_bound(language: Language) -> None:
    """Where two slots are on record, the blank stays."""
    other = EvidenceView("P-0133", SLOT.name, Verdict.CONFIRMED, "slot", 1, "slot_name = other_slot")
    assert "'<slot>'" in told((SLOT, other), language)


@for_each("language", LANGUAGES)
@for_each("verdict", [Verdict.DENIED, Verdict.UNKNOWN, None])
def test_what_is_not_confirmed_binds_nothing(language: Language, verdict: Verdict | None) -> None:
    """An object of evidence that is denied, unknown or not settled yet is in no step."""
    open_ = EvidenceView("P-0011", BLOCKER.name, verdict, BLOCKER.words, 2, BLOCKER.value)
    assert "<pid>" in told((open_,), language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_asks_which_session_is_told_the_one_that_holds_the_others_up(language: Language) -> None:
    """The question which object it is gets the culprit, also while its reading waits for a yes."""
    open_ = EvidenceView("P-0011", BLOCKER.name, None, BLOCKER.words, 2, BLOCKER.value)
    results = TurnResults(
        answers=(HelpAnswer(topic=QuestionTopic.OBJECT),), diagnosis=DiagnosisView(), seen=(WAITER, open_)
    )
    first = compose(results, language).splitlines()[0]
    assert "4711" in first
    assert "settlement-batch" in first
    assert "5802" not in first
