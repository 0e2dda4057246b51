"""What a message reports as done against the trouble, and as tried in vain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain

from lang import deferred_re as re
from lang.pastes import Executed
from lang.tokens import Text
from services.planner.glossary.known_terms import error_in
from services.planner.model import SessionView, Treatment
from services.planner.questions_asked.interrogatives import is_question
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
from services.planner.treatment.clause_news import news_in
from services.planner.treatment.deeds import Told, disputed_in, mistaken_action, names_doer, told_of, weighs_deeds
from services.planner.treatment.done_marks import (
    speaks_of_record,
    tells_it_ended,
    tells_it_was_done,
    tells_nothing_was_done,
)
from services.planner.treatment.sentences import (
    attempt_failed,
    clauses_of,
    holds_output,
    sentences_of,
    told_clauses,
    unquoted,
    was_tried,
    what_follows,
)
from services.planner.treatment.shown_actions import (
    SESSION,
    as_shown,
    is_acted_on,
    said_beside,
    said_last,
    shown_actions,
    shown_last,
    shown_statements,
    statements_shown,
    treatment,
    treatments_of,
)
from services.planner.understand.text.word_lists import listed

_QUOTES = listed("treatment.quotes")  # "Earlier I said that it was through" tells no deed.
_JOB = "stop_job"
_TAKES_OFF = "drop"  # Beside words on the record this is done to an entry of it.
# What a job does by itself, unless whoever tells it did: "the clean-up job deleted 5 million rows".
_BY_JOBS = frozenset(("drop", "drop_data", "delete_wal"))
_BY_US = re.compile(r"(?i:\b(?:i|we)\b)|我|咱")
_SETTING = "set_parameter"  # What only prepares another statement is set before it.
_COLONS = (":", "：")
# A statement behind the prompt of a client or a shell: what the server acknowledged of it tells whether it was run.
_ECHOED = re.compile(r"^\S*(?:=[#>]|[>$#])\s")
# A name in an error.
_NAMED = re.compile(r"[\"'“](\w{3,})[\"'”]")
_REFUSED, _DID_NOT_END = (listed(f"treatment.{name}") for name in ("refused", "did_not_end"))


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
    held = tuple(treatments_of(ran))
    own = unquoted(said)
    told = [
        each
        for sentence in sentences_of(own)
        for clause in clauses_of(sentence)
        if not (holds_output(clause) or (held and clause.endswith(_COLONS)))  # What it opens tells what was done.
        for each in _in_clause(clause, sentence, own, view, shown)
    ]
    told += held or _refused(said, view) if not told else held
    for each in told:
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
        words = (each.words for each in done)
        if not is_question(clause) and tells_it_ended(read_actions(clause)) and clause not in words:
            yield replace(done[-1], words=clause)


def _refused(said: str, view: SessionView) -> Iterator[Treatment]:
    """What was shown and is answered by an error: it was not done; the name of a look tells none."""
    errors = [sentence for sentence in sentences_of(said) if error_in(sentence) and attempt_failed(sentence)]
    names = {name for each in errors for name in _NAMED.findall(each)}
    looks = any(name in code for code in statements_shown(view) if not actions_in(code) for name in names)
    tried = () if looks or not errors else (shown_actions(view) or shown_last(view))[:1]
    yield from (_undone(action, errors[0]) for action in tried)


def _in_clause(clause: str, sentence: str, said: str, view: SessionView, ran: bool) -> Iterator[Treatment]:
    text = read_actions(clause)
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
    news = [each for each in news_in(said) if each.clause == clause and not _ECHOED.match(clause)]
    acted = any(each.tells_deed for each in news) and not weighs_deeds(read_actions(sentence))
    told = [(mention, told_of(text, mention, acted)) for mention in mentions]
    if failed := tuple(_failed(clause, sentence, said, told, view)):
        yield from failed
        return
    by_job = names_target(_up_to(clause, sentence), _JOB) and not _BY_US.search(sentence)
    done = [each.action for each, how in told if how is Told.DONE and not (by_job and each.action in _BY_JOBS)]
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
        return
    points_back = not ran and tells_it_was_done(text) and not _of_a_job(clause, sentence)
    meant = _pointed_at(clause, view) if points_back else ()
    yield from (_deed(action, clause, view) for action in meant[:1])
    unclear = tells_it_ended(text) or mistaken_action(text, mentions)
    if acted and not meant and not unclear and any(each.tells_unnamed_deed for each in news):
        yield Treatment(clause, clause)


def _pointed_at(clause: str, view: SessionView) -> tuple[str, ...]:
    """What was done by words that only point back at it: "did it"."""
    if named := next((code for code in statements_shown(view) if _names_command(clause, code)), ""):
        return tuple(actions_of_statements(named)) or (clause,)
    tried = _undone_last(view)
    shown = (shown_actions(view) or shown_last(view)) if is_acted_on(view) and not tried else ()
    return tried or tuple(sorted(shown, key=lambda action: action == _SETTING))


def _names_command(clause: str, code: str) -> bool:
    """Whether a clause names what was run by the command that a statement begins with: "vacuumdb is finished"."""
    command = code.split(maxsplit=1)[0]
    return "-" in code and not actions_of_statements(code) and command.isidentifier() and command in clause.split()


def _failed(
    clause: str, sentence: str, said: str, told: Sequence[tuple[Mention, Told | None]], view: SessionView
) -> Iterator[Treatment]:
    """What was tried and ended in an error, or is denied again: it was not done, in the words that tell so."""
    text = read_actions(clause)
    after = what_follows(clause, sentence, said)
    failed = attempt_failed(after)
    acts = failed and not is_question(clause) and not attempt_failed(clause)  # The error itself tells no attempt.
    tried = [mention.action for mention, how in told if how is Told.DONE or (how is None and acts)]
    tried += [mention.action for mention, how in told if how is None and not acts and was_tried(text.normal)]
    if not tried and is_acted_on(view) and tells_it_was_done(text):
        tried = list((shown_actions(view) or shown_last(view))[:1])
    if failed:
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
    return names_target(_up_to(clause, sentence), _JOB) or _QUOTES.search(clause) is not None


def _up_to(clause: str, sentence: str) -> str:
    return sentence[: sentence.find(clause) + len(clause)]


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
    told = treatment(action, clause)
    if any(names_another_object(text, each.last) for text in [read_actions(clause)] for each in mentions_in(text)):
        return told
    planned = (each for each in told_clauses(said_last(view)) if action in actions_in(each))
    stated = (code for code in statements_shown(view) if action in actions_of_statements(code))
    shown = next(chain(planned if SESSION.search(said_last(view)) else (), stated), "")
    return told if told.objects or not shown else replace(told, objects=treatment(action, shown).objects)
