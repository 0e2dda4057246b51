"""A statement that says the opposite of what is on record without correcting it: the newer one holds at once.

What tells that the fault is over, what only asks, and what was done contradict nothing: they are left out first.

Only where one of the two is what a check saw the answer asks once which of them holds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from dbdiag.matcher.v1.matcher_types import Reading, Standing
from dbdiag.planner.v1.planner_types import (
    Aftermath,
    Clarification,
    ClarificationOption,
    ClarifyKind,
    FeedbackStep,
    ItemList,
    QuestionStep,
    QuestionTopic,
    Speaker,
)
from dbdiag.vocabulary import Verdict

from gateway.session.catalog import absent
from gateway.session.ledger import COLLECTED, LedgerEntry
from gateway.turn.amendments import is_shown, resolve_if_possible
from gateway.turn.context import Turn
from gateway.turn.findings import ToolResult
from gateway.turn.proposed_readings import MEASURED, dispute
from lang import deferred_re as re
from lang.cues import telling_keys
from lang.judging.out_of_reach import NONE
from lang.judging.protesting import insists_on
from lang.modality import admits_mistake, is_said_fine, tells_misheard
from lang.outcomes import tells_relapse

_GOOD = frozenset((Aftermath.WELL, Aftermath.BETTER))
_OPPOSITE = {Verdict.CONFIRMED, Verdict.DENIED}
# Questions whose words state nothing.
_ANSWERED = (
    QuestionTopic.RELATED,
    QuestionTopic.RISK,
    QuestionTopic.EFFECT,
    QuestionTopic.REMAINING,
    QuestionTopic.CERTAINTY,
    QuestionTopic.SUMMARY,
    QuestionTopic.COMMAND,
    QuestionTopic.MEANING,
    QuestionTopic.OF_CAUSE,
    QuestionTopic.RUNNING,
)

_QUESTION = re.compile(r"[^.!?。！？\n]*[?？]")
_FELL = re.compile(r"(?:从|由|\bfrom )\s*\d[^，。,]{0,24}?(?:变成|[降缩减掉]*到|至|\bto)\s*\d|\d\s*\w*\s*(?:->|→)\s*\d")
_SENTENCE = re.compile(r"[。！？!?\n]|\.(?=\s)")
# How a question opens that only supposes, its blanks left out.
_SUPPOSES = re.compile(
    r"(?:so|and|but|then|那么?|所以|那就)?,?(?:(?:what)?if|suppos(?:e|ing)|如果|要是|假如|万一|假设)"
)
# The kinds of a reading that tell what came of an action, and that it was not done.
OUTCOME, _NOT_DONE = "outcome", "not_done"
# The kind of one that calls a thing fine.
_FINE = "fine"
# So many characters at the beginning of words tell whose they are.
_OPENING = 12


def gives_way(turn: Turn, reading: Reading, later: LedgerEntry) -> bool:
    """Whether a reading stays off the record, as what says the opposite of it stands on firmer ground.

    Words beside an output are proposed until they are said again, and that a thing is fine contradicts no figure of
    another one. Anything else takes the place of what was said before; of what a check saw it is asked as well.
    """
    earlier = turn.session.active_for(later.phenomenon_id)
    if earlier is None or {earlier.verdict, later.verdict} != _OPPOSITE or earlier.turn == turn.session.turn:
        return False
    if reading.pasted or reading.kind in MEASURED:
        return False  # A newer measurement.
    if earlier.collected:
        ask_about_what_was_seen(turn, (earlier, later), seen_ordinal=1)
    if earlier.collected or insists_on(turn.message) or tells_misheard(turn.message) or admits_mistake(turn.message):
        return False
    if not is_shown(earlier):
        figured = any(map(str.isdigit, earlier.words))
        return figured and reading.kind == _FINE and _is_of_another_thing(turn, earlier, later)
    proposed = turn.session.proposed_for(later.phenomenon_id)
    if proposed is None or proposed.verdict is not later.verdict:
        dispute(turn, reading)
        return True
    return False


def _is_of_another_thing(turn: Turn, earlier: LedgerEntry, later: LedgerEntry) -> bool:
    """Whether a thing is only called fine that a figure told before is not of: "rows are normal", of 12 GB grown."""
    name = turn.catalog.phenomenon_name(later.phenomenon_id)
    known = telling_keys(earlier.words) | telling_keys(name.zh) | telling_keys(name.en)
    return telling_keys(later.words).isdisjoint(known)


def ask_about_what_was_seen(turn: Turn, contested: tuple[LedgerEntry, LedgerEntry], seen_ordinal: int) -> None:
    """Asks whether the statement or the check holds; until then the statement counts."""
    earlier, later = contested
    options = tuple(_option(turn, ordinal, entry) for ordinal, entry in enumerate(contested, 1))
    asked = Clarification(ClarifyKind.CONTRADICTION, later.words, options, earlier.words, seen_ordinal)
    # One clarification a turn; a contradiction outranks a vague complaint.
    taken = turn.clarification is not None and turn.clarification.kind is not ClarifyKind.VAGUE
    if not taken and turn.ask(asked):
        turn.contested = contested


def _option(turn: Turn, ordinal: int, entry: LedgerEntry) -> ClarificationOption:
    name = turn.catalog.phenomenon_name(entry.phenomenon_id)
    return ClarificationOption(ordinal, entry.phenomenon_id, absent(name) if entry.verdict is Verdict.DENIED else name)


def settle(turn: Turn, step: FeedbackStep) -> bool:
    """Applies an answer to the open contradiction. Returns False if the step does not answer it."""
    asked = turn.session.clarification
    chosen = step.reference.ordinal
    if asked is None or chosen is None or step.reference.list not in (None, ItemList.OPTIONS):
        return False
    if not 0 < chosen <= len(asked.contested):
        return False
    if step.verdict is Verdict.UNKNOWN:
        # An unknown answer keeps the earlier statement.
        chosen, step = 1, replace(step, verdict=Verdict.CONFIRMED)
    if step.verdict is Verdict.DENIED:
        chosen = len(asked.contested) + 1 - chosen
    entry = asked.contested[chosen - 1]
    now = turn.session
    turn.note(replace(entry, case=now.case, turn=now.turn, origin=COLLECTED if entry.collected else "correction"))
    return True


# What the keys of questions begin with that ask for a way to look, or of an act.
_WAYS = ("look ", "act ")
# A percentage, and how many answers it may be from.
_SHARE, _LAST = re.compile(r"(\d{1,2})\s?[%％]", re.ASCII), 4


def leave_out_asked(turn: Turn, result: ToolResult) -> ToolResult:
    """The reading without doubts about words that only ask or tell what was done: they are answered, not asked back.

    What a question supposes from its first word on is no statement at all, and who asks what a check means, or whether
    what was seen counts, has not answered it.
    """
    spoken = [each.words for each in turn.plan.treatments]
    spoken += [step.text for step in turn.plan.steps if isinstance(step, QuestionStep) and step.topic in _ANSWERED]
    told = [plain(words) for words in spoken if words]
    asked = (each[0] for each in _QUESTION.finditer(turn.message))
    supposed = [each for each in map(plain, asked) if _SUPPOSES.match(each)]
    asking = (step for step in turn.plan.steps if isinstance(step, QuestionStep))
    # How something is seen, or what is to be known of an act, is asked: "give me the statement for the locks".
    ways = [plain(step.text.partition("\n")[0]) for step in asking if step.common_question.startswith(_WAYS)]
    shares = _shares_told(turn)
    if not (told or supposed or ways or shares):
        return result

    meant = _asked_what_it_means(turn)

    def stays(reading: Reading) -> bool:
        if reading.phenomenon_id in meant and not (reading.pasted or reading.kind in MEASURED):
            return False
        if not reading.pasted and (named := _SHARE.findall(reading.words))[1:] and shares.issuperset(named):
            return False  # "First 53 %, then 29 %, which is it?" is of how sure dbdiag was.
        told_beside = turn.plan.pasted if reading.pasted else reading.kind in MEASURED
        if not told_beside and _is_in(reading.words, ways):
            return False
        if reading.standing is Standing.COUNTS:
            return reading.pasted or not _is_in(reading.words, supposed)
        return not _is_in(reading.words, told)

    kept = only(result, stays)
    words = tuple(each for each in kept.words if each.meaning.readings or not _is_in(each.text, told))
    return replace(kept, words=words)


def _shares_told(turn: Turn) -> frozenset[str]:
    """The percentages that the last answers told."""
    said = [each.text for each in turn.session.dialogue if each.speaker is Speaker.ASSISTANT][-_LAST:]
    return frozenset(share for text in said for share in _SHARE.findall(text))


def _asked_what_it_means(turn: Turn) -> frozenset[str]:
    """The checks whose meaning is asked for, of those that wait for an answer."""
    steps = [each for each in turn.plan.steps if isinstance(each, QuestionStep) and each.subject is not None]
    asked = [each.subject for each in steps if each.topic is QuestionTopic.MEANING and each.subject is not None]
    return frozenset(name for each in asked if each.words is None for name in resolve_if_possible(turn, each))


def leave_out_aftermath(turn: Turn, result: ToolResult) -> ToolResult:
    """The reading without what tells of the time after a deed: the record is of the fault, and stays as it was found.

    What is on record from before is changed by a correction alone, and not by how things are since. Once it is over no
    figure, output or denial tells of the fault. What was done is no finding, nor is the error of an attempt: only what
    came of it may be one. Nor does what was fine for some time, and then bad again, deny anything.
    """
    heard = (*result.readings, *(each for words in result.words for each in words.meaning.readings))
    begun = [plain(each.words) for each in heard if each.kind == _NOT_DONE]
    undone = [plain(each.words) for each in turn.plan.treatments if each.undone]
    done = [plain(each.words) for each in turn.plan.treatments if not each.undone] if turn.evidence_before else []
    relapsed = tells_relapse(turn.message)
    found = {each.phenomenon_id for each in turn.session.active() if each.verdict is Verdict.CONFIRMED}

    def stays(reading: Reading) -> bool:
        if relapsed and reading.verdict is Verdict.DENIED and not reading.pasted and is_said_fine(reading.words):
            return False
        if reading.verdict is Verdict.DENIED and reading.phenomenon_id in found and _FELL.search(reading.words):
            return False  # "from 7914 MB to 21 MB" tells of both times: it was too much.
        told = reading.kind != OUTCOME and not reading.pasted and _is_in(reading.words, [*done, *good_news(turn)])
        # That somebody stopped nothing denies no fault: only what would have begun with it. Nor is the error of an
        # attempt one, where the reading goes on from it.
        opening = plain(reading.words)[:_OPENING]
        beside = not _is_in(reading.words, begun) and (
            _is_in(reading.words, undone) or any(opening in each for each in undone)
        )
        return not (told or beside or _is_of_aftermath(turn, reading, relapsed))

    return only(result, stays)


def _is_of_aftermath(turn: Turn, reading: Reading, relapsed: bool) -> bool:
    """Whether a reading only tells how things are since something was done, or since it is over."""
    session = turn.session
    acted = any(not each.undone for each in turn.plan.treatments)
    over = not relapsed and (session.aftermath is Aftermath.WELL or (acted and turn.plan.aftermath in _GOOD))
    since = min((each.turn for each in session.treatments), default=session.turn if over else None)
    if since is None or reading.kind == OUTCOME or _corrects(reading.words, turn.message):
        return False
    entry = session.active_for(reading.phenomenon_id)
    if entry is not None and entry.turn < since:
        return over or reading.verdict is not entry.verdict or session.aftermath is Aftermath.UNCHANGED
    return over and (reading.pasted or reading.kind in MEASURED or reading.verdict is Verdict.DENIED)


def _corrects(words: str, message: str) -> bool:
    """Whether the sentence of these words says that something was heard or told wrong, so that it is of before."""
    sentences = [each for each in _SENTENCE.split(message) if each.strip()]
    said = [each for each in sentences if len(sentences) == 1 or plain(words) in plain(each)]
    return any(tells_misheard(each) or admits_mistake(each) for each in said)


def leave_out_limits(turn: Turn, result: ToolResult) -> ToolResult:
    """The reading without findings in words that tell what cannot be looked at: that shows nothing of the system."""
    spoken = [plain(each.words) for each in turn.plan.limits if each.reach is not None and each.name != NONE]

    def stays(reading: Reading) -> bool:
        return reading.pasted or reading.verdict is Verdict.UNKNOWN or not _is_within(reading.words, spoken)

    kept = only(result, stays)
    words = tuple(each for each in kept.words if each.meaning.readings or not _is_within(each.text, spoken))
    return replace(kept, words=words) if spoken else result


def _is_within(words: str, spoken: list[str]) -> bool:
    return any(plain(words) in each for each in spoken)


def good_news(turn: Turn) -> list[str]:
    """The words of a plan that tell that the trouble is over, after something was done or once it was concluded."""
    if not (turn.session.treatments or turn.session.concluded()):
        return []
    steps = (step for step in turn.plan.steps if isinstance(step, QuestionStep))
    return [plain(step.text) for step in steps if step.topic is QuestionTopic.RECOVERED and step.text]


def only(result: ToolResult, stays: Callable[[Reading], bool]) -> ToolResult:
    """The reading with none but some of what it says."""
    words = tuple(
        replace(each, meaning=replace(each.meaning, readings=tuple(filter(stays, each.meaning.readings))))
        for each in result.words
    )
    return replace(result, words=words, readings=tuple(filter(stays, result.readings)))


def _is_in(words: str, spoken: list[str]) -> bool:
    said = plain(words)
    return any(said in each or each in said for each in spoken)


def plain(words: str) -> str:
    """Words as they are compared: in small letters, without blanks and marks around them."""
    return "".join(words.lower().split()).strip('?？!！.。,，;；、"“”')
