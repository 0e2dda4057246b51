"""Protests against what was heard: the entry goes at once, and the words of the protest say nothing else.

What a protest names is found by the words of an entry, and by what the words read by themselves; nobody is asked.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import replace

from dbdiag.matcher.v1.matcher_types import Reading, Standing
from dbdiag.planner.v1.planner_types import (
    AppliedCorrection,
    ClarifyStep,
    CorrectionStep,
    FeedbackStep,
    ItemList,
    ObservationStep,
    PlanStep,
    QuestionKind,
    QuestionStep,
    Reference,
    SmalltalkStep,
    SuggestionStep,
)
from dbdiag.vocabulary import Verdict

from gateway.session.ledger import LedgerEntry
from gateway.session.taken_back import again, disown, replaced_by
from gateway.turn.amendments import OPPOSITE, is_explicit, is_shown, readings_of
from gateway.turn.context import Turn
from gateway.turn.contradictions import only, plain
from gateway.turn.findings import ToolResult, Words
from gateway.turn.objections.naming import HEARD, content_of, named_best
from lang import deferred_re as re
from lang.judging.amending import told_before
from lang.judging.pointing import asks_to_look
from lang.judging.protesting import Protest, is_unlooked, protests_in
from lang.judging.unclaimed import said_by_nobody
from lang.modality import is_negated

# A protest is of the last replies, an order to the record of any.
_RECENT = 3
# So like an entry is what the words of a protest are like.
_ALIKE = 0.5
# Who said nothing of a thing agrees with no word on it.
_EITHER = re.compile(r"(?i)\b(?:anything|a word|about)\b|\bor not\b|有没有|是不是|任何")
_ANSWERS, _ENDS = {"yes": Verdict.CONFIRMED, "no": Verdict.DENIED}, " ,.;!?，。；！？"
_Heard = tuple[Protest, tuple[LedgerEntry, ...]]


def hear_protests(turn: Turn, result: ToolResult) -> ToolResult:
    """Takes back what the message protests against, and leaves the words of the protests out of plan and reading."""
    result = _without_hearsay(turn, result)
    protests = protests_in(turn.message)
    if not protests:
        return result
    names = {each.name: each.opposed or each.unknown or len(each.words) > 1 for each in protests}
    gists = [each for each in result.words if _is_gist(turn, each, names)]
    result = replace(result, words=tuple(each for each in result.words if each not in gists))
    readings = readings_of(result)
    agreed = _agreed(turn, (each for each in gists if not (names[each.text] or _EITHER.search(each.text))))
    result = replace(result, retracted=tuple(name for name in result.retracted if name not in agreed.values()))
    found = ((each, () if each.name in agreed else _entries(turn, each, gists, readings)) for each in protests)
    wrong = ((each, _without_repeated(each, entries, readings)) for each, entries in found)
    heard = [(each, _with_swept(turn, each, entries)) for each, entries in wrong]
    settled = [each for each, entries in heard if entries or each.name in agreed or _refuses_proposal(turn, each)]
    if not settled:
        return _without_unnamed(turn, result, protests)
    spoken = tuple(words for each in settled for words in each.words)
    gone = [(each, entries) for each, entries in heard if entries]
    turn.plan = replace(turn.plan, steps=tuple(steps_beside(turn, spoken)))
    result = _without(result, spoken, gone)
    _apply(turn, gone)
    return result


def _apply(turn: Turn, gone: Iterable[_Heard]) -> None:
    """Takes back what the protests are of; who never gave an answer may be asking how to look."""
    for each, entries in gone:
        _take_back(turn, each, entries)
        if each.answer and len(entries) == 1 and asks_to_look(turn.message):
            asked = QuestionStep(QuestionKind.HELP, Reference(id=entries[0].phenomenon_id), turn.message)
            turn.plan = replace(turn.plan, steps=(asked, *turn.plan.steps))


def _without_unnamed(turn: Turn, result: ToolResult, protests: Sequence[Protest]) -> ToolResult:
    """The reading without protests that name nothing, where nothing was heard last; they deny nothing that is asked.

    What is stressed against nothing heard is a yes: "DDL 等排他锁，确实有".
    """
    spoken = [words for each in protests if not each.name for words in each.words]
    unsaid = [words for each in protests if not (each.name or each.insists) for words in each.words]
    said = [words for each in protests if not each.unknown for words in each.words]
    answers = [step for step in turn.plan.steps if isinstance(step, FeedbackStep)]
    none = [step for step in answers if _is_in(step.words, said if step.verdict is Verdict.DENIED else unsaid)]
    steps = (step for step in turn.plan.steps if step not in none)
    turn.plan = replace(turn.plan, steps=tuple(steps))
    return _without(result, spoken, ())


def _without_hearsay(turn: Turn, result: ToolResult) -> ToolResult:
    """The reading without what nobody said or looked at: "the DBA never said cpu", "我没查过槽"."""
    unsaid = said_by_nobody(turn.message)
    if unsaid:
        turn.plan = replace(turn.plan, steps=tuple(step for step in turn.plan.steps if not _takes_back_unnamed(step)))
        result = replace(_without(result, unsaid, ()), retracted=())
    return only(result, lambda each: each.pasted or each.verdict is not Verdict.DENIED or not is_unlooked(each.words))


def _takes_back_unnamed(step: PlanStep) -> bool:
    return isinstance(step, CorrectionStep) and bool(step.retract) and not is_explicit(step.original)


def _is_gist(turn: Turn, words: Words, names: Container[str]) -> bool:
    """Whether words were read only to find what a protest is of."""
    stated = any(isinstance(step, ObservationStep) and step.text == words.text for step in turn.plan.steps)
    return words.step is None and words.text in names and not stated


def _entries(
    turn: Turn, protest: Protest, gists: Sequence[Words], readings: Sequence[Reading]
) -> tuple[LedgerEntry, ...]:
    """The entries that a protest is of: what it names best, else all that was heard last in the person's words."""
    lately = (each for each in turn.session.active() if each.turn != turn.session.turn)
    shown = protest.seen or (protest.answer and not protest.name)
    active = [each for each in lately if shown or each.origin == "answer" or not is_shown(each)]
    if protest.unknown or protest.seen:  # What is not there was not seen.
        active = [each for each in active if (each.verdict is Verdict.DENIED) is protest.unknown]
    if protest.answer in _ANSWERS:
        active = [each for each in active if each.verdict is _ANSWERS[protest.answer]]
    last = max((each.turn for each in active if each.turn >= turn.session.turn - _RECENT), default=0)
    if protest.insists:
        told = [each for each in active if each.turn == last and each.origin in HEARD]
        return tuple(told) if len(told) == 1 and told[0].verdict is Verdict.DENIED else ()
    read = {each.phenomenon_id for each in readings if not each.pasted}
    if protest.answer and not protest.name:
        given = [each for each in active if each.turn == last]
        return tuple([each for each in given if protest.opposed and each.phenomenon_id in read] or given)
    if not protest.name:
        heard = [each for each in active if each.turn == turn.session.turn - 1 and each.origin in HEARD]
        opposed = [each for each in heard if _is_opposed(each, readings)]
        states = any(each.standing in (Standing.COUNTS, Standing.PROPOSED) and not each.pasted for each in readings)
        # Who tells what is so beside it leaves the rest of several things as they are.
        return tuple(opposed or (() if states and len(heard) > 1 else heard))
    if not protest.orders:
        active = [each for each in active if each.turn >= turn.session.turn - _RECENT]
    elif is_negated(protest.name):
        active = [each for each in active if each.verdict is Verdict.DENIED]  # "What I said about no second box".
    if named := named_best(turn, protest, active):
        return named
    read = {each.phenomenon_id for each in readings if not each.pasted and _is_in(each.words, protest.words)}
    read |= {name for each in gists if each.text == protest.name for name in _alike(each)}
    return tuple(each for each in active if each.phenomenon_id in read and not each.lacking)[-1:]


