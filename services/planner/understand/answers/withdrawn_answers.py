"""What is said next changes what was answered: a "no" whose reason is that nobody could look is no answer."""

from __future__ import annotations

from dataclasses import replace

from lang import deferred_re as re
from services.planner.model import FeedbackStep, Verdict
from services.planner.understand.answers.turn import Turn
from services.planner.understand.classifier.acts import Act
from services.planner.understand.judging.classified import Heard
from services.planner.understand.judging.subjects import has_own_subject
from services.planner.understand.text.lexicon import words
from services.planner.understand.text.messages import read
from services.planner.understand.text.segments import denies_doubly, is_bare, pointers_of
from services.planner.understand.text.word_lists import compile_words

_SURE = 0.6
_LACKS = "no|not|none|nothing|never|isn't|aren't|isnt|arent|without|short of|rare|free of|clean|few|absent|uncommon|lacking|fine|healthy|idle"
_PUZZLED = compile_words("answers.puzzled", r"[不没](?:太|大|是很)?(?:懂|明白|理解|解)")
# Two negations affirm, and are too easily heard as one: what has them is a statement, never a "no".
_NOT_NONE = re.compile(
    r"(?:不是|并非|不可能|不见得|不至于|不能说|谈不上|算不上)(?:说)?(?:没有?|不)|(?<!有)没少|没(?:怎么|再)?(?:下来|停|断|消停|降下?来?|掉下?来?|歇|闲着?)过|(?:不|没)(?:算|能算)?(?:少|缺)(?!于)|不无|"
    + words(
        rf"(?:can'?t|cannot|couldn'?t|wouldn'?t|won'?t|don'?t|not) (?:\w+ )?(?:say|claim|call|think|believe|pretend)(?: [\w']+){{0,5}} (?:{_LACKS})",
        rf"(?:not|isn'?t|ain'?t)(?: [\w']+){{0,2}} (?:like|as if|as though)(?: [\w']+){{0,4}} (?:{_LACKS})",
        r"(?:no|hardly a|not a|isn'?t a|never a) (?:shortage|lack|absence|scarcity|dearth) of",
        r"(?:not|isn'?t|aren'?t|hardly|never|anything but)(?: (?:exactly|really|quite|all that|what i'd call))? (?:rare|few|without|free of|short of|uncommon|unusual|absent|idle|bored|none)",
        r"(?:never|hasn't|haven't|doesn't|didn't|won't)(?: once| really)? (?:stop|stopped|stops|drop|dropped|drops|let up|lets up|come down|came down|comes down|dip|dipped|rest|rested)",
    )
)


def was_only_puzzled(turn: Turn) -> None:
    """Takes back the unknown that a clause before a question of the same sentence gave, when that only asks for reasons: "I don't get it, why ..."."""
    while len(turn.steps) > turn.opened:
        step = turn.steps[-1]
        if not isinstance(step, FeedbackStep) or step.verdict is not Verdict.UNKNOWN:
            return
        if not _PUZZLED.search(read(step.words).normal) or pointers_of(read(step.words).normal):
            return
        turn.steps.pop()


def denies_twice(text: str, heard: Heard) -> bool:
    """Whether a normalised clause denies a denial and gives no item that is asked about its verdict: "no shortage of lock waiters"."""
    if pointers_of(text) or (heard.names and denies_doubly(text)):
        return False
    return bool(_NOT_NONE.search(text))


def could_not_look(turn: Turn, text: str, heard: Heard) -> bool:
    """Whether a clause says that the no just given is for want of looking; the answer is an unknown then."""
    last = turn.last_answered
    if last is None or last.verdict is not Verdict.DENIED or pointers_of(heard.text) or re.search(r"\d", text):
        return False
    said = read(last.words).normal
    plain = is_bare(said) and not pointers_of(said)
    if heard.likely.of(Act.UNKNOWN) < _SURE or (has_own_subject(text) and not plain):
        return False
    for index in range(len(turn.steps) - 1, turn.opened - 1, -1):
        step = turn.steps[index]
        if not isinstance(step, FeedbackStep) or step.words != last.words:
            break
        turn.steps[index] = replace(step, verdict=Verdict.UNKNOWN, certainty=None)
    turn.answers.last_verdict = Verdict.UNKNOWN
    return True
