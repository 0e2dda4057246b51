"""What a message changes of the record: what it calls wrong, what it puts back, and which entry it means.

Nothing else is touched: new facts are recorded beside it; where something was wrong and nobody says what, it is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from dbdiag.matcher.v1.matcher_types import Reading, Standing
from dbdiag.planner.v1.planner_types import (
    Clarification,
    ClarificationOption,
    ClarifyKind,
    CorrectionStep,
    FeedbackStep,
    ItemList,
    PlanStep,
    Reference,
)
from dbdiag.vocabulary import Verdict

from gateway.session.catalog import absent
from gateway.session.ledger import LedgerEntry
from gateway.session.references import NoSuchItem, resolve
from gateway.session.taken_back import restorable
from gateway.turn.context import Turn
from gateway.turn.findings import ToolResult
from lang.cues import telling_keys, telling_parts
from lang.judging.amending import (
    clauses_in,
    corrected_figures,
    puts_back,
    restated,
    told_before,
    unsaid,
    without_amending,
    without_times,
    wrongly_said,
)
from lang.modality import admits_mistake, is_negated
from lang.tokens import read_text

OPPOSITE = {Verdict.CONFIRMED: Verdict.DENIED, Verdict.DENIED: Verdict.CONFIRMED}
# Of more entries nobody wants to pick one.
_MOST = 4
# What names an entry shares so much with it, of more than one word, and so many times as much as with any other.
_NAMES, _CLEARLY, _SEVERAL = 0.5, 1.2, 2
TAKEN_BACK = "taken_back"
_FIGURES = ("value", "multiple", "event_count")
_DOERS = frozenset(("i", "we", "me", "我"))
_NUMERALS = frozenset("二两三四五六七八九十百千万")


def is_explicit(reference: Reference) -> bool:
    """True if a reference names its item by id, or by its number in a list that was shown."""
    return reference.id is not None or (reference.ordinal is not None and reference.list is not ItemList.EVIDENCE)


def corrects(turn: Turn) -> bool:
    """True if a message says in words that something said before was wrong."""
    return admits_mistake(turn.message) or bool(wrongly_said(turn.message))


def turn_round(turn: Turn, result: ToolResult) -> ToolResult:
    """Takes back what a message quotes as wrong, and leaves the quotes out of the reading and the plan.

    The opposite is recorded only of one thing that is on record, and that the message calls wrong and no figure: "no
    lock waits" is so, or not. Of what never went on record nothing is told: what is new is read by itself.
    """
    readings = readings_of(result)
    quotes = [
        each for each in (*wrongly_said(turn.message), *unsaid(turn.message)) if not _is_news(turn, readings, each)
    ]
    quotes += [each for each in told_before(turn.message) if _is_outdone(readings, each)]
    if not quotes:
        return result
    quoted = [each for each in readings if _is_quoted(each, quotes)]
    told = {each.phenomenon_id for each in readings if each not in quoted and each.standing is Standing.COUNTS}
    wrong = {each.phenomenon_id for each in quoted if _stands(turn, each)}
    named = [] if wrong else named_in(turn, quotes, turn.session.active())
    named = [each for each in named if not _tells_who(turn, quotes, each)]
    done = {*wrong, *told, *(entry.phenomenon_id for entry in named)}
    kept = (step for step in turn.plan.steps if not (_is_settled(turn, step, done) or _repeats(step, quotes)))
    turn.plan = replace(turn.plan, steps=tuple(kept))
    for entry in [each for each in turn.session.active() if each.phenomenon_id in wrong - told]:
        _turn_one(turn, entry, quoted, alone=len(wrong) == 1)
    for entry in named:
        if entry.phenomenon_id not in told:
            turn.take_back(entry)
    return _without_quotes(result, quoted, done, quotes)


def _is_outdone(readings: Iterable[Reading], quote: str) -> bool:
    """Whether a message says the opposite of what it quotes: "i said cpu 6%, that was the app box. it is at 95%"."""
    quoted = {(each.phenomenon_id, each.verdict) for each in readings if _is_quoted(each, [quote])}
    counted = [each for each in readings if each.standing is Standing.COUNTS and each.verdict in OPPOSITE]
    return any((each.phenomenon_id, OPPOSITE[each.verdict or Verdict.UNKNOWN]) in quoted for each in counted)


def _is_news(turn: Turn, readings: Iterable[Reading], quote: str) -> bool:
    """Whether words before "scrap that" say the opposite of what is on record: that is what is scrapped."""
    found = [each for each in readings if _is_quoted(each, [quote]) and each.verdict in OPPOSITE]
    entries = [(turn.session.active_for(each.phenomenon_id), each.verdict) for each in found]
    opposed = any(entry is not None and entry.verdict is not verdict for entry, verdict in entries)
    return opposed and quote not in wrongly_said(turn.message)


def _tells_who(turn: Turn, quotes: Iterable[str], entry: LedgerEntry) -> bool:
    """Whether quotes only tell who did something: "it was me who ran the alter" is no word on what came of it."""
    said, name = " ".join(quotes), turn.catalog.phenomenon_name(entry.phenomenon_id)
    doer = not _DOERS.isdisjoint(token.text for token in read_text(said).tokens)
    return doer and telling_parts(said).isdisjoint(telling_parts(name.zh) | telling_parts(name.en))


def _stands(turn: Turn, reading: Reading) -> bool:
    entry = turn.session.active_for(reading.phenomenon_id)
    return entry is not None and entry.verdict is reading.verdict


def _repeats(step: PlanStep, quotes: Iterable[str]) -> bool:
    """Whether a step takes a quote for an answer to what is asked."""
    return isinstance(step, FeedbackStep) and step.by_name and any(step.words in each for each in quotes)


def _is_told(turn: Turn, reading: Reading) -> bool:
    """Whether what a figure reads is on record, or named in it: of anything else it was only a guess."""
    return turn.session.active_for(reading.phenomenon_id) is not None or _tells_name(turn, reading)


def _tells_name(turn: Turn, reading: Reading) -> bool:
    name = turn.catalog.phenomenon_name(reading.phenomenon_id)
    return bool(telling_keys(reading.words) & (telling_keys(name.zh) | telling_keys(name.en)))


def keep_figures(turn: Turn, result: ToolResult) -> ToolResult:
    """The reading without what a mere figure in the place of another was taken for: it is of what is on record."""
    figures = corrected_figures(turn.message)
    if not figures:
        return result
    quoted = [each for each in readings_of(result) if _is_quoted(each, figures) and not each.pasted]
    guessed = [each for each in quoted if not _is_told(turn, replace(each, words=_without(each.words, figures)))]
    return _without_quotes(result, guessed, set())


def _without(words: str, parts: Iterable[str]) -> str:
    for part in parts:
        words = words.replace(part, " ")
    return words


def is_shown(entry: LedgerEntry) -> bool:
    """Whether an entry rests on what a system showed: its words are nobody's."""
    return entry.collected or entry.origin == "import" or "|" in entry.words or "\n" in entry.words


