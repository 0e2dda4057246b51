"""Records the meaning of a plan's free words in the ledger, and notes the causes that its suspicions name."""

from __future__ import annotations

from dataclasses import replace

from dbdiag.matcher.v1.matcher_types import Candidate, Interpretation, Reading, Standing
from dbdiag.planner.v1.planner_types import ClarifyKind, CorrectionStep, QuestionKind, QuestionStep
from dbdiag.vocabulary import Verdict

from gateway.session.ledger import LedgerEntry
from gateway.session.references import NoSuchItem, resolve
from gateway.turn.amendments import is_explicit, is_named, named_in
from gateway.turn.answers.lacking import apply_facilities
from gateway.turn.answers.left_out import is_left_out
from gateway.turn.apply_plan import correct, replace_entry
from gateway.turn.asked_readings import ask_about
from gateway.turn.context import Turn
from gateway.turn.contradictions import gives_way
from gateway.turn.findings import ToolResult, Words
from gateway.turn.proposed_readings import belongs, propose, readings_of_turn
from gateway.turn.suspected.suspects import NAMES_A_CAUSE_FROM, suspect
from lang.cues import telling_keys
from lang.judging.amending import denies_errors, wrongly_said
from lang.modality import admits_mistake

# Likeness from which words are asked about while something is on record.
ASKED_FROM = 0.8
# Words beside a fact are asked about only if they are more like one phenomenon than this.
PROPOSED_FROM = 0.9
_LACKING = (Standing.NEEDS_VALUE, Standing.NEEDS_BASE)
# What ends so leads to what follows.
_COLONS = ":："


def apply_words(turn: Turn, result: ToolResult) -> None:
    """Applies the meanings in the order of the plan, then the suspicions; asks about what is not sure last."""
    for phenomenon_id in result.retracted:
        turn.session.withdraw(phenomenon_id)
        entry = turn.session.active_for(phenomenon_id)
        if entry is not None and entry.turn < turn.session.turn:
            turn.take_back(entry)
    apply_facilities(turn, result.facilities)
    missing: list[Reading] = []
    unread: list[Words] = []
    for words in result.words:
        if words.step is None:
            missing += _record(turn, words, unread)
        elif words.step.words is not None:
            missing += _replace(turn, words.step, words, unread)
        else:
            _take_back(turn, words.step, words.meaning)
    missing += _apply(turn, result.readings)
    for words in [words for words in unread if not _leave_alike(turn, words.text, words.meaning)]:
        _note_or_ask(turn, words.text, words.meaning)
    if result.unread_output and not any(result.unread_output in words for words in turn.unmatched):
        turn.unclear.append(result.unread_output)
    for text, found in result.suspicions:
        suspect(turn, text, found)
    _ask_for_values(turn, missing)
    ask_about(turn)


def _record(turn: Turn, words: Words, unread: list[Words]) -> list[Reading]:
    """Records what counts, keeps what is not sure and what is `unread`. Returns the readings that lack a value."""
    meaning = words.meaning
    missing = _apply(turn, meaning.readings)
    if not meaning.readings:
        unread.append(words)
    turn.unmatched += [note for note in meaning.notes if note not in turn.unmatched]
    return missing


def _apply(turn: Turn, readings: tuple[Reading, ...]) -> list[Reading]:
    """Records the readings that count, keeps those that are not sure, and returns those that lack a value."""
    for reading in readings:
        if is_left_out(turn, reading):
            continue
        if reading.standing is Standing.COUNTS:
            entry = _entry(turn, reading, "words")
            if not gives_way(turn, reading, entry):
                turn.note(entry)
        elif reading.standing is Standing.PROPOSED and turn.engine_gap is None:
            propose(turn, reading)
    return [reading for reading in readings if reading.standing in _LACKING]


def _leave_alike(turn: Turn, text: str, meaning: Interpretation) -> bool:
    """Leaves words that are like one phenomenon as they are; False if there is none, or several.

    Likeness is no reading: in a case seven of eight such were wrong. Beside a fact of this message they must be very
    like it, in the middle of a case rather like it.
    """
    options = meaning.clarification.options if meaning.clarification is not None else ()
    if turn.engine_gap is not None or _heads_more(turn.message, text):
        return True  # What it is like is of another database, or it only leads to an output.
    told = {entry.phenomenon_id for entry in turn.session.active()}
    least = PROPOSED_FROM if turn.noted else ASKED_FROM if told else 0.0
    if len(options) != 1 or options[0].score < least:
        return False
    found = options[0].phenomenon_id
    if denies_errors(text):
        turn.unmatched.append(text)  # That there is no error is about none of them.
    elif found not in told:
        turn.unmatched.append(text)
    return True


def _heads_more(message: str, text: str) -> bool:
    """Whether words end in a colon: "the one without analyze:" tells of what follows."""
    return (text + message.partition(text)[2]).removeprefix(text.rstrip(_COLONS)).lstrip().startswith(tuple(_COLONS))


