"""One turn: the planner makes a plan, tools run, and the loop folds their results into the turn.

A failing tool is reported and never affects the others; earlier records stay.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Protocol

from dbdiag.planner.v1.planner_types import (
    ClarifyKind,
    DecideRequest,
    Language,
    LookOffer,
    QuestionStep,
    ResetStep,
    Speaker,
    Tool,
    ToolFailure,
)

from gateway.contracts.clients import Services
from gateway.investigation.targets import LiveTargets
from gateway.session.case_talk import keep_case_talk, keep_untied
from gateway.session.catalog import Catalogs
from gateway.session.ledger import Session
from gateway.session.planner_view import view_of
from gateway.settings import GatewaySettings
from gateway.turn import clarification
from gateway.turn.amendments import keep_figures, keep_named, turn_round, without_taken
from gateway.turn.answers.asked_last import hear_answer
from gateway.turn.answers.by_name import without_beside_names
from gateway.turn.answers.chosen import go_by_words, without_chosen
from gateway.turn.answers.seeming_answers import without_pointing_back
from gateway.turn.answers.which_one import hear_which_one
from gateway.turn.apply_look import apply_look, require_sight
from gateway.turn.apply_plan import apply_plan, undo_reset
from gateway.turn.apply_words import apply_words
from gateway.turn.context import Turn
from gateway.turn.contradictions import leave_out_aftermath, leave_out_asked, leave_out_limits
from gateway.turn.findings import ToolResult
from gateway.turn.objections.denials import hear_denials
from gateway.turn.objections.keeping import hear_objections, keep_both
from gateway.turn.objections.protests import hear_protests
from gateway.turn.opening.first_look import add_first_look
from gateway.turn.opening.library_change import change_library
from gateway.turn.opening.question import ask_opening, take_told_beside
from gateway.turn.reconcile import reconcile
from gateway.turn.set_right import note_beside, own_up
from gateway.turn.tools import queries
from gateway.turn.tools.coherence import hear_whole, tells, weigh_by_context
from gateway.turn.tools.data_questions import DataDesk, answer_data
from gateway.turn.tools.diagnose import diagnose
from gateway.turn.tools.help import give_help
from gateway.turn.tools.investigate import Dependencies, collect_evidence, offer_to_look
from gateway.turn.tools.leading import with_bearing
from gateway.turn.tools.match import match_phenomena
from gateway.turn.tools.what_if import what_if
from gateway.turn.transitions import next_tool
from gateway.turn.unread import is_answer_sheet, standing_of
from lang.judging.reasking import asked_anew
from lang.polarity import without_stress
from services.chassis.errors import DbdiagError

# Questions whose options are those of the library, and so of no other database.
_OF_LIBRARY = (ClarifyKind.VAGUE, ClarifyKind.MULTIPLE_MATCHES)


class Progress(Protocol):
    """Receives the progress of a turn."""

    def __call__(self, step: str, note: str = "") -> None:
        """A step starts; the note reports the progress of a long one."""


class StepBudgetSpent(DbdiagError):
    """The plan needs more tools than one turn may use."""


class Loop:
    """Runs turns against the services. Stateless."""

    def __init__(
        self, services: Services, catalogs: Catalogs, settings: GatewaySettings, desk: DataDesk | None = None
    ) -> None:
        self._services = services
        self._desk = desk
        self._catalogs = catalogs
        self._settings = settings
        self.targets = LiveTargets(services.collector, time.monotonic)
        self._looking = Dependencies(services.collector, services.engine, self.targets, settings)
        self._tools: dict[Tool, Callable[[Turn], Awaitable[ToolResult]]] = {
            Tool.MATCH_PHENOMENA: self._match,
            Tool.DIAGNOSE: lambda turn: diagnose(turn, services.engine),
            Tool.QUERY_PROGRESS: lambda turn: queries.query_progress(turn, services),
            Tool.QUERY_HYPOTHESES: lambda turn: queries.query_hypotheses(turn, services),
            Tool.QUERY_RELATIONS: lambda turn: queries.query_relations(turn, services),
            Tool.SHOW_HISTORY: lambda turn: queries.show_history(turn, services),
            Tool.EXPLAIN_REASONING: lambda turn: queries.explain_reasoning(turn, services),
            Tool.WHAT_IF: lambda turn: what_if(turn, services),
            Tool.COLLECT_EVIDENCE: lambda turn: collect_evidence(turn, self._looking),
        }

    async def run(self, session: Session, message: str, language: Language | None, progress: Progress) -> Turn:
        """Runs the turn of one message and updates `session` in place. Raises only if no plan can be made."""
        turn = await self._begin(session, message)
        progress("understand")
        await self._understand(turn, language)
        resets = any(isinstance(step, ResetStep) for step in turn.plan.steps)
        if not resets and await self._change_library(turn):
            await self._understand(turn, language)
        if not is_answer_sheet(turn.message):
            _find_what_is_meant(turn)
        tool = next_tool(turn.plan, standing_of(turn), turn.done)
        if resets:
            await self._start_case(turn)
        keep_case_talk(turn.session, turn.plan)
        turn.session.telling += (session.turn,) if tells(turn) else ()
        if tool is not Tool.MATCH_PHENOMENA:
            apply_plan(turn)
        while tool is not None:
            progress(tool)
            turn.tell = partial(progress, tool)
            await hear_whole(turn, self._services.matcher)
            await self._use(turn, tool)
            tool = self._next(turn, tool)
        await self._finish(turn)
        return turn

    async def _begin(self, session: Session, message: str) -> Turn:
        session.turn += 1
        session.snapshot_id = session.snapshot_id or await self._catalogs.current_id()
        catalog = await self._catalogs.of(session.snapshot_id)
        settings = self._settings
        if not is_answer_sheet(message):
            earlier = [each.text for each in session.dialogue if each.speaker is Speaker.USER]
            message = asked_anew(without_stress(message), earlier)
        turn = Turn(session, message, catalog, settings.stuck_detection_rounds, settings.high_confidence_threshold)
        turn.evidence_before, turn.shown = turn.active_evidence(), session.pending
        turn.likeness_before = session.likeness
        return turn

    async def _start_case(self, turn: Turn) -> None:
        session = turn.session
        # A conversation about another database stays with its library, which is not the published one.
        snapshot_id = session.snapshot_id if session.engine else await self._catalogs.current_id()
        session.start_case()
        session.snapshot_id = snapshot_id
        turn.catalog = await self._catalogs.of(snapshot_id)
        await self._change_library(turn)
        turn.evidence_before = turn.likeness_before = ()
        turn.reset = True

    async def _understand(self, turn: Turn, language: Language | None) -> None:
        view = view_of(turn.session, turn.evidence_views(), self._settings.stuck_detection_rounds, turn.catalog)
        decided = await self._services.planner.decide(DecideRequest(view, turn.message))
        turn.plan, turn.usage["understand"] = decided.plan, decided.usage
        turn.language = language or decided.plan.language or turn.session.language or Language.EN
        turn.session.language = turn.language

    async def _change_library(self, turn: Turn) -> bool:
        if turn.engine_gap is None:
            return False
        try:
            return await change_library(turn, self._services, self._catalogs)
        except DbdiagError as error:
            # The case stays where it is: the answer says which library it has.
            self._failed(turn, Tool.MATCH_PHENOMENA, error)
            return False

    async def _match(self, turn: Turn) -> ToolResult:
        read = await match_phenomena(turn, self._services.matcher)
        read = await weigh_by_context(turn, self._services, read)
        return await with_bearing(turn, self._services, read)

    async def _use(self, turn: Turn, tool: Tool) -> None:
        try:
            fold(turn, await self._tools[tool](turn))
        except DbdiagError as error:
            self._failed(turn, tool, error)
            if tool is Tool.MATCH_PHENOMENA:
                _hear(turn, ToolResult())
            turn.done.append(turn.outcome(tool, failed=True))
        else:
            turn.done.append(turn.outcome(tool))

    def _next(self, turn: Turn, last: Tool) -> Tool | None:
        tool = next_tool(turn.plan, standing_of(turn), turn.done)
        if tool is not None and len(turn.done) >= self._settings.gateway_max_steps:
            self._failed(turn, last, StepBudgetSpent("step_budget_spent", steps=self._settings.gateway_max_steps))
            return None
        return tool

    def _failed(self, turn: Turn, tool: Tool, error: DbdiagError) -> None:
        turn.failures.append(ToolFailure(tool, error.reason, error.text(turn.language)))

    async def _finish(self, turn: Turn) -> None:
        last = Tool.QUERY_RELATIONS
        try:
            if any(isinstance(step, QuestionStep) for step in turn.plan.steps):
                fold(turn, await give_help(turn, self._services))
                fold(turn, await answer_data(turn, self._desk))
            last = Tool.DIAGNOSE
            told = take_told_beside(turn)
            opened = ask_opening(turn)
            if told or (opened and turn.clarification is None):
                fold(turn, await diagnose(turn, self._services.engine))
            if not opened and (
                turn.clarification or turn.unmatched or turn.unclear or turn.repeated or clarification.shows_only(turn)
            ):
                await clarification.complete(turn, self._services)
                if clarification.leads_nowhere(turn) or clarification.shows_only(turn):
                    fold(turn, await diagnose(turn, self._services.engine))
            clarification.ask_again(turn)
            if turn.engine_gap is not None and turn.clarification and turn.clarification.kind in _OF_LIBRARY:
                # Its options are those of another database.
                turn.clarification = None
            turn.look_offer = await self._offer(turn)
            add_first_look(turn)
        except DbdiagError as error:
            self._failed(turn, last, error)
        if turn.clarification is not None or not clarification.is_beside(turn):
            turn.session.clarification = clarification.keep_open(turn)

    async def _offer(self, turn: Turn) -> LookOffer | None:
        """Offers a live investigation once a case, if a check can decide a pending question."""
        session = turn.session
        if self._services.collector is None or session.look_offered or session.looked or not turn.asked_now():
            return None
        target = await self.targets.offered(session.target_id)
        offer = await offer_to_look(turn, self._looking, target) if target is not None else None
        if offer is not None:
            session.look_offered = session.turn
        return offer


def _find_what_is_meant(turn: Turn) -> None:
    """Sets right what the plan takes the message to mean, by what was asked and shown before."""
    undo_reset(turn)
    keep_both(turn)
    hear_answer(turn)
    hear_which_one(turn)
    go_by_words(turn)


def _hear(turn: Turn, result: ToolResult) -> None:
    """Applies the plan and the readings of the message; without readings the plan alone."""
    without_pointing_back(turn)
    result = hear_protests(turn, hear_denials(turn, hear_objections(turn, result)))
    result = leave_out_limits(turn, keep_figures(turn, result))
    result = without_beside_names(turn, leave_out_aftermath(turn, leave_out_asked(turn, result)))
    result = turn_round(turn, without_chosen(turn, result))
    result = reconcile(turn, without_taken(turn, keep_named(turn, result)))
    turn.bearing = result.bearing
    apply_plan(turn)
    apply_words(turn, result)
    note_beside(turn)
    own_up(turn)


def fold(turn: Turn, result: ToolResult) -> None:
    """Folds a tool's result into the turn and its session. Then raises the tool's failure, if any."""
    turn.exchanges += result.exchanges
    turn.answers += result.answers
    turn.figures += result.figures
    turn.session.asked_data = result.asked_data or turn.session.asked_data
    turn.diagnosis = result.diagnosis or turn.diagnosis
    keep_untied(turn.session, turn.plan, result.untied)
    if result.usage is not None:
        turn.usage["match"] = result.usage
    if result.read:
        _hear(turn, result)
    if result.evaluation is not None:
        evaluation = result.evaluation
        turn.diagnosis, turn.diagnosis_view = evaluation.diagnosis, evaluation.view
        turn.corrections, turn.suggestions = list(evaluation.corrections), list(evaluation.suggestions)
        turn.session.points = list(evaluation.points)
        turn.session.ask_next(evaluation.pending)
    if result.seen is not None:
        apply_look(turn, result.seen)
    if result.failure is not None:
        raise result.failure
    if result.seen is not None:
        require_sight(turn, result.seen)
