"""A diagnosis through running services: a collector and an engine over gRPC, the record of its steps on this side."""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from pathlib import Path

from gateway.cli.looking_session import Finished, Sight, interrupted, looked, new_session_id
from gateway.clients import Services
from gateway.looking.model import Budget, Case, Finding, Looked
from gateway.looking.proposing import Proposer
from gateway.looking.remote import RemoteEyes, RemoteMind, case_of
from gateway.looking.report import Words
from gateway.settings import GatewaySettings


@dataclass(frozen=True)
class Asked:
    """What a diagnosis is to be of. resume: a session to go on with."""

    target_id: str
    budget: Budget
    question: str = ""
    resume: str = ""


async def diagnosed(
    settings: GatewaySettings, asked: Asked, data_dir: Path, proposer: Callable[[Services], Proposer] | None = None
) -> Finished:
    """Looks through the services of the settings. Raises NotFound for a target that is not configured there, and
    DependencyDown where a service does not answer."""
    from redaction import redact

    root = data_dir / "report"
    async with _services(settings) as services:
        await _known(services, asked.target_id)
        case = interrupted(root, asked.resume) if asked.resume else await _case(services, asked, redact(asked.question))
        if not asked.resume and asked.question.strip():
            case = replace(case, told=await _heard(services, root, redact, case))
        sight = await _sight(services, root, case, data_dir, redact)
        return await looked(replace(sight, proposer=proposer(services) if proposer else None), case)


async def _known(services: Services, target_id: str) -> None:
    from services.chassis.errors import NotFound

    assert services.collector is not None
    listed = [target.target_id for target in await services.collector.targets()]
    if target_id not in listed:
        known = ", ".join(listed) or "none"
        raise NotFound(f"looking for target {target_id!r}: the collector has {known}", reason="target_not_found")


@contextlib.asynccontextmanager
async def _services(settings: GatewaySettings) -> AsyncIterator[Services]:
    services = Services(
        settings.gateway_engine_address,
        settings.gateway_matcher_address,
        settings.gateway_planner_address,
        settings.gateway_knowledge_address,
        settings.gateway_collector_address,
    )
    try:
        yield services
    finally:
        await services.close()


async def _case(services: Services, asked: Asked, question: str) -> Case:
    from gateway.catalog import Catalogs

    assert services.collector is not None
    snapshot_id = await Catalogs(services.engine).current_id()
    listed = await services.collector.checks(asked.target_id)
    case = case_of(listed, new_session_id(), asked.target_id, snapshot_id, asked.budget)
    return replace(case, question=question)


async def _sight(services: Services, root: Path, case: Case, data_dir: Path, redact: Callable[[str], str]) -> Sight:
    content = await services.knowledge.content(case.snapshot_id)
    _keep_snapshot(data_dir, case.snapshot_id, content)
    words = Words.of(json.loads(content))
    collector = services.collector
    assert collector is not None

    def eyes(case: Case, before: float) -> RemoteEyes:
        seconds, now = case.budget.time_budget_seconds, time.monotonic
        ids = case.session_id, case.target_id, case.snapshot_id
        return RemoteEyes(collector, *ids, seconds, now, now(), before, look_id=case.session_id)

    return Sight(root, redact, eyes, RemoteMind(services.engine, case.snapshot_id, words.phenomena.keys()), words)


def _keep_snapshot(data_dir: Path, snapshot_id: str, content: bytes) -> None:
    """Stores the snapshot here, not published, so that the trace can be replayed without the services."""
    from gateway.cli.knowledge_files import settings_of, store_of
    from services.chassis.errors import Internal, NotFound

    store = store_of(settings_of(data_dir))
    try:
        with contextlib.suppress(NotFound):
            store.read(snapshot_id)
            return
        kept = store.add(content, author="diagnose", reason="of the services", fingerprint=snapshot_id)
        if kept.snapshot_id != snapshot_id:
            raise Internal(
                f"reading snapshot {snapshot_id} from the knowledge service: its bytes are {kept.snapshot_id}"
            )
    finally:
        store.close()


async def _heard(services: Services, root: Path, redact: Callable[[str], str], case: Case) -> Looked:
    """What the question means, on record in the session."""
    from gateway.cli.looking_question import kept, parts_of
    from gateway.matching import MatchRequest, Observation

    parts = parts_of(case.question)
    language = "en" if case.question.isascii() else "zh"
    request = MatchRequest(case.snapshot_id, tuple(Observation(part) for part in parts), language=language)
    reply = await services.matcher.match(request)
    found: dict[str, Finding] = {}
    for part, item in zip(parts, reply.interpretations, strict=True):
        if item.match is not None:
            found.setdefault(item.match.phenomenon_id, Finding(item.match.phenomenon_id, item.match.verdict, part))
    return kept(redact, root, case.session_id, case.target_id, case.question, tuple(found.values()))


def settings_with(collector: str) -> GatewaySettings | None:
    """The settings of a diagnosis through services: with the given address or the configured one; None: neither."""
    from services.chassis.settings import load

    settings = load(GatewaySettings, os.environ)
    address = collector or settings.gateway_collector_address
    return settings.model_copy(update={"gateway_collector_address": address}) if address else None
