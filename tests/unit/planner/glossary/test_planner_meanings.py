"""What a term of the field means: how it is asked for, and how it is answered for those who are no DBA."""

from __future__ import annotations

import pytest

from services.planner.glossary.asking import meanings_in
from services.planner.glossary.known_terms import find_term, terms
from services.planner.model import (
    ConclusionView,
    EvidenceView,
    HelpAnswer,
    Language,
    MatterView,
    ObservationStep,
    QuestionStep,
    QuestionTopic,
    SessionView,
    Speaker,
    Text,
    TurnResults,
    Utterance,
    Verdict,
)
from services.planner.planner import Planner
from services.planner.speak.compose import compose
from services.planner.speak.voice import load_phrases
from tests.support.cases import for_each

LANGUAGES = (Language.ZH, Language.EN)
SEEN = EvidenceView("P-0006", Text("长事务", "Long transaction"), Verdict.CONFIRMED, "x", 1)
OPEN = SessionView(turn=3, evidence=(SEEN,), history=(Utterance(Speaker.USER, "orders hang"),))
SLOT = Text("失活复制槽留住 WAL", "An inactive replication slot retains WAL")
LEADER = ConclusionView("RC-0001", SLOT, 0.46)
RIVAL = ConclusionView("RC-0002", Text("归档失败", "Archiving fails"), 0.11)


def answered(asked: str, language: Language, **more: object) -> str:
    """The answer to a question for a meaning."""
    answer = HelpAnswer(text=asked, topic=QuestionTopic.MEANING, **more)  # type: ignore[arg-type]
    return compose(TurnResults(answers=(answer,)), language)


def test_each_term_is_told_in_both_languages_in_a_sentence_or_two() -> None:
    """Every term has names and a text in each language, short enough to be read at night, and no name stands twice."""
    for term in terms().values():
        assert all(find_term(name) is term for name in term.names), term.term_id
        assert 20 <= len(term.text.zh) <= 140, term.term_id
        assert 60 <= len(term.text.en) <= 320, term.term_id
        assert term.text.en.count(". ") <= 1, term.term_id
    assert len(terms()) >= 120


@for_each(
    ("message", "term"),
    [
        ("what is a slot?", "replication_slot"),
        ('ok so whats a "slot" here, dont we just have one replica?', "replication_slot"),
        ("and what does that max wal thing even mean, i thought wal was for replication", "max_wal_size"),
        ("whats xmin anyway, in plain words, and why would it matter for my table", "xmin"),
        ("lwlock?? never heard of it", "lwlock"),
        ("never heard of a checkpoint, what is that", "checkpoint"),
        ("can you explain what a hash join is", "hash_join"),
        ("explain bloat", "bloat"),
        ("waht is a replicaton slot", "replication_slot"),
        ("what is idle in transaction and why is it bad?", "idle_in_transaction"),
        ("what's that 46 % supposed to be", "percentage"),
        ("11%是啥意思,你怎么算的这么准", "percentage"),
        ("88%那个是啥意思", "percentage"),
        ("那个 work_mem 到底是啥", "work_mem"),
        ("什么叫死行", "dead_rows"),
        ("autovacuum 是干嘛的", "autovacuum"),
        ("MDL 是什么", "metadata_lock"),
        ("复制糟是什么东西", "replication_slot"),
        ("你说的检查点是什么意思", "checkpoint"),
        ("说的 gtid 我没听过", "gtid"),
    ],
)
def test_a_question_for_a_term_names_it(message: str, term: str) -> None:
    """The term is found in any wording, with slips and talk around it."""
    assert [each.term.term_id for each in meanings_in(message)] == [term]


@for_each(
    ("message", "both"),
    [
        ("what's the difference between vacuum and analyze", ["vacuum", "analyze"]),
        ("wal和检查点有什么区别", ["wal", "checkpoint"]),
        ("what is bloat? and what's a slot", ["bloat", "replication_slot"]),
    ],
)
def test_several_terms_are_asked_for_at_once(message: str, both: list[str]) -> None:
    """A comparison, or two questions, ask for each of the terms."""
    assert [each.term.term_id for each in meanings_in(message)] == both


@for_each(
    "message",
    [
        "whats the plan, yes or no: kill the report?",
        "explain shows index scan. why do u keep saying that",
        "ran explain analyze on it took forever:",
        "what is the load",
        "what's blocking session 4410",
        "what is max_wal_size set to",
        "what is the replication lag on standby2",
        "what is locked",
        "根因是什么",
        "为什么是死锁",
        "锁等待的是什么会话",
        "VACUUM 在干什么",
        "explain 我在生产上跑不了,没权限",
        "复制延迟是多少",
        "会不会是死锁？",
        "不知道有没有锁",
        "cpu 100% 是什么意思",
    ],
)
def test_what_only_has_a_term_in_it_asks_for_no_meaning(message: str) -> None:
    """Which one it is, how much it is, why it is, and reports are no questions for what a term means."""
    assert meanings_in(message) == ()


