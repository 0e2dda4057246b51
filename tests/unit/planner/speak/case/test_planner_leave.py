"""Leave for an action: by the place in a queue, by what was agreed, and what the action leaves alone."""

from __future__ import annotations

import pytest

from services.planner.model import (
    ConclusionView,
    HelpAnswer,
    Language,
    NamedObject,
    QuestionTopic,
    SolutionStep,
    Text,
    TurnResults,
)
from services.planner.speak.case.in_case import conditions
from services.planner.speak.compose import compose
from services.planner.speak.voice import load_phrases
from services.planner.treatment.agreed import conditions_told
from tests.support.cases import for_each

LANGUAGES = (Language.ZH, Language.EN)
NAME = Text("无人消费的复制槽保留 WAL", "An inactive slot retains WAL")
DROP = SolutionStep(
    Text("删掉没人要的槽", "Drop the slot nobody needs"), "SELECT pg_drop_replication_slot('<slot>');", "high"
)
FOUND = ConclusionView("RC-0048", NAME, 0.98, solution=(DROP,), repeated_conclusion=True)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_session_that_only_waits_is_refused_without_a_yes(language: Language) -> None:
    """No yes stands before the ruling on a session whose end helps nobody, and the DDL gets one."""
    objects = (NamedObject("pid", "31544", "ddl"), NamedObject("pid", "31601", "last"))
    yes = str(load_phrases(language)["leave_yes"])
    for asked, allowed in (("cancel 31601?", False), ("cancel the alter?", True), ("取消那个 ALTER 行吗", True)):
        answer = HelpAnswer((), FOUND, asked, QuestionTopic.RISK, action="cancel")
        text = compose(TurnResults(answers=(answer,), objects=objects), language)
        assert text.startswith(yes) is allowed
        assert ("pg_cancel_backend(31544)" in text) is allowed


@for_each("language", LANGUAGES)
@for_each(
    ("said", "met"),
    [
        ("debezium_old is active = f and the owner says unused", True),
        ("负责人说没用了，不活跃", True),
        ("it is inactive", False),
        ("active = f, but i don't know if it is still not needed", False),
        ("不活跃，负责人同意吗", False),
        ("the owner has not agreed yet, active = f", False),
        ("不活跃，那边机器上个月下线了", False),
        ("active = f, the box behind it was decommissioned in june", False),
        ("负责人说没用了，不活跃。\n等等，负责人我也没问过", False),
        ("active = f, the owner agrees.\nno wait, the owner never agreed", False),
        ("不活跃，你哪看来的“同意”", False),
        ("the owner hasn't agreed, active = f.\nok, the owner agrees", True),
    ],
)
def test_what_the_person_has_said_to_hold_is_no_condition_any_more(said: str, met: bool, language: Language) -> None:
    """A condition that was told as met is not asked for; all of them met is a go-ahead, and doubts meet none."""
    answer = HelpAnswer((), FOUND, f"can i drop it?\n{said}", QuestionTopic.RISK, action="drop_slot")
    text = compose(TurnResults(answers=(answer,)), language)
    phrases = load_phrases(language)
    assert (str(phrases["leave_go"]).split("{")[0] in text) is met
    assert (str(phrases["leave_check"]).split("{")[0] in text) is not met


@for_each("language", LANGUAGES)
@for_each("asked", ["does it affect standby_02?", "会影响 standby_02 吗"])
def test_what_a_step_leaves_alone_is_told_by_its_name(asked: str, language: Language) -> None:
    """Asked what another standby suffers from dropping a slot, the answer names both, with a no before all else."""
    slots = (NamedObject("slot", "bi_cdc", "holds"), NamedObject("slot", "standby_02", "fine"))
    for objects, phrase in ((slots, "leave_beside"), (slots[:1], "leave_beside_open")):
        answer = HelpAnswer((), FOUND, asked, QuestionTopic.RISK, action="drop_slot")
        text = compose(TurnResults(answers=(answer,), objects=objects), language)
        assert text.startswith(str(load_phrases(language)[phrase]).format(name="standby_02", other="bi_cdc"))


@for_each(
    ("said", "told"),
    [
        ("owner says its not needed any more, decommissioned in june", True),
        ("bi 那边说早就不用了", True),
        ("is it still not needed?", False),
        ("we need to ask the owner if it is unused", False),
        ("负责人还没同意", False),
    ],
)
def test_that_an_owner_agrees_is_heard_and_doubts_are_not(said: str, told: bool) -> None:
    """Words that state a condition as met count; questions, plans and doubts state nothing."""
    assert ("owner" in conditions_told(said)) is told


@for_each(
    ("said", "met", "left"),
    [
        ("the export can be rerun", {"rerun"}, {"owner"}),
        ("karen agrees", {"owner"}, set()),
        ("重跑没事", {"rerun"}, {"owner"}),
        ("负责人我没问过，重跑没事", {"rerun"}, {"owner"}),
        ("the session is idle", set(), {"rerun", "owner"}),
    ],
)
def test_of_a_session_to_end_only_what_was_said_counts(said: str, met: set[str], left: set[str]) -> None:
    """That work can be repeated is no consent of its owner; who consents need not repeat it."""
    assert tuple(map(set, conditions("terminate", said, TurnResults()))) == (met, left)


@for_each("language", LANGUAGES)
@for_each("asked", ["can i kill 20311 instead?", "能不能改杀 20311"])
def test_the_session_that_is_asked_about_stands_in_the_statement(asked: str, language: Language) -> None:
    """Whoever names the session to end is shown the statement with it, unless that session is known to wait."""
    end = SolutionStep(
        Text("结束旧事务", "End the old transaction"), "SELECT pg_terminate_backend(:root_pid);", "medium"
    )
    found = ConclusionView("RC-0001", NAME, 0.98, solution=(end,), repeated_conclusion=True)
    answer = HelpAnswer((), found, asked, QuestionTopic.RISK, action="terminate")
    for objects, named in (((), True), ((NamedObject("pid", "20311", "last"),), False)):
        text = compose(TurnResults(answers=(answer,), objects=objects), language)
        assert ("pg_terminate_backend(20311)" in text) is named
