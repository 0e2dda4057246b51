"""What tells two actions apart, and who may take a step that the person may not."""

from __future__ import annotations

import pytest

from services.planner.model import (
    ConclusionView,
    EvidenceView,
    HelpAnswer,
    Language,
    NamedObject,
    QuestionTopic,
    ReliefStep,
    SessionView,
    SolutionStep,
    Speaker,
    Text,
    TurnResults,
    Utterance,
    Verdict,
)
from services.planner.speak.compose import compose
from services.planner.speak.rights.named_actions import weight_of
from services.planner.speak.rights.who_may import ANY, group_of
from services.planner.speak.voice import load_phrases
from services.planner.treatment.actions import action_names
from services.planner.treatment.bearing import LACKS, bearing_on_treatment
from tests.support.cases import for_each

LANGUAGES = (Language.ZH, Language.EN)
CANCEL = SolutionStep(Text("取消在等的 DDL", "Cancel the waiting DDL"), "SELECT pg_cancel_backend(<ddl_pid>);", "low")
END = SolutionStep(Text("断开根会话", "Terminate the root session"), "SELECT pg_terminate_backend(<pid>);", "medium")
DROP = SolutionStep(Text("删槽", "Drop the slot"), "SELECT pg_drop_replication_slot('<slot>');", "high")
CAP = SolutionStep(
    Text("给槽封顶", "Cap what slots retain"),
    "ALTER SYSTEM SET max_slot_wal_keep_size = '100GB'; SELECT pg_reload_conf();",
    "medium",
)
QUEUE = ConclusionView(
    "RC-0001", Text("长事务挡住 DDL", "A DDL is blocked"), 0.96, solution=(CANCEL, END), repeated_conclusion=True
)
ROWS = ConclusionView("RC-0002", Text("遗忘的事务", "A forgotten transaction"), 0.99, solution=(END,))
SLOT = ConclusionView("RC-0003", Text("没人要的槽", "A slot nobody reads"), 0.98, solution=(DROP, CAP))
IN_QUEUE = (
    NamedObject("pid", "20411", "ddl"),
    NamedObject("pid", "18822", "holds"),
    NamedObject("pid", "20544", "last"),
)
IDLE = (NamedObject("pid", "18733", "root"),)
SEEN = EvidenceView(
    "P-0001",
    Text("空闲事务", "Idle in transaction"),
    Verdict.CONFIRMED,
    words="18733 | backoffice | bo-web | 10.0.0.3 | idle in transaction",
    value="pid = 18733, usename = backoffice, application_name = bo-web",
)


def told(
    topic: QuestionTopic,
    asked: str,
    found: ConclusionView | None,
    objects: tuple[NamedObject, ...],
    language: Language,
    *,
    action: str = "",
    previous: str = "",
) -> str:
    """The answer to a question of a case."""
    answer = HelpAnswer((), found, asked, topic, action=action)
    known = (*objects, *bearing_on_treatment(asked, SessionView()))
    return compose(TurnResults(answers=(answer,), objects=known, seen=(SEEN,), turn=4), language, previous)


def phrase(key: str, language: Language, **values: str) -> str:
    """A phrase with its values."""
    return str(load_phrases(language)[key]).format(**values)


def better(action: str, language: Language, name: str = "") -> str:
    """How the ruling for an action begins."""
    named = phrase(f"name_{action}", language) + (phrase("leave_bracket", language, names=name) if name else "")
    return str(load_phrases(language)["compare_better"]).split("{why}")[0].format(name=named).rstrip(" ：")


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_every_action_it_is_known_what_it_costs_and_who_may_take_it(language: Language) -> None:
    """No action lacks its line for a comparison, its stake, or the texts of the right that it takes."""
    phrases = load_phrases(language)
    for action in (*action_names(), "kill_os"):
        assert f"versus_{action}" in phrases
        assert 0 <= weight_of(action) <= 4
        group = group_of(action)
        assert group != ANY
        assert {f"rights_who_{group}", f"rights_by_{group}", f"rights_meanwhile_{group}"} <= set(phrases)


