"""The planner's two jobs: decide what a message asks for; say what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from lang import deferred_re as re
from lang.judging.out_of_reach import reachable_in
from lang.pastes import executed_in, without_executed
from services.chassis.errors import InvalidInput, Precondition
from services.chassis.llm import LanguageModel
from services.planner.account.rewriting import with_changes, with_news
from services.planner.glossary.asking import asks_at
from services.planner.llm.plan_evidence import plan_evidence
from services.planner.llm.reword import reword
from services.planner.llm.understand import refine_plan
from services.planner.model import (
    ClarifyStep,
    DecideResponse,
    ItemList,
    Language,
    Limit,
    ModelUsage,
    ObservationStep,
    PlanEvidenceRequest,
    PlanEvidenceResponse,
    PlanSource,
    PlanStep,
    QuestionKind,
    QuestionStep,
    Reach,
    Reference,
    Reply,
    ResetStep,
    SessionView,
    SuggestionStep,
    TurnPlan,
    TurnResults,
)
from services.planner.questions_asked.by_form import with_fitting_answers
from services.planner.questions_asked.in_message import with_questions
from services.planner.questions_asked.of_causes import with_cause_questions
from services.planner.questions_asked.of_field import possible_question
from services.planner.sizing.asked import AMOUNT, with_amounts
from services.planner.sizing.pace import with_time_left
from services.planner.sizing.pool_sums import with_pool_sums
from services.planner.sizing.share_done import with_progress
from services.planner.speak.compose import compose
from services.planner.treatment.case_talk import add_case_talk
from services.planner.treatment.suspected_deeds import with_suspects, without_suspected
from services.planner.treatment.wanted.briefs import read_order
from services.planner.treatment.wanted.ordered import with_order
from services.planner.understand.answers.asked_if_it_counts import with_counts_asked
from services.planner.understand.answers.bare_verdicts import without_talk
from services.planner.understand.answers.facts_asked import with_facts_asked
from services.planner.understand.answers.look_refused import with_look_refused
from services.planner.understand.answers.plan_checks import (
    ask_for_puzzled,
    drop_labels,
    drop_sweeps,
    drop_unshown,
    mark_by_name,
)
from services.planner.understand.answers.rows_shown import with_rows_shown
from services.planner.understand.answers.said_plainly import with_plain_answers
from services.planner.understand.answers.settings_shown import with_settings_shown
from services.planner.understand.corrections.marked_corrections import keep_marked_corrections
from services.planner.understand.corrections.plain_commands import keep_plain_commands, keep_plain_starts
from services.planner.understand.items.item_names import called
from services.planner.understand.items.references import Asked
from services.planner.understand.open_question import read_answering, shown_before
from services.planner.understand.questions.answerable import answerable
from services.planner.understand.questions.asked_beside import without_manner, without_unsaid
from services.planner.understand.questions.question_topics import give_topics
from services.planner.understand.questions.states_asked import with_states
from services.planner.understand.questions.suppositions import with_wondered
from services.planner.understand.read import read_sheet
from services.planner.understand.text.clauses import without_opening, without_unasked
from services.planner.understand.text.engines import engine_in_case
from services.planner.understand.text.messages import language_of
from services.planner.understand.text.pasted_output import split_off_pastes
from services.planner.ways.planned import with_ways

MAX_MESSAGE = 20_000
# A paragraph with the empty lines after it.
_CHUNK = re.compile(r".+?(?:\n{2,}|$)\s*", re.DOTALL)


def with_limits(plan: TurnPlan, said: str) -> TurnPlan:
    """The plan with the limits that a message tells or takes back, and without guesses at their words."""
    found = [each for each in reachable_in(said) if not said.startswith("/")]
    if not found:
        return plan
    limits = tuple(
        Limit(Reach[each.thing.upper()] if each.thing else None, each.name, each.words, lifted=each.within)
        for each in found
    )
    spoken = [_plain(each.words) for each in found]
    steps = tuple(step for step in plan.steps if not _guesses_at(step, spoken))
    return replace(plan, steps=steps, limits=limits)


def _guesses_at(step: PlanStep, spoken: list[str]) -> bool:
    """Whether a step makes something else of words that only tell what is out of reach."""
    match step:
        case ObservationStep(text=words) | SuggestionStep(text=words) | ClarifyStep(words=words):
            return bool(words) and any(_plain(words) in each for each in spoken)
    return False


def _plain(words: str) -> str:
    return "".join(words.lower().replace("’", "'").split()).strip("?？!！.。,，")


class Planner:
    """Understands and speaks. Holds no state; a missing model means that the rules and the templates answer."""

    def __init__(self, agent: LanguageModel | None = None, response: LanguageModel | None = None) -> None:
        self._agent, self._response = agent, response

    async def decide(self, view: SessionView, message: str) -> DecideResponse:
        """The plan of the turn. Raises InvalidInput when the message is too long."""
        if (sheet := read_sheet(message, view)) is not None and not shown_before(message, view):
            return DecideResponse(sheet)
        ran = executed_in(message)
        said, pasted = split_off_pastes(without_executed(message))
        said, pasted = without_unasked(without_opening(said)), pasted or bool(ran)
        if len(said) > MAX_MESSAGE:
            raise InvalidInput("message_too_long", length=len(said), limit=MAX_MESSAGE)
        order = read_order(said, view)
        if order is not None and asks_at(said, len(order.before)):
            order = None  # "what is a slot, in plain words" orders no summary.
        order, whole = with_changes(order, said, view), said
        said = order.rest if order is not None else said
        if (pasted or order is not None) and not said.strip():
            language = view.language if pasted or view.language else language_of(message, None)
            engine = engine_in_case(said, message, view)
            plan = TurnPlan((), language, PlanSource.RULES, pasted=pasted, named_engine=engine)
            plan = add_case_talk(plan, "", message, view, ran)
            return DecideResponse(
                with_news(with_order(_with_shown(plan, "", message, view), order, view), order, whole, view)
            )
        plan, unsure = read_answering(said, view)
        usage = ModelUsage()
        if self._agent is not None:
            plan, usage = await refine_plan(self._agent, said, view, plan, unsure)
        plan = keep_plain_starts(keep_marked_corrections(mark_by_name(plan), said), said)
        plan = drop_unshown(drop_sweeps(keep_plain_commands(plan, said, view), said), said, view)
        plan = with_plain_answers(drop_labels(plan, said) if pasted else plan, said, view, pasted)
        plan = plan if pasted else without_talk(plan, said, view)
        plan = give_topics(ask_for_puzzled(plan), said, view)
        known = SessionView() if any(isinstance(step, ResetStep) for step in plan.steps) else view
        plan = replace(plan, pasted=pasted, named_engine=engine_in_case(said, message, known))
        plan = with_questions(add_case_talk(plan, said, message, view, ran), _with_pointed(said, message), view)
        plan = with_wondered(with_cause_questions(plan, said, view), said)
        common = partial(possible_question, plan=plan, view=view)
        plan = with_suspects(answerable(plan, said, message, view, common), said, view)
        plan = with_look_refused(with_states(without_suspected(plan), said, message, view), view)
        plan = with_counts_asked(_with_shown(_with_called(plan, view), said, message, view), said, view)
        plan = with_time_left(with_ways(plan, said, message, view), said)
        plan = with_progress(with_pool_sums(plan, said, message, view), said, message, view)
        plan = with_fitting_answers(with_facts_asked(plan, said, view), said, view)
        plan = with_news(with_order(without_unsaid(plan), order, view), order, whole, view)
        return DecideResponse(with_limits(without_manner(plan), said), usage)

    async def plan_evidence(self, request: PlanEvidenceRequest) -> PlanEvidenceResponse:
        """A round's checks by the model. Raises Precondition without one: the engine plans then."""
        if self._agent is None:
            raise Precondition("no_model")
        return await plan_evidence(self._agent, request)

    async def respond(
        self, results: TurnResults, language: Language, message: str, previous: str, earlier: Sequence[str] = ()
    ) -> Reply:
        """The answer in whole; never empty."""
        text = compose(results, language, previous, message, earlier)
        if self._response is None:
            return Reply(text, PlanSource.RULES)
        return await reword(self._response, text, results, language, message, previous)

    async def close(self) -> None:
        """Lets go of the models' connections."""
        for model in (self._agent, self._response):
            if model is not None:
                await model.close()

    @staticmethod
    def chunks(text: str) -> list[str]:
        """The text in pieces of a paragraph; joined they are the text."""
        return _CHUNK.findall(text)


