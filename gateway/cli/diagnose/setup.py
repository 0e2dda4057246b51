"""From the options of `diagnose` and `collect` to a case and the services that investigate it."""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from pathlib import Path

from dbdiag.matcher.v1.matcher_types import MatchPhenomenaRequest, Standing
from dbdiag.vocabulary import Verdict

from gateway.cli.diagnose.run import JOURNAL, Instruments, read_interrupted
from gateway.cli.knowledge.files import settings_of, store_of
from gateway.cli.services import start
from gateway.contracts.clients import MatcherClient, Services
from gateway.embedded import Database
from gateway.investigation.model import Budget, Case, CheckRun, Ending, Finding
from gateway.investigation.model_proposals import ModelPlanner
from gateway.investigation.ports import RemoteCollector, RemoteReasoner, make_case
from gateway.investigation.report import Words
from gateway.investigation.state import QUESTION
from gateway.settings import GatewaySettings
from services.chassis.errors import Internal, NotFound, Precondition
from services.chassis.settings import LlmServerSettings, load
from services.collector.evidence import session_evidence

# The id of a target that is named on the command line.
DSN = "dsn"
# The matcher reads no more of one message.
_MOST_CHARACTERS = 20_000


async def read_question(matcher: MatcherClient, redact: Callable[[str], str], root: Path, case: Case) -> CheckRun:
    """The case's question as a look, recorded in its session. Words that are unclear are recorded without a finding."""
    message = case.question[:_MOST_CHARACTERS]
    language = "en" if case.question.isascii() else "zh"
    reply = await matcher.match(MatchPhenomenaRequest(case.snapshot_id, language=language, message=message))
    counted = [item for item in reply.readings if item.standing is Standing.COUNTS and item.verdict is not None]
    found = tuple(Finding(item.phenomenon_id, item.verdict or Verdict.UNKNOWN, item.words) for item in counted)
    return _record(redact, root, case, found)


def _record(redact: Callable[[str], str], root: Path, case: Case, findings: tuple[Finding, ...]) -> CheckRun:
    parsed = [
        {"phenomenon_id": item.phenomenon_id, "verdict": item.verdict.value, "words": item.words} for item in findings
    ]
    with session_evidence.EvidenceStore(root, case.session_id, redact, time.time) as store:
        ref = store.begin(QUESTION, case.target_id, {})
        body = {"signals": [], "findings": parsed}
        store.finish(ref, session_evidence.CheckOutcome.DONE, "", case.question, body, 0.0)
    return CheckRun(QUESTION, Ending.DONE, findings=findings, evidence_ref=ref)


@dataclass(frozen=True)
class Request:
    """An investigation as the command line asks for it.

    resume: the session to continue; journal: the name under which its steps are recorded. dsn, standby_dsn and targets:
    what an embedded collector looks at in place of the data folder's targets; address: a running collector.
    """

    data_dir: Path
    target_id: str
    budget: Budget
    dsn: str = ""
    standby_dsn: str = ""
    targets: Path | None = None
    address: str = ""
    question: str = ""
    resume: str = ""
    by_model: bool = False
    journal: str = JOURNAL


@contextlib.asynccontextmanager
async def prepare(request: Request) -> AsyncIterator[tuple[Instruments, Case]]:
    """The case of a request and what investigates it, for as long as the block runs.

    Raises NotFound for a target or session that does not exist, DependencyDown where a service does not answer.
    """
    if request.by_model:
        _check_model()
    root, redact = request.data_dir / "report", session_evidence.redaction_of(os.environ)
    async with _services(request) as services:
        case = await _case(services, request, root, redact)
        yield await _instruments(services, request, root, redact, case), case


def _services(request: Request) -> contextlib.AbstractAsyncContextManager[Services]:
    """The running services where a collector's address is given or configured, else embedded ones."""
    database = Database(DSN, request.dsn, request.standby_dsn) if request.dsn else None
    if not database and not request.targets:
        settings = load(GatewaySettings, os.environ)
        if address := request.address or settings.gateway_collector_address:
            return Services.of(settings.model_copy(update={"gateway_collector_address": address}))
    names = ["knowledge", "engine", "collector"]
    names += ["matcher"] * bool(request.question.strip() and not request.resume) + ["planner"] * request.by_model
    return start(request.data_dir, *names, targets=request.targets, database=database)


async def _case(services: Services, request: Request, root: Path, redact: Callable[[str], str]) -> Case:
    assert services.collector is not None
    listed = await services.collector.checks(request.target_id)
    if request.resume:
        return read_interrupted(root, request.resume, request.journal)
    snapshot_id = await services.knowledge.prepare(listed.engines)
    case = make_case(listed, _new_session_id(), request.target_id, snapshot_id, request.budget)
    if not request.question.strip():
        return case
    case = replace(case, question=redact(request.question))
    return replace(case, told=await read_question(services.matcher, redact, root, case))


async def _instruments(
    services: Services, request: Request, root: Path, redact: Callable[[str], str], case: Case
) -> Instruments:
    content = await services.knowledge.content(case.snapshot_id)
    _keep_snapshot(request.data_dir, case.snapshot_id, content)
    words = Words.of(json.loads(content))
    client = services.collector
    assert client is not None

    def collector(spent: float) -> RemoteCollector:
        seconds, now = case.budget.time_budget_seconds, time.monotonic
        ids = case.session_id, case.target_id, case.snapshot_id
        return RemoteCollector(client, *ids, seconds, now, now(), spent, look_id=case.session_id)

    reasoner = RemoteReasoner(services.engine, case.snapshot_id, words.phenomena.keys())
    return Instruments(
        root, redact, collector, reasoner, words, ModelPlanner(services.planner) if request.by_model else None
    )


def _keep_snapshot(data_dir: Path, snapshot_id: str, content: bytes) -> None:
    """Stores the snapshot here, not published, so that the trace can be replayed without the services."""
    with contextlib.closing(store_of(settings_of(data_dir))) as store:
        with contextlib.suppress(NotFound):
            store.read(snapshot_id)
            return
        kept = store.add(content, author="diagnose", reason="of the services", fingerprint=snapshot_id)
        if kept.snapshot_id != snapshot_id:
            raise Internal("internal.snapshot_bytes", wanted=snapshot_id, received=kept.snapshot_id)


def _check_model() -> None:
    """Raises Precondition where no model is configured that could plan."""
    settings = load(LlmServerSettings, os.environ)
    named = settings.understand_model or settings.agent_model
    if not named or not (settings.llm_base_url or settings.llm_api_key):
        raise Precondition("no_model.planner")


def _new_session_id() -> str:
    """A name that sorts by time."""
    return time.strftime("%Y%m%d-%H%M%S-", time.gmtime()) + os.urandom(3).hex()
