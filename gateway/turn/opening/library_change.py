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


async def snapshot_of_new_case(session: Session, services: Services, catalogs: Catalogs) -> str:
    """The published snapshot, or that of the database that the conversation is about. Raises the services' errors."""
    return await services.knowledge.prepare((session.engine,)) if session.engine else await catalogs.current_id()


async def change_library(turn: Turn, services: Services, catalogs: Catalogs) -> bool:
    """Takes the case over to the library of the database that the plan names; False where there is none.

    What the earlier messages of the case say by themselves is on record there as well. Raises the services' errors.
    """
    gap, session = turn.engine_gap, turn.session
    if gap is None:
        return False
    prepared = await services.knowledge.prepare((gap.named,))
    catalog = await catalogs.of(prepared)
    if gap.named not in catalog.engines:
        return False
    told = tuple(reversed(said_before(session)))
    turn.taken_up = gap.named
    if told:
        _start_anew(session)
    session.snapshot_id, session.engine = prepared, gap.named
    turn.catalog, turn.evidence_before = catalog, ()
    for message in told:
        await _tell_again(turn, services, message)
    return True


def _start_anew(session: Session) -> None:
    """A case without what the other library made of it, and with what was told beside that."""
    kept = session.began, session.objects, session.limits
    session.start_case()
    session.began, session.objects, session.limits = kept
    session.before = None


async def _tell_again(turn: Turn, services: Services, message: str) -> None:
    """Records what a message says by itself; what answered a check of the other library says nothing here."""
    request = MatchPhenomenaRequest(turn.session.snapshot_id, message=message, language=turn.language.value)
    for reading in (await services.matcher.match(request)).readings:
        if reading.standing is Standing.COUNTS:
            verdict = read_verdict(reading)
            turn.note(turn.session.entry(reading.phenomenon_id, verdict, reading.probability, reading.words, "words"))