def _with_pointed(said: str, message: str) -> str:
    """The words with the line of output that they ask about: "what does this mean:" before a line of the log."""
    if not said.rstrip().endswith((":", "：")):
        return said
    shown = message.partition(said.strip())[2].strip().partition("\n")[0]
    return f"{said.rstrip()}\n{shown}"


def _with_called(plan: TurnPlan, view: SessionView) -> TurnPlan:
    """The plan with the check itself where a question how to look calls it by its whole name."""
    listed = Asked(ItemList.PENDING, view.pending)

    def pointed(step: PlanStep) -> PlanStep:
        if not isinstance(step, QuestionStep) or step.kind is not QuestionKind.HELP or step.topic is not None:
            return step
        item = called(step.text, listed) if step.subject is not None and step.subject.words else None
        return step if item is None else replace(step, subject=Reference(id=item.phenomenon_id))

    return replace(plan, steps=tuple(map(pointed, plan.steps)))


def _with_shown(plan: TurnPlan, said: str, message: str, view: SessionView) -> TurnPlan:
    """The plan with what its outputs tell of sessions and settings beside the checks, and what is asked of them."""
    plan = with_amounts(with_rows_shown(plan, said, message, view), said, view)
    asked = any(isinstance(step, QuestionStep) and step.action == AMOUNT for step in plan.steps)
    return plan if asked else with_settings_shown(plan, said, view)
