"""What is asked of a cause: where its percentage comes from, why it is not another, how it comes to what is seen."""

from __future__ import annotations

from collections.abc import Iterator

from lang import deferred_re as re
from services.planner.model import (
    Group,
    HypothesisView,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    Reference,
    SessionView,
    Speaker,
    SuggestionStep,
)
from services.planner.understand.text.messages import read
from services.planner.understand.text.word_lists import listed

_WHY = listed("of_the_cause.why")
_CONCLUDES = listed("of_the_cause.concludes")
_BECAUSE = listed("of_the_cause.because")
_WHETHER = listed("of_the_cause.whether")
_LIKELIER = listed("of_the_cause.likelier")
_SAME = listed("of_the_cause.same")
_HOW_SO = listed("of_the_cause.how_so")
_WHY_NOT = listed("of_the_cause.why_not")
_OF_BELIEF = listed("of_the_cause.of_belief")
_TICKETS_BEHIND = listed("of_the_cause.tickets_behind")
_OF_A_SHARE = listed("of_the_cause.of_a_share")
_OF_A_CHECK = listed("of_the_cause.of_a_check")
_CHANGES_MIND = listed("of_the_cause.changes_mind")
_WHY_ASK = listed("asking.why_ask")
# What answers a conclusion with something else than whether it is so.
_ANSWERED_ELSE = (QuestionTopic.RISK, QuestionTopic.EFFECT, QuestionTopic.OF_CAUSE)
_SHARE = re.compile(r"(?<![\d.])(\d{1,2})\s*(%|(?=\W*$))", re.ASCII)
_BARE_NUMBER = re.compile(r"(?<![\d.])(\d{2})(?![\d.:])", re.ASCII)
_TOLD_SHARE = re.compile(r"(\d{1,2})\s?%", re.ASCII)
# Two numbers that were both told as percentages: "from 84 to 49".
_BOTH = 2
# A "why?" of so many characters is about what was just asked.
_BARE = 8


def asks_what_would_change(words: str) -> bool:
    """Whether words ask what would change a conclusion."""
    return _CHANGES_MIND.search(read(words).normal) is not None


def asks_same(words: str) -> bool:
    """Whether words ask if the cause is still the same, or the same for something else."""
    return _SAME.search(read(words).normal) is not None


def asks_why(words: str) -> bool:
    """Whether words ask for reasons."""
    return _WHY.search(read(words).normal) is not None


def asks_because(words: str) -> bool:
    """Whether words are answered with a because, and with nothing that tells how or whether."""
    return _BECAUSE.search(read(words).normal) is not None


def draws_conclusion(words: str) -> bool:
    """Whether words draw a conclusion that wants a yes or a no."""
    return _CONCLUDES.search(read(words).normal) is not None


def wants_verdict(step: SuggestionStep | QuestionStep) -> bool:
    """Whether what was taken for a guess, a why or leave draws a conclusion that wants a yes or a no."""
    if isinstance(step, QuestionStep) and step.kind is QuestionKind.REASONING and asks_whether(step.text):
        return True
    kept = (
        isinstance(step, QuestionStep) and step.kind is not QuestionKind.HYPOTHESES and step.topic not in _ANSWERED_ELSE
    )
    return draws_conclusion(step.text) and not kept


def asks_likelier(words: str) -> bool:
    """Whether words ask which of two causes it is rather, and not which of two things to do."""
    return _LIKELIER.search(read(words).normal) is not None


def asks_belief(words: str) -> bool:
    """Whether words ask why something is believed, and not why it is so."""
    return _OF_BELIEF.search(read(words).normal) is not None


def asks_why_not(words: str) -> bool:
    """Whether words ask why it is not another cause."""
    return _WHY_NOT.search(read(words).normal) is not None


def asks_why_check(words: str) -> bool:
    """Whether words ask why something is asked for, and not why something is believed."""
    return _WHY_ASK.search(read(words).normal) is not None


def asks_whether(words: str) -> bool:
    """Whether words ask if it is something, and for no reason: "they ask whether it was the cutover"."""
    return _WHETHER.search(read(words).normal) is not None and not (asks_because(words) or asks_belief(words))


def names_share(words: str) -> bool:
    """Whether words name a percentage, or how sure something is."""
    said = read(words).normal
    return _OF_A_SHARE.search(said) is not None or _SHARE.search(said) is not None


def asks_tickets(words: str) -> bool:
    """Whether words ask for the tickets that a belief rests on."""
    return _TICKETS_BEHIND.search(read(words).normal) is not None


def asks_how_so(words: str) -> bool:
    """Whether words ask how one thing comes to hold up or slow another."""
    return _HOW_SO.search(read(words).normal) is not None


def asks_mechanism(words: str) -> bool:
    """Whether words are answered with how the cause works."""
    return asks_same(words) or asks_how_so(words)


def asked_of_cause(sentence: str, view: SessionView) -> QuestionStep | None:
    """The question of a sentence that asks about a cause; None where it asks something else, or nothing is believed."""
    if not view.hypotheses:
        return None
    said = read(sentence).normal
    if other := _WHY_NOT.search(said):
        name = next(each for each in other.groups() if each)
        return QuestionStep(QuestionKind.REASONING, Reference(words=name.strip()), sentence)
    if _WHY.search(said) and (meant := _meant_by_share(said, view)) is not None:
        return QuestionStep(QuestionKind.REASONING, Reference(id=meant.root_cause_id), sentence)
    if asks_mechanism(sentence):
        return QuestionStep(QuestionKind.HELP, None, sentence, topic=QuestionTopic.RELATED)
    return None


def _meant_by_share(said: str, view: SessionView) -> HypothesisView | None:
    """The cause whose percentage a sentence names: that which has it, else the leader where it was told of one."""
    if _OF_A_SHARE.search(said):
        return view.hypotheses[0]
    named = [int(share[1]) for share in _SHARE.finditer(said)]
    bare = [int(number[1]) for number in _BARE_NUMBER.finditer(said)]
    told = set(_shares_told(view))
    if not any(share in told for share in named) and not (len(bare) >= _BOTH and told.issuperset(bare)):
        return None
    having = (each for each in view.hypotheses if round(100 * each.confidence) in named)
    return next(having, view.hypotheses[0])


def _shares_told(view: SessionView) -> Iterator[int]:
    for each in view.hypotheses:
        yield round(100 * each.confidence)
    for said in view.history:
        if said.speaker is Speaker.ASSISTANT:
            yield from (int(share) for share in _TOLD_SHARE.findall(said.text))


def of_belief(step: PlanStep) -> PlanStep:
    """A question for reasons that is not why something is asked, as one about the leading cause."""
    if not isinstance(step, QuestionStep) or step.kind is not QuestionKind.REASONING or step.subject is None:
        return step
    points = step.subject.group is Group.JUST_MENTIONED and not step.text.startswith("/")
    said = read(step.text).normal.strip()
    if points and len(said) > _BARE and not _OF_A_CHECK.search(said):
        return QuestionStep(step.kind, None, step.text)
    return step
