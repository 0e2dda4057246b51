"""How things are since something was done: over, as before, or not told; of now alone, by the person's own words."""

from __future__ import annotations

from collections.abc import Callable

from lang.outcomes import tells_relapse
from services.planner.model import Aftermath, SessionView
from services.planner.treatment.actions import names_target, read_actions
from services.planner.treatment.clause_news import News, news_in
from services.planner.treatment.done_marks import denies_deeds, tells_bad_now, tells_contrast
from services.planner.treatment.durations import aftermath_by_figure
from services.planner.treatment.reports import treatments_in
from services.planner.treatment.sentences import is_short, tells_size, told_clauses
from services.planner.treatment.shown_actions import SESSION, said_last
from services.planner.understand.text.word_lists import listed

_STILL = listed("treatment.still")  # "Still 94", said after something was done.
_WAITS, _CHANGE = listed("treatment.waits"), listed("treatment.change_told")
_END, _ROWS = "terminate", "drop_data"
# After these the space stays with the table: that its file is as big as before is no failure of theirs.
KEEP_SIZE = frozenset(("vacuum", "vacuum_freeze", "drop_data"))

# In place of an action: the recovery that was believed is taken back.
RECOVERY = "recovery"


def aftermath_in(said: str, view: SessionView) -> Aftermath | None:
    """How things are since; what is said last holds, else how long things take now."""
    if view.treatments and is_short(said) and _STILL.search(said):
        return Aftermath.UNCHANGED
    if tells_relapse(said):
        return None  # What was good for some time was not done in vain, nor is it over.
    news = news_in(said)
    treated = view.aftermath is Aftermath.WELL or bool(view.treatments or treatments_in(said, view))
    treated = treated or any(each.tells_deed for each in news)
    beside = _said_beside_trouble(said, view)
    since = 0 if view.treatments or view.aftermath is Aftermath.WELL else _deed_in(said, view)
    told = [each.aftermath for each in news]
    # Nothing is in vain that nobody did, nor what is bad before a step an outcome of it; and what is still there of one
    # session says nothing of the trouble: "api is back, but 30172 is still idle".
    out = [not treated or at < since or beside(each.clause) for at, each in enumerate(news)]
    told = [None if not_of_it and how is not Aftermath.WELL else how for how, not_of_it in zip(told, out, strict=True)]
    if not treated:  # Before anything was done only a sure change is good news: "the primary is fine" is none.
        told = [
            how if each.is_sure and _CHANGE.search(each.clause) else None for how, each in zip(told, news, strict=True)
        ]
    how = next((each for each in reversed(told) if each is not None), None)
    if how is Aftermath.UNCHANGED and Aftermath.BETTER in told:
        return Aftermath.BETTER  # "The lag falls, the disk is still at 87 %": it is not in vain.
    if how in (Aftermath.WELL, Aftermath.BETTER) and (
        Aftermath.UNCHANGED in told or any(_speaks_against(at, each, treated) for at, each in enumerate(news))
    ):
        return None
    by_figure = how is None and treated and view.aftermath is not Aftermath.WELL
    how = how or (aftermath_by_figure(said, view, _deed_in(said, view)) if by_figure else None)
    return Aftermath.UNCHANGED if how is None and _takes_back_all(said, view) else how


def _speaks_against(at: int, news: News, treated: bool) -> bool:
    """Whether a clause tells of trouble now, or sets one thing against another: after a deed, what waits against it."""
    text = read_actions(news.clause)
    counts = not treated or _WAITS.search(news.clause) is not None
    return tells_bad_now(text) or (counts and tells_contrast(text, opening=not at))


def _said_beside_trouble(said: str, view: SessionView) -> Callable[[str], bool]:
    """Whether a clause tells what is still there of one session, or a size that what was done leaves as it is."""
    done = {each.action for each in (*view.treatments, *treatments_in(said, view))}
    keeps, ends = bool(done & KEEP_SIZE), _END in done  # No table shrinks by the end of a session.
    return lambda clause: (
        (SESSION.search(clause) is not None and not _WAITS.search(clause))
        or (tells_size(clause) and (keeps or (ends and names_target(clause, _ROWS))))
    )


def _deed_in(said: str, view: SessionView) -> int:
    """The place of the clause that tells the first deed of a message; 0 where none does."""
    done = {each.words for each in treatments_in(said, view) if not each.undone}
    return next((at for at, clause in enumerate(told_clauses(said)) if clause in done), 0)


def _takes_back_all(said: str, view: SessionView) -> bool:
    """Whether nothing was done though the trouble is believed to be over; after good news it went by itself."""
    return view.aftermath is Aftermath.WELL and denies_deeds(said) and not tells_good_news(said_last(view))


def good_news_in(said: str) -> str:
    """The clauses of a message that tell that things are well; all of it where only a value does."""
    return " ".join(each.clause for each in news_in(said) if each.aftermath is Aftermath.WELL) or said


def tells_good_news(said: str) -> bool:
    """True if a clause of words tells that things are well."""
    return any(each.aftermath is Aftermath.WELL for each in news_in(said))
