"""How one sees that it is the one: what a row shows is told as shown, what none shows is called likely at most."""

from __future__ import annotations

import pytest

from lang.objects import role_told
from lang.objects.named_objects import objects_named
from services.planner.model import (
    ConclusionView,
    EvidenceView,
    HelpAnswer,
    Language,
    NamedObject,
    QuestionTopic,
    ReliefStep,
    SolutionStep,
    Text,
    TurnResults,
    Verdict,
)
from services.planner.speak.compose import compose
from services.planner.speak.voice import load_phrases

LANGUAGES = (Language.ZH, Language.EN)
STATES = """ pid | usename | state | wait_event_type | wait_event | age | query
---+---+---+---+---+---+---
 18733 | backoffice | idle in transaction | Client | ClientRead | 01:32:14 | SELECT id FROM invoice
 20411 | shop | active | Lock | transactionid | 00:00:29 | UPDATE account SET balance = 1
 20418 | shop | active | Lock | tuple | 00:00:28 | UPDATE account SET email = 2
"""
WAITS = """ pid | pg_blocking_pids
---+---
 20411 | {18733}
 20418 | {20411}
"""
LIBRARY = """ relation | ddl_pid | ddl_waits | queued_behind | ddl_blocked_by
---+---+---+---+---
 customers | 20411 | 00:11:38 | 12 | {18822}
"""
ROW = EvidenceView(
    "P-0011",
    Text("空闲事务", "Idle in transaction"),
    Verdict.CONFIRMED,
    "18733 | backoffice | idle in transaction | Client | ClientRead",
    2,
    "pid = 18733, state = idle in transaction",
)
CAUSE = ConclusionView(
    "RC-1",
    Text("长事务挡住 DDL", "A long transaction blocks a DDL"),
    0.97,
    relief=(ReliefStep(Text("取消 DDL", "Cancel the DDL"), "SELECT pg_cancel_backend(<ddl_pid>);", "low"),),
    solution=(SolutionStep(Text("结束它", "End it"), "SELECT pg_terminate_backend(<pid>);", "medium"),),
    repeated_conclusion=True,
)
HOW = {Language.EN: "how do you know it is 18733", Language.ZH: "怎么确认是 18733 堵的"}


def pasted(*texts: str) -> tuple[NamedObject, ...]:
    """The objects of a case in which these outputs were pasted."""
    named = [each for text in texts for each in objects_named(text)]
    return tuple(NamedObject(each.kind, each.name, role_told(each), each.said) for each in named)


def told(
    asked: str,
    language: Language,
    objects: tuple[NamedObject, ...] = (),
    seen: tuple[EvidenceView, ...] = (ROW,),
    topic: QuestionTopic = QuestionTopic.IDENTIFICATION,
    found: ConclusionView | None = None,
) -> str:
    """The answer to a question of this topic."""
    answer = HelpAnswer((), found, asked, topic)
    return compose(TurnResults(answers=(answer,), objects=objects, seen=seen), language)


def begins(phrase: str, language: Language) -> str:
    """The last words of a phrase that have no blank in them."""
    return str(load_phrases(language)[phrase]).rpartition("}")[2].strip("'`。. ")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_state_alone_makes_it_likely_and_the_row_is_quoted(language: Language) -> None:
    """With only pg_stat_activity pasted the row is quoted, nothing is claimed, and the query for it is shown."""
    text = told(HOW[language], language, pasted(STATES))
    assert ROW.words in text
    assert begins("id_likely", language) in text
    assert "pg_blocking_pids" in text
    assert begins("id_shown", language) not in text
    running = EvidenceView("P-2", ROW.name, Verdict.CONFIRMED, "18822 | reporting | active | IO | DataFileRead", 2)
    text = told(HOW[language].replace("18733", "18822"), language, (NamedObject("pid", "18822", "holds"),), (running,))
    assert str(load_phrases(language)["id_free"]).strip("。") in text
    assert begins("id_idle", language) not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_list_of_blockers_shows_it_and_its_rows_are_named(language: Language) -> None:
    """Once blocked_by names it, the answer says in whose rows, and who waits itself is told to wait."""
    objects = pasted(STATES, WAITS)
    text = told(HOW[language], language, objects)
    assert begins("id_shown", language) in text
    assert "`20411`" in text
    assert begins("id_likely", language) not in text
    waiter = told(HOW[language].replace("18733", "20411"), language, objects)
    assert begins("id_waits_for_queue", language) in waiter
    assert "`18733`" in waiter


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_waits_for_whom_is_claimed_only_by_rows_that_show_it(language: Language) -> None:
    """Asked who blocks everyone, the root is called so by blocked_by, else likely with the query that shows it."""
    asked = {Language.EN: "which pid is the one blocking everyone", Language.ZH: "到底谁堵着所有人"}[language]
    shown, likely = begins("queue_root", language), begins("queue_root_likely", language)
    states = told(asked, language, pasted(STATES), topic=QuestionTopic.OBJECT)
    assert likely in states
    assert shown not in states
    assert "pg_blocking_pids" in states
    waits = told(asked, language, pasted(STATES, WAITS), topic=QuestionTopic.OBJECT)
    assert shown in waits
    assert likely not in waits


