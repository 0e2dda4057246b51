"""The first question of a case: one that parts the usual causes of the trouble that is told, in plain words."""

from __future__ import annotations

from dbdiag.planner.v1.planner_types import (
    Answer,
    Clarification,
    ClarificationOption,
    ClarifyKind,
    HelpAnswer,
    ProgressAnswer,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
)
from dbdiag.vocabulary import LocalizedText, Verdict

from gateway.session.case_talk import said_before
from gateway.session.ledger import Session
from gateway.turn.answers.chosen import choices_excluded, choices_told, choices_told_within
from gateway.turn.context import Turn
from gateway.turn.opening.looks import is_look, keep_shown, last_shown, looks_over_time, statement_of, within_reach
from gateway.turn.opening.troubles import UNKNOWN, Opening, kind_of_trouble, kinds_told, line_of, meant, openings
from gateway.turn.tools.worth_asking import STANDS_OUT
from gateway.turn.transitions import is_of_assistant
from lang.modality import is_out_of_reach

# By this a session remembers that it asked once more.
_AGAIN = "opening:again"
# By this that a kind of trouble was asked about.
_KIND = "opening:kind:"
# How sure a choice is that was told before it was asked for.
_SURE = 0.9
# Fewer choices part nothing.
_FEWEST = 2
# What is asked back already asks as well as this would.
_VAGUE = (ClarifyKind.VAGUE, ClarifyKind.MULTIPLE_MATCHES)


def ask_opening(turn: Turn) -> bool:
    """Asks the opening question in place of what is unsure, where nothing is on record; False if it does not.

    A choice that was told already is taken, and nothing is asked; nor is it where the words are clearly of one cause.
    """
    helps = turn.clarification is None and _asks_for_help(turn)
    if helps:
        turn.answers = []
    elif not _is_due(turn):
        if turn.clarification is not None and not turn.session.active():
            turn.answers = _without_empty_sums(turn)
        return False
    kind = kind_of_trouble(turn.message)
    if _is_answered(turn, kind):
        return False
    later, clear = _asked_before(turn), turn.sounds_clear() and not helps
    earlier, words = turn.clarification, _words(turn)
    turn.clarification = None
    asked = not (later and kind == UNKNOWN) and (_take_told(turn, kind) or (not clear and _ask(turn, kind, words)))
    if not asked and (clear or not (later and _ask_in_aline_of(turn))):
        turn.clarification = earlier
        return False
    turn.unmatched, turn.unclear, turn.diagnosis_view = [], [], None
    turn.answers = _without_empty_sums(turn)
    turn.session.pending = ()
    return True


def _asked_before(turn: Turn) -> bool:
    """Whether something was asked in this case; what first words mean is nothing that an output could be pasted of."""
    asked, known = turn.session.clarification, turn.session.clarified
    if asked is not None and asked.proposed and not last_shown(turn.session):
        return any(each.startswith((_KIND, _AGAIN)) for each in known)
    return any(not is_look(each) for each in known)


def take_told_beside(turn: Turn) -> bool:
    """Records the choice that a first message says beside what is on record or asked about; False if none."""
    asked, first = turn.clarification, turn.session.turn == 1 and bool(turn.noted)
    beside = asked is not None and asked.kind is ClarifyKind.PROPOSED and not turn.session.active()
    if not (beside or first):
        return False
    kind = kind_of_trouble(turn.message)
    if not (beside or not _is_answered(turn, kind)) or not _take_told(turn, kind):
        return False
    # What was made of the same words before.
    taken = {entry.phenomenon_id: entry.words for entry in turn.session.active()}
    for proposed in turn.session.proposed:
        if any(words in proposed.words for words in taken.values()):
            turn.session.withdraw(proposed.phenomenon_id)
    waiting = {proposed.phenomenon_id for proposed in turn.session.proposed}
    if asked is not None and waiting.isdisjoint(option.phenomenon_id for option in asked.options):
        turn.clarification = None
    return True


def _without_empty_sums(turn: Turn) -> list[Answer]:
    return [answer for answer in turn.answers if not _sums_up_nothing(answer)]


def _sums_up_nothing(answer: Answer) -> bool:
    """Whether an answer tells how a case stands of which nothing is known: "老板在催", "what's going on"."""
    return isinstance(answer, ProgressAnswer) or (
        isinstance(answer, HelpAnswer) and answer.topic is QuestionTopic.SUMMARY
    )


def _is_answered(turn: Turn, kind: str) -> bool:
    """Whether what is on record answers the question about this kind of trouble."""
    on_record = {entry.phenomenon_id for entry in turn.session.active() if entry.verdict is Verdict.CONFIRMED}
    return not on_record.isdisjoint(meant(turn.catalog, openings()[kind]))


def _take_told(turn: Turn, kind: str) -> bool:
    """Records the one choice that this message and those before it say; False if they say none, or more."""
    of_kind = meant(turn.catalog, openings()[kind])
    told = {name: words for name, words in choices_told(turn.catalog, _said(turn)).items() if name in of_kind}
    told |= choices_told_within(turn.catalog, kind, _said(turn))
    waiting = {proposed.phenomenon_id for proposed in turn.session.proposed}
    out = _excluded(turn) | (_asked_alone(turn) - waiting)
    left = [name for name in told if name not in out]
    if len(left) != 1:
        return False
    turn.note(turn.session.entry(left[0], Verdict.CONFIRMED, _SURE, told[left[0]], "words"))
    return True


