"""A case goes over to the library of the database that the person names, where one ships for it.

Sessions are pinned to a snapshot, so this is another snapshot for one session: nothing is published for others.
"""

from __future__ import annotations

from dbdiag.matcher.v1.matcher_types import MatchPhenomenaRequest, Standing

from gateway.contracts.clients import Services
from gateway.session.case_talk import said_before
from gateway.session.catalog import Catalogs
from gateway.session.ledger import Session
from gateway.turn.apply_words import read_verdict
from gateway.turn.context import Turn


async def change_library(turn: Turn, services: Services, catalogs: Catalogs) -> bool:
    """Takes the case over to the library of the database that the plan names; False where there is none.

    What the earlier messages of the case say by themselves is on record there as well; what answered a check of the
    other library says nothing there. All or nothing if a call fails: raises the services' errors.
    """
    gap, session = turn.engine_gap, turn.session
    if gap is None:
        return False
    prepared = await services.knowledge.prepare((gap.named,))
    catalog = await catalogs.of(prepared)
    if gap.named not in catalog.engines:
        return False
    told = tuple(reversed(said_before(session)))
    requests = [MatchPhenomenaRequest(prepared, message=each, language=turn.language.value) for each in told]
    heard = [reading for each in requests for reading in (await services.matcher.match(each)).readings]
    published = await catalogs.current_id()
    if told:
        _start_anew(session)
    session.snapshot_id, session.engine = prepared, gap.named if prepared != published else ""
    turn.catalog, turn.taken_up = catalog, gap.named
    turn.evidence_before = turn.likeness_before = session.likeness = session.heard = ()
    for reading in (each for each in heard if each.standing is Standing.COUNTS):
        verdict = read_verdict(reading)
        turn.note(session.entry(reading.phenomenon_id, verdict, reading.probability, reading.words, "words"))
    return True


def _start_anew(session: Session) -> None:
    """A case without what the other library made of it, and with what was told beside that."""
    kept = session.began, session.objects, session.limits, session.telling
    session.start_case()
    session.began, session.objects, session.limits, session.telling = kept
    session.before = None
