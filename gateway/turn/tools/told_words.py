"""What the person said and nothing reads, as far as it steers which check is asked for. Never evidence."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dbdiag.engine.v1.engine_types import DiagnoseResponse, Recommendation
from dbdiag.planner.v1.planner_types import ClarifyKind
from dbdiag.vocabulary import Verdict

from gateway.contracts.engine_client import EngineClient
from gateway.turn.context import Turn
from gateway.turn.tools.reach import not_asked
from gateway.turn.tools.worth_asking import leads_clearly, stands_out, turns_since_shown

# Words weigh so much less a turn later.
_FADES = 0.9
# Words are taken as what they are recognised as; what a paste leaves open is not quoted.
_RECOGNISED, _PASTED = "recognised", ("pasted_view", "pasted_open")
# Beside a cause that stands out only words that are so likely about a check say more than what parts the causes.
_BESIDE_LEADER = 0.4
# Words that make a yes so many times as likely are the reason to ask.
_MUCH = 2.0
# So many phenomena are weighed that are near to words and not among the best checks; they need a gain of so many bits.
_WEIGHED, _WORTH_BITS = 3, 0.005


@dataclass(frozen=True)
class Near:
    """How likely words of the person are about a phenomenon, in [0, 1]."""

    likely: float
    words: str

    def of(self, yes: float) -> str:
        """The words where they make a yes that has this chance much likelier; else empty."""
        return self.words if self.likely >= _MUCH * yes else ""


def near_phenomena(turn: Turn, led: bool) -> dict[str, Near]:
    """The open phenomena that the person may have spoken of in words that nothing reads, the nearest first.

    Of one whose check was shown they have to speak again: whoever saw that meant something else, or cannot look.
    """
    found: dict[str, Near] = {}
    last: dict[str, int] = {}
    for said, name, told in _told(turn, led):
        back = turn.session.turn - said
        last[name] = min(back, last.get(name, back))
        likely = told.likely * _FADES**back
        if likely > found.get(name, Near(0.0, "")).likely:
            found[name] = Near(likely, told.words)
    closed = {name for name, back in last.items() if back >= _turns_since_shown(turn, name)}
    closed |= set(not_asked(turn))
    closed |= {entry.phenomenon_id for entry in turn.session.active()}
    # Who was asked whether they mean it, and does not, has said so.
    refused = {name for name in found if f"{ClarifyKind.PROPOSED}:{name}" in turn.session.clarified}
    closed |= refused - {item.phenomenon_id for item in turn.session.proposed}
    ordered = sorted(found.items(), key=lambda item: -item[1].likely)
    least = _BESIDE_LEADER if led else 0.0
    return {name: near for name, near in ordered if name not in closed and near.likely >= least}


def _told(turn: Turn, led: bool) -> Iterator[tuple[int, str, Near]]:
    """What nothing reads, and what waits for a yes or no: the turn, what it may be about, and how likely.

    led: a cause stands out: what a paste leaves open counts no more, a check tells better.
    """
    for said, told in turn.session.untied:
        yield from ((said, each.phenomenon_id, Near(each.score, told.words)) for each in told.near)
    for item in turn.session.proposed:
        pasted = item.why in _PASTED
        counts = (pasted and not led) or item.why == _RECOGNISED
        if item.verdict is Verdict.CONFIRMED and counts:
            yield item.turn, item.phenomenon_id, Near(item.probability, "" if pasted else item.words)


def _turns_since_shown(turn: Turn, phenomenon_id: str) -> float:
    found = turn.catalog.phenomena.get(phenomenon_id)
    back = turns_since_shown(turn, found.how.say(turn.language)) if found is not None else None
    return math.inf if back is None else back


def left_untied(turn: Turn) -> tuple[str, ...]:
    """What the person said in this case and nothing on record may stand for, the latest first."""
    on_record = {entry.phenomenon_id for entry in turn.session.active()}
    told = (each for _, each in reversed(turn.session.untied))
    return tuple(each.words for each in told if each.near[0].phenomenon_id not in on_record)


async def add_near(
    turn: Turn, engine: EngineClient, diagnosis: DiagnoseResponse
) -> tuple[tuple[Recommendation, ...], Mapping[str, Near]]:
    """The recommendations with those that words of the person are near to, and these; none where a cause leads."""
    asked = diagnosis.recommendations
    if leads_clearly(diagnosis.hypotheses) or diagnosis.conclusion:
        return asked, {}
    near = near_phenomena(turn, stands_out(diagnosis.hypotheses))
    known = {item.phenomenon_id for item in asked}
    for name in [name for name in near if name not in known][:_WEIGHED]:
        explained = await engine.explain(turn.known(), phenomenon_id=name)
        if explained.question is not None and explained.question.information_gain_bits >= _WORTH_BITS:
            asked = (*asked, explained.question)
    return asked, near
