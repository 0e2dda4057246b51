"""What a message asks of the treatment and the case, sentence by sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from lang.objects import PID, identifiers_in
from lang.objects.named_objects import objects_named
from lang.objects.settings_said import settings_named
from services.planner.glossary.asking import meanings_in
from services.planner.model import (
    CorrectionStep,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    Reference,
    SessionView,
    Speaker,
    Treatment,
)
from services.planner.questions_asked.interrogatives import is_question
from services.planner.treatment.actions import (
    actions_in,
    actions_of_statements,
    asking_words,
    mentions_in,
    read_actions,
    share_a_verb,
)
from services.planner.treatment.agreed import clauses_that_tell, clauses_with_figures
from services.planner.treatment.deeds import was_done
from services.planner.treatment.named_steps import STEP, of_one_step
from services.planner.treatment.reports import treatments_in
from services.planner.treatment.sentences import asks_cost, asks_cost_of_end, clauses_of, sentences_of
from services.planner.treatment.shown_actions import (
    POINTING,
    POINTS,
    SESSION,
    action_of_right,
    as_shown,
    asked_before,
    asks_leave,
    said_beside,
    said_last,
    shown_actions,
    shows_reading,
    statements_shown,
    subject_in,
)
from services.planner.treatment.wanted import wants as asked_for
from services.planner.treatment.wanted.settled_wants import RESTARTS, SETS, STILL, restarts_for_another, settled_wants
from services.planner.treatment.wanted.wants import LOOK_BY_OTHERS, TOPICS, notions_in, tells, wants_in, without
from services.planner.understand.questions.of_the_cause import asked_of_cause, asks_belief
from services.planner.understand.questions.questions import last_asked, subject_of
from services.planner.understand.text.word_lists import listed

_ON_ITS_OWN = frozenset(("locks", "takes", "needs_restart", "reach"))  # Asked of an action still to be done.
# What is asked in another clause than the one that names the action.
_OF_ONE_ACTION = ("leave", "effect", "needs_restart", "reach")
READS = "reads"  # In place of an action: only a statement that reads is asked about.
_MEANING = QuestionTopic.MEANING
# What is about an action, or about the next one.
_OF_ACTIONS = (QuestionTopic.RISK, QuestionTopic.EFFECT, QuestionTopic.COMMAND, QuestionTopic.RIGHTS)
_FOLLOWS = listed("treatment.follows")  # "And 8812?" asks for the same leave for something else.
_POOL, _SETTING, _RETRY = "resize_pool", "set_parameter", "retry"  # A retry also tells what programs do.


def asked_in(said: str, view: SessionView) -> Iterator[tuple[str, tuple[QuestionStep, ...]]]:
    """The sentences that ask, each with its questions."""
    if _FOLLOWS.search(said) and len(said) <= POINTING and (action := next(iter(asked_before(view)), "")):
        yield said, (QuestionStep(QuestionKind.HELP, None, said, topic=QuestionTopic.RISK, action=action),)
    if of_step := of_one_step(said, view):
        yield from of_step
        return
    if agreed := agreement_in(said, view):
        yield said, (QuestionStep(QuestionKind.HELP, None, said, topic=QuestionTopic.RISK, action=agreed),)
    explained = tuple(explained_in(said))
    yield from explained
    for words, _ in explained:
        said = said.replace(words, " ")
    for sentence in sentences_of(said):
        if not actions_in(sentence) and (of_cause := asked_of_cause(sentence, view)) is not None:
            yield sentence, (of_cause,)
            continue
        steps = tuple(step for step in _asked(sentence, said, view) if not explained or step.topic is not _MEANING)
        if steps:
            yield sentence, steps


def explained_in(said: str) -> Iterator[tuple[str, tuple[QuestionStep, ...]]]:
    """The words that ask what terms of the field mean; the first of them with the one question for all."""
    if any(map(notions_in, sentences_of(said))):
        return
    meanings = meanings_in(said)
    asking = tuple(dict.fromkeys(each.words for each in meanings))
    subject = Reference(words=meanings[0].name) if meanings else None
    for place, words in enumerate(asking):
        step = QuestionStep(QuestionKind.HELP, subject, "\n".join(asking), topic=QuestionTopic.MEANING)
        yield words, (() if place else (step,))


def agreement_in(said: str, view: SessionView) -> str:
    """The action that was just asked about or shown, where a message states what has to hold before it; else empty."""
    ruling = (*asked_before(view), *shown_actions(view))
    ruled = next((action for action in ruling if clauses_that_tell(action, (said,))), "")
    return "" if treatments_in(said, view) else ruled


def _asked(sentence: str, said: str, view: SessionView) -> Iterator[QuestionStep]:
    if notions_in(sentence) and not (asks_belief(sentence) or _names_of_case(sentence, view)):
        yield QuestionStep(QuestionKind.HELP, None, sentence, topic=QuestionTopic.MEANING)
        return
    text = read_actions(sentence)
    last = wants_in(read_actions([*clauses_of(sentence)][-1]))
    for want in settled_wants(asking_words(sentence), said, view):
        if want == "urgency" and not (is_question(sentence) or want in last):
            continue  # "还有，几个小时一次那句不对，是每天" tells.
        subjects = {"related": subject_in(text, said, want, view), "is_so": asked_for.state_in(text)}
        subject = Reference(words=subjects[want]) if want in subjects else None
        if want == "meaning":
            rest = without(text, want)
            points = not rest or POINTS.search(rest) is not None
            subject = subject_of(rest, view) or (last_asked(view) if points else Reference(words=rest))
        words = f"{said}\n{said_last(view)}" if want == "urgency" else _asking(sentence, said, want, view)
        common = asked_for.COMMON_QUESTIONS.get(want, "")
        action = want if want == LOOK_BY_OTHERS else ""
        yield QuestionStep(QuestionKind.HELP, subject, words, topic=TOPICS[want], action=action, common_question=common)


def _names_of_case(sentence: str, view: SessionView) -> bool:
    """Whether words call something of the case by its name: then they ask of that, and not of the field."""
    said = "".join(sentence.casefold().split())
    called = [*(each.name for each in view.evidence), *(each.name for each in view.hypotheses)]
    names = (name for each in called for name in (each.zh, each.en))
    return any("".join(name.casefold().split()) in said for name in names if name)


def _asking(sentence: str, said: str, want: str, view: SessionView) -> str:
    """The clauses of a sentence that ask, with the session that they ask about; what the others tell is to be read."""
    clauses = list(clauses_of(sentence))
    asking = [at for at, clause in enumerate(clauses) if _asks_in(clause, want)]
    part = asking and not (want == "leave" and asks_cost(sentence))
    words = " ".join(clauses[asking[0] : asking[-1] + 1]) if part else sentence
    if want != "leave" or SESSION.search(words):
        return words
    sessions = _sessions_told(said, view)
    if not sessions:
        return words
    return sentence if SESSION.search(sentence) else f"{sessions[-1]}: {words}"


def _sessions_told(said: str, view: SessionView) -> list[str]:
    """The numbers of a message that are sessions by its own words, or by the words and rows of the talk so far."""
    texts = (said, *(each.text for each in view.history))
    known = {each.name for text in texts for each in objects_named(text) if each.kind == PID}
    return [each for each in SESSION.findall(said) if each in known]


def _asks_in(clause: str, want: str) -> bool:
    text = read_actions(asking_words(clause))
    return tells(text, want) or (want in _OF_ONE_ACTION and bool(mentions_in(text)))


def with_action(step: PlanStep, said: str, view: SessionView) -> PlanStep:
    """A question of the treatment with its action, and with what was said of what has to hold before that."""
    if not isinstance(step, QuestionStep) or step.topic not in _OF_ACTIONS:
        return step
    if step.topic is QuestionTopic.RIGHTS:
        return replace(step, action=step.action or action_of_right(step.text, said, view))
    if not step.action and step.topic is not QuestionTopic.COMMAND:
        step = replace(step, action=_action_of(step, said, view))
    if step.topic is QuestionTopic.EFFECT:
        return step
    users = (each.text for each in view.history if each.speaker is Speaker.USER)
    before, of = (*(each.words for each in view.evidence), *users, said), "" if step.action == STEP else step.action
    told = [clause for clause in clauses_that_tell(of, before) if clause not in step.text]
    if step.action == _POOL:
        told += clauses_with_figures((view.opening, *before))
    return replace(step, text="\n".join((step.text, *dict.fromkeys(told))))


def _names_setting(asked: str, said: str, wants: Sequence[str]) -> bool:
    """Whether a setting is asked about by its whole name, there or, where the words only point, in their sentence."""
    whole = next((each for each in sentences_of(said) if asked in each), asked) if len(asked) <= POINTING else asked
    names = {*identifiers_in(whole)}
    return bool({"touch", "leave"} & {*wants}) and bool(names & {*settings_named(whole)})


def uncorrected(said: str, steps: Sequence[PlanStep]) -> str:
    """A message without the words that correct what was told: nothing that they name is what "it" points at."""
    for step in steps:
        if isinstance(step, CorrectionStep) and step.words:
            said = said.replace(step.words, " ")
    return said


def of_its_deed(step: PlanStep, told: Sequence[Treatment]) -> PlanStep:
    """A question of some setting as one of the deed that the message tells by the same verb."""
    if not isinstance(step, QuestionStep) or step.action != _SETTING:
        return step
    deeds = [each.action for each in told if not each.undone and share_a_verb(each.action, _SETTING)]
    return replace(step, action=deeds[-1]) if deeds else step


def _action_of(step: QuestionStep, said: str, view: SessionView) -> str:
    named: list[str] = []
    told: list[str] = []
    sentences = sorted(sentences_of(step.text), key=lambda sentence: not asks_leave(sentence))
    for clause in (clause for sentence in sentences for clause in clauses_of(sentence)):
        text = read_actions(asking_words(clause))
        beside = said_beside(said, view, clause)
        alone = {own[1:]: own.action for own in mentions_in(text, (step.text, said))}
        for mention in mentions_in(text, (step.text, *beside) if beside else ()):
            one = as_shown(alone.get(mention[1:], ""), shown_actions(view, step.text)) or mention.action
            (told if was_done(text, mention) else named).append(one)
    named.sort(key=_RETRY.__eq__)
    shown = shown_actions(view, step.text)
    again = step.topic is QuestionTopic.EFFECT or STILL.search(step.text) or not shown
    wants = wants_in(read_actions(step.text))
    if asks_cost_of_end(step.text) and not named:
        named = ["terminate"]
    points = len(step.text) <= POINTING or POINTS.search(step.text) is not None
    if points and not named and not told and view.treatments and again and not _ON_ITS_OWN.intersection(wants):
        told = [view.treatments[-1].action]
    if "touch" in wants and not named and (session := SESSION.search(step.text)):
        # Whether to do anything about a session is asked of ending it.
        of_it = (code for code in statements_shown(view) if session[0] in code)
        told, named = [], [*(each for code in of_it for each in actions_of_statements(code)), "terminate"]
    if "pool_size" in wants:
        return _POOL
    if "needs_restart" in wants and restarts_for_another(said, view):
        named = [action for action in named if action not in RESTARTS] or [_SETTING] * bool(SETS.search(said))
    if not named and _names_setting(step.text, said, wants):
        return _SETTING
    done = [each.action for each in view.treatments]
    if "undo" in wants and done and not {*named} & {*done} and all(share_a_verb(done[-1], each) for each in named):
        return done[-1]
    if not points:  # Words that point at nothing are asked of what they name.
        return next(iter((*named, *told)), "")
    of_said = "undo" in wants or asks_cost(step.text) or not shown
    stated = sorted(actions_of_statements(said)) or (actions_in(said) if of_said else [])
    meant = (*(named or told or stated), *shown_actions(view, step.text), *asked_before(view))
    looks = not meant and "reads" in wants and shows_reading(view)
    return READS if looks else next(iter(meant), "")
