"""Labelled messages: a case's context as a session view, and a plan in the form of a case's `expect`.

The form is that of evaluation files with one JSON object a line; references are resolved here as the gateway does.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from lang import deferred_re as re
from services.chassis.errors import InvalidInput
from services.chassis.problems import field_problem
from services.planner.model import (
    ClarifyStep,
    CorrectionStep,
    EvidenceView,
    FeedbackStep,
    Group,
    Item,
    ItemList,
    Language,
    ObservationStep,
    QuestionStep,
    Reference,
    ResetStep,
    SessionView,
    SmalltalkKind,
    SmalltalkStep,
    Speaker,
    SuggestionStep,
    Text,
    TurnPlan,
    Utterance,
    Verdict,
)
from services.planner.understand.items.references import earlier_list, nearest, open_list
from services.planner.understand.read import understand
from services.planner.understand.text.messages import language_of

_NOTHING: Mapping[str, Text] = MappingProxyType({})
_SAID = (
    {Verdict.CONFIRMED: "yes", Verdict.DENIED: "no", Verdict.UNKNOWN: "unknown"},
    {Verdict.CONFIRMED: "有", Verdict.DENIED: "没有", Verdict.UNKNOWN: "看不了"},
)
_LISTED = re.compile(r"\[(\d+)\]\s*(P-\d+)\s*([^\n]*)")


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class CaseItem(_Part):
    """An item that was asked about."""

    ordinal: int
    phenomenon_id: str
    description: str = ""


class CaseClarification(_Part):
    """The open clarification."""

    question: str = ""
    options: tuple[CaseItem, ...] = ()


class CaseUtterance(_Part):
    """One message of the dialogue before."""

    role: str
    content: str


class CaseContext(_Part):
    """What was going on when the message came. `names`: descriptions by phenomenon id, where the file knows more."""

    pending: tuple[CaseItem, ...] = ()
    confirmed: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()
    last_clarification: CaseClarification | None = None
    history: tuple[CaseUtterance, ...] = ()


class CorrectionForm(BaseModel):
    """A correction as a case states it."""

    original: str
    corrected: str | None = None


class PlanForm(BaseModel):
    """A plan as a case states it, references resolved to ids."""

    confirmed: list[str] = Field(default_factory=list)
    denied: list[str] = Field(default_factory=list)
    unknown: list[str] = Field(default_factory=list)
    observations: list[str] = Field(default_factory=list)
    corrections: list[CorrectionForm] = Field(default_factory=list)
    suggestions: list[str] = Field(default_factory=list)
    questions: list[str] = Field(default_factory=list)
    clarify: bool = False
    smalltalk: bool = False
    reset: bool = False


def read_case(message: str, context: str, known: Mapping[str, Text], tests: Mapping[str, Text]) -> PlanForm:
    """The plan of a case's message by the rules alone; the context is JSON. Raises InvalidInput naming the place."""
    try:
        view = view_of(CaseContext.model_validate_json(context or "{}"), known, tests)
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, problem["loc"])) or "context"
        raise InvalidInput("invalid_request.case_context", place=place, problem=field_problem(problem)) from error
    return form_of(understand(message, view), view, known)


def view_of(
    context: CaseContext, known: Mapping[str, Text] = _NOTHING, tests: Mapping[str, Text] = _NOTHING
) -> SessionView:
    """The session view that a case's context stands for; `known` has the library's names by id, `tests` their tests."""
    history = tuple(_utterance(said, known, tests) for said in context.history)
    pending = tuple(_item(item, known, tests) for item in context.pending)
    options = context.last_clarification.options if context.last_clarification else ()
    offered = tuple(_item(item, known, tests) for item in options)
    shown = (*(item for said in history for item in said.items), *pending, *offered)
    names = {**{item.phenomenon_id: item.name for item in shown}, **known}
    evidence = [
        EvidenceView(phenomenon, names.get(phenomenon, Text()), verdict)
        for verdict, ids in ((Verdict.CONFIRMED, context.confirmed), (Verdict.DENIED, context.denied))
        for phenomenon in ids
    ]
    last = "".join(said.content for said in context.history[-1:])
    return SessionView(
        language=language_of(last, None) if last else None,
        turn=len(history) // 2,
        pending=pending,
        options=offered,
        evidence=tuple(evidence),
        history=history[-6:],
    )


