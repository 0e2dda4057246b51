"""Who may take the step that is asked about, by which right, and who is told so beside every step."""

from __future__ import annotations

import pytest

from services.planner.model import (
    ConclusionView,
    HelpAnswer,
    Language,
    QuestionStep,
    QuestionTopic,
    RankedRecommendation,
    SessionView,
    SolutionStep,
    Speaker,
    Status,
    Text,
    TurnPlan,
    TurnResults,
    Utterance,
)
from services.planner.speak.compose import compose
from services.planner.speak.voice import load_phrases
from services.planner.treatment.bearing import bearing_on_treatment, lacks_any
from services.planner.treatment.case_talk import add_case_talk
from services.planner.treatment.wanted.wants import LOOK_BY_OTHERS
from tests.support.cases import for_each

LANGUAGES = (Language.ZH, Language.EN)
DROP = SolutionStep(Text("删槽", "Drop the slot"), "SELECT pg_drop_replication_slot('<slot>');", "high")
CAP = SolutionStep(
    Text("给槽封顶", "Cap what slots retain"),
    "ALTER SYSTEM SET max_slot_wal_keep_size = '100GB'; SELECT pg_reload_conf();",
    "medium",
)
SLOT = ConclusionView("RC-0003", Text("没人要的槽", "A slot nobody reads"), 0.98, solution=(CAP, DROP))
SHOWN = "`ALTER SYSTEM SET max_slot_wal_keep_size = '100GB'; SELECT pg_reload_conf();`"
BOTH = SHOWN + "\n`SELECT pg_drop_replication_slot('old');`"


def rights_asked(said: str, shown: str) -> list[tuple[str, str]]:
    """The action and the words of each question of a right that a message asks."""
    view = SessionView(status=Status.CONCLUDED, history=(Utterance(Speaker.ASSISTANT, shown),))
    steps = add_case_talk(TurnPlan(), said, said, view).steps
    asked = [step for step in steps if isinstance(step, QuestionStep) and step.topic is QuestionTopic.RIGHTS]
    return [(step.action, step.text) for step in asked]


def told(asked: str, action: str, language: Language) -> str:
    """The answer to a question of a right in a case of a slot."""
    answer = HelpAnswer((), SLOT, asked, QuestionTopic.RIGHTS, action=action)
    return compose(TurnResults(answers=(answer,), objects=bearing_on_treatment(asked, SessionView())), language, "")


def who(group: str, language: Language) -> str:
    """Who has the right of a group of actions."""
    return str(load_phrases(language)[f"rights_who_{group}"])


@for_each("language", LANGUAGES)
@for_each(
    ("said", "shown", "group"),
    [
        ("who can drop it then? cant i just do that myself with my role?", BOTH, "slot"),
        ("no i mean the DROP not the cap. what rights does pg_drop_replication_slot need", SHOWN, "slot"),
        ("what rights does dropping need? i mean drop the slot", SHOWN, "slot"),
        ("谁能删这个槽 我自己能删吗", SHOWN, "slot"),
        ("删槽要什么权限", SHOWN, "slot"),
        ("which role do i need for the cap, max_slot_wal_keep_size", BOTH, "setting"),
        ("who may run that?", SHOWN, "setting"),
        ("who can kill 4711 then?", SHOWN, "session"),
    ],
)
def test_the_right_told_is_that_of_the_action_named(said: str, shown: str, group: str, language: Language) -> None:
    """Asked who may do something, or what it takes, the answer is of the action that the words name, else was shown."""
    asked = rights_asked(said, shown)
    assert asked
    action, words = asked[0]
    text = told(words, action, language)
    assert who(group, language).split("{")[0] in text
    assert text.count(str(load_phrases(language)["rights_who"]).split("{")[0]) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_right_is_told_with_the_statement_that_shows_it(language: Language) -> None:
    """Whoever asks for the right can see by a statement of their own whether they have it."""
    assert "rolreplication" in told("what rights does it take to drop the slot", "drop_slot", language)
    assert "pg_signal_backend" in told("who can kill 4711", "terminate", language)


@for_each("language", LANGUAGES)
@for_each(
    ("said", "key"),
    [
        ("i only got psql w my own user, some monitor role, no superuser no ssh", "note_rights"),
        ("MY login has pg_monitor, thats all i have", "note_rights"),
        ("我只有监控角色", "note_rights"),
        ("told you im no superuser", "note_rights_takes"),
        ("我不是超级用户", "note_rights_takes"),
        ("I don't have superuser", "note_rights_takes"),
    ],
)
def test_a_right_told_to_be_lacking_stands_at_every_step(said: str, key: str, language: Language) -> None:
    """Whoever said to be no superuser or to only look hears beside every step that takes more who has to run it."""
    answer = HelpAnswer((), SLOT, "how do I fix it")
    objects = bearing_on_treatment(said, SessionView())
    text = compose(TurnResults(answers=(answer,), objects=objects), language, "")
    phrases = load_phrases(language)
    assert str(phrases[key]).format(who=phrases["rights_by_slot"]) in text
    assert str(phrases["note_rights"]).format(who=phrases["rights_by_setting"]) in text


@for_each("said", ["the superuser did it", "no, i am superuser here", "监控角色的查询很慢"])
def test_no_right_is_taken_away_by_words_that_do_not_deny_it(said: str) -> None:
    """Words that name a superuser or the monitoring role are no lack of rights."""
    assert not lacks_any(bearing_on_treatment(said, SessionView()))


@for_each(
    "said",
    [
        "only the platform guys have access. what should i ask them to check?",
        "what do i tell them to look for?",
        "控制台只有平台的人能看，我让他们查什么？",
        "那我问他们啥",
    ],
)
@for_each("language", LANGUAGES)
def test_what_others_are_to_look_at_is_told_in_words_to_send(said: str, language: Language) -> None:
    """Whoever can look gets the check, with what counts and where it is seen, and not the command of a step."""
    ((action, words),) = rights_asked(said, SHOWN)
    assert action == LOOK_BY_OTHERS
    disk = RankedRecommendation(
        1,
        "P-0001",
        Text("云盘到上限", "Cloud disk at its limit"),
        present_when=Text("额度低于 5%", "credits are at 5 % or less"),
        observation_method="Cloud console: BurstBalance",
    )
    answer = HelpAnswer((disk,), None, words, QuestionTopic.RIGHTS, action=action, leading=SLOT)
    text = compose(TurnResults(answers=(answer,)), language)
    for part in (disk.name.say(language), disk.present_when.say(language), disk.observation_method):
        assert part in text
    assert "pg_drop_replication_slot" not in text
