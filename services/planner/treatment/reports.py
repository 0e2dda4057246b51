"""What a message reports: what was done against the trouble, and how things are since."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from lang.objects.named_objects import objects_named
from services.planner.model import Aftermath, SessionView, Status, Treatment
from services.planner.treatment.actions import Mention, actions_in, mentions_in, read_actions
from services.planner.treatment.done_marks import aftermath_of, tells_it_was_done, was_done
from services.planner.treatment.sentences import clauses_of, sentences_of
from services.planner.treatment.shown_actions import SESSION, said_beside, shown_actions
from services.planner.understand.text.word_lists import listed

# "Still 94", said after something was done, in so few characters.
_STILL = listed("treatment.still")
_SHORT = 24


def treatments_in(said: str, view: SessionView, pasted: bool) -> tuple[Treatment, ...]:
    """What the person did, each action once with all objects that were named of it."""
    found: dict[str, Treatment] = {}
    for sentence in sentences_of(said):
        for clause in clauses_of(sentence):
            for each in _in_clause(clause, sentence, said, view, pasted):
                before = found.get(each.action, each)
                found[each.action] = replace(before, objects=tuple(dict.fromkeys((*before.objects, *each.objects))))
    return tuple(found.values())


def _in_clause(clause: str, sentence: str, said: str, view: SessionView, pasted: bool) -> Iterator[Treatment]:
    text = read_actions(clause)
    beside = said_beside(said, view, clause)
    mentions = mentions_in(text, (sentence, *beside) if beside else ())
    done = [mention for mention in mentions if was_done(text, mention)]
    yield from (_treatment(mention, clause) for mention in done)
    if not done and not pasted and view.status is Status.CONCLUDED and tells_it_was_done(text):
        meant = actions_in(said) or shown_actions(view)
        yield from (Treatment(action, clause) for action in meant[:1])


def _treatment(mention: Mention, clause: str) -> Treatment:
    names = [each.name for each in objects_named(clause)]
    return Treatment(mention.action, clause, tuple(dict.fromkeys((*names, *SESSION.findall(clause)))))


def aftermath_in(said: str, view: SessionView) -> Aftermath | None:
    """How things are since; what is said last holds."""
    if view.treatments and is_short(said) and _STILL.search(said):
        return Aftermath.UNCHANGED
    clauses = [clause for sentence in sentences_of(said) for clause in clauses_of(sentence)]
    told = [(aftermath_of(read_actions(clause)), clause) for clause in clauses]
    # What is still there of one session says nothing of the trouble: "api is back, but 30172 is still idle".
    return _last(how for how, clause in told if how is not Aftermath.UNCHANGED or not SESSION.search(clause))


def _last(told: Iterable[Aftermath | None]) -> Aftermath | None:
    return next((each for each in reversed(list(told)) if each is not None), None)


def is_short(said: str) -> bool:
    """True if a message is too short to tell more than how things are."""
    return len(said) <= _SHORT
