"""How things are since something was done: over, as before, or not told; of now alone, by the person's own words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lang import deferred_re as re
from lang.outcomes import tells_relapse
from services.planner.model import Aftermath, SessionView
from services.planner.questions_asked.interrogatives import is_question
from services.planner.treatment.actions import actions_in, names_target, read_actions
from services.planner.treatment.done_marks import (
    aftermath_of,
    denies_deeds,
    tells_bad_now,
    tells_change,
    tells_contrast,
    tells_it_was_done,
)
from services.planner.treatment.durations import aftermath_by_figure
from services.planner.treatment.reports import treatments_in
from services.planner.treatment.sentences import is_short, tells_size, told_clauses
from services.planner.treatment.shown_actions import SESSION, is_acted_on, said_last
from services.planner.understand.text.word_lists import listed

_STILL = listed("treatment.still")  # "Still 94", said after something was done.
_WAITS, _GOES_ON = listed("treatment.waits"), listed("treatment.goes_on")
# At a time of the day: of the past, where nobody did anything.
_DATED = re.compile(r"\d\s*(?:点|[:：]\d\d|[ap]m\b)")
_BARE = 12  # "Did it" names nothing of its own in so many characters.
_END, _ROWS = "terminate", "drop_data"
# After these the space stays with the table: that its file is as big as before is no failure of theirs.
KEEP_SIZE = frozenset(("vacuum", "vacuum_freeze", "drop_data"))
# In place of an action: the recovery that was believed is taken back.
RECOVERY = "recovery"


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
    said_bare = (each for each in clauses if is_acted_on(view) or len(each) <= _BARE)
    acted = any(tells_it_was_done(read_actions(each)) for each in said_bare)
    treated = bool(view.treatments or treatments_in(said, view) or acted) or view.aftermath is Aftermath.WELL
    told = [(_aftermath(clause, treated), clause) for clause in clauses]
    if not (treated or any(map(actions_in, clauses))):
        told = [(how, clause) for how, clause in told if how is Aftermath.WELL]  # Nothing is in vain that nobody did.
    # What is still there of one session says nothing of the trouble: "api is back, but 30172 is still idle".
    beside = _said_beside_trouble(said, view)
    meant = [None if how is Aftermath.UNCHANGED and beside(clause) else how for how, clause in told]
    # What is bad before a step is no outcome of it.
    since_then = [None if at < since and each is Aftermath.UNCHANGED else each for at, each in enumerate(meant)]
    how = next((each for each in reversed(since_then) if each is not None), None)
    if how is Aftermath.WELL and any(
        _speaks_against(at, clause, treated) or (_goes_on(clause) and not beside(clause))
        for at, clause in enumerate(clauses)
    ):
        return None
    by_figure = how is None and treated and view.aftermath is not Aftermath.WELL
    how = how or (aftermath_by_figure(said, view, _deed_in(clauses, said, view)) if by_figure else None)
    return Aftermath.UNCHANGED if how is None and _takes_back_all(said, view) else how


def _aftermath(clause: str, treated: bool) -> Aftermath | None:
    """How things are by a clause; before anything was done only a change for the better is good news."""
    how = aftermath_of(text := read_actions(clause))
    changed = tells_change(text) and _DATED.search(clause) is None
    return how if treated or how is Aftermath.UNCHANGED or changed else None


def _speaks_against(at: int, clause: str, treated: bool) -> bool:
    """Whether a clause tells of trouble now, or sets one thing against another: after a deed, what waits against it."""
    text = read_actions(clause)
    counts = not treated or _WAITS.search(clause) is not None
    return tells_bad_now(text) or (counts and tells_contrast(text, opening=not at))


def _goes_on(clause: str) -> bool:
    """Whether a clause tells of something that still goes on, and of nothing that is well."""
    if is_question(clause):
        return False
    return _GOES_ON.search(clause) is not None and aftermath_of(read_actions(clause)) is not Aftermath.WELL


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