def _is_opposed(entry: LedgerEntry, readings: Iterable[Reading]) -> bool:
    """Whether a message tells the opposite of an entry: then that is what was misheard, and nothing else."""
    told = {(each.phenomenon_id, each.verdict) for each in readings if each.standing is Standing.COUNTS}
    return (entry.phenomenon_id, OPPOSITE.get(entry.verdict)) in told


def _without_repeated(
    protest: Protest, entries: tuple[LedgerEntry, ...], readings: Sequence[Reading]
) -> tuple[LedgerEntry, ...]:
    """The entries without denials that a protest says once more: "you got it backwards, it did NOT begin then"."""
    again = [each for each in readings if protest.opposed and not protest.answer and _is_in(each.words, protest.words)]
    denied = {each.phenomenon_id for each in again if each.verdict is Verdict.DENIED}
    if not protest.orders and any(map(is_negated, told_before(protest.name))):
        denied |= {each.phenomenon_id for each in entries}  # "I told you there are none" says it once more.
    return tuple(each for each in entries if each.verdict is not Verdict.DENIED or each.phenomenon_id not in denied)


def _agreed(turn: Turn, gists: Iterable[Words]) -> dict[str, str]:
    """What is on record as the opposite of what was never said, by the words: "I never said all is slow"."""
    named = [(words.text, each) for words in gists for each in words.meaning.readings]
    entries = [(text, each, turn.session.active_for(each.phenomenon_id)) for text, each in named]
    return {
        text: each.phenomenon_id
        for text, each, entry in entries
        if entry is not None and each.standing is Standing.COUNTS and {entry.verdict, each.verdict} == set(OPPOSITE)
    }


def _with_swept(turn: Turn, protest: Protest, entries: tuple[LedgerEntry, ...]) -> tuple[LedgerEntry, ...]:
    """The entries, with those that the same words were taken for: what was misheard was so for all."""
    lacking = {each.lacking for each in entries if each.lacking}
    told = [
        each for each in turn.session.active() if protest.unknown or each.origin == "answer" or each.lacking in lacking
    ]
    swept = {(each.turn, each.words, each.verdict) for each in entries if each in told}
    more = (each for each in told if (each.turn, each.words, each.verdict) in swept and each not in entries)
    return (*entries, *more)