@pytest.mark.parametrize("view", [SessionView(), OPEN])
async def test_the_question_stands_in_place_of_all_else_that_its_words_were_taken_for(view: SessionView) -> None:
    """In the first message and later a meaning is asked for, its manner orders no summary, and what is told stays."""
    message = "archiving looks ok, failed_count 0. sorry what is a replication slot?? explain like im 5"
    steps = (await Planner(None).decide(view, message)).plan.steps
    topics = [step.topic for step in steps if isinstance(step, QuestionStep)]
    assert topics == [QuestionTopic.MEANING]
    told = [step.text for step in steps if isinstance(step, ObservationStep)]
    assert any("archiving" in text for text in told)
    assert not any("slot" in text for text in told)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_term_is_explained_and_tied_to_the_leading_cause(language: Language) -> None:
    """The term's sentence comes first, then the cause of this case that is about it."""
    text = answered("what is a slot", language, leading=LEADER)
    term = find_term("slot")
    assert term is not None
    assert text.startswith(term.text.say(language)[:20])
    assert SLOT.say(language) in text
    assert "%" not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_term_is_tied_to_what_can_be_checked(language: Language) -> None:
    """Where no cause is about it, the check that is about it is named; one about something else is not."""
    matter = MatterView(phenomenon_id="P-0007", name=SLOT)
    assert "P-0007" in answered("what is a slot", language, matter=matter)
    assert "P-0007" not in answered("what is a deadlock", language, matter=matter)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_percentage_is_how_likely_the_cause_is(language: Language) -> None:
    """It is told what the number is, with the cause beside which it stands now."""
    text = answered("what does the 11% mean", language, leading=LEADER, rivals=(RIVAL,))
    assert terms()["percentage"].text.say(language)[:20] in text
    assert RIVAL.name.say(language) in text
    assert SLOT.say(language) not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_unknown_term_is_told_in_a_line(language: Language) -> None:
    """Nothing is known of it: one line says so, without percentages."""
    text = answered("what does frobnicator mean", language, leading=LEADER)
    assert text == str(load_phrases(language)["meaning_unknown"]).format(words="frobnicator")


@for_each("message", ["what's a frobnicator", "what does frobnicator mean", "什么叫量子纠缠"])
async def test_an_unknown_term_is_asked_for_as_one(message: str) -> None:
    """A question for the meaning of a word that is in no list is one all the same."""
    steps = (await Planner(None).decide(OPEN, message)).plan.steps
    assert [step.topic for step in steps if isinstance(step, QuestionStep)] == [QuestionTopic.MEANING]


@pytest.mark.parametrize("message", ["what's a good value for work_mem", "what is a safe max_wal_size"])
async def test_a_wish_for_a_value_asks_for_no_meaning(message: str) -> None:
    """What would be good or safe is not what something is."""
    steps = (await Planner(None).decide(OPEN, message)).plan.steps
    assert QuestionTopic.MEANING not in [step.topic for step in steps if isinstance(step, QuestionStep)]


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        ("how should i know, whats max_wal_size got to do with it", Language.EN),
        ("max_wal_size 跟这有啥关系", Language.ZH),
    ],
)
async def test_what_has_a_term_to_do_with_it_is_told_by_what_the_term_is(asked: str, language: Language) -> None:
    """Where nothing on record tells it, the term that is named is explained; a setting is no object that is sought."""
    plan = (await Planner().decide(OPEN, asked)).plan
    assert [step.topic for step in plan.steps if isinstance(step, QuestionStep)] == [QuestionTopic.RELATED]
    answer = HelpAnswer(text=asked, topic=QuestionTopic.RELATED)
    assert terms()["max_wal_size"].text.say(language) in compose(TurnResults(answers=(answer,)), language)


SHOWN = """$ psql -h db-primary.prod -c "select pg_is_in_recovery(), inet_server_addr()"
 pg_is_in_recovery | inet_server_addr
-------------------+------------------
 t                 | 10.20.3.11
(1 row)"""


@pytest.mark.parametrize(
    ("asked", "language"), [("上面那个输出 t 是啥意思", Language.ZH), ("what does the t up there mean", Language.EN)]
)
async def test_a_value_that_was_shown_is_explained_by_its_column(asked: str, language: Language) -> None:
    """Asked what a value of the last output means, the answer tells what its column says."""
    history = (Utterance(Speaker.USER, "orders hang"), Utterance(Speaker.USER, SHOWN))
    view = SessionView(turn=3, evidence=(SEEN,), history=history)
    plan = (await Planner().decide(view, asked)).plan
    (step,) = [each for each in plan.steps if isinstance(each, QuestionStep)]
    assert terms()["pg_is_in_recovery"].text.say(language) in answered(step.text, language)


INVALID = """ indexrelid         | indisvalid | indisready
--------------------+------------+------------
 idx_orders_user_id | f          | f"""


@pytest.mark.parametrize(("asked", "language"), [("f是啥意思？", Language.ZH), ("what does the f mean?", Language.EN)])
async def test_a_letter_of_a_pasted_table_is_a_yes_or_no_of_its_column(asked: str, language: Language) -> None:
    """A letter is read in the table of the same message: it is true or false, and of what its column tells."""
    view = SessionView(turn=3, evidence=(SEEN,), history=(Utterance(Speaker.USER, "orders hang"),))
    plan = (await Planner().decide(view, f"{INVALID}\n{asked}")).plan
    (step,) = [each for each in plan.steps if isinstance(each, QuestionStep)]
    told = answered(step.text, language)
    assert terms()["invalid_index"].text.say(language) in told
    assert "`indisvalid` = f" in told


@for_each("asked", ["something is throttling us??", "its the checkpoints??", "u mean the pool??"])
async def test_a_guess_with_two_question_marks_asks_for_no_term(asked: str) -> None:
    """A clause that says something of a thing is no question of what that thing is."""
    assert not meanings_in(asked)