@pytest.mark.parametrize("language", LANGUAGES)
def test_leave_to_end_a_session_rests_on_what_a_row_shows(language: Language) -> None:
    """Asked whether to end it, it holds the others up where blocked_by says so, else most likely, with the query."""
    answer = HelpAnswer((), CAUSE, "kill 18733?", QuestionTopic.RISK, action="terminate")
    for objects, phrase in ((pasted(STATES), "leave_holds_likely"), (pasted(STATES, WAITS), "leave_holds")):
        text = compose(TurnResults(answers=(answer,), objects=objects, seen=(ROW,)), language)
        assert str(load_phrases(language)[phrase]).format(name="18733") in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_two_numbers_each_gets_its_command(language: Language) -> None:
    """Asked which number goes where, each stands in the statement of the remedy that is for it, the relief first."""
    asked = {Language.EN: "which number do i put in, 18822 or 20411?", Language.ZH: "填 18822 还是 20411"}[language]
    text = told(asked, language, pasted(LIBRARY), (), found=CAUSE)
    cancel, end = text.index("pg_cancel_backend(20411)"), text.index("pg_terminate_backend(18822)")
    assert cancel < end
    assert begins("id_waits_for", language) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_nobody_named_is_not_made_up(language: Language) -> None:
    """Of a number that is on no record the answer says so; with none at all it gives the query."""
    assert begins("id_unknown", language) in told(HOW[language].replace("18733", "777"), language, (), ())
    asked = {Language.EN: "give me the query that shows who blocks whom", Language.ZH: "怎么看谁堵谁"}[language]
    assert "pg_blocking_pids" in told(asked, language, (), ())


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_slot_is_seen_by_what_it_keeps(language: Language) -> None:
    """Of a slot the row is quoted, what it does not show is said, and the query tells the retained bytes."""
    slot = EvidenceView(
        "P-1", Text("槽", "Slot"), Verdict.CONFIRMED, "debezium_old | f", 1, "slot_name = debezium_old, active = f"
    )
    asked = {Language.EN: "how do i see its that slot", Language.ZH: "怎么确认就是这个槽"}[language]
    text = told(asked, language, (NamedObject("slot", "debezium_old", "holds"),), (slot,))
    assert slot.words in text
    assert begins("id_slot_unmeasured", language) in text
    assert "pg_replication_slots" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_is_seen_by_the_step_that_only_looks(language: Language) -> None:
    """Of a table the row is quoted and the step of the remedy that looks and changes nothing is shown."""
    row = EvidenceView(
        "P-1", Text("死行", "Dead rows"), Verdict.CONFIRMED, "events | 41283910 | 168402277", 1, "relname = events"
    )
    look = SolutionStep(Text("看死行", "Look at it"), "SELECT n_dead_tup FROM pg_stat_user_tables;", "none")
    found = ConclusionView("RC-2", Text("膨胀", "Bloat"), 0.97, solution=(look,), repeated_conclusion=True)
    asked = {Language.EN: "how do i check its really the events table", Language.ZH: "怎么确认是 events 这张表"}[
        language
    ]
    text = told(asked, language, (NamedObject("table", "events"),), (row,), found=found)
    assert row.words in text
    assert "n_dead_tup" in text