def _alike(words: Words) -> Iterable[str]:
    asked = words.meaning.clarification
    likely = (*(asked.options if asked else ()), *words.meaning.candidates)
    yield from (each.phenomenon_id for each in words.meaning.readings)
    yield from (each.phenomenon_id for each in likely if each.score >= _ALIKE)


def _take_back(turn: Turn, protest: Protest, entries: Sequence[LedgerEntry]) -> None:
    own = any(not quote.lower().startswith("nothing") for words in protest.words for quote in told_before(words))
    for entry in entries:
        turn.session.withdraw(entry.phenomenon_id)
    for entry in (each for each in entries if turn.session.active_for(each.phenomenon_id) is each):
        disown(turn.session, entry)
        if (before := replaced_by(turn.session, entry)) is not None:
            turn.note(again(turn.session, before))
        name = entry.lacking or turn.catalog.phenomenon_name(entry.phenomenon_id)
        done = AppliedCorrection(name, verdict_before=entry.verdict, misheard=not own)
        turn.corrections += [done] if done not in turn.corrections else []
        denied = protest.opposed or (protest.denied and entry.verdict is Verdict.CONFIRMED)
        if denied and len(entries) == 1 and entry.verdict in OPPOSITE:
            rest = turn.message.replace(protest.words[-1], "", 1).strip(_ENDS)
            words = rest if protest.answer and rest else protest.words[-1].strip(_ENDS)
            turn.note(turn.session.entry(entry.phenomenon_id, OPPOSITE[entry.verdict], 1.0, words, "words"))


def _refuses_proposal(turn: Turn, protest: Protest) -> bool:
    """Whether a protest is of the reading that was asked about: it goes, and where the opposite is so, that holds."""
    asked = turn.session.clarification
    if asked is None or not asked.proposed or protest.orders:
        return False
    said = content_of(protest.name)
    for item in asked.options:
        found = turn.session.proposed_for(item.phenomenon_id)
        name = turn.catalog.phenomenon_name(item.phenomenon_id)
        named = not said or said & (content_of(name.zh) | content_of(name.en))
        if found is not None and named:
            turn.session.withdraw(item.phenomenon_id)
            if protest.opposed and found.verdict in OPPOSITE:
                words = protest.words[-1].strip(_ENDS)
                turn.note(turn.session.entry(item.phenomenon_id, OPPOSITE[found.verdict], 1.0, words, "words"))
            return True
    return False


def steps_beside(turn: Turn, spoken: Sequence[str]) -> Iterable[PlanStep]:
    """The steps that say something beside the protests; a correction by guess is a statement."""
    for step in turn.plan.steps:
        if isinstance(step, CorrectionStep) and not is_explicit(step.original):
            if step.words and not _is_in(step.words, spoken):
                yield ObservationStep(step.words)
        elif not (_is_in(_words_of(step), spoken) or _refuses(step) or _asks_of_it(step)):
            yield step


def _words_of(step: PlanStep) -> str:
    match step:
        case ObservationStep(text=text) | SuggestionStep(text=text) | QuestionStep(text=text):
            return text
        case FeedbackStep(words=words) | ClarifyStep(words=words):
            return words
    return ""


def _refuses(step: PlanStep) -> bool:
    """Whether a step is the mere no to a reading, or talk, which the protest was taken for."""
    if isinstance(step, ClarifyStep | SmalltalkStep):
        return True
    if not isinstance(step, FeedbackStep) or step.verdict is not Verdict.DENIED:
        return False
    return step.reference.list in (None, ItemList.OPTIONS)


def _asks_of_it(step: PlanStep) -> bool:
    """Whether a step asks how to look at what was just mentioned."""
    if not isinstance(step, QuestionStep) or step.kind is not QuestionKind.HELP or step.topic is not None:
        return False
    return step.subject is not None and step.subject.group is not None


def _without(result: ToolResult, spoken: Sequence[str], heard: Sequence[_Heard]) -> ToolResult:
    """The reading without the words of the protests, and without what was taken back being read once more."""
    gone = {(each.phenomenon_id, each.verdict) for _, entries in heard for each in entries}
    names = {name for name, _ in gone}

    def stays(reading: Reading) -> bool:
        return reading.pasted or (reading.phenomenon_id, reading.verdict) not in gone

    result = without_words(result, spoken)
    words = tuple(replace(each, step=None) for each in result.words)
    retracted = tuple(name for name in result.retracted if name not in names)
    return only(replace(result, words=words, retracted=retracted), stays)


def without_words(result: ToolResult, spoken: Sequence[str]) -> ToolResult:
    """The reading without the words of some clauses."""
    words = tuple(each for each in result.words if not _is_in(each.text, spoken))
    suspicions = tuple(each for each in result.suspicions if not _is_in(each[0], spoken))
    rest = replace(result, words=words, suspicions=suspicions)
    return only(rest, lambda each: each.pasted or not _is_in(each.words, spoken))


def _is_in(words: str, spoken: Iterable[str]) -> bool:
    """Whether words are of these clauses, and of no others."""
    said = plain(words)
    return bool(said) and any(said in plain(each) or plain(each) in said for each in spoken)