def _text(description: str) -> Text:
    chinese = language_of(description, None) is Language.ZH
    return Text(zh=description) if chinese else Text(en=description)


def _item(item: CaseItem, known: Mapping[str, Text], tests: Mapping[str, Text]) -> Item:
    name = known.get(item.phenomenon_id) or _text(item.description)
    return Item(item.ordinal, item.phenomenon_id, name, tests.get(item.phenomenon_id, Text()))


def _utterance(said: CaseUtterance, known: Mapping[str, Text], tests: Mapping[str, Text]) -> Utterance:
    if said.role != "assistant":
        return Utterance(Speaker.USER, said.content)
    items = tuple(
        Item(int(ordinal), phenomenon, known.get(phenomenon) or _text(name), tests.get(phenomenon, Text()))
        for ordinal, phenomenon, name in _LISTED.findall(said.content)
    )
    return Utterance(Speaker.ASSISTANT, said.content, items)


def form_of(plan: TurnPlan, view: SessionView, known: Mapping[str, Text] = _NOTHING) -> PlanForm:
    """The plan in the form of a case's `expect`; an id that is not `known`, where anything is, has to be asked back."""
    form = PlanForm()
    lists = {Verdict.CONFIRMED: form.confirmed, Verdict.DENIED: form.denied, Verdict.UNKNOWN: form.unknown}
    for step in plan.steps:
        match step:
            case FeedbackStep(reference=reference, verdict=Verdict() as verdict):
                found = [name for name in resolve(reference, view) if not known or name in known]
                lists[verdict] += [phenomenon for phenomenon in found if phenomenon not in lists[verdict]]
                form.clarify = form.clarify or not found
            case ObservationStep(text=text):
                form.observations.append(text)
            case CorrectionStep():
                form.corrections += _corrections(step, view, plan.language)
            case SuggestionStep(text=text):
                form.suggestions.append(text)
            case QuestionStep(kind=kind):
                form.questions = sorted({*form.questions, str(kind)})
            case ClarifyStep():
                form.clarify = True
            case SmalltalkStep(kind=kind):
                form.smalltalk = form.smalltalk or kind is not SmalltalkKind.ORDERS
            case ResetStep():
                form.reset = True
    return form


def _corrections(step: CorrectionStep, view: SessionView, language: Language | None) -> list[CorrectionForm]:
    originals = resolve(step.original, view) or [step.original.words or ""]
    corrected = step.words if step.verdict is None else _SAID[language is Language.ZH][step.verdict]
    return [CorrectionForm(original=original, corrected=corrected) for original in originals]


def resolve(reference: Reference, view: SessionView) -> list[str]:
    """The phenomenon ids that a reference means; empty when it means none."""
    if reference.id:
        return [reference.id]
    items = _items(reference.list, view)
    if reference.ordinal is not None:
        return [item.phenomenon_id for item in items if item.ordinal == reference.ordinal]
    if reference.words is not None:
        key = nearest(reference.words, ((at, item.name, "") for at, item in enumerate(items)), least=0.2)
        return [items[key].phenomenon_id] if key is not None else []
    if reference.group is Group.LAST_TURN:
        return [view.evidence[-1].phenomenon_id] if view.evidence else []
    if reference.group in (Group.LAST, Group.JUST_MENTIONED):
        return [item.phenomenon_id for item in items[-1:]]
    return [item.phenomenon_id for item in items]


def _items(which: ItemList | None, view: SessionView) -> tuple[Item, ...]:
    if which is ItemList.EVIDENCE:
        return tuple(Item(at, evidence.phenomenon_id, evidence.name) for at, evidence in enumerate(view.evidence, 1))
    if which is ItemList.EARLIER:
        earlier = earlier_list(view)
        return earlier.items if earlier else ()
    named: dict[ItemList | None, tuple[Item, ...]] = {ItemList.PENDING: view.pending, ItemList.OPTIONS: view.options}
    return named.get(which, open_list(view).items)
