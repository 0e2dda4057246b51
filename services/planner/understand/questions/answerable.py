"""Questions that were read as something that has no answer, as what they ask; and talk beside the case as talk."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from lang import deferred_re as re
from lang.concepts.named_things import things_named
from services.planner.glossary.asking import meanings_in
from services.planner.glossary.known_terms import find_term
from services.planner.model import (
    ClarifyKind,
    ClarifyStep,
    FeedbackStep,
    ObservationStep,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    Reference,
    SessionView,
    SmalltalkKind,
    SmalltalkStep,
    Speaker,
    TurnPlan,
)
from services.planner.questions_asked.interrogatives import is_question
from services.planner.treatment.actions import actions_in, asking_words, read_actions
from services.planner.treatment.folding import in_order
from services.planner.treatment.named_steps import objects_to_it
from services.planner.treatment.sentences import refused_in, sentences_of
from services.planner.treatment.wanted.requests import with_action
from services.planner.treatment.wanted.wants import asks_for_none, notions_in, wants_in, word_in_question
from services.planner.understand.acts.case_topics import OTHER, likely_topic
from services.planner.understand.items.references import nearest
from services.planner.understand.questions import asked_otherwise as otherwise
from services.planner.understand.questions.counting import asked_if_it_counts
from services.planner.understand.questions.of_the_cause import asks_belief, asks_why, asks_why_not
from services.planner.understand.questions.of_the_state import without_guesses
from services.planner.understand.questions.question_contents import SURE, tells_plan
from services.planner.understand.questions.questions import asks_to_see, asks_who_waits, has_wh, last_asked
from services.planner.understand.questions.shown_values import of_cell, of_what_was_told
from services.planner.understand.questions.topic_steps import step_of
from services.planner.understand.text.domain import is_technical
from services.planner.understand.text.messages import read
from services.planner.understand.text.segments import is_bare, polarity_of
from services.planner.understand.text.word_lists import listed

# The key of the common question that words are likely to ask; empty where there is none.
Common = Callable[[str], str]
_NO_TERM = listed("answerable.no_term")
_QUOTED = listed("answerable.quoted")
_ASKS_MEANING = listed("answerable.asks_meaning")
_ALL_SHOWN = listed("answerable.all_shown")
_WHAT_IS = listed("answerable.what_is")
_HAS_TO_DO = listed("answerable.has_to_do")
_ASIDE = listed("answerable.aside")
# A term has so many characters at most, in Chinese and else; and a yes or no.
_TERM_HAN, _TERM, _VERDICT = 10, 32, 6
_LEADS = 0.2  # From this belief on, why something is so is told from the leading cause.
# What opens a quotation, and how much of one has to be the same.
_MARKS = ('"', "“", "'", "「", "『", "‘")
_QUOTED_FROM = 10
_CLAUSE = re.compile(r"[,，:：;；]\s*")
# What the meaning of a name is mistaken for.
_MISTAKEN = (None, QuestionTopic.RISK, QuestionTopic.COMMON)
_NEAR = 0.2  # So near to its name a cause is meant.
_OUTCOMES = ("recovered", "not_helped")


def answerable(plan: TurnPlan, said: str, message: str, view: SessionView, common: Common) -> TurnPlan:
    """The plan with what has no answer as it stands read as what it asks; said: the person's own words."""
    if said.startswith("/") or not (view.evidence or view.history):
        return plan
    counted = asked_if_it_counts(said, view)
    if counted is not None:
        return replace(plan, steps=(counted,))
    looks = otherwise.with_looks([one for each in plan.steps for one in of_what_was_told(each, plan)], said, view)
    read_so = [otherwise.asked_of_action(_as_question(step, plan, said), said, view) for step in looks]
    steps = [each for step in read_so for each in of_cell(step, message, view) or _answerable(step, view, common)]
    steps = [_without_question(step, steps) for step in dict.fromkeys(steps) if not _quotes(step, view)]
    return replace(plan, steps=tuple(in_order(without_guesses(steps), said)))


def _answerable(step: PlanStep, view: SessionView, common: Common) -> Iterator[PlanStep]:
    match step:
        case QuestionStep() if (tickets := otherwise.of_tickets(step, view)) is not None:
            yield tickets
        case QuestionStep(kind=QuestionKind.HELP | QuestionKind.RELATIONS) if name := _name_meant(step, view):
            yield QuestionStep(QuestionKind.HELP, Reference(words=name), step.text, topic=QuestionTopic.MEANING)
        case QuestionStep(kind=QuestionKind.HELP, topic=None) if otherwise.asks_no_look(step, common):
            yield otherwise.without_look(step, common(step.text), view)
        case QuestionStep(topic=QuestionTopic.COMMON):
            yield from _asked_beside(step, view)
        case QuestionStep(topic=QuestionTopic.RISK, text=words) if asks_for_none(words) and not objects_to_it(words):
            related = QuestionStep(QuestionKind.HELP, Reference(words=words), words, topic=QuestionTopic.RELATED)
            yield related if is_question(words) else SmalltalkStep(SmalltalkKind.REMARK)
        case ClarifyStep(kind=ClarifyKind.VAGUE, words=words) if _is_aside(words):
            yield SmalltalkStep(SmalltalkKind.REMARK)
        case QuestionStep(topic=QuestionTopic.MEANING) if _names_no_term(step, view):
            yield _meant(step, view, common)
        case QuestionStep(topic=None, kind=QuestionKind.WHAT_IF):
            yield _supposed(step, view, common)
        case QuestionStep(topic=None, kind=QuestionKind.REASONING) if _asks_relation(step):
            yield _related(step, common)
        case QuestionStep(topic=None, kind=QuestionKind.REASONING) if _asks_why_it_is_so(step):
            yield from _why(step, view, common)
        case QuestionStep(topic=None, kind=QuestionKind.RELATIONS | QuestionKind.HYPOTHESES):
            yield _related(step, common)
        case _:
            yield step