def _note_or_ask(turn: Turn, text: str, meaning: Interpretation) -> None:
    """Offers similar phenomena for words without a reading, unless the message told something else; then notes them."""
    if meaning.clarification is None or turn.noted or readings_of_turn(turn):
        if not meaning.notes:
            turn.unmatched.append(text)
        return
    told = {entry.phenomenon_id for entry in turn.session.active()}
    options = [option.phenomenon_id for option in meaning.clarification.options]
    unheard = [option for option in options if option not in told]
    # Words whose likeliest meaning is already on record are a repetition, not a question. In the middle of a case only
    # what is very like a phenomenon is worth a question: the rest are asides.
    like = max((option.score for option in meaning.clarification.options), default=0.0)
    riddle = bool(options and unheard) and options[0] == unheard[0] and (not told or like >= ASKED_FROM)
    kind = ClarifyKind(meaning.clarification.kind or ClarifyKind.VAGUE)
    if riddle and turn.ask_back(kind, text, unheard):
        return
    if not told.intersection(options[:1]):
        turn.unmatched.append(text)


def _entry(turn: Turn, reading: Reading, origin: str) -> LedgerEntry:
    entry = turn.session.entry(reading.phenomenon_id, read_verdict(reading), reading.probability, reading.words, origin)
    return replace(entry, value=reading.value)


def read_verdict(reading: Reading) -> Verdict:
    """The verdict of a reading; unknown if the matcher gave none."""
    return reading.verdict or Verdict.UNKNOWN


def _ask_for_values(turn: Turn, missing: list[Reading]) -> None:
    """Asks for the first value that a limit needs, if nothing else was said; what is on record is said again."""
    said = bool(turn.noted or turn.corrections or readings_of_turn(turn)) or any(
        isinstance(step, QuestionStep) and not _asks_if_heard(step) for step in turn.plan.steps
    )
    pending = {item.phenomenon_id for item in turn.session.pending}
    for reading in missing:
        recorded = turn.session.active_for(reading.phenomenon_id)
        if recorded is not None:
            if not said:
                turn.note(recorded)
            continue
        if said or _points_at_told(turn, reading):
            continue
        based = reading.standing is Standing.NEEDS_BASE
        if (
            based
            and reading.phenomenon_id not in pending
            and not (reading.pasted and belongs(turn, reading.phenomenon_id))
        ):
            # Whether the amount is too much only the person can tell, who knows what is usual.
            propose(turn, replace(reading, verdict=Verdict.CONFIRMED))
            return
        asked = turn.ask_back(ClarifyKind.MISSING_VALUE, reading.words, [reading.phenomenon_id])
        if asked and turn.clarification is not None and based:
            turn.clarification = replace(turn.clarification, question=reading.missing)
        if not asked and turn.clarification is None:
            turn.unclear.append(reading.words)
        return
    if missing and not (said or turn.noted or turn.clarification):
        turn.unclear.append(missing[0].words)


def _points_at_told(turn: Turn, reading: Reading) -> bool:
    """Whether words only name what was told in more words: "the slots one" after "connection slots are reserved"."""
    said = telling_keys(reading.words)
    told = [telling_keys(entry.words) for entry in turn.session.active() if entry.origin != "collected"]
    return bool(said) and not reading.pasted and any(said < each for each in told)


def _asks_if_heard(step: QuestionStep) -> bool:
    """Whether a question is if something was heard, which says it once more."""
    return step.kind is QuestionKind.HISTORY and step.subject is not None and step.subject.words is not None


def _replace(turn: Turn, step: CorrectionStep, words: Words, unread: list[Words]) -> list[Reading]:
    meaning = words.meaning
    old = turn.session.active_for(_find_original(turn, step, meaning))
    left = tuple(reading for reading in meaning.readings if not is_left_out(turn, reading))
    counted = [reading for reading in left if reading.standing is Standing.COUNTS]
    if not counted:
        # What cannot be read takes nothing back: the words may be about something else.
        return _record(turn, words, unread)
    quotes = wrongly_said(turn.message)
    same = old is not None and any(reading.phenomenon_id == old.phenomenon_id for reading in counted)
    owned = admits_mistake(turn.message) and not quotes
    named = is_explicit(step.original) or (owned and not same and is_named(turn, old))
    of_nothing = bool(quotes) and not (is_explicit(step.original) or named_in(turn, quotes, turn.session.active()))
    for reading in counted:
        if of_nothing and not telling_keys(reading.words):
            continue  # A bare figure in place of one that is not on record.
        # Words about something else correct only what the person names.
        about = old if named or (old is not None and old.phenomenon_id == reading.phenomenon_id) else None
        replace_entry(turn, about, _entry(turn, reading, "correction"))
        old = None if about is old else old
    return []


def _take_back(turn: Turn, step: CorrectionStep, meaning: Interpretation) -> None:
    found = _find_original(turn, step, meaning)
    held = turn.session.active_for(found)
    if held is not None and held.turn == turn.session.turn:
        return  # The same words have replaced what was wrong.
    if found:
        correct(turn, step, found)
    else:
        turn.unclear.append(step.original.words or turn.message)


def _find_original(turn: Turn, step: CorrectionStep, meaning: Interpretation) -> str:
    """The active phenomenon of a correction: the one referred to, else the most similar active one."""
    if step.original.words is None:
        try:
            return resolve(turn.session, step.original, turn.plan, turn.catalog.phenomena)[0]
        except NoSuchItem:
            return ""
    active = {entry.phenomenon_id for entry in turn.session.active()}
    found = [reading.phenomenon_id for reading in meaning.readings]
    found += [option.phenomenon_id for option in _all_candidates(meaning) if option.score >= NAMES_A_CAUSE_FROM]
    return next((phenomenon_id for phenomenon_id in found if phenomenon_id in active), "")


def _all_candidates(meaning: Interpretation) -> tuple[Candidate, ...]:
    options = meaning.clarification.options if meaning.clarification else ()
    return options + meaning.candidates
