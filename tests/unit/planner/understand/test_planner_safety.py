"""Questions whether something dangerous may be done: recognised as such, and never answered with a yes."""

from __future__ import annotations

import re

from services.planner.model import (
    ConclusionView,
    DiagnosisView,
    EvidenceView,
    HelpAnswer,
    Item,
    Language,
    QuestionKind,
    QuestionStep,
    RankedHypothesis,
    SessionView,
    SolutionStep,
    Text,
    TurnResults,
    Verdict,
)
from services.planner.speak.compose import compose
from services.planner.understand.acts import safety
from services.planner.understand.read import understand
from tests.support.cases import for_each

FRESH = SessionView()
MIDWAY = SessionView(
    evidence=(EvidenceView("P-0009", Text("复制延迟", "replication lag"), Verdict.CONFIRMED),),
    pending=(Item(1, "P-0001", Text("复制槽失效", "Slot wal_status is lost")),),
)
WAL = [
    "可以直接删 pg_wal 里的文件吗？",
    "can I delete old wal files with rm?",
    "may I remove pg_wal?",
    "我把wal文件删了行不行",
    "能不能清掉旧的 WAL 日志",
    "is it ok to purge the pg_xlog folder",
]
OTHERS = [
    "is it safe to drop the replication slot?",
    "is it safe to restart postgres?",
    "可以重启数据库吗",
    "can i just kill it?",
    "能不能直接杀掉这个会话",
    "should we fail over now",
    "要不要把 slot 删了",
    "can't we just restart",
    "could i go ahead and truncate that table?",
    "any risk in killing the blocker?",
    "把这个索引 drop 掉安全吗",
]
NO_LEAVE_ASKED = [
    "I killed the session",
    "可以看到有人 kill 了会话",
    "能看到有人删了索引吗",
    "重启之后可以了",
    "should I check the dropped connections",
    "could it be the dropped index?",
    "connections dropped and I can see errors",
    "can I delete my second answer",
    "can we drop all this and start over",
    "how do i get rid of those idle sessions",
    "postgres keeps getting killed by the oom killer",
    "DBA 昨天重启了数据库",
]


@for_each("view", [FRESH, MIDWAY], ids=["fresh", "midway"])
@for_each("message", [*WAL, *OTHERS])
def test_asking_for_leave_is_a_question_for_help_and_nothing_else(message: str, view: SessionView) -> None:
    """Whatever is listed, such a question answers, corrects and suggests nothing, and points at no item."""
    assert understand(message, view).steps == (QuestionStep(QuestionKind.HELP, None, message.rstrip("？?")),)


@for_each("message", NO_LEAVE_ASKED)
def test_what_was_done_or_seen_asks_for_no_leave(message: str) -> None:
    """Telling that something was killed or dropped, or asking about it, is no question for leave to do so."""
    assert not safety.asks_permission(message)


def _answered(message: str, language: Language, diagnosis: DiagnosisView | None, concluded: bool) -> str:
    found = diagnosis.conclusion if diagnosis and concluded else None
    return compose(TurnResults(answers=(HelpAnswer((), found, message),), diagnosis=diagnosis), language, "")


_CAUSE = Text("遗留复制槽", "abandoned slot")
_STEP = SolutionStep(
    Text("先确认没有人用这个槽", "check that nobody reads the slot"), "", "low", Text("重建槽", "make it anew")
)
_CONCLUSION = ConclusionView("RC-0001", _CAUSE, 0.97, solution=(_STEP,), repeated_conclusion=True)
CONCLUDED = DiagnosisView(conclusion=_CONCLUSION)
LEADING = DiagnosisView(hypotheses=(RankedHypothesis("RC-0001", _CAUSE, 0.4, 0.4),))
SHORT_OF_YES = {
    Language.ZH: re.compile(r"不要手工删 pg_wal|先确认再动手|不用，这治不了"),
    Language.EN: re.compile(
        r"Never remove files in pg_wal by hand|Only after you have checked this|No, that does not treat"
    ),
}


@for_each("language", [Language.ZH, Language.EN])
@for_each("message", [*WAL, *OTHERS])
def test_the_answer_never_encourages(message: str, language: Language) -> None:
    """It begins with the caution, names the rule for WAL files, and adds rated steps only of a concluded cause."""
    for diagnosis, concluded in ((None, False), (LEADING, False), (CONCLUDED, True)):
        said = _answered(message, language, diagnosis, concluded)
        assert SHORT_OF_YES[language].search(said.split("\n\n")[0])
        assert ("pg_wal" in said) == (message in WAL)
        assert (_STEP.action.say(language) in said) == concluded
        assert not re.match(r"可以|行|没问题|yes|sure|ok", said, re.IGNORECASE)


def test_other_questions_for_help_get_no_caution() -> None:
    """Asking what the assistant can do or what to do now is answered as before."""
    for message in ("what can you do", "怎么办", "what should I do now", ""):
        said = _answered(message, Language.EN, LEADING, False)
        assert not SHORT_OF_YES[Language.EN].search(said)