def _as_question(step: PlanStep, plan: TurnPlan, said: str) -> PlanStep:
    """What was read as a statement, and asks by its mark whether to do something, as that: "kill 24410 too?"."""
    match step:
        case ObservationStep(text=words) | ClarifyStep(words=words) | FeedbackStep(words=words, by_name=True):
            pass
        case _:
            return step
    asking = [*sentences_of(words)][-1]  # What is only told before it is not what is asked.
    if not actions_in(asking_words(asking)) or has_wh(read(words).normal) or _is_in_question(words, plan):
        return step
    after = said[said.find(words) + len(words) :].lstrip() if words in said else ""
    if not after.startswith(("?", "？")) or any(words in each for each in refused_in(said)):
        return step
    return QuestionStep(QuestionKind.HELP, text=f"{words}?", topic=QuestionTopic.RISK, action=actions_in(asking)[0])


def _is_in_question(words: str, plan: TurnPlan) -> bool:
    return any(isinstance(each, QuestionStep) and words in each.text for each in plan.steps)


def _asked_beside(step: QuestionStep, view: SessionView) -> Iterator[PlanStep]:
    """A common question, and whether to do something where its last clause asks that: "what is X: kill 3310 too?"."""
    *before, last = _CLAUSE.split(step.text)
    if not (before and actions_in(asking_words(last)) and last.rstrip().endswith(("?", "？"))) or has_wh(last.lower()):
        yield step
        return
    yield replace(step, text=step.text[: step.text.rfind(last)].rstrip(" ,，:：;；"))
    asked = QuestionStep(QuestionKind.HELP, text=last.strip(), topic=QuestionTopic.RISK)
    yield with_action(asked, last, view)


def _is_aside(words: str) -> bool:
    """Whether words tell of the person's day, or only swear."""
    said = read(words).normal
    return _ASIDE.search(said) is not None and not is_technical(said)


def _names_no_term(step: QuestionStep, view: SessionView) -> bool:
    """Whether what is to be explained is neither a term, nor anything that the case has a name for."""
    subject = step.subject
    if subject is None or subject.words is None or notions_in(step.text) or meanings_in(step.text):
        return False
    words = subject.words.strip()
    if _is_verdict(step):
        return True
    if find_term(words) is not None or _named_in_case(words, view) or word_in_question(step.text):
        return False
    return len(words) > (_TERM if words.isascii() else _TERM_HAN) or _NO_TERM.search(words.lower()) is not None


def _is_verdict(step: QuestionStep) -> bool:
    """Whether a yes or no is what is to be explained: "what do you mean, no?" is of what was read so."""
    words = read(step.subject.words or "").normal.strip() if step.subject is not None else ""
    return 0 < len(words) <= _VERDICT and is_bare(words) and polarity_of(words) is not None


def _named_in_case(words: str, view: SessionView) -> bool:
    plain = "".join(words.casefold().split())
    items = [each.name for each in (*view.pending, *view.options)]
    items += [*(each.name for each in view.evidence), *(each.name for each in view.hypotheses)]
    names = [name for each in items for name in (each.zh, each.en)]
    return bool(plain) and any(plain in "".join(name.casefold().split()) for name in names)


def _meant(step: QuestionStep, view: SessionView, common: Common) -> PlanStep:
    """What a question asks that was taken for one of a term: what was shown, a topic, a look, a common question."""
    said = read(step.text).normal
    if _is_aside(said) and "?" not in said:
        return SmalltalkStep(SmalltalkKind.REMARK)
    if _is_verdict(step):
        return step_of("source", step.text)
    shown = replace(step, subject=last_asked(view))
    if _ALL_SHOWN.search(said) and shown.subject is not None:
        return shown
    topic, share = likely_topic(step.text)
    if share >= SURE and topic not in (OTHER, *_OUTCOMES):
        return step_of(topic, step.text)
    if asks_who_waits(step.text):
        return step_of("object", step.text)
    if key := common(step.text):
        return _common(step, key)
    if asks_to_see(said):
        subject = step.subject if is_technical(said) else shown.subject
        return QuestionStep(QuestionKind.HELP, subject, step.text)
    return shown if shown.subject is not None else QuestionStep(QuestionKind.PROGRESS, text=step.text)