@for_each("language", LANGUAGES)
@for_each(
    "asked",
    ["what's the difference if i kill the report instead of 20411?", "杀 20411 还是 18822", "kill 18822 or 20411?"],
)
def test_two_sessions_are_told_apart_by_their_places_in_the_queue(asked: str, language: Language) -> None:
    """Both sessions get their line, though one of them is named only as the other; the waiting DDL goes first."""
    text = told(QuestionTopic.COMPARISON, asked, QUEUE, IN_QUEUE, language, action="terminate")
    assert all(any(line.startswith("- ") and pid in line for line in text.split("\n")) for pid in ("20411", "18822"))
    assert better("cancel", language, "20411") in text


@for_each("language", LANGUAGES)
@for_each(
    ("asked", "found", "objects", "chosen", "name"),
    [
        ("cancel or terminate?", ROWS, IDLE, "terminate", "18733"),
        ("取消还是断开", QUEUE, IN_QUEUE, "cancel", "20411"),
        ("删槽还是封顶", SLOT, (), "cap_slots", ""),
        ("drop the slot or cap it?", SLOT, (), "cap_slots", ""),
        ("restart the app or the database?", ROWS, IDLE, "restart_app", ""),
        ("重启应用还是重启库", ROWS, IDLE, "restart_app", ""),
        ("is it better to roll back the release or resize the pool?", None, (), "resize_pool", ""),
        ("杀报表跟取消DDL有啥区别", QUEUE, IN_QUEUE, "cancel", "20411"),
        ("kill -9 or pg_terminate_backend?", ROWS, IDLE, "terminate", "18733"),
        ("drop the slot instead of deleting wal files?", None, (), "drop_slot", ""),
    ],
)
def test_the_remedy_and_what_is_at_stake_tell_two_actions_apart(
    asked: str,
    found: ConclusionView | None,
    objects: tuple[NamedObject, ...],
    chosen: str,
    name: str,
    language: Language,
) -> None:
    """A step against the cause goes before what is none, of two the less risky one, and what is never done last."""
    text = told(QuestionTopic.COMPARISON, asked, found, objects, language)
    assert better(chosen, language, name) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_two_names_the_last_answer_and_the_steps_have_them(language: Language) -> None:
    """Which of the two: those that were shown; with one named, the other one; with none at all it is asked back."""
    shown = "`SELECT pg_drop_replication_slot('a');`\n`ALTER SYSTEM SET max_slot_wal_keep_size = '1GB';`"
    for asked, previous in (("which of the two is better", shown), ("和删槽有什么区别", ""), ("哪个好", "")):
        text = told(QuestionTopic.COMPARISON, asked, SLOT, (), language, previous=previous)
        assert better("cap_slots", language) in text
    assert told(QuestionTopic.COMPARISON, "哪个好", None, (), language) == phrase("compare_none", language)
    open_ = told(QuestionTopic.COMPARISON, "drop the slot or call the vendor?", SLOT, (), language)
    assert open_ == phrase("compare_one", language, name=phrase("name_drop_slot", language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_that_nothing_tells_two_apart_is_said(language: Language) -> None:
    """Two sessions of which nothing is known, and two actions with nothing for either, get no ruling."""
    for asked in ("kill 4711 or 4712?", "extend the disk or create an index?"):
        text = told(QuestionTopic.COMPARISON, asked, None, (), language)
        assert phrase("compare_even", language) in text


@for_each("language", LANGUAGES)
@for_each("topic", [QuestionTopic.RIGHTS, QuestionTopic.RISK, QuestionTopic.RELIEF])
@for_each(
    "asked",
    [
        "i CANT terminate. no rights. is there any other way to get it released, or who has to do it?",
        "what should i do, WITHOUT terminate rights",
        "没权限杀 怎么办",
    ],
)
def test_who_lacks_a_right_hears_who_has_it_and_what_is_left(
    asked: str, topic: QuestionTopic, language: Language
) -> None:
    """However the question was taken: the right, its role, the client to stop and the command to send, and no yes."""
    text = told(topic, asked, ROWS, IDLE, language, action="terminate")
    assert "pg_signal_backend" in text
    assert all(part in text for part in ("backoffice", "bo-web", "10.0.0.3", "pg_terminate_backend(18733)"))
    assert not text.startswith((phrase("leave_yes", language), phrase("leave_terminate_known", language)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_right_that_is_lacking_stays_in_mind(language: Language) -> None:
    """In later answers every step that takes it names who has to run it, and leave for it is no go-ahead."""
    lacks = NamedObject(LACKS, "terminate", "holds", said=True)
    who = "pg_signal_backend"
    for topic in (QuestionTopic.RELIEF, QuestionTopic.RISK, QuestionTopic.COMMAND):
        for known in (True, False):
            text = told(topic, "ok?", ROWS, (*IDLE, *([lacks] if known else [])), language, action="terminate")
            assert (who in text) is known
    granted = NamedObject(LACKS, "terminate", "fine", said=True)
    assert who not in told(QuestionTopic.RELIEF, "now?", ROWS, (*IDLE, granted), language)


@for_each("language", LANGUAGES)
@for_each(
    ("asked", "found", "key"),
    [
        ("i only have a readonly login", ROWS, "rights_readonly"),
        ("cant look at pg_locks, no rights on that", ROWS, "rights_look"),
        ("the owner of the slot does not answer, now?", SLOT, "rights_absent_slot"),
        ("老王联系不上，没人能确认", SLOT, "rights_absent_slot"),
        ("找不到人", ROWS, "rights_absent_session"),
    ],
)
def test_a_right_to_look_and_an_owner_who_is_away_have_answers_of_their_own(
    asked: str, found: ConclusionView, key: str, language: Language
) -> None:
    """What cannot be seen is told how to be seen, and where nobody answers for an object, who decides."""
    assert phrase(key, language) in told(QuestionTopic.RIGHTS, asked, found, IDLE, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_step_without_a_statement_is_sent_on_in_words(language: Language) -> None:
    """Where no command does it, the sentence to send names the step."""
    relief = ReliefStep(Text("回滚这次发布", "Roll back the release"), "", "low")
    found = ConclusionView("RC-0009", Text("坏版本", "A bad release"), 0.9, relief=(relief,))
    text = told(QuestionTopic.RIGHTS, "no rights for that", found, (), language)
    assert relief.action.say(language) in text.split("\n")[-1]
    assert phrase("rights_who_app", language) in text


@for_each(
    ("said", "before", "names"),
    [
        ("my login can't terminate", "", {"terminate"}),
        ("permission denied: must be a member of the role", "`SELECT pg_cancel_backend(7);`", {"cancel"}),
        ("我只有只读账号", "", {"all"}),
        ("i don't have permission to drop the slot", "", {"drop_slot"}),
        ("云控制台我没权限啊看不了", "`SELECT pg_cancel_backend(7);`", set()),
        ("do i have to be superuser to cancel it?", "", set()),
        ("the standby is read-only", "", set()),
        ("i can't cancel the report, finance needs it", "", set()),
    ],
)
def test_what_the_person_may_not_do_is_kept(said: str, before: str, names: set[str]) -> None:
    """A right that is lacking is kept by its action, as named or as shown; what cannot be looked at is none."""
    view = SessionView(history=(Utterance(Speaker.ASSISTANT, before),))
    assert {each.name for each in bearing_on_treatment(said, view) if each.kind == LACKS} == names


@for_each("language", LANGUAGES)
@for_each("topic", [QuestionTopic.COMPARISON, QuestionTopic.RIGHTS])
def test_asked_again_at_once_what_it_comes_to_is_told(topic: QuestionTopic, language: Language) -> None:
    """The same question right away gets the ruling, or the sentence to send, and not the whole answer again."""
    asked = {QuestionTopic.COMPARISON: "drop the slot or cap it?", QuestionTopic.RIGHTS: "no rights to drop the slot"}
    first = told(topic, asked[topic], SLOT, (), language)
    again = told(topic, asked[topic], SLOT, (), language, previous=first)
    assert again == phrase("leave_again", language, verdict=first.split("\n")[-1])