def _said(turn: Turn) -> str:
    return "\n".join([*reversed(said_before(turn.session)), turn.message])


def _ask(turn: Turn, kind: str, words: str) -> bool:
    """Asks the question of a kind of trouble, once a case, while it has choices to tell apart."""
    opening, once = openings()[kind], _KIND + kind
    options = _options(turn, opening)
    if len(options) < _FEWEST or once in turn.session.clarified:
        return False
    look = next(iter(looks_over_time(turn.session, turn.message)), opening.overview)
    look, before = within_reach(turn.session, look), last_shown(turn.session)
    shown = bool(before) and within_reach(turn.session, before) == before
    question = _joined(opening.question, line_of("above")) if shown else opening.question
    overview = "" if shown else statement_of(turn.catalog, look).say(turn.language)
    asked = turn.ask(Clarification(ClarifyKind.VAGUE, words, options, question=question, overview=overview))
    if asked:
        turn.asked_as.add(once)
        if overview:
            keep_shown(turn.session, look)
    return asked


def _joined(one: LocalizedText, other: LocalizedText) -> LocalizedText:
    return LocalizedText(one.zh + other.zh, f"{one.en} {other.en}")


def _ask_in_aline_of(turn: Turn) -> bool:
    """Asks once more, in a line, where the choices were none; False if that was asked before."""
    if _AGAIN in turn.session.clarified:
        return False
    line = line_of("again_without_error" if is_out_of_reach(turn.message) else "again")
    turn.clarification = Clarification(ClarifyKind.VAGUE, turn.message, question=line)
    turn.asked_as = {_AGAIN}
    return True


def _is_due(turn: Turn) -> bool:
    """Whether the message told something, and nothing of it is sure enough to go on with."""
    asked = turn.clarification
    if _tells_only_what_hurts(turn):
        return True
    if turn.session.active() or turn.corrections or turn.suggestions or turn.engine_gap is not None:
        return False
    if asked is not None:
        return asked.kind in _VAGUE or (asked.kind is ClarifyKind.MISSING_VALUE and bool(kinds_told(turn.message)))
    return bool(turn.unmatched or turn.unclear)


def _tells_only_what_hurts(turn: Turn) -> bool:
    """Whether all that is there by the first message are complaints, no cause stands out, and nothing was asked yet."""
    told, view = turn.session.active(), turn.diagnosis_view
    asked = any(each.startswith(_KIND) for each in turn.session.clarified)
    if not told or asked or turn.clarification or turn.answers or turn.plan.pasted or view is None:
        return False
    first = all(entry.turn == turn.session.turn for entry in told)
    there = (entry.phenomenon_id for entry in told if entry.verdict is not Verdict.DENIED)
    hurts = first and all(map(turn.catalog.is_complaint, there))
    led = any(cause.confidence >= STANDS_OUT for cause in view.hypotheses[:1])
    return hurts and not led and openings()[kind_of_trouble(turn.message)].narrows


def _asks_for_help(turn: Turn) -> bool:
    """Whether a message calls for help in a trouble that it names, where nothing is on record: not how to use this."""
    steps, helps = turn.plan.steps, (QuestionKind.HELP, None)
    calls = bool(steps) and all(isinstance(each, QuestionStep) and (each.kind, each.topic) == helps for each in steps)
    shown = any(isinstance(answer, HelpAnswer) and answer.items for answer in turn.answers)
    fresh = not (turn.session.active() or turn.session.clarified or turn.session.pending or shown)
    told = calls and fresh and bool(kinds_told(turn.message))
    return told and not is_of_assistant(turn.message) and turn.engine_gap is None


def was_opened(session: Session) -> bool:
    """Whether the opening question was asked in this case, and once more."""
    return _AGAIN in session.clarified


def _words(turn: Turn) -> str:
    told = [turn.clarification.words] if turn.clarification is not None else []
    return next((words for words in [*told, *turn.unmatched, *turn.unclear] if words), turn.message)


def _options(turn: Turn, opening: Opening) -> tuple[ClarificationOption, ...]:
    """The choices that the library has a phenomenon for, numbered, without those that are left out."""
    ids, out = {found.name.en: found.phenomenon_id for found in turn.catalog.phenomena.values()}, _left_out(turn)
    left = [choice for choice in opening.known if choice.means in ids and ids[choice.means] not in out]
    return tuple(ClarificationOption(ordinal, ids[choice.means], choice.text) for ordinal, choice in enumerate(left, 1))


def _left_out(turn: Turn) -> set[str]:
    """The phenomena that are settled, that were asked about alone, or that the messages exclude."""
    return _excluded(turn) | _asked_alone(turn)


def _excluded(turn: Turn) -> set[str]:
    settled = {entry.phenomenon_id for entry in turn.session.active()}
    return settled | choices_excluded(turn.catalog, _said(turn))


def _asked_alone(turn: Turn) -> set[str]:
    return {name for name in turn.catalog.phenomena if f"{ClarifyKind.PROPOSED}:{name}" in turn.session.clarified}
