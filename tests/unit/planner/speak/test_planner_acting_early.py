"""What to do goes by a cause that leads clearly, by what the person said, and by what it began with."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.planner.model import (
    Aftermath,
    ConclusionView,
    DiagnosisView,
    HelpAnswer,
    HypothesisView,
    Language,
    NamedObject,
    OutcomeView,
    QuestionTopic,
    RankedHypothesis,
    RankedRecommendation,
    ReasoningAnswer,
    ReliefStep,
    SolutionStep,
    Text,
    Treatment,
    TurnResults,
)
from services.planner.speak.compose import compose
from services.planner.speak.voice import load_phrases
from services.planner.treatment.bearing import BEARING, KEEP_QUERY, NO_JOB, NO_LOSS, OWNER_KNOWN, RELEASE, RUNTIME
from tests.support.cases import for_each

LANGUAGES = (Language.ZH, Language.EN)
NAME = Text("备库长查询与回放冲突", "Long queries on the standby conflict with replay")
CANCEL = ReliefStep(
    Text("取消备库上的长查询", "Cancel the long query on the standby"), "SELECT pg_cancel_backend(<pid>);", "low"
)
DELAY = "ALTER SYSTEM SET max_standby_streaming_delay = '30min'; SELECT pg_reload_conf();"
RAISE = SolutionStep(Text("放宽延迟", "Allow more delay"), DELAY, "low")
STEPS = (
    SolutionStep(Text("看是哪类", "See which kind"), "SELECT 1;", "none"),
    SolutionStep(Text("结束备库上的长查询", "End the long query"), "SELECT pg_cancel_backend(:pid);", "low"),
    RAISE,
    SolutionStep(Text("分开备库", "A standby each"), "", "none", prevents=True),
)
FOUND = ConclusionView("RC-1", NAME, 0.6, relief=(CANCEL,), solution=STEPS)
YES = OutcomeView(0.5, (HypothesisView("RC-1", NAME, 0.95),))
NO = OutcomeView(0.5, (HypothesisView("RC-2", Text("别的", "Other"), 0.7),))
CHECK = RankedRecommendation(
    1, "P-1", Text("复查项", "The one check"), observation_method="SELECT 2\nFROM t;", if_yes=YES, if_no=NO
)


def asked(
    language: Language,
    confidence: float,
    second: float = 0.1,
    topic: QuestionTopic | None = QuestionTopic.RELIEF,
    objects: tuple[NamedObject, ...] = (),
) -> str:
    """The answer to what to do now, at these beliefs."""
    leader = RankedHypothesis("RC-1", NAME, confidence, confidence)
    other = RankedHypothesis("RC-2", Text("别的", "Other"), second, second)
    answer = HelpAnswer((), None, "what now", topic, relief=(CANCEL,), leading=FOUND)
    found = DiagnosisView((leader, other), (CHECK,))
    return compose(TurnResults(answers=(answer,), diagnosis=found, objects=objects, turn=5), language)


def load_phrase_of_command(language: Language) -> str:
    """How the first command is asked for."""
    return str(load_phrases(language)["more_command"]).strip().format(ordinal=1)


def kept(*names: str) -> tuple[NamedObject, ...]:
    """What the person said, as it is kept."""
    return tuple(NamedObject(BEARING, name, said=True) for name in names)


@for_each("language", LANGUAGES)
@for_each("topic", [QuestionTopic.RELIEF, None])
@for_each("confidence", [0.5, 0.57, 0.74, 0.9])
def test_a_cause_that_leads_clearly_is_acted_on(
    confidence: float, topic: QuestionTopic | None, language: Language
) -> None:
    """From one half on and twice the next, relief or the steps come first; a check comes last until it is sure."""
    text = asked(language, confidence, topic=topic)
    assert text.startswith(
        str(load_phrases(language)["remedy_likely" if confidence >= 0.8 else "remedy_if"]).split("*")[0]
    )
    assert (CANCEL if topic else RAISE).action.say(language) in text
    assert (CHECK.name.say(language) in text.splitlines()[-1]) == (confidence < 0.85)
    assert CHECK.observation_method.splitlines()[0] not in text


@for_each("language", LANGUAGES)
@for_each(("confidence", "second"), [(0.49, 0.1), (0.55, 0.4)])
def test_without_a_clear_lead_only_what_is_safe_is_told(confidence: float, second: float, language: Language) -> None:
    """Below one half, or with another cause near, nothing goes by the leader as if it were the cause."""
    text = asked(language, confidence, second)
    assert not text.startswith(str(load_phrases(language)["remedy_if"]).split("*")[0])
    assert CHECK.name.say(language) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_to_do_is_told_first_of_several_questions(language: Language) -> None:
    """Of more questions than a reply answers, what to do now is not the one that is left out."""
    leader = RankedHypothesis("RC-1", NAME, 0.6, 0.6)
    topics = (QuestionTopic.CERTAINTY, QuestionTopic.REMAINING, QuestionTopic.RELIEF)
    answers = tuple(HelpAnswer((), None, f"q{topic}?", topic, relief=(CANCEL,), leading=FOUND) for topic in topics)
    text = compose(TurnResults(answers=answers, diagnosis=DiagnosisView((leader,), (CHECK,)), turn=5), language)
    assert CANCEL.action.say(language) in text


@for_each("language", LANGUAGES)
@for_each("confidence", [0.08, 0.18])
def test_with_nothing_to_do_yet_the_case_and_its_next_check_are_told(confidence: float, language: Language) -> None:
    """Nobody who asks for help is told only to change nothing: a reply ends with what to look at."""
    text = asked(language, confidence, 0.07, topic=None)
    assert CHECK.name.say(language) in text
    assert (NAME.say(language) in text.split("\n")[0]) == (confidence >= 0.15)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_command_of_a_check_stands_beside_it_where_it_is_short(language: Language) -> None:
    """A next step of one line is told to the end, so that nobody has to ask how; a longer one is asked for."""
    leader = RankedHypothesis("RC-1", NAME, 0.3, 0.3)
    short = replace(CHECK, observation_method="ANALYZE orders", observe_kind="manual")
    answer = HelpAnswer((), None, "how sure", QuestionTopic.CERTAINTY, leading=FOUND)
    for check, told in ((short, True), (CHECK, False)):
        results = TurnResults(answers=(answer,), diagnosis=DiagnosisView((leader,), (check,)), turn=5)
        text = compose(results, language)
        assert ("`ANALYZE orders;`" in text) == told
        assert (load_phrase_of_command(language) in text) != told


@pytest.mark.parametrize("language", LANGUAGES)
def test_when_all_but_sure_no_further_check_is_asked_for(language: Language) -> None:
    """From .85 on it is told, once, that this is enough to act on, and how to get the steps."""
    leader = RankedHypothesis("RC-1", NAME, 0.95, 0.95)
    check = RankedRecommendation(1, "P-1", CHECK.name, observation_method="SELECT 2\nFROM t;", if_yes=YES, if_no=NO)
    text = compose(TurnResults(diagnosis=DiagnosisView((leader,), (check,)), turn=5), language)
    assert text.endswith(str(load_phrases(language)["enough"]).format(cause=NAME.say(language)))
    assert CHECK.name.say(language) not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_step_against_what_the_person_wants_stands_behind_the_others(language: Language) -> None:
    """Who wants the query to finish is not told to cancel it first; the first step that fits comes first."""
    text = asked(language, 0.6, objects=kept(KEEP_QUERY))
    assert CANCEL.action.say(language) not in text
    assert RAISE.action.say(language) in text
    whole = asked(language, 0.6, topic=None, objects=kept(KEEP_QUERY))
    assert whole.index(RAISE.action.say(language)) < whole.index(STEPS[1].action.say(language))


@for_each("language", LANGUAGES)
@for_each(
    ("wish", "relief"),
    [
        (NO_LOSS, ReliefStep(Text("先改成异步", "Go asynchronous for now"), "SET x = '';", "low")),
        (NO_JOB, ReliefStep(Text("让那个任务单线程跑", "Run the job with a single worker"), "", "low")),
    ],
)
def test_relief_that_is_ruled_out_gives_way_to_the_next_step(wish: str, relief: ReliefStep, language: Language) -> None:
    """Relief that loses what must not be lost, or acts on a job that there is none of, is not the first thing told."""
    found = ConclusionView("RC-1", NAME, 0.97, relief=(relief,), solution=(STEPS[0], RAISE, *STEPS[3:]))
    for objects, told in (((), True), (kept(wish), False)):
        text = compose(TurnResults(diagnosis=DiagnosisView(conclusion=found), objects=objects), language)
        assert (relief.action.say(language) in text) is told
        assert told or STEPS[0].action.say(language) in text or RAISE.action.say(language) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_value_follows_the_duration_that_was_told(language: Language) -> None:
    """A report of two hours is not given half an hour of delay."""
    text = asked(language, 0.6, objects=(*kept(KEEP_QUERY), NamedObject(RUNTIME, "120", said=True)))
    assert "'3h'" in text
    assert "'30min'" not in text


@for_each("language", LANGUAGES)
@for_each("concluded", [True, False])
def test_what_began_with_a_release_goes_with_it(concluded: bool, language: Language) -> None:
    """Rolling back what it began with is allowed at once, then what to check and the cure; else it is no verdict."""
    phrases = load_phrases(language)
    found = ConclusionView("RC-1", NAME, 0.9, solution=STEPS, repeated_conclusion=True)
    of_case = (found, None) if concluded else (None, found)
    answer = HelpAnswer(
        (), of_case[0], "roll back?", QuestionTopic.RISK, leading=of_case[1], action="roll_back_release"
    )
    text = compose(TurnResults(answers=(answer,), objects=kept(RELEASE)), language)
    assert text.startswith(str(phrases["leave_release"]))
    assert STEPS[3].action.say(language) in text
    other = compose(TurnResults(answers=(answer,)), language)
    assert str(phrases["leave_release"]) not in other
    no_step = str(phrases["leave_no_step"]).rsplit("**", 1)[1]
    assert no_step.split("）" if language is Language.ZH else ")")[1].split("{", maxsplit=1)[0] in other


@pytest.mark.parametrize("language", LANGUAGES)
def test_whose_session_it_is_is_asked_once(language: Language) -> None:
    """Who told whose session it is, or that nobody can be reached, is not asked to make sure of it again."""
    end = SolutionStep(Text("断开源头", "End the root"), "SELECT pg_terminate_backend(:root_pid);", "medium")
    found = ConclusionView("RC-1", NAME, 0.99, solution=(end,), repeated_conclusion=True)
    answer = HelpAnswer((), found, "kill 18733?", QuestionTopic.RISK, action="terminate")
    root = NamedObject("pid", "18733", "root")
    first = str(load_phrases(language)["first_terminate"])
    for known, told in (((), True), (kept(OWNER_KNOWN), False)):
        text = compose(TurnResults(answers=(answer,), objects=(root, *known)), language)
        assert (first in text) is told
        assert "pg_terminate_backend(18733)" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_step_is_told_done_that_nobody_did(language: Language) -> None:
    """Steps that prevent a repeat and are still to do are not among those that are called done or over."""
    steps = (STEPS[0], RAISE, STEPS[3])
    found = ConclusionView("RC-1", NAME, 0.97, solution=steps, repeated_conclusion=True)
    answer = HelpAnswer((), found, "what else", QuestionTopic.REMAINING)
    text = compose(TurnResults(answers=(answer,)), language)
    assert str(load_phrases(language)["steps_over"]).split("{")[0] not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_root_that_was_ended_is_no_step_any_more(language: Language) -> None:
    """Once well after the root was ended, the steps that acted on it are over."""
    end = SolutionStep(Text("断开源头", "End the root"), "SELECT pg_terminate_backend(:root_pid);", "medium")
    look = SolutionStep(Text("找到源头", "Find the root"), "SELECT 1 WHERE pid = :root_pid;", "none")
    found = ConclusionView("RC-1", NAME, 0.97, solution=(look, end, STEPS[3]), repeated_conclusion=True)
    answer = HelpAnswer((), found, "all good, what is left", QuestionTopic.REMAINING)
    done = Treatment("terminate", "shot it", objects=("18733",), turn=3)
    results = TurnResults(
        answers=(answer,), objects=(NamedObject("pid", "18733", "root"),), treatments=(done,), aftermath=Aftermath.WELL
    )
    assert look.action.say(language) not in compose(results, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_blocks_everyone_is_the_root_and_the_head_and_no_victim(language: Language) -> None:
    """The answer names the session that waits for nobody, then the head of the queue, in two lines."""
    sessions = (("18822", "holds"), ("20411", "ddl"), ("20455", "waits"), ("20460", "waits"))
    waits = (NamedObject("waits_for", "20411>18822"), NamedObject("waits_for", "20455>20411"))
    objects = (*waits, *(NamedObject("pid", name, role) for name, role in sessions))
    asked = {Language.ZH: "到底谁堵着所有人", Language.EN: "which pid is the one blocking everyone"}[language]
    text = compose(TurnResults(answers=(HelpAnswer((), None, asked, QuestionTopic.OBJECT),), objects=objects), language)
    first, second = text.splitlines()
    assert "18822" in first
    assert "20411" in second
    assert "20455" not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_idle_session_that_holds_others_up_is_explained(language: Language) -> None:
    """Asked why it is the one that does nothing, the answer says that an open transaction keeps its locks."""
    objects = (NamedObject("pid", "18733", "idle"), NamedObject("pid", "21904", "waits"))
    said = str(load_phrases(language)["object_idle_holds"]).format(name="18733")
    for number, told in (("18733", True), ("21904", False)):
        answer = ReasoningAnswer(name=NAME, confidence=0.94, text=f"why {number}? it is idle")
        assert (said in compose(TurnResults(answers=(answer,), objects=objects), language)) is told


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_look_at_a_setting_names_it(language: Language) -> None:
    """Where the remedy changes one setting, whether that needs a restart is looked up by its name."""
    found = ConclusionView("RC-1", NAME, 0.97, solution=(RAISE,), repeated_conclusion=True)
    answer = HelpAnswer((), found, "may i change it?", QuestionTopic.RISK, action="set_parameter")
    text = compose(TurnResults(answers=(answer,)), language)
    assert "name = 'max_standby_streaming_delay'" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_steps_are_told_where_they_are_asked_for(language: Language) -> None:
    """Asked how to cure it for good, step by step, a cause that leads clearly has its steps told and not put off."""
    said = {Language.ZH: "怎么根治，给步骤", Language.EN: "how do i fix it for good, give me steps"}[language]
    leader = RankedHypothesis("RC-1", NAME, 0.57, 0.57)
    answer = HelpAnswer((), None, said, QuestionTopic.PREVENTION, relief=(CANCEL,), leading=FOUND)
    text = compose(TurnResults(answers=(answer,), diagnosis=DiagnosisView((leader,), (CHECK,)), turn=5), language)
    assert all(step.action.say(language) in text for step in STEPS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_release_it_began_with_is_relief_where_there_is_no_other(language: Language) -> None:
    """Where no relief fits, going back to the version before stands at the head of the steps."""
    found = ConclusionView("RC-1", NAME, 0.97, solution=STEPS, repeated_conclusion=True)
    said = str(load_phrases(language)["relief_release"])
    for objects, told in ((kept(RELEASE), True), ((), False)):
        results = TurnResults(answers=(HelpAnswer((), found, "what now"),), objects=objects)
        assert (said in compose(results, language)) is told
