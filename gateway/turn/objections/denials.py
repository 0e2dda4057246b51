"""What the person says is not so, and named: by its name in quotes, or in the words before "take that off".

It goes at once, and is not heard again in other words of theirs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from dbdiag.matcher.v1.matcher_types import Reading
from dbdiag.planner.v1.planner_types import AppliedCorrection
from dbdiag.vocabulary import Verdict

from gateway.session.ledger import LedgerEntry
from gateway.session.taken_back import disown, is_disowned
from gateway.turn.context import Turn
from gateway.turn.contradictions import only
from gateway.turn.findings import ToolResult
from gateway.turn.objections.naming import content_of
from gateway.turn.objections.protests import steps_beside, without_words
from gateway.turn.proposed_readings import MEASURED
from lang import deferred_re as re
from lang.judging.amending import orders_it_off, told_before
from lang.judging.protesting import clauses_of
from lang.judging.reasking import asks
from lang.modality import is_negated

_QUOTE = re.compile(r"[“\"「](?P<name>[^“”\"「」\n]{2,60})[”\"」]")
# So many words, or Chinese characters, name a thing; so much of its name tells it.
_NAMES, _TELLS = 2, 0.5


def hear_denials(turn: Turn, result: ToolResult) -> ToolResult:
    """Takes back what the message names as not so; its words say nothing else."""
    active = [each for each in turn.session.active() if each.turn < turn.session.turn]
    found = [*_quoted(turn, active), *_ordered(turn, active)]
    for words, entry, denied in found:
        if turn.session.active_for(entry.phenomenon_id) is not entry:
            continue
        disown(turn.session, entry)
        if denied:
            turn.note(turn.session.entry(entry.phenomenon_id, Verdict.DENIED, 1.0, words, "answer"))
        name = turn.catalog.phenomenon_name(entry.phenomenon_id)
        turn.corrections.append(AppliedCorrection(name, verdict_before=entry.verdict, misheard=True))
    if found:
        spoken = [words for words, _, _ in found]
        turn.plan = replace(turn.plan, steps=tuple(steps_beside(turn, spoken)))
        result = without_words(result, spoken)
    # What was told before is no guess.
    suspicions = tuple(each for each in result.suspicions if not any(told_before(each[0])))
    result = replace(result, suspicions=suspicions)
    return only(result, lambda each: each.pasted or not _is_denied(turn, each))


def _is_denied(turn: Turn, reading: Reading) -> bool:
    """Whether a reading is of what the person disowned or answered no to, and neither measures nor names it."""
    entry = turn.session.active_for(reading.phenomenon_id)
    refused = entry is not None and entry.origin == "answer" and entry.verdict is Verdict.DENIED
    refused = refused and reading.verdict is Verdict.CONFIRMED
    disowned = is_disowned(turn.session, reading.phenomenon_id, reading.verdict)
    if reading.kind in MEASURED or not (refused or disowned):
        return False
    name = turn.catalog.phenomenon_name(reading.phenomenon_id)
    named = [content_of(text) for text in (name.zh, name.en)]
    return not any(each and len(each & content_of(reading.words)) > _TELLS * len(each) for each in named)


def _quoted(turn: Turn, active: Iterable[LedgerEntry]) -> Iterator[tuple[str, LedgerEntry, bool]]:
    """What a clause names in quotes and denies: “连接风暴”：没有."""
    for clause in map(str.strip, clauses_of(turn.message)):
        for quote in _QUOTE.finditer(clause):
            rest = clause.replace(quote.group(), " ")
            entry = next((each for each in active if _is_name(turn, quote["name"], each)), None)
            denies = is_negated(rest) or orders_it_off(rest)
            if entry is not None and entry.verdict is Verdict.CONFIRMED and denies and not asks(rest):
                yield clause, entry, is_negated(rest)


def _is_name(turn: Turn, quote: str, entry: LedgerEntry) -> bool:
    """Whether all that a quotation says is in the name of an entry, or in its words."""
    said, name = content_of(quote), turn.catalog.phenomenon_name(entry.phenomenon_id)
    return len(said) >= _NAMES and any(said <= content_of(text) for text in (name.zh, name.en, entry.words))


def _ordered(turn: Turn, active: list[LedgerEntry]) -> Iterator[tuple[str, LedgerEntry, bool]]:
    """What the words before an order that only points name: "there's no error in the config file, take that out"."""
    clauses = [each.strip() for each in clauses_of(turn.message)]
    for at, clause in enumerate(clauses):
        if at and orders_it_off(clause):
            for before in clauses[max(at - 2, 0) : at][::-1]:
                name = next(told_before(before), before)
                entry = _meant(turn, name, active)
                # What the person says once more stays.
                if entry is not None and not (entry.verdict is Verdict.DENIED and is_negated(name)):
                    yield before, entry, False
                    break


def _meant(turn: Turn, words: str, active: Iterable[LedgerEntry]) -> LedgerEntry | None:
    """The one entry that shares more with words than any other does."""
    said = content_of(words)
    shared = sorted(((len(said & _content(turn, each)), each.entry_id, each) for each in active), reverse=True)
    least = 1 if words.isascii() else _NAMES
    if not shared or shared[0][0] < least or (len(shared) > 1 and shared[1][0] == shared[0][0]):
        return None
    return shared[0][2]


def _content(turn: Turn, entry: LedgerEntry) -> set[str]:
    name = entry.lacking or turn.catalog.phenomenon_name(entry.phenomenon_id)
    return content_of(name.zh) | content_of(name.en) | content_of(entry.words)
