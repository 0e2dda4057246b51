"""What a question that names nothing goes on to: the next step; and what one of the person's own thing is about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from lang import deferred_re as re
from lang.listed import lists_beside
from services.planner.model import (
    ItemList,
    NamedObject,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    SessionView,
    Speaker,
    Status,
    Verdict,
)
from services.planner.treatment.actions import actions_in, mentions_in, names_ddl, read_actions
from services.planner.treatment.reports import treatments_in
from services.planner.treatment.sentences import refused_in, sentences_of
from services.planner.treatment.shown_actions import SESSION
from services.planner.treatment.wanted.requests import asked_in
from services.planner.treatment.wanted.wants import wants_in
from services.planner.understand.questions.looking_back import asks_standing, heard_in
from services.planner.understand.questions.of_the_cause import asks_how_so, asks_why
from services.planner.understand.text.messages import read
from services.planner.understand.text.word_lists import listed, names

_LISTED = lists_beside(__file__)

# What a question that names nothing may have been taken for.
_GOES_ON = (None, QuestionTopic.RELIEF)
# Chinese is often parted by spaces alone.
_PARTED = re.compile(r"(?<=[\u4e00-\u9fff]) +|[ ]+(?=[\u4e00-\u9fff])")
_SEVERAL, _LONGEST_ROW = 2, 200
_CURES = frozenset(("cure", "remedy"))
# In place of an action: what runs is asked about.
RUNNING = "running"
# In place of an action: a transaction that is open is ended by its owner, in one way or the other.
END_TRANSACTION = "end_transaction"
# In place of an action: a change of a table that waited in vain runs again.
RERUN = "rerun"
_BUILD = listed("treatment.asks_build")
_ROW_RUNNING = listed("treatment.row_running")
_RUN_TIME, _RUNS = listed("treatment.asks_run_time"), listed("treatment.runs")
_VACUUM_RUNS = listed("treatment.vacuum_runs")
_OUTCOME = listed("treatment.asks_outcome")
_COMMIT_OR, _PREPARED = listed("treatment.commit_or"), listed("treatment.prepared")
_ENDING = ("cancel", "terminate", "stop")
_BARE_NEXT = listed("asking.bare_next")
_BY_PLACE = listed("asking.by_place")

Asked = tuple[str, tuple[QuestionStep, ...]]
# What is answered with the question which of two to end first.
_ANSWERED = (QuestionTopic.RISK, QuestionTopic.OBJECT, QuestionTopic.COMPARISON)
# "先 20411 还是 18822", "which first, 20411 or 18822": which of them it is at all is another question.
_ALONE = _LISTED.pattern("alone", re.IGNORECASE)


def asked_by(said: str, view: SessionView) -> tuple[tuple[str, tuple[QuestionStep, ...]], ...]:
    """The sentences of a message that ask, each with its questions: of what was said before, else of the treatment."""
    return with_order(said, view, tuple(heard_in(said, view)) or _of_treatment(said, view))


def asks_order(words: str) -> bool:
    """Whether a sentence asks which of two sessions comes first, or in which of two ways one is ended."""
    return any(map(_asks_order, sentences_of(words)))


def with_order(said: str, view: SessionView, asked: Iterable[Asked]) -> tuple[Asked, ...]:
    """The questions of a message with the one which of two to end first in the place of those that it answers.

    It is asked with the whole message where it stands for another of its sentences, or lacks the numbers itself.
    """
    order = next(filter(_asks_order, sentences_of(said)), "")
    before = "\n".join(each.text for each in view.history)
    if not order or not all(number in before for number in SESSION.findall(order)):
        return tuple(asked)
    asked = tuple(asked)
    covers = any(words != order and each.topic in _ANSWERED for words, steps in asked for each in steps)
    words = said if covers or (SESSION.search(said) and not SESSION.search(order)) else order
    step = QuestionStep(QuestionKind.HELP, None, words, topic=QuestionTopic.RISK, action="cancel")
    others = ((words, tuple(each for each in steps if each.topic not in _ANSWERED)) for words, steps in asked)
    return ((order, (step,)), *((words, steps) for words, steps in others if steps and words != order))


def _asks_order(sentence: str) -> bool:
    numbers, either = {*SESSION.findall(sentence)}, bool(names("named.either", sentence))
    ends = not {*_ENDING}.isdisjoint(actions_in(sentence))
    two = len(numbers) == _SEVERAL and (ends or bool(names("named.first", sentence)))
    both = either and (two or (ends and len(numbers) == 1 and names_ddl(sentence)))
    return both or weighs_ends(sentence) or _ALONE.search(sentence) is not None


def weighs_ends(sentence: str) -> bool:
    """Whether a sentence weighs cancelling against ending: "cancel or kill?"."""
    return {"cancel", "terminate"} <= {*actions_in(sentence)} and bool(names("named.either", sentence))


def _of_treatment(said: str, view: SessionView) -> tuple[Asked, ...]:
    """The sentences that ask of the treatment, those about an open transaction and of how to see an outcome first."""
    for refused in refused_in(said):
        said = said.replace(refused, " ")
    rest = said
    plain = (*_of_an_open_transaction(said), *_of_running(said, view), *_of_index_build(said), *_of_outcome(said, view))
    plain = (*plain, *_of_rerun(said, view))
    for sentence, _ in plain:
        rest = rest.replace(sentence, " ")
    return (*plain, *asked_in(rest, view))


def _of_rerun(said: str, view: SessionView) -> Iterator[Asked]:
    """The sentences that ask if a change that waited may run again, or comes after what it waited for."""
    if not any(names_ddl(each.name.en) for each in view.hypotheses[:1]):
        return
    for sentence in sentences_of(said):
        wants = wants_in(read_actions(sentence))
        if "rerun" in wants or ("in_order" in wants and ends_before_ddl(sentence) is not None):
            yield sentence, (QuestionStep(QuestionKind.HELP, None, sentence, topic=QuestionTopic.RISK, action=RERUN),)


def ends_before_ddl(sentence: str) -> bool | None:
    """Whether words end a session before a change of a table, and not after it; None where they do not name both."""
    text = read_actions(sentence)
    end = next((each for each in mentions_in(text) if each.action in _ENDING), None)
    if end is None:
        return None
    before, after = text.quote(0, end.first), text.quote(end.last, len(text.tokens))
    return True if names_ddl(after) else False if names_ddl(before) else None


def _of_outcome(said: str, view: SessionView) -> Iterator[tuple[str, tuple[QuestionStep, ...]]]:
    """The sentences that ask how to see that what was done, or is to be, has worked."""
    done = view.treatments or any(not each.undone for each in treatments_in(said, view))
    if not done and view.status is not Status.CONCLUDED:
        return
    for sentence in sentences_of(said):
        if asks_outcome(sentence):
            yield sentence, (QuestionStep(QuestionKind.HELP, text=sentence, topic=QuestionTopic.EFFECT),)


def _of_index_build(said: str) -> Iterator[tuple[str, tuple[QuestionStep, ...]]]:
    """The sentences that ask how far the build of an index is, and whether the index is valid."""
    for sentence in sentences_of(said):
        if asks_build(sentence):
            step = QuestionStep(QuestionKind.HELP, text=sentence, topic=QuestionTopic.EFFECT, action="create_index")
            yield sentence, (step,)


def _of_running(said: str, view: SessionView) -> Iterator[tuple[str, tuple[QuestionStep, ...]]]:
    """The sentences that ask how long a vacuum or the build of an index still runs, or why so long, with its row."""
    row = next(iter(_rows_running(view)), None)
    on_record = (each for each in view.evidence if each.verdict is Verdict.CONFIRMED)
    if row is None and not any(_VACUUM_RUNS.search(each.name.en) for each in on_record):
        return
    pid = row["pid"] if row is not None and row["pid"] else "\0"
    told = f"\n{row[0]}" if row is not None else ""
    for sentence in sentences_of(said):
        if _RUN_TIME.search(sentence) and (_RUNS.search(said) or pid in said):
            step = QuestionStep(QuestionKind.HELP, text=sentence + told, topic=QuestionTopic.EFFECT, action=RUNNING)
            yield sentence, (step,)


def _rows_running(view: SessionView) -> Iterator[re.Match[str]]:
    """The vacuums and builds that the person showed, each in its row, the last one first."""
    for each in reversed(view.history):
        if each.speaker is Speaker.USER:
            rows = (found for line in reversed(each.text.splitlines()) if (found := running_in(line)))
            yield from (found for found in rows if found["pid"])  # A list of indexes shows how each was built.


def running_in(line: str) -> re.Match[str] | None:
    """A vacuum or a build that runs, as a row shows it: its session and its table."""
    return _ROW_RUNNING.search(line)


def rows_running_in(message: str) -> tuple[NamedObject, ...]:
    """The vacuums and builds that a message shows, as they are kept for the case."""
    rows = (found for line in message.splitlines() if (found := running_in(line)) and found["pid"])
    return tuple(NamedObject(RUNNING, found[0][:_LONGEST_ROW], said=True) for found in rows)[:_SEVERAL]


def asks_build(words: str) -> bool:
    """True if words ask how far the build of an index is, or whether it came out valid."""
    return _BUILD.search(words) is not None


def asks_outcome(words: str) -> bool:
    """True if words ask how to see whether something that was done has worked."""
    return _OUTCOME.search(words) is not None


def _of_an_open_transaction(said: str) -> Iterator[tuple[str, tuple[QuestionStep, ...]]]:
    """The sentences that ask how a transaction is to be ended; one that is prepared goes by its coordinator."""
    if _PREPARED.search(said):
        return
    for sentence in sentences_of(said):
        if _COMMIT_OR.search(sentence):
            step = QuestionStep(
                QuestionKind.HELP, text=sentence, topic=QuestionTopic.COMPARISON, action=END_TRANSACTION
            )
            yield sentence, (step,)


def with_cure(steps: list[PlanStep], said: str, view: SessionView) -> list[PlanStep]:
    """The steps with the question for the cure where only spaces part it from what else is asked, and none is of it."""
    parts = [part for part in _PARTED.split(said) if part.strip()]
    free = [part for part in parts if not (any(map(str.isdigit, part)) or actions_in(part))]
    if view.status is not Status.CONCLUDED or len(parts) < _SEVERAL or any(map(_asks_cure, steps)):
        return steps
    asking = (part for part in free if _CURES & {*wants_in(read_actions(part))})
    return [*steps, *(QuestionStep(QuestionKind.HELP, text=part) for part in islice(asking, 1))]


def _asks_cure(step: PlanStep) -> bool:
    cures = (None, QuestionTopic.RELIEF, QuestionTopic.REMAINING, QuestionTopic.PREVENTION)
    return isinstance(step, QuestionStep) and step.kind is QuestionKind.HELP and step.topic in cures


def going_on(step: PlanStep, view: SessionView) -> PlanStep:
    """A question of what comes next as one for the next step, and why something is so as one of the leading cause."""
    if not isinstance(step, QuestionStep) or step.topic not in _GOES_ON or step.text.startswith("/"):
        return step
    said = read(step.text).normal
    if step.topic is QuestionTopic.RELIEF:
        goes_on = bool(view.treatments) and _BARE_NEXT.search(said) is not None
        return replace(step, topic=QuestionTopic.REMAINING) if goes_on else step
    if step.kind is QuestionKind.WHAT_IF and _supposes_nothing(step):
        step = QuestionStep(QuestionKind.PROGRESS, text=step.text)
    if step.kind is QuestionKind.PROGRESS and view.status is Status.CONCLUDED and not asks_standing(step.text):
        done = any(not each.undone for each in view.treatments)
        topic = QuestionTopic.REMAINING if done else None
        return QuestionStep(QuestionKind.HELP, text=step.text, topic=topic)
    if step.kind is QuestionKind.RELATIONS and view.hypotheses and _asks_why(said) and not _points(step, said):
        return QuestionStep(QuestionKind.HELP, text=step.text, topic=QuestionTopic.RELATED)
    return step


def without_bare_next(steps: list[PlanStep]) -> list[PlanStep]:
    """The steps without a question of what comes next that only goes on from another one: "so no kill? what then?"."""
    asked = [step for step in steps if isinstance(step, QuestionStep)]
    bare = [step for step in asked if _BARE_NEXT.search(read(step.text).normal) or _supposes_nothing(step)]
    return steps if len(bare) == len(asked) else [step for step in steps if step not in bare]


def _supposes_nothing(step: QuestionStep) -> bool:
    """Whether a supposition only goes on: "what then, wait 4 more hours?"."""
    words = [each.reference.words or "" for each in step.assumptions]
    return any(_BARE_NEXT.search(read(each).normal) for each in (step.text, *words))


def _asks_why(said: str) -> bool:
    return asks_why(said) or asks_how_so(said)


def _points(step: QuestionStep, said: str) -> bool:
    """Whether a question points at what it asks about: by its name, or by its place in a list."""
    subject = step.subject
    if subject is None or subject.group is not None:
        return False
    placed = subject.ordinal is not None and subject.list is not ItemList.HYPOTHESES
    return not placed or _BY_PLACE.search(said) is not None
