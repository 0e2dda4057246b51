"""What is believed where the rules and the learned acts differ: rules where they read every word, else whoever is surer."""

from __future__ import annotations

from dataclasses import replace

from lang import deferred_re as re
from services.planner.model import QuestionKind, SessionView, Verdict
from services.planner.understand.classifier.acts import Act, act_of, is_known
from services.planner.understand.judging.classified import ANSWERS, QUESTIONS, VERDICT_OF, Heard, masked
from services.planner.understand.judging.subjects import has_own_subject
from services.planner.understand.questions import questions
from services.planner.understand.questions.safety import asks_permission
from services.planner.understand.text import smalltalk
from services.planner.understand.text.domain import is_technical
from services.planner.understand.text.lexicon import words
from services.planner.understand.text.segments import Segment, denies_doubly, is_bare, pointers_of, segments_of
from services.planner.understand.text.tokens import Kind, content_of, tokens_of
from services.planner.understand.text.word_lists import compile_words

# From these shares on an act is taken for sure, for likely, for possible.
SURE = 0.55
LIKELY = 0.6
POSSIBLE = 0.15
# A question without any interrogative word has to sound like one.
_UNASKED = 0.65
_ASKED = 0.03
_RULED = 0.4
_AGAINST = 0.65
_OVERRULES = 0.85
_WEAKENS = 0.98
_DOUBTS = 0.75
_ELSEWHERE = 0.6
_SOUNDS = 0.4
_POINTS = 0.3
_VALUE_ALONE = 6
_NOISE = 0.22
_UNHEARD = 0.25
_ALONE = 12
# A verdict that no word says, of an item that is only named; and one that a word contradicts.
_BY_NAME = 0.9
_CONTRARY = 0.95
# States and amounts, which say how something is and not what.
STATE = compile_words("judging.state", words(r"\w*ing"), r"\d+(?:\.\d+)?\s*(?:%|ms|[kmgt]b|个|次|秒|分钟|小时|天)?")
_HERE = compile_words("judging.here")
_DIGIT = re.compile(r"\d")
# A number with its unit, or a part of a whole.
AMOUNT = re.compile(r"\d\s*(?:%|ms|[kmgt]b?(?![a-z])|毫秒|秒|分钟|小时|天|个|条|次)|\d+\s*(?:/|of|out of|outta)\s*\d")
# What is said beside the matter.
# What ends so asks how to do it, whatever stands before.
_HOW_TO_SEE = re.compile(
    r"\W*(?:(?:and|so|but|ok)\W+)*(?:(?:怎么|怎样|咋|如何|去哪|在哪)[^,，。]{0,3}?(?:看|查|确认|检查|找|知道)"
    r"|(?:how|where) (?:do|can|would|should|to)\b[^,.]{0,20}?\b(?:see|check|look|find|tell|know))"
)
_HOW = re.compile(r"(?:怎么|咋|如何)(?:去|样)?(?:看|查|确认|检查|验证|修|处理|解决|办|整|收拾)(?:的|呢|啊|呀)*$")
_BESIDE = (Act.ASIDE, Act.SMALLTALK, Act.ORDER, Act.ELSEWHERE, Act.CORRECTION)
_NOT_MUCH = re.compile(r"[没不]有?(?:怎么|什么|啥|多少|几[个条次])")
_KIND_OF = {
    Act.PROGRESS: QuestionKind.PROGRESS,
    Act.HYPOTHESES: QuestionKind.HYPOTHESES,
    Act.RELATIONS: QuestionKind.RELATIONS,
    Act.HISTORY: QuestionKind.HISTORY,
    Act.REASONING: QuestionKind.REASONING,
    Act.WHAT_IF: QuestionKind.WHAT_IF,
    Act.DATA: QuestionKind.DATA,
    Act.HELP: QuestionKind.HELP,
}


def restates(segment: Segment, heard: Heard) -> bool:
    """Whether a clause that is nothing but a verdict gives the one that it sounds like: "没下来过" is no "no"."""
    act = next((act for act, verdict in VERDICT_OF.items() if verdict is segment.verdict), None)
    return bool(segment.refs) or act is None or heard.likely.of(act) >= POSSIBLE * 2


def asks(heard: Heard) -> bool:
    """Whether a clause surely asks, by how such things are said."""
    return heard.likely.of(*QUESTIONS) >= SURE


