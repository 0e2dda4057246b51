"""What a message reports: what was done against the trouble, and how things are since."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain

from lang.objects.lock_queue import WAITS_FOR
from lang.objects.named_objects import objects_named
from lang.objects.settings_said import SETTING
from lang.outcomes import tells_relapse
from lang.pastes import Executed
from lang.tokens import Text
from services.planner.glossary.known_errors import error_in
from services.planner.model import Aftermath, SessionView, Treatment
from services.planner.treatment.actions import (
    Mention,
    action_named,
    actions_in,
    actions_of_statements,
    mentions_in,
    names_another_object,
    names_target,
    read_actions,
    share_a_verb,
)
from services.planner.treatment.deeds import Told, attempt_failed, disputed_in, names_doer, told_of, was_tried
from services.planner.treatment.done_marks import (
    aftermath_of,
    denies_deeds,
    speaks_of_record,
    tells_bad_now,
    tells_change,
    tells_contrast,
    tells_it_ended,
    tells_it_was_done,
    tells_nothing_was_done,
)
from services.planner.treatment.durations import aftermath_by_figure
from services.planner.treatment.sentences import (
    clauses_of,
    holds_output,
    is_short,
    sentences_of,
    tells_size,
    told_clauses,
    what_follows,
)
from services.planner.treatment.shown_actions import (
    SESSION,
    as_shown,
    is_acted_on,
    said_beside,
    said_last,
    settings_of,
    shown_actions,
    shown_last,
    shown_statements,
    statements_shown,
)
from services.planner.understand.text.word_lists import listed

_STILL = listed("treatment.still")  # "Still 94", said after something was done.
_QUOTES = listed("treatment.quotes")  # "Earlier I said that it was through" tells no deed.
_JOB, _END, _ROWS = "stop_job", "terminate", "drop_data"
_TAKES_OFF = "drop"  # Beside words on the record this is done to an entry of it.
_OF_ANY_SETTING = ("set_parameter", "switch_setting")  # Told by the setting that was changed.
# After these the space stays with the table: that its file is as big as before is no failure of theirs.
KEEP_SIZE = frozenset(("vacuum", "vacuum_freeze", "drop_data"))
_WAITS, _REFUSED, _DID_NOT_END = (listed(f"treatment.{name}") for name in ("waits", "refused", "did_not_end"))
# In place of an action: the recovery that was believed is taken back.
RECOVERY = "recovery"


@lru_cache(maxsize=4)  # What reads a turn asks for them again and again.
def treatments_in(
    said: str, view: SessionView, ran: tuple[Executed, ...] = (), pasted: bool = False
) -> tuple[Treatment, ...]:
    """What the person did and what was not done, each action once with all objects that were named of it.

    ran: the statements of the message that the server acknowledged. pasted: an output stands beside the words, so that
    "ran it" is said of what gave it.
    """
    found: dict[str, Treatment] = {}
    shown = pasted or bool(ran) or holds_output(said)
    told = [
        each
        for sentence in sentences_of(said)
        for clause in clauses_of(sentence)
        for each in _in_clause(clause, sentence, said, view, shown)
    ]
    for each in (*told, *_of_statements(ran)):
        before = found.get(each.action)
        same = before is not None and before.undone == each.undone
        objects = (*before.objects, *each.objects) if before is not None and same else each.objects
        words = f"{before.words} {each.words}" if before is not None and same and each.undone else each.words
        first = before if before is not None and same and not each.undone else replace(each, words=words)
        found[each.action] = replace(first, objects=tuple(dict.fromkeys(objects)))
    return (*found.values(), *_ended(said, list(found.values())))


def _ended(said: str, told: Sequence[Treatment]) -> Iterator[Treatment]:
    """The clauses that only tell that what was acted on is gone, as words of the last deed: "the slot is gone"."""
    done = [each for each in told if not each.undone]
    for clause in told_clauses(said) if done else ():
        if tells_it_ended(read_actions(clause)) and clause not in (each.words for each in done):
            yield replace(done[-1], words=clause)


def _of_statements(ran: Sequence[Executed]) -> Iterator[Treatment]:
    """The actions of statements that took hold, each with its statement; a reload beside another is none."""
    held = [each.statement for each in ran if each.took_hold]
    for action in sorted(actions_of_statements(";".join(held))):
        for statement in held:
            if action in actions_of_statements(statement):
                yield _treatment(action, statement)


def _in_clause(clause: str, sentence: str, said: str, view: SessionView, ran: bool) -> Iterator[Treatment]:
    text, whole = read_actions(clause), read_actions(sentence)
    noted = [each.action for each in view.treatments if each.turn == view.turn - 1]
    if disputed := disputed_in(text, noted):
        yield _undone(disputed, said)
        return
    of_record = speaks_of_record(read_actions(said))
    beside = () if of_record else said_beside(said, view, clause)
    alone = {own[1:]: own.action for own in mentions_in(text, (sentence, said))} if beside else {}
    shown = _undone_last(view) or shown_actions(view) or shown_last(view)
    mentions = [
        each._replace(action=as_shown(alone.get(each[1:], ""), shown) or each.action)
        for each in mentions_in(text, (*_shown_before(clause, sentence, view), sentence, *beside) if beside else ())
    ]
    told = [(mention, told_of(text, mention, whole)) for mention in mentions]
    if failed := tuple(_failed(clause, sentence, said, told, view)):
        yield from failed
        return
    done = [mention.action for mention, how in told if how is Told.DONE]
    yield from (_deed(action, clause, view) for action in done if not (of_record and action == _TAKES_OFF))
    for mention, how in told:
        if how is Told.NO_MORE:
            yield from (Treatment(each.action, clause) for each in view.treatments if each.action == mention.action)
        if how is Told.UNDONE:
            yield from (_undone(action, clause) for action in _not_done(mention, text, view))
    if any(how for _, how in told):
        return
    if tells_nothing_was_done(text):
        last = max((each.turn for each in view.treatments), default=0)
        yield from (_undone(each.action, clause) for each in view.treatments if each.turn == last)
    elif not ran and tells_it_was_done(text) and not _of_a_job(clause, sentence):
        meant = _undone_last(view)
        if is_acted_on(view):
            meant = meant or shown_actions(view) or shown_last(view)
        yield from (_deed(action, clause, view) for action in meant[:1])


def _failed(
    clause: str, sentence: str, said: str, told: Sequence[tuple[Mention, Told | None]], view: SessionView
) -> Iterator[Treatment]:
    """What was tried and ended in an error, or is denied again: it was not done, in the words that tell so."""
    text = read_actions(clause)
    tried = [mention.action for mention, how in told if how is Told.DONE or was_tried(text)]
    if not tried and (error_in(clause) or (is_acted_on(view) and tells_it_was_done(text))):
        tried = list((shown_actions(view) or shown_last(view))[:1])
    after = what_follows(clause, sentence, said)
    if attempt_failed(after):
        yield from (_undone(action, after) for action in tried)
    if not told and "?" not in text.normal and (_REFUSED.search(clause) or _DID_NOT_END.search(clause)):
        yield from (_undone(action, clause) for action in _tried_last(view))


def _tried_last(view: SessionView) -> tuple[str, ...]:
    """What the last message told as done, or as tried in vain."""
    last = max((each.turn for each in view.treatments), default=0)
    return tuple(each.action for each in view.treatments if each.turn == last) or _undone_last(view)


def _undone_last(view: SessionView) -> tuple[str, ...]:
    """What the last message told as tried in vain."""
    told = treatments_in(said_last(view), replace(view, history=())) if said_last(view) else ()
    return tuple(each.action for each in told if each.undone)


def _shown_before(clause: str, sentence: str, view: SessionView) -> tuple[str, ...]:
    """What a clause goes on from: its sentence so far, and the statements that were shown; what follows is further."""
    return (sentence[: sentence.find(clause) + len(clause)], " ".join(shown_statements(view)))


def _of_a_job(clause: str, sentence: str) -> bool:
    """Whether what is over is a job that was named before, or is so by words that are only quoted."""
    before = sentence[: sentence.find(clause) + len(clause)]
    return names_target(before, _JOB) or _QUOTES.search(clause) is not None


def _not_done(mention: Mention, text: Text, view: SessionView) -> tuple[str, ...]:
    """What a denial takes back: what is on record by this verb, else the action that it names."""
    if names_another_object(text, mention.last):
        return () if any(each.action == mention.action for each in view.treatments) else (mention.action,)
    recorded = [each.action for each in view.treatments if share_a_verb(each.action, mention.action)]
    action = action_named(mention.action)
    if not recorded and action is not None and action.by_itself and not names_doer(text):
        return ()  # "没切换过" tells of a system.
    named = [action for action in recorded if action == mention.action]
    return tuple(named or recorded or [mention.action])


def _undone(action: str, clause: str) -> Treatment:
    return Treatment(action, clause, undone=True)


def _deed(action: str, clause: str, view: SessionView) -> Treatment:
    """What a clause tells as done; where it names no object, to that of the statement shown or the plan told for it."""
    told = _treatment(action, clause)
    planned = (each for each in told_clauses(said_last(view)) if action in actions_in(each))
    stated = (code for code in statements_shown(view) if action in actions_of_statements(code))
    shown = next(chain(planned if SESSION.search(said_last(view)) else (), stated), "")
    return told if told.objects or not shown else replace(told, objects=_treatment(action, shown).objects)


def _treatment(action: str, words: str) -> Treatment:
    names = [each.name for each in objects_named(words) if each.kind not in (WAITS_FOR, SETTING)]
    names += [name for name, _ in settings_of(words) if action in _OF_ANY_SETTING and "_" in name]
    return Treatment(action, words, tuple(dict.fromkeys((*names, *SESSION.findall(words)))))


def aftermath_in(said: str, view: SessionView) -> Aftermath | None:
    """How things are since; what is said last holds, else how long things take now."""
    if view.treatments and is_short(said) and _STILL.search(said):
        return Aftermath.UNCHANGED
    clauses = told_clauses(said)
    if _deed_in_vain(clauses, said, view):
        return Aftermath.UNCHANGED
    if tells_relapse(said):
        return None  # What was good for some time was not done in vain, nor is it over.
    since = 0 if view.treatments or view.aftermath is Aftermath.WELL else _deed_in(clauses, said, view)
    acted = any(tells_it_was_done(read_actions(each)) for each in clauses)
    treated = bool(view.treatments or treatments_in(said, view) or acted) or view.aftermath is Aftermath.WELL
    told = [(_aftermath(clause, treated), clause) for clause in clauses]
    # What is still there of one session says nothing of the trouble: "api is back, but 30172 is still idle".
    beside = _said_beside_trouble(said, view)
    meant = [None if how is Aftermath.UNCHANGED and beside(clause) else how for how, clause in told]
    # What is bad before a step is no outcome of it.
    since_then = [None if at < since and each is Aftermath.UNCHANGED else each for at, each in enumerate(meant)]
    how = next((each for each in reversed(since_then) if each is not None), None)
    if how is Aftermath.WELL and any(_speaks_against(at, clause, treated) for at, clause in enumerate(clauses)):
        return None
    how = how or (aftermath_by_figure(said, view, _deed_in(clauses, said, view)) if treated else None)
    return Aftermath.UNCHANGED if how is None and _takes_back_all(said, view) else how


def _aftermath(clause: str, treated: bool) -> Aftermath | None:
    """How things are by a clause; before anything was done only a change for the better is good news."""
    how = aftermath_of(text := read_actions(clause))
    return None if how is Aftermath.WELL and not (treated or tells_change(text)) else how


def _speaks_against(at: int, clause: str, treated: bool) -> bool:
    """Whether a clause tells of trouble now, or sets one thing against another: after a deed, what waits against it."""
    text = read_actions(clause)
    counts = not treated or _WAITS.search(clause) is not None
    return tells_bad_now(text) or (counts and tells_contrast(text, opening=not at))


def _said_beside_trouble(said: str, view: SessionView) -> Callable[[str], bool]:
    """Whether a clause tells what is still there of one session, or a size that what was done leaves as it is."""
    done = {each.action for each in (*view.treatments, *treatments_in(said, view))}
    keeps, ends = bool(done & KEEP_SIZE), _END in done  # No table shrinks by the end of a session.
    return lambda clause: (
        (SESSION.search(clause) is not None and not _WAITS.search(clause))
        or (tells_size(clause) and (keeps or (ends and names_target(clause, _ROWS))))
    )


def _deed_in(clauses: Sequence[str], said: str, view: SessionView) -> int:
    """The place of the clause that tells the first deed of a message; 0 where none does."""
    done = {each.words for each in treatments_in(said, view) if not each.undone}
    return next((at for at, clause in enumerate(clauses) if clause in done), 0)


def _deed_in_vain(clauses: Sequence[str], said: str, view: SessionView) -> bool:
    """Whether what tells a deed tells that it changed nothing, and nothing tells that all is well since."""
    deeds = {each.words for each in treatments_in(said, view) if not each.undone}
    told = [(clause in deeds, aftermath_of(read_actions(clause))) for clause in clauses]
    return (True, Aftermath.UNCHANGED) in told and (False, Aftermath.WELL) not in told


def _takes_back_all(said: str, view: SessionView) -> bool:
    """Whether nothing was done though the trouble is believed to be over; after good news it went by itself."""
    return view.aftermath is Aftermath.WELL and denies_deeds(said) and not tells_good_news(said_last(view))


def good_news_in(said: str) -> str:
    """The clauses of a message that tell that things are well; all of it where only a value does."""
    return " ".join(filter(tells_good_news, told_clauses(said))) or said


def tells_good_news(said: str) -> bool:
    """True if a clause of words tells that things are well."""
    return any(aftermath_of(read_actions(clause)) is Aftermath.WELL for clause in told_clauses(said))