def _common(step: QuestionStep, key: str) -> QuestionStep:
    return QuestionStep(QuestionKind.HELP, None, step.text, topic=QuestionTopic.COMMON, common_question=key)


def _supposed(step: QuestionStep, view: SessionView, common: Common) -> PlanStep:
    """A supposition of something to do as a question of that, and one that is a common question as that."""
    if any(each.reference.id is not None for each in step.assumptions):
        return step
    if actions_in(asking_words(step.text)):
        asked = with_action(QuestionStep(QuestionKind.HELP, text=step.text, topic=QuestionTopic.RISK), step.text, view)
        return SmalltalkStep(SmalltalkKind.REMARK) if tells_plan(step.text) else asked
    worded = [each.reference.words for each in step.assumptions]
    key = common(step.text) if None not in worded else ""
    return _common(step, key) if key else step


def _asks_why_it_is_so(step: QuestionStep) -> bool:
    """Whether reasons are asked for, and neither of a check or a cause that was pointed at, nor how sure it is."""
    belief = asks_belief(step.text)
    of_item = not belief or any(map(str.isdigit, step.text))
    points = of_item and step.subject is not None and step.subject.words is None
    certainty = "certainty" in wants_in(read_actions(step.text)) and not belief
    return asks_why(step.text) and not (points or certainty or asks_why_not(step.text))


def _why(step: QuestionStep, view: SessionView, common: Common) -> Iterator[PlanStep]:
    """How the cause comes to it, or the grounds where they are asked for; a common question where none leads."""
    leads = bool(view.hypotheses) and view.hypotheses[0].confidence >= _LEADS
    key = "" if leads or asks_belief(step.text) else common(step.text)
    if key:
        yield _common(step, key)
        return
    if leads and not asks_belief(step.text):
        yield QuestionStep(QuestionKind.HELP, step.subject, step.text, topic=QuestionTopic.RELATED)
    else:
        pointed = step.subject if step.subject is not None and step.subject.id is not None else None
        yield replace(step, subject=_cause_meant(step, view) or pointed)


def _cause_meant(step: QuestionStep, view: SessionView) -> Reference | None:
    """The cause that a question names, of those believed in; None for the leading one."""
    asking = next(filter(asks_why, sentences_of(step.text)), step.text)
    words = step.subject.words if step.subject is not None and step.subject.words is not None else asking
    named, names = things_named(words), [(at, each.name, "") for at, each in enumerate(view.hypotheses)]
    meant = [each for each in names if named & things_named(f"{each[1].zh}\n{each[1].en}")]
    near = nearest(words, meant, least=_NEAR)
    return Reference(id=view.hypotheses[near].root_cause_id) if near is not None else None


def _name_meant(step: QuestionStep, view: SessionView) -> str:
    """The name in quotes whose meaning a question asks for; one that is no quotation is of the case."""
    if not _ASKS_MEANING.search(read(step.text).normal) or step.topic not in _MISTAKEN:
        return ""
    quoted = next((each[1].strip() for each in _QUOTED.finditer(step.text)), "")
    return quoted if step.topic is None or _named_in_case(quoted, view) else ""


def _asks_relation(step: QuestionStep) -> bool:
    pointed = step.subject is not None and step.subject.words is None
    return not pointed and _HAS_TO_DO.search(read(step.text).normal) is not None


def _related(step: QuestionStep, common: Common) -> PlanStep:
    """A question of relations as that which its words ask: if it has to do with it, who waits, what something is."""
    said = read(step.text).normal
    words = step.subject.words if step.subject is not None else None
    if _HAS_TO_DO.search(said):
        quoted = next((each[1].strip() for each in _QUOTED.finditer(step.text)), "")
        matter = Reference(words=quoted or words or said)
        return QuestionStep(QuestionKind.HELP, matter, step.text, topic=QuestionTopic.RELATED)
    if asks_who_waits(step.text):
        return step_of("object", step.text)
    key = common(step.text) if _WHAT_IS.search(said) else ""
    return _common(step, key) if key else step


def _quotes(step: PlanStep, view: SessionView) -> bool:
    """Whether an answer or a riddle only quotes what was just shown."""
    if not isinstance(step, FeedbackStep | ClarifyStep):
        return False
    shown = next((each.text for each in reversed(view.history) if each.speaker is Speaker.ASSISTANT), "")
    words = _plain(step.words)
    return len(words) >= _QUOTED_FROM and step.words.lstrip().startswith(_MARKS) and words in _plain(shown)


def _without_question(step: PlanStep, steps: Sequence[PlanStep]) -> PlanStep:
    """An answer that has a question for a meaning in its words as what the rest of them states."""
    asking = [each.text for each in steps if isinstance(each, QuestionStep) and each.topic is QuestionTopic.MEANING]
    if not isinstance(step, FeedbackStep | ClarifyStep):
        return step
    asked = next((each for each in asking if each in step.words), "")
    told = step.words.replace(asked, " ").strip() if asked else ""
    return ObservationStep(told) if told else step


def _plain(words: str) -> str:
    return "".join(each for each in words.casefold() if each.isalnum())