def is_no_question(text: str, asked_mark: bool, heard: Heard, after_question: bool) -> bool:
    """Whether neither the rules nor the learned acts take a clause for a question."""
    share = heard.likely.of(*QUESTIONS)
    if (questions.tells_of_plan(text) or _NOT_MUCH.search(text)) and not asked_mark:
        return True
    if heard.pointed and share < POSSIBLE and heard.likely.of(Act.WEAK) >= SURE:
        return True
    if questions.asks(heard.masked, asked_mark):
        return share < (_ASKED if questions.has_wh(heard.masked) else POSSIBLE) and not asked_mark
    return share < (SURE if after_question else _UNASKED)


def asks_nothing_new(text: str, asked_mark: bool, view: SessionView) -> bool:
    """Whether a clause after a question only says how it should be answered: "..., sorted please"."""
    told = asked_mark or questions.has_wh(text) or is_technical(text)
    return not told and questions.kind_of(text, view) is None


def asks_to_see(text: str) -> bool:
    """Whether a question is how something is seen or checked."""
    return _HOW_TO_SEE.match(text) is not None


def kind_of(text: str, heard: Heard, view: SessionView) -> QuestionKind | None:
    """What a question asks for: the likeliest kind by how such things are said, the rules' kind weighing in."""
    ruled = questions.kind_of(text, view)
    if _HOW.search(text):
        return QuestionKind.HELP
    total = heard.likely.of(*QUESTIONS)
    if total < POSSIBLE:
        return ruled
    best = max(QUESTIONS, key=lambda act: heard.likely.of(act) / total + (_RULED if _KIND_OF[act] is ruled else 0.0))
    if ruled is None and total < LIKELY:
        return ruled
    return _KIND_OF[best]


def carries_nothing(text: str, heard: Heard, answered: bool) -> bool:
    """Whether a clause is about another system or time, orders the assistant about, or only fills."""
    if heard.pointed or is_bare(text):
        return False
    if heard.likely.of(Act.ELSEWHERE, Act.ORDER) >= _ELSEWHERE:
        return True
    if heard.names is not None:
        return False
    if not answered and _DIGIT.search(text) and heard.likely.of(Act.FACT) >= POSSIBLE:
        return False
    return heard.likely.of(Act.ASIDE) >= (_AGAINST if answered else LIKELY) and (answered or not is_technical(text))


def starts_anew(text: str, heard: Heard) -> bool:
    """Whether a clause asks for a new case."""
    needed = _OVERRULES if is_technical(text) else _ELSEWHERE
    return smalltalk.resets(text) or (heard.likely.of(Act.RESET) >= needed and not heard.pointed)


def is_elsewhere(heard: Heard) -> bool:
    """Whether a clause is about another system or time."""
    return heard.likely.of(Act.ELSEWHERE) >= _ELSEWHERE


def is_here(text: str) -> bool:
    """Whether a clause comes back to this system and this time after it was about another."""
    return bool(_HERE.search(text))


def is_measured(text: str, heard: Heard) -> bool:
    """Whether a value in a clause is one of the item in question: it names it, or is little more than the value."""
    if heard.names is None:
        rest = STATE.sub(" ", text)
        return len(content_of(tokens_of(rest)).replace(" ", "")) <= _VALUE_ALONE and not has_own_subject(rest)
    beside = f"{text[: heard.names.start]} {text[heard.names.end :]}"
    return not has_own_subject(STATE.sub(" ", beside))


def is_no_suspicion(text: str, ruled: bool, heard: Heard) -> bool:
    """Whether neither the rules nor the learned acts take a clause for a guess at a cause."""
    share = heard.likely.of(*((Act.SUSPICION, Act.HYPOTHESES) if ruled else (Act.SUSPICION,)))
    return share < (POSSIBLE / 3 if ruled and is_technical(text) else POSSIBLE * 2 if ruled else SURE)


def is_filler(text: str, heard: Heard) -> bool:
    """Whether a statement is dropped beside anything that says something."""
    told = heard.likely.of(Act.FACT, *ANSWERS)
    if (len(text) > _ALONE and heard.likely.of(Act.FACT) >= SURE) or (AMOUNT.search(text) and told >= SURE):
        return False
    return not is_technical(text) or (told < POSSIBLE and heard.likely.of(*_BESIDE) >= POSSIBLE * 2)


def orders(heard: Heard) -> bool:
    """Whether a clause surely gives the assistant orders about its rules or its record."""
    return heard.likely.of(Act.ORDER) >= _AGAINST


def takes_no_correction(text: str) -> bool:
    """Whether a clause asks for a new case or for leave to act, or gives orders, so that its sentence corrects nothing."""
    if asks_permission(text):
        return True
    likely = act_of(masked(text))
    return smalltalk.resets(text) or likely.of(Act.RESET) >= SURE or likely.of(Act.ORDER) >= _SOUNDS


def has_number(text: str) -> bool:
    """Whether a clause tells a number, other than how sure it is: "not 100 % sure"."""
    return bool(_DIGIT.search(text))