def _turn_one(turn: Turn, entry: LedgerEntry, quoted: list[Reading], alone: bool) -> None:
    """Takes back an entry that a message quotes as wrong, or records its opposite; of one thing called fine none."""
    read = [each for each in quoted if each.phenomenon_id == entry.phenomenon_id]
    measured = any(each.kind in _FIGURES or any(map(str.isdigit, each.words)) for each in read)
    partly = any(_is_quoted(each, unsaid(turn.message)) for each in quoted)
    partly = partly or any(each.kind == "fine" and not _tells_name(turn, each) for each in read)
    partly = partly or all(each.standing is not Standing.COUNTS for each in read)  # Only guessed at.
    if alone and not (measured or partly):
        turn.note(turn.session.entry(entry.phenomenon_id, OPPOSITE[entry.verdict], 1.0, turn.message, "answer"))
    elif not (measured and _tells_another(turn)):
        turn.take_back(entry)


def _tells_another(turn: Turn) -> bool:
    """Whether a message tells another figure than it calls wrong: what the entry means may hold by it as well."""
    rest = _without(turn.message, (*wrongly_said(turn.message), *unsaid(turn.message)))
    return rest != without_times(rest) or any(each.isdigit() or each in _NUMERALS for each in rest)


def readings_of(result: ToolResult) -> list[Reading]:
    """All that a message was read as."""
    return [*result.readings, *(reading for words in result.words for reading in words.meaning.readings)]


def _is_quoted(reading: Reading, quotes: Iterable[str]) -> bool:
    return bool(reading.words) and any(each in reading.words or reading.words in each for each in quotes)


def is_named(turn: Turn, entry: LedgerEntry | None) -> bool:
    """True if a clause of the message names an entry well above any other."""
    return entry is not None and any(
        named_in(turn, [clause], turn.session.active()) == [entry] for clause in clauses_in(turn.message)
    )


def named_in(turn: Turn, quotes: Iterable[str], entries: Iterable[LedgerEntry]) -> list[LedgerEntry]:
    """The one entry that words name, well above any other: by most of what they say, or by most of its own words."""
    said = telling_parts(without_times(without_amending(" ".join(quotes))))
    found = sorted(((_likeness(turn, said, each), each.entry_id, each) for each in entries), reverse=True)
    clear = bool(found) and found[0][0] >= _NAMES and (len(found) == 1 or found[0][0] > _CLEARLY * found[1][0])
    return [found[0][2]] if clear else []


