"""A deed is what the person did: not what an answer names beside it, nor what a server does or refuses."""

from __future__ import annotations

from services.planner.model import (
    Aftermath,
    ConclusionView,
    HelpAnswer,
    Language,
    SessionView,
    SolutionStep,
    Speaker,
    Status,
    Text,
    Treatment,
    TurnResults,
    Utterance,
)
from services.planner.speak.compose import compose
from services.planner.treatment.aftermath import aftermath_in
from services.planner.treatment.reports import treatments_in
from tests.support.cases import for_each

STEP = (
    "2. Build the index online (risk: low; undo: `DROP INDEX CONCURRENTLY t_a_idx` (a failed build leaves an invalid "
    "index: drop it likewise))\n   `CREATE INDEX CONCURRENTLY t_a_idx ON t (a);`"
)
STEP_ZH = (
    "2. 在线建索引（风险：低；撤回：`DROP INDEX CONCURRENTLY t_a_idx`（失败会留下无效索引，同样删掉））\n"
    "   `CREATE INDEX CONCURRENTLY t_a_idx ON t (a);`"
)


def case(shown: str = "", *done: Treatment) -> SessionView:
    """A concluded case whose last answer this is."""
    history = (Utterance(Speaker.USER, "the page is slow"), Utterance(Speaker.ASSISTANT, shown))
    return SessionView(turn=5, history=history, status=Status.CONCLUDED, treatments=done)


def done(said: str, view: SessionView) -> set[str]:
    """What a message tells as done."""
    return {each.action for each in treatments_in(said, view) if not each.undone}


@for_each(
    ("said", "shown"),
    [
        ("ok i ran it, took 11 min", STEP),
        ("ran that. nothing yet", STEP),
        ("执行了，跑了11分钟", STEP_ZH),
        ("照做了", STEP_ZH),
    ],
)
def test_what_takes_a_step_back_was_not_done(said: str, shown: str) -> None:
    """Words that only point back are of the step that was shown, never of what its note names to undo it."""
    assert done(said, case(shown)) == {"create_index"}


@for_each(
    ("said", "shown"),
    [
        ("i ran it in psql with begin and it said ERROR: CREATE INDEX CONCURRENTLY cannot run inside a block", STEP),
        ("did it, ERROR:  must be owner of table t", STEP),
        ('执行了，报错 ERROR: relation "t" does not exist', STEP_ZH),
    ],
)
def test_what_the_server_refused_was_not_done(said: str, shown: str) -> None:
    """A statement that ended in an error is no deed, though the error names an action itself."""
    assert not done(said, case(shown))
    assert [each.action for each in treatments_in(said, case(shown))] == ["create_index"]


@for_each("said", ["它重启完连接都是新的", "这数据库重启了连接都断了", "it restarted and all connections were new"])
def test_what_a_server_does_by_itself_is_no_deed(said: str) -> None:
    """A word for all of them behind the verb names nobody who did it."""
    assert not done(said, case("pods of the application reconnect"))


@for_each("said", ["dropping?? no im CREATING it", "删索引？我是在建索引啊", "dropped?! i did not"])
def test_a_deed_repeated_with_a_question_mark_is_disputed(said: str) -> None:
    """Who only repeats what was noted, with a question mark, says that it was not done."""
    told = treatments_in(said, case("Noted: dropping the index.", Treatment("drop_index", "ran it", turn=4)))
    assert [(each.action, each.undone) for each in told] == [("drop_index", True)]


@for_each(
    "said",
    [
        "i stopped the cron on sunday and its just as slow",
        "stopped the batch job yesterday, same slowness",
        "停了跑批任务，一样慢",
        "脚本停掉了，慢得一模一样",
    ],
)
def test_what_is_as_bad_after_a_deed_is_no_better(said: str) -> None:
    """As slow as before after a deed: it did not help, in whatever words."""
    assert aftermath_in(said, case()) is Aftermath.UNCHANGED


@for_each(
    ("done", "counts"),
    [
        ((Treatment("vacuum", "ran vacuum", turn=2),), False),
        ((Treatment("vacuum", "ran vacuum", turn=2), Treatment("rollback_prepared", "rolled it back", turn=4)), False),
        ((Treatment("rollback_prepared", "rolled it back", turn=3), Treatment("vacuum", "ran vacuum", turn=4)), True),
    ],
)
def test_a_vacuum_before_the_holder_is_gone_is_no_step(done: tuple[Treatment, ...], counts: bool) -> None:
    """What removed nothing, since an old snapshot was held, is still to be done and is not told as done."""
    steps = (
        SolutionStep(Text("回滚", "Roll it back"), how="ROLLBACK PREPARED '<gid>';", risk="high"),
        SolutionStep(Text("清理", "Vacuum the tables"), how="VACUUM orders;", risk="low"),
    )
    found = ConclusionView("RC-1", Text("预备事务", "A prepared transaction"), 0.98, solution=steps)
    answer = HelpAnswer(conclusion=found, text="how do i fix it")
    text = compose(TurnResults(answers=(answer,), treatments=done, turn=6), Language.EN)
    assert ("VACUUM orders" not in text) == counts
    assert ("VACUUM" in text.split("What to do")[0]) == counts