def doubts(text: str, heard: Heard) -> bool:
    """Whether a clause only says that what was said is not sworn to."""
    pointed = heard.pointed and any(token.kind is not Kind.JUST for token in pointers_of(heard.text))
    nothing = not (pointed or is_technical(text) or has_number(text))
    return nothing and heard.likely.of(Act.WEAK) >= SURE


def concludes(text: str, segments: tuple[Segment, ...], heard: Heard) -> bool:
    """Whether a clause with other words around its verdict gives it to what was pointed at before."""
    given = len(segments) == 1 and segments[0].verdict is not None
    return given and restates(segments[0], heard)


def only_points(text: str, heard: Heard) -> bool:
    """Whether a clause points at something and neither answers nor asks: "the first one I counted"."""
    if questions.asks(heard.masked, False) or heard.likely.of(*QUESTIONS) >= POSSIBLE:
        return False
    if heard.likely.of(Act.SUSPICION, Act.ORDER, Act.RESET) >= SURE:
        return False
    return heard.likely.of(Act.ASIDE) >= SURE or heard.likely.of(*ANSWERS) < _POINTS


def supposes(text: str) -> bool:
    """Whether a whole sentence surely supposes something, by how such things are said."""
    if asks_permission(text) or any(segment.pointed and segment.verdict for segment in segments_of(text)):
        return False
    likely = act_of(masked(text))
    return likely.of(Act.WHAT_IF) >= SURE and likely.of(Act.SUSPICION) < POSSIBLE


def judged(segments: tuple[Segment, ...], heard: Heard) -> tuple[Segment, ...]:
    """The segments with the verdict that the whole clause gives the one that points and was not understood."""
    pointing = [segment for segment in segments if segment.pointed]
    if (
        len(pointing) != 1
        or pointing[0].excepted
        or not pointing[0].refs
        or not _says(pointing[0], heard)
        or denies_doubly(heard.text)
    ):
        return segments
    act, share = heard.likely.among(ANSWERS)
    total = heard.likely.of(*ANSWERS)
    only = pointing[0]
    if total < LIKELY or total * share < _needed(only, act):
        return segments
    verdict = VERDICT_OF.get(act)
    if only.hedged and not only.content and verdict in (Verdict.CONFIRMED, Verdict.DENIED):
        return segments
    opposed = {only.verdict, verdict} == {Verdict.CONFIRMED, Verdict.DENIED}
    if opposed and not only.content:
        return segments
    if opposed and total * share < _CONTRARY:
        # The words say one thing and the wording sounds like the other: it is asked back.
        verdict, act = None, Act.WEAK
    if heard.names is not None and only.verdict is None and act in (Act.YES, Act.NO) and total * share < _BY_NAME:
        return segments
    changed = replace(only, verdict=verdict, hedged=act is Act.WEAK, content="")
    return tuple(changed if segment is only else segment for segment in segments if segment.pointed)


def _needed(segment: Segment, act: Act) -> float:
    """How sure the learned acts have to be to judge a segment otherwise than the rules did."""
    if segment.verdict is None:
        return LIKELY
    if act is Act.WEAK and not segment.hedged:
        return _WEAKENS if not segment.content else _DOUBTS
    return _AGAINST if segment.content else _OVERRULES


def is_noise(text: str, heard: Heard) -> bool:
    """Whether nothing in a clause has ever been heard: a cat on the keyboard."""
    return not is_technical(text) and (heard.likely.share < _NOISE or not is_known(text))


def is_talk(text: str, heard: Heard, asked: bool) -> bool:
    """Whether a statement is talk beside the diagnosis: nothing of the field while nothing is asked."""
    if heard.likely.of(Act.SMALLTALK) >= SURE:
        return True
    if not is_technical(text) and heard.likely.of(Act.SMALLTALK, Act.ASIDE) >= SURE and not heard.names:
        return True
    return not (asked or is_technical(text) or heard.likely.of(Act.FACT) >= LIKELY)


def may_be_symptom(heard: Heard) -> bool:
    """Whether what speaks of nothing in the field may still be what a person sees of a fault."""
    talk = heard.likely.of(Act.SMALLTALK, Act.ASIDE, Act.ORDER)
    seen = heard.likely.of(Act.FACT, Act.VAGUE, Act.YES, Act.NO, Act.UNKNOWN)
    return talk < _SOUNDS and (seen >= SURE or heard.likely.share < _UNHEARD)


def _says(segment: Segment, heard: Heard) -> bool:
    """Whether there is more to a clause than the reference."""
    return bool(segment.content) or segment.verdict is not None or segment.hedged or len(heard.masked) > _ALONE