def _likeness(turn: Turn, said: set[str], entry: LedgerEntry) -> float:
    """How much of what is said is of an entry, or of its words is said, in [0, 1]; a single character counts half."""
    name = turn.catalog.phenomenon_name(entry.phenomenon_id)
    names = [telling_parts(text) for text in (name.zh, name.en, "" if is_shown(entry) else entry.words)]
    shared = said & set().union(*names)
    words = sum(1.0 if each.isascii() or len(each) > 1 else 0.5 for each in shared)
    if not said or (words < _SEVERAL and (len(shared) < len(said) or len("".join(shared)) < _SEVERAL)):
        return 0.0
    return max(len(shared) / len(said), *(len(said & each) / len(each) for each in names if each), 0.0)


def resolve_if_possible(turn: Turn, reference: Reference) -> tuple[str, ...]:
    """What a reference points at; nothing where it points at nothing."""
    try:
        return resolve(turn.session, reference, turn.plan, turn.catalog.phenomena)
    except NoSuchItem:
        return ()


def _is_settled(turn: Turn, step: PlanStep, done: set[str]) -> bool:
    """Whether a correction is of what was turned round, or guesses at what the quotes name."""
    if not isinstance(step, CorrectionStep) or step.words is not None or step.retract is False:
        return False
    return not is_explicit(step.original) or not done.isdisjoint(resolve_if_possible(turn, step.original))


def _without_quotes(
    result: ToolResult, quoted: list[Reading], done: set[str], quotes: Sequence[str] = ()
) -> ToolResult:
    def rest(readings: tuple[Reading, ...]) -> tuple[Reading, ...]:
        return tuple(each for each in readings if each not in quoted)

    words = tuple(
        replace(each, meaning=replace(each.meaning, readings=rest(each.meaning.readings)))
        for each in result.words
        if each.step is not None or rest(each.meaning.readings) or not (each.meaning.readings or each.text in quotes)
    )
    retracted = tuple(name for name in result.retracted if name not in done)
    return replace(result, words=words, readings=rest(result.readings), retracted=retracted)


def keep_named(turn: Turn, result: ToolResult) -> ToolResult:
    """Leaves out what would take back an entry that the message does not name, or one that it puts back."""
    kept = tuple(step for step in turn.plan.steps if not _is_guessed(turn, step))
    turn.guessed = len(kept) < len(turn.plan.steps)
    turn.plan = replace(turn.plan, steps=kept)
    back = {entry.phenomenon_id for entry in restorable(turn.session)} if puts_back(turn.message) else set()
    return replace(result, retracted=tuple(name for name in result.retracted if name not in back))


def _is_guessed(turn: Turn, step: PlanStep) -> bool:
    if not isinstance(step, CorrectionStep) or not step.retract or step.original.list is not ItemList.EVIDENCE:
        return False
    if step.original.ordinal is None:
        return False
    found = [turn.session.active_for(name) for name in resolve_if_possible(turn, step.original)]
    again = any(entry is not None and _is_restated(turn, entry) for entry in found)
    return again or puts_back(turn.message) or not any(is_named(turn, entry) for entry in found)


def _is_restated(turn: Turn, entry: LedgerEntry) -> bool:
    """Whether a complaint tells an entry once more, as it is on record."""
    quotes = [each for each in restated(turn.message) if is_negated(each) is (entry.verdict is Verdict.DENIED)]
    return bool(named_in(turn, quotes, [entry]))


def without_taken(turn: Turn, result: ToolResult) -> ToolResult:
    """The reading without what only names an entry that the plan takes back, and without doubts about it."""
    steps = [step for step in turn.plan.steps if isinstance(step, CorrectionStep) and step.retract]
    taken = {name for step in steps for name in resolve_if_possible(turn, step.original)}
    names = [each for each in readings_of(result) if each.phenomenon_id in taken and _only_names(turn, each)]
    return _without_quotes(result, names, set())


def _only_names(turn: Turn, reading: Reading) -> bool:
    entry = turn.session.active_for(reading.phenomenon_id)
    return reading.standing is not Standing.COUNTS or (entry is not None and entry.verdict is reading.verdict)


def ask_which(turn: Turn, words: str) -> bool:
    """Asks which of the last entries was wrong, the latest first. Returns False if there is none, or it was asked."""
    latest = turn.session.active()[: -_MOST - 1 : -1]
    options = tuple(_option(turn, ordinal, entry) for ordinal, entry in enumerate(latest, 1))
    asked = Clarification(ClarifyKind.AMBIGUOUS_FEEDBACK, words, options)
    return bool(options) and turn.clarification is None and turn.ask(asked)


def _option(turn: Turn, ordinal: int, entry: LedgerEntry) -> ClarificationOption:
    name = turn.catalog.phenomenon_name(entry.phenomenon_id)
    told = absent(name) if entry.verdict is Verdict.DENIED else name
    return ClarificationOption(ordinal, entry.phenomenon_id, told, reading=TAKEN_BACK)
