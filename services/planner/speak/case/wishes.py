"""Which steps go against what the person wants kept or says that there is none of."""

from __future__ import annotations

from itertools import pairwise

from lang import deferred_re as re
from lang.listed import lists_beside
from lang.objects import bind
from lang.tokens import Kind, read_text
from services.planner.model import ReliefStep, SolutionStep
from services.planner.speak.voice import Voice
from services.planner.treatment.actions import actions_in, actions_of_step
from services.planner.treatment.bearing import ASIDE, BEARING, GONE, KEEP_QUERY, NO_JOB, NO_LOSS, SPARED
from services.planner.treatment.shown_actions import SESSION
from services.planner.understand.text.word_lists import names

_LISTED = lists_beside(__file__)

# Actions of any kind, and words that tell nothing of a step.
_ANY = frozenset(("set_parameter", "switch_setting", "drop", "stop"))
_SAY_LITTLE = frozenset(
    ("with", "that", "this", "them", "then", "those", "these", "from", "have", "what", "when", "where")
)
_PATH = re.compile(r"(?<!\w)/\w+(?:/\w+)+")
# Words so long may tell something; so many in common name the same step.
_TELLING, _SHARED = 4, 2
_STOPS = frozenset(("cancel", "terminate", "stop_job", "stop"))
# What serves a consumer of a slot that may come back, or looks for it.
_FOR_CONSUMER = _LISTED.pattern("for_consumer", re.IGNORECASE)


def spared_by(step: ReliefStep | SolutionStep, voice: Voice) -> str:
    """The session that a step ends though the person said that it must not be; empty where there is none."""
    spared = voice.choices.get(SPARED, ())
    if not spared or not _STOPS & actions_of_step(voice.name(step.action, step.how), step.how):
        return ""
    return next((name for name in SESSION.findall(bind(step.how, voice.objects)) if name in spared), "")


def is_set_aside(step: ReliefStep | SolutionStep, voice: Voice) -> bool:
    """Whether the person refused a step, cannot take it, or has it already: in words that name it."""
    told = voice.choices.get(ASIDE, ())
    if not told:
        return False
    action = voice.name(step.action, step.how)
    does = actions_of_step(action, step.how) - _ANY
    terms, paths = _terms(action), {*_PATH.findall(step.how.lower())}
    return any(
        does & {*actions_in(words)} or paths & {*_PATH.findall(words)} or len(terms & _terms(words)) >= _SHARED
        for words in told
    )


def _terms(words: str) -> frozenset[str]:
    """The words that tell something, and of Chinese each two characters."""
    tokens = read_text(words).tokens
    pairs = (a.text + b.text for a, b in pairwise(tokens) if a.kind is b.kind is Kind.HAN)
    keys = (each.key.removesuffix("s") for each in tokens if each.kind is Kind.WORD and len(each.text) >= _TELLING)
    return frozenset((*keys, *pairs)) - _SAY_LITTLE


def goes_against(step: ReliefStep | SolutionStep, voice: Voice) -> bool:
    """Whether a step stops, loses or takes for given what the person wants to keep or has none of."""
    if spared_by(step, voice) or is_set_aside(step, voice):
        return True
    said = voice.choices.get(BEARING, ())
    if not said:
        return False
    action, words = voice.name(step.action, step.how), _words(step, voice)
    if KEEP_QUERY in said and _STOPS & actions_of_step(action, step.how) and names("named.query", action):
        return True
    if GONE in said and not _is_lasting(step) and _FOR_CONSUMER.search(words):
        return True
    if NO_LOSS in said and names("named.loss", words):
        return True
    return NO_JOB in said and not _is_lasting(step) and names("named.job", action)


def _is_lasting(step: ReliefStep | SolutionStep) -> bool:
    return isinstance(step, SolutionStep) and step.prevents


def _words(step: ReliefStep | SolutionStep, voice: Voice) -> str:
    """What a step does and what it costs; of a step of the cure its words alone, for its undo tells of going back."""
    costs = step.costs.say(voice.language) if isinstance(step, ReliefStep) else ""
    return f"{voice.name(step.action, step.how)} {step.how} {costs}"
