"""The record that summaries are written from: since when, who was hurt, what set it off, what was done, how it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from services.planner.account.changes import Change, changes_told, explains, is_on_record
from services.planner.account.deeds import Deed, deeds_told, undoes
from services.planner.account.figures import Figure, figures_told, is_better, shown_before
from services.planner.account.happenings import Hurt, Plan, hurts_told, plans_told, since_told
from services.planner.account.moments import Moment
from services.planner.account.terms import find_terms, terms
from services.planner.account.told import Said, clauses_told
from services.planner.model import Aftermath, Treatment, TurnResults

_HURTS, _FIGURES = 2, 3
# The time that a message tells it is, with its turn.
_CLOCK = "clock"
# What users saw is told in the first messages.
_EARLY = 3
_BACK = ("back", "回到", "恢复到", "降到", "掉到", "now", "现在", "归零", "zero", "down to")


class Record(NamedTuple):
    """What is known of a case, in the terms of the record."""

    since: Moment | None = None
    hurts: tuple[Hurt, ...] = ()
    changes: tuple[Change, ...] = ()
    deeds: tuple[Deed, ...] = ()
    figures: tuple[Figure, ...] = ()
    well_by: Moment | None = None
    plans: tuple[Plan, ...] = ()
    well: bool = False

    @property
    def better(self) -> bool:
        """Whether it is over, or what was measured fell by much since something was done."""
        return self.well or any(is_better(each) for each in self.figures)

    @property
    def undone(self) -> Change | None:
        """The change that was taken back before it got better: that it was."""
        pairs = ((deed, change) for deed in self.deeds for change in self.changes if undoes(deed, change))
        return next((change for _, change in pairs), None) if self.better else None

    def trigger(self, cause: str, results: TurnResults) -> Change | None:
        """What set it off: what was taken back, explains this cause or is on record; without a cause the last one."""
        if self.undone is not None:
            return self.undone
        fitting = [each for each in self.changes if cause and explains(each, cause)]
        fitting = fitting or [each for each in self.changes if is_on_record(each, results)]
        fitting = fitting or ([] if cause else [each for each in self.changes if each.when is not None])
        return max(fitting, key=lambda each: (each.when is not None, each.turn), default=None)

    def change_called(self, words: str) -> Change | None:
        """The change that words for a cause name."""
        named = [each.term.name for each in find_terms("changes", words)]
        named += [name for name, each in terms("changes").items() if each.known.get("called", "\0") in words.lower()]
        return next((each for each in self.changes if each.kind in named), None)


def record_of(results: TurnResults) -> Record:
    """The record of a case by what is on record and what was told."""
    told = clauses_told(results.remarks)
    first = min((each.turn for each in results.remarks), default=0)
    acted = min((each.turn for each in results.treatments), default=results.turn + 1)
    changes = changes_told(told, results, acted)
    deeds = deeds_told(told, _credited(results), changes, first)
    began = [each for each in told if each.turn < min((each.turn for each in deeds), default=results.turn + 1)]
    hurt = (
        hurts for turn in range(first, first + _EARLY) if (hurts := hurts_told([x for x in began if x.turn == turn]))
    )
    figures = _since(told, deeds, results)
    well = results.aftermath is Aftermath.WELL
    return Record(
        _since_when(began, changes, results),
        tuple(next(hurt, [])[:_HURTS]),
        tuple(changes),
        tuple(deeds),
        tuple(figures),
        _well_by(deeds, results) if well else None,
        tuple(plans_told(told)),
        well,
    )


def _since_when(told: Sequence[Said], changes: Sequence[Change], results: TurnResults) -> Moment | None:
    """Since when the trouble is there: by the time on record, which may have been set right, else as it was told."""
    since = since_told(told, changes)
    day, _, time = results.began.rpartition(" ")
    if ":" not in time or (since is not None and since.clock == time):
        return since or (Moment(results.began) if results.began else None)
    return Moment(day or (since.day if since is not None and not since.clock else ""), time)


def _credited(results: TurnResults) -> list[Treatment]:
    """What was done; once well, without what was in vain before, if anything else was done."""
    done = [each for each in results.treatments if not each.undone]
    helped = [each for each in done if not each.in_vain]
    return helped or done


def _since(told: Sequence[Said], deeds: Sequence[Deed], results: TurnResults) -> list[Figure]:
    """The last figure of each thing since something was done or it is well, with the worst one before."""
    places = [at for at, each in enumerate(told) for deed in deeds if each.turn == deed.turn and each.text == deed.told]
    started = min((each.turn for each in deeds), default=0)
    if not started and results.aftermath is not Aftermath.WELL:
        return []
    every = figures_told(told)
    names = {each.name for deed in deeds for each in deed.settings}
    since = [each for each in every if _is_since(each, started, places) and each.label not in names]
    last = {each.key: each for each in since if not each.usual}
    found = [_with_before(each, every, started or each.turn, results) for each in last.values()]
    told_back = [each for each in found if is_better(each) or (each.before is None and _says_back(each, told))]
    return told_back[-_FIGURES:]


def _is_since(figure: Figure, started: int, places: Sequence[int]) -> bool:
    return figure.turn > started or (figure.turn == started and (not places or figure.place >= min(places)))


def _says_back(figure: Figure, told: Sequence[Said]) -> bool:
    """Whether a clause tells by itself that a figure is that of now."""
    return any(word in told[figure.place].text.lower() for word in _BACK)


def _with_before(figure: Figure, every: Sequence[Figure], started: int, results: TurnResults) -> Figure:
    """The figure with the worst one told, or else shown, of the same before something was done."""
    same = [
        each
        for each in every
        if (each.turn < started or each.before is not None)
        and not each.usual
        and each.key[1] == figure.key[1]
        and _of_same(each.label, figure.label)
    ]
    told = [(amount, each.label) for each in same for amount in (each.before, each.amount) if amount is not None]
    if told:
        worst, label = max(told, key=lambda each: each[0].value)
        return figure._replace(label=max(label, figure.label, key=len), before=worst)
    shown = shown_before(
        figure.label, figure.amount.dimension, [each for each in results.remarks if each.turn < started]
    )
    return figure._replace(before=shown)


def _of_same(one: str, other: str) -> bool:
    """Whether two names may be of the same thing: "that page" and the order list page."""
    of_page = "page" in (one, other) and one.endswith("page") and other.endswith("page")
    return one == other or of_page or bool({*one.split("+")} & {*other.split("+")})


def _well_by(deeds: Sequence[Deed], results: TurnResults) -> Moment | None:
    """The time that it was when it was told to be over: told beside the last deed or after it."""
    started = max((each.turn for each in deeds), default=results.turn + 1)
    told = [each.name.split(" ", 1) for each in results.objects if each.kind == _CLOCK]
    return next((Moment("", time) for turn, time in reversed(told) if int(turn) >= started), None)
