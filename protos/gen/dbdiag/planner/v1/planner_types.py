"""The types of dbdiag/planner/v1/planner.proto. Generated from protos/ by `make proto`; not to be edited."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    from dbdiag.frozen import dataclass, set_field

from dbdiag.vocabulary import BeliefChange, CauseQuestion, LocalizedText, ModelUsage, ReliefStep, SolutionStep, TicketReference, Verdict

__all__ = [
    "Aftermath",
    "Answer",
    "AppliedCorrection",
    "AppliedSuggestion",
    "Assumption",
    "BeliefChange",
    "Brief",
    "BriefPart",
    "CauseQuestion",
    "CheckView",
    "Clarification",
    "ClarificationOption",
    "ClarifyKind",
    "ClarifyStep",
    "ConclusionView",
    "ContradictionView",
    "CorrectionStep",
    "DataAnswer",
    "DataRow",
    "DecideRequest",
    "DecideResponse",
    "DiagnosisView",
    "EngineGap",
    "EvidenceView",
    "FeedbackStep",
    "Group",
    "HelpAnswer",
    "HistoryAnswer",
    "HistoryEntry",
    "HypothesesAnswer",
    "HypothesisDetail",
    "HypothesisView",
    "Item",
    "ItemList",
    "KnownPhenomena",
    "LabelledCase",
    "LabelledCorrection",
    "Language",
    "Limit",
    "LocalizedText",
    "LookOffer",
    "LookStep",
    "LookView",
    "MatterView",
    "ModelUsage",
    "Mover",
    "NamedObject",
    "NotedEvidence",
    "ObservationStep",
    "OutcomeView",
    "OverturnView",
    "PlanEvidenceRequest",
    "PlanEvidenceResponse",
    "PlanSource",
    "PlanStep",
    "PlannedCheck",
    "ProgressAnswer",
    "QuestionKind",
    "QuestionStep",
    "QuestionTopic",
    "RankedHypothesis",
    "RankedRecommendation",
    "Reach",
    "ReadCasesRequest",
    "ReadCasesResponse",
    "Reader",
    "ReasonLine",
    "ReasoningAnswer",
    "Reference",
    "RelationView",
    "RelationsAnswer",
    "ReliefStep",
    "Remark",
    "Reply",
    "ResetStep",
    "RespondRequest",
    "RespondResponse",
    "SeenView",
    "SessionView",
    "SignalView",
    "SmalltalkKind",
    "SmalltalkStep",
    "SolutionStep",
    "Speaker",
    "Status",
    "SuggestionStep",
    "TicketReference",
    "Timing",
    "Tool",
    "ToolFailure",
    "Treatment",
    "TurnPlan",
    "TurnResults",
    "UnseenView",
    "Utterance",
    "Verdict",
    "WhatIfAnswer",
]


class Language(StrEnum):
    """`dbdiag.planner.v1.Language`."""

    ZH = "zh"
    EN = "en"


class Status(StrEnum):
    """Where a diagnosis stands."""

    EXPLORING = "exploring"
    NARROWING = "narrowing"
    CONFIRMING = "confirming"
    STUCK = "stuck"
    CONCLUDED = "concluded"


class Speaker(StrEnum):
    """`dbdiag.planner.v1.Speaker`."""

    USER = "user"
    ASSISTANT = "assistant"


class Group(StrEnum):
    """`dbdiag.planner.v1.Group`."""

    # Every item of the list.
    ALL = "all"
    # Every item of the list that no other step of this plan names.
    REST = "rest"
    # The last item of the list.
    LAST = "last"
    # What was spoken of last.
    JUST_MENTIONED = "just_mentioned"
    # Everything recorded in the last turn.
    LAST_TURN = "last_turn"


class ItemList(StrEnum):
    """`dbdiag.planner.v1.ItemList`."""

    PENDING = "pending"
    OPTIONS = "options"
    EVIDENCE = "evidence"
    # The items asked before the pending ones.
    EARLIER = "earlier"
    HYPOTHESES = "hypotheses"


class QuestionKind(StrEnum):
    """`dbdiag.planner.v1.QuestionKind`."""

    # Where the diagnosis stands.
    PROGRESS = "progress"
    # Which causes, how likely.
    HYPOTHESES = "hypotheses"
    # What leads to what.
    RELATIONS = "relations"
    # What was said and checked.
    HISTORY = "history"
    # Why this cause, why this question.
    REASONING = "reasoning"
    WHAT_IF = "what_if"
    # Counting or listing tickets or other records.
    DATA = "data"
    # How to look, what to do, what the assistant can do.
    HELP = "help"


class QuestionTopic(StrEnum):
    """What a person under pressure wants to know or says of the whole case, where a kind alone does not tell."""

    # How sure the assistant is.
    CERTAINTY = "certainty"
    # How to keep it from coming back.
    PREVENTION = "prevention"
    # What an action risks, and whether it may be done.
    RISK = "risk"
    # The case in a sentence or two, for somebody else.
    SUMMARY = "summary"
    # How to close the case.
    CLOSING = "closing"
    # How to hand the case on.
    SHARING = "sharing"
    # What is out of the question by now.
    RULED_OUT = "ruled_out"
    # Not a question: the trouble is over.
    RECOVERED = "recovered"
    # Not a question: the remedy was tried and changed nothing.
    NOT_HELPED = "not_helped"
    # Which object of the person's system it is: session, table, slot, statement.
    OBJECT = "object"
    # Where and how a statement or a command is run.
    RUNNING = "running"
    # What to do right now to stop the bleeding.
    RELIEF = "relief"
    # Not a question: a step against the trouble was done; see TurnPlan.treatments.
    TREATED = "treated"
    # How long a step takes to help, or why it has not helped yet.
    EFFECT = "effect"
    # What is left to do, and whether things can be left as they are.
    REMAINING = "remaining"
    # How bad it is, and how long there is left.
    URGENCY = "urgency"
    # Whether something that is named has to do with the trouble.
    RELATED = "related"
    # Not a question: something was not done; see TurnPlan.treatments.
    UNTREATED = "untreated"
    # The one statement to run next, without the rest.
    COMMAND = "command"
    # What something that was asked or named is, in a sentence.
    MEANING = "meaning"
    # A common question of the field; see QuestionStep.common_question.
    COMMON = "common"
    # How the cause brings the trouble about.
    MECHANISM = "mechanism"
    # How to make sure of the cause before acting on it.
    CONFIRMATION = "confirmation"
    # How one sees that a session, slot or table is really the one.
    IDENTIFICATION = "identification"
    # What tells two actions apart, and which one is better here.
    COMPARISON = "comparison"
    # Who may take a step, and what is left to whoever may not.
    RIGHTS = "rights"
    # Another way to see what a check would show.
    ALTERNATIVE = "alternative"
    # When a job, a migration or a backup may run again.
    RESUMING = "resuming"
    # Where something that is on record is from.
    SOURCE = "source"
    # A question that the library answers for a cause; see QuestionStep.cause_question.
    OF_CAUSE = "of_cause"


class Reader(StrEnum):
    """For whom a summary is."""

    # Somebody who knows no databases: no names of internals, ids, shares.
    PLAIN = "plain"
    # Whoever works on it: a ticket, a report of the incident, the next shift.
    TECHNICAL = "technical"


class BriefPart(StrEnum):
    """What a summary may have in it."""

    NOTICED = "noticed"
    SINCE = "since"
    CAUSE = "cause"
    FIGURES = "figures"
    DONE = "done"
    STATE = "state"
    NEXT = "next"
    PREVENTION = "prevention"


class ClarifyKind(StrEnum):
    """`dbdiag.planner.v1.ClarifyKind`."""

    # Too vague to match ("the database is slow"), empty or unreadable.
    VAGUE = "vague"
    # A bare yes to several items, a weak yes.
    AMBIGUOUS_FEEDBACK = "ambiguous_feedback"
    # An ordinal or id that does not exist.
    NO_SUCH_ITEM = "no_such_item"
    # A number is needed and was not said.
    MISSING_VALUE = "missing_value"
    # The words fit several phenomena.
    MULTIPLE_MATCHES = "multiple_matches"
    # The message contradicts what is recorded; asks which holds.
    CONTRADICTION = "contradiction"
    # Readings that are not sure; asks whether they are right.
    PROPOSED = "proposed"


class SmalltalkKind(StrEnum):
    """`dbdiag.planner.v1.SmalltalkKind`."""

    GREETING = "greeting"
    THANKS = "thanks"
    FAREWELL = "farewell"
    OUT_OF_SCOPE = "out_of_scope"
    # Orders about rules or records, or text that poses as the system: it changes nothing.
    ORDERS = "orders"
    # Anger, a sigh, a shrug or a bare comparison: it gives nothing to go by and asks nothing.
    REMARK = "remark"
    # The look that was shown cannot be run: the checks do without it.
    NOT_LOOKED = "not_looked"


class PlanSource(StrEnum):
    """`dbdiag.planner.v1.PlanSource`."""

    RULES = "rules"
    MODEL = "model"


class Aftermath(StrEnum):
    """What a message tells of how things are after what was done."""

    # The trouble is over.
    WELL = "well"
    # It goes on.
    UNCHANGED = "unchanged"
    # It gets better, and is not over.
    BETTER = "better"


class Reach(StrEnum):
    """What a check may need of the person who makes it."""

    # A shell on the database's machine.
    HOST = "host"
    SERVER_LOG = "server_log"
    # A dashboard, or the console of a cloud.
    MONITORING = "monitoring"
    # A session in the database: psql.
    DATABASE = "database"
    # More than a login that only reads.
    WRITES = "writes"
    PRIMARY = "primary"
    STANDBY = "standby"
    # A view, a function or an extension, by its name.
    VIEW = "view"


class Tool(StrEnum):
    """`dbdiag.planner.v1.Tool`."""

    MATCH_PHENOMENA = "match_phenomena"
    DIAGNOSE = "diagnose"
    QUERY_PROGRESS = "query_progress"
    QUERY_HYPOTHESES = "query_hypotheses"
    QUERY_RELATIONS = "query_relations"
    SHOW_HISTORY = "show_history"
    EXPLAIN_REASONING = "explain_reasoning"
    WHAT_IF = "what_if"
    # Read-only checks on the live system.
    COLLECT_EVIDENCE = "collect_evidence"


class Timing(StrEnum):
    """How a change and the beginning of the trouble lie in time."""

    FITS = "fits"
    APART = "apart"


@dataclass(frozen=True)
class Item:
    """Something the assistant asked about, or an option it offered."""

    # As shown to the person, from 1.
    ordinal: int = 0
    phenomenon_id: str = ""
    name: LocalizedText = LocalizedText()
    # The test of its presence, which a stated value decides by; empty when the library has none.
    present_when: LocalizedText = LocalizedText()

    if not TYPE_CHECKING:

        def __init__(self, ordinal=ordinal, phenomenon_id=phenomenon_id, name=name, present_when=present_when):
            set_field(self, "ordinal", ordinal)
            set_field(self, "phenomenon_id", phenomenon_id)
            set_field(self, "name", name)
            set_field(self, "present_when", present_when)


@dataclass(frozen=True)
class EvidenceView:
    """`dbdiag.planner.v1.EvidenceView`."""

    phenomenon_id: str = ""
    name: LocalizedText = LocalizedText()
    verdict: Verdict | None = None
    # The person's own words.
    words: str = ""
    turn: int = 0
    # What was read of a pasted row: "pid = 4711, state = idle in transaction"; empty otherwise.
    value: str = ""
    # It is what users notice.
    complaint: bool = False

    if not TYPE_CHECKING:

        def __init__(self, phenomenon_id=phenomenon_id, name=name, verdict=verdict, words=words, turn=turn, value=value, complaint=complaint):
            set_field(self, "phenomenon_id", phenomenon_id)
            set_field(self, "name", name)
            set_field(self, "verdict", verdict)
            set_field(self, "words", words)
            set_field(self, "turn", turn)
            set_field(self, "value", value)
            set_field(self, "complaint", complaint)


@dataclass(frozen=True)
class HypothesisView:
    """`dbdiag.planner.v1.HypothesisView`."""

    root_cause_id: str = ""
    name: LocalizedText = LocalizedText()
    confidence: float = 0.0
    # Of a cause in a SessionView that is likely enough to be asked about; else empty.
    questions: tuple[CauseQuestion, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, root_cause_id=root_cause_id, name=name, confidence=confidence, questions=questions):
            set_field(self, "root_cause_id", root_cause_id)
            set_field(self, "name", name)
            set_field(self, "confidence", confidence)
            set_field(self, "questions", questions)


@dataclass(frozen=True)
class Utterance:
    """`dbdiag.planner.v1.Utterance`."""

    speaker: Speaker | None = None
    text: str = ""
    # What the assistant asked in it, for "the earlier list".
    items: tuple[Item, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, speaker=speaker, text=text, items=items):
            set_field(self, "speaker", speaker)
            set_field(self, "text", text)
            set_field(self, "items", items)


@dataclass(frozen=True)
class Remark:
    """A message of the person's."""

    turn: int = 0
    text: str = ""

    if not TYPE_CHECKING:

        def __init__(self, turn=turn, text=text):
            set_field(self, "turn", turn)
            set_field(self, "text", text)


@dataclass(frozen=True)
class Treatment:
    """Something that the person did against the trouble."""

    # As the planner's list of actions names it: terminate, drop_slot, ...
    action: str = ""
    words: str = ""
    # The names of what it was done to, as far as they were said.
    objects: tuple[str, ...] = ()
    # In which turn; 0 in a plan.
    turn: int = 0
    # The person says that it was not done: it leaves the record.
    undone: bool = False
    # Things were as bad after it.
    in_vain: bool = False

    if not TYPE_CHECKING:

        def __init__(self, action=action, words=words, objects=objects, turn=turn, undone=undone, in_vain=in_vain):
            set_field(self, "action", action)
            set_field(self, "words", words)
            set_field(self, "objects", objects)
            set_field(self, "turn", turn)
            set_field(self, "undone", undone)
            set_field(self, "in_vain", in_vain)


@dataclass(frozen=True)
class Brief:
    """How a summary of the case is to be written."""

    reader: Reader | None = None
    # In exactly so many sentences; 0: as many as it takes.
    sentences: int = 0
    # Each on a line of its own.
    lines: bool = False
    # Unspecified: that of the dialogue.
    language: Language | None = None
    # What is left out, and what has to be in it.
    without: tuple[BriefPart, ...] = ()
    within: tuple[BriefPart, ...] = ()
    # Sentences of the person's that go with it.
    added: tuple[str, ...] = ()
    # The person's own version, which stands in place of all but `added`; empty: none.
    own: str = ""
    # Words that no sentence of it may have.
    unsaid: tuple[str, ...] = ()
    # The cause as the person wants it put; empty: as it was found.
    cause: str = ""
    # What the person wants to have said that it was not, in their words.
    cleared: tuple[str, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, reader=reader, sentences=sentences, lines=lines, language=language, without=without, within=within, added=added, own=own, unsaid=unsaid, cause=cause, cleared=cleared):
            set_field(self, "reader", reader)
            set_field(self, "sentences", sentences)
            set_field(self, "lines", lines)
            set_field(self, "language", language)
            set_field(self, "without", without)
            set_field(self, "within", within)
            set_field(self, "added", added)
            set_field(self, "own", own)
            set_field(self, "unsaid", unsaid)
            set_field(self, "cause", cause)
            set_field(self, "cleared", cleared)


@dataclass(frozen=True)
class NamedObject:
    """An object of the person's own system that a message names."""

    # pid, slot, table, index, gid, app, role, database, mount, subscription, seq, child, parent, fk_column;
    # waits_for: a wait that a row shows, "20411>18733".
    kind: str = ""
    name: str = ""
    # holds: holds others up, or is abandoned; ddl: a session that changes a table; waits for a lock, at the head of a queue
    # (head) or with nobody behind it (last) where that is known; root: all wait for it; idle in a transaction; parent of a key; fine.
    role: str = ""
    # Named in the person's own words, not by an output alone.
    said: bool = False

    if not TYPE_CHECKING:

        def __init__(self, kind=kind, name=name, role=role, said=said):
            set_field(self, "kind", kind)
            set_field(self, "name", name)
            set_field(self, "role", role)
            set_field(self, "said", said)


@dataclass(frozen=True)
class SessionView:
    """`dbdiag.planner.v1.SessionView`."""

    # The language of this session so far; unspecified in a new one.
    language: Language | None = None
    turn: int = 0
    pending: tuple[Item, ...] = ()
    # Options of the open clarification; empty when none is open.
    options: tuple[Item, ...] = ()
    # The words that the open clarification asks about.
    clarified_words: str = ""
    evidence: tuple[EvidenceView, ...] = ()
    hypotheses: tuple[HypothesisView, ...] = ()
    # The last three turns, oldest first.
    history: tuple[Utterance, ...] = ()
    status: Status | None = None
    # The last answer offered that the assistant looks for itself.
    look_offered: bool = False
    # The last turn asked a question about data, which the message may continue.
    data_asked: bool = False
    # What the analyst offered to choose from in the last turn.
    data_options: tuple[str, ...] = ()
    # What was done in this case, oldest first.
    treatments: tuple[Treatment, ...] = ()
    # The summary of one of the last three turns, as it was asked for, and its turn; absent where they gave none.
    brief: Brief | None = None
    briefed: int = 0
    # The first message of the session; empty in a later case.
    opening: str = ""
    # How things are since, as it is believed so far.
    aftermath: Aftermath | None = None
    # A look was shown, whose rows tell most causes apart, and nothing came on record since.
    look_shown: bool = False
    # The settings that were told, with their values: "work_mem=512MB".
    settings: tuple[NamedObject, ...] = ()
    # The database that the library's statements are for; empty where they are for several.
    engine: str = ""

    if not TYPE_CHECKING:

        def __init__(self, language=language, turn=turn, pending=pending, options=options, clarified_words=clarified_words, evidence=evidence, hypotheses=hypotheses, history=history, status=status, look_offered=look_offered, data_asked=data_asked, data_options=data_options, treatments=treatments, brief=brief, briefed=briefed, opening=opening, aftermath=aftermath, look_shown=look_shown, settings=settings, engine=engine):
            set_field(self, "language", language)
            set_field(self, "turn", turn)
            set_field(self, "pending", pending)
            set_field(self, "options", options)
            set_field(self, "clarified_words", clarified_words)
            set_field(self, "evidence", evidence)
            set_field(self, "hypotheses", hypotheses)
            set_field(self, "history", history)
            set_field(self, "status", status)
            set_field(self, "look_offered", look_offered)
            set_field(self, "data_asked", data_asked)
            set_field(self, "data_options", data_options)
            set_field(self, "treatments", treatments)
            set_field(self, "brief", brief)
            set_field(self, "briefed", briefed)
            set_field(self, "opening", opening)
            set_field(self, "aftermath", aftermath)
            set_field(self, "look_shown", look_shown)
            set_field(self, "settings", settings)
            set_field(self, "engine", engine)


@dataclass(frozen=True)
class Reference:
    """Points at something; the gateway resolves it. An id is passed only when the person wrote it."""

    ordinal: int | None = None
    id: str | None = None
    group: Group | None = None
    # The person's words for it.
    words: str | None = None
    list: ItemList | None = None

    if not TYPE_CHECKING:

        def __init__(self, ordinal=ordinal, id=id, group=group, words=words, list=list):
            set_field(self, "ordinal", ordinal)
            set_field(self, "id", id)
            set_field(self, "group", group)
            set_field(self, "words", words)
            set_field(self, "list", list)


@dataclass(frozen=True)
class FeedbackStep:
    """An answer to something that was asked, or to something named by id."""

    reference: Reference = Reference()
    verdict: Verdict | None = None
    words: str = ""
    # In (0, 1]; absent: 1.
    certainty: float | None = None
    # The item was named by words of its own, not by its number, its id or a word for the whole list.
    by_name: bool = False

    if not TYPE_CHECKING:

        def __init__(self, reference=reference, verdict=verdict, words=words, certainty=certainty, by_name=by_name):
            set_field(self, "reference", reference)
            set_field(self, "verdict", verdict)
            set_field(self, "words", words)
            set_field(self, "certainty", certainty)
            set_field(self, "by_name", by_name)


@dataclass(frozen=True)
class ObservationStep:
    """A fact in the person's own words, for the matcher."""

    text: str = ""
    certainty: float | None = None

    if not TYPE_CHECKING:

        def __init__(self, text=text, certainty=certainty):
            set_field(self, "text", text)
            set_field(self, "certainty", certainty)


@dataclass(frozen=True)
class CorrectionStep:
    """A retraction of an earlier statement, or its replacement by a verdict or by words."""

    original: Reference = Reference()
    verdict: Verdict | None = None
    words: str | None = None
    # Retracted without a replacement.
    retract: bool | None = None

    if not TYPE_CHECKING:

        def __init__(self, original=original, verdict=verdict, words=words, retract=retract):
            set_field(self, "original", original)
            set_field(self, "verdict", verdict)
            set_field(self, "words", words)
            set_field(self, "retract", retract)


@dataclass(frozen=True)
class SuggestionStep:
    """What the person suspects. Never evidence."""

    text: str = ""

    if not TYPE_CHECKING:

        def __init__(self, text=text):
            set_field(self, "text", text)


@dataclass(frozen=True)
class Assumption:
    """A supposition of a what-if question."""

    reference: Reference = Reference()
    verdict: Verdict | None = None

    if not TYPE_CHECKING:

        def __init__(self, reference=reference, verdict=verdict):
            set_field(self, "reference", reference)
            set_field(self, "verdict", verdict)


@dataclass(frozen=True)
class QuestionStep:
    """`dbdiag.planner.v1.QuestionStep`."""

    kind: QuestionKind | None = None
    # What it is about; absent when the person did not say.
    subject: Reference | None = None
    text: str = ""
    assumptions: tuple[Assumption, ...] = ()
    # Set for questions of kind HELP only.
    topic: QuestionTopic | None = None
    # The action that it is about, as in Treatment; reads: of a statement that was shown and changes nothing; else empty.
    action: str = ""
    # How the summary that it asks for is to be written.
    brief: Brief | None = None
    # The key of the common question that it is, where its topic is COMMON.
    common_question: str = ""
    # The place of the question, from 1, among those of the cause that is its subject, where its topic is OF_CAUSE.
    cause_question: int = 0

    if not TYPE_CHECKING:

        def __init__(self, kind=kind, subject=subject, text=text, assumptions=assumptions, topic=topic, action=action, brief=brief, common_question=common_question, cause_question=cause_question):
            set_field(self, "kind", kind)
            set_field(self, "subject", subject)
            set_field(self, "text", text)
            set_field(self, "assumptions", assumptions)
            set_field(self, "topic", topic)
            set_field(self, "action", action)
            set_field(self, "brief", brief)
            set_field(self, "common_question", common_question)
            set_field(self, "cause_question", cause_question)


@dataclass(frozen=True)
class ClarifyStep:
    """`dbdiag.planner.v1.ClarifyStep`."""

    kind: ClarifyKind | None = None
    words: str = ""
    # The items it is about, when known.
    references: tuple[Reference, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, kind=kind, words=words, references=references):
            set_field(self, "kind", kind)
            set_field(self, "words", words)
            set_field(self, "references", references)


@dataclass(frozen=True)
class SmalltalkStep:
    """`dbdiag.planner.v1.SmalltalkStep`."""

    kind: SmalltalkKind | None = None

    if not TYPE_CHECKING:

        def __init__(self, kind=kind):
            set_field(self, "kind", kind)


@dataclass(frozen=True)
class ResetStep:
    """Start a new case."""


@dataclass(frozen=True)
class LookStep:
    """The assistant is to look for itself at the live system; or, when it offered that, it is not to."""

    declined: bool = False
    # The person's words; they may name a target.
    words: str = ""

    if not TYPE_CHECKING:

        def __init__(self, declined=declined, words=words):
            set_field(self, "declined", declined)
            set_field(self, "words", words)


PlanStep = FeedbackStep | ObservationStep | CorrectionStep | SuggestionStep | QuestionStep | ClarifyStep | SmalltalkStep | ResetStep | LookStep


@dataclass(frozen=True)
class Limit:
    """What the person cannot reach, in their own words. It holds for the case until it is lifted, and is never evidence."""

    reach: Reach | None = None
    # Of a view; none: there is no such server.
    name: str = ""
    words: str = ""
    # In which turn; 0 in a plan.
    turn: int = 0
    # The person can reach it by now; without a reach: all of it.
    lifted: bool = False

    if not TYPE_CHECKING:

        def __init__(self, reach=reach, name=name, words=words, turn=turn, lifted=lifted):
            set_field(self, "reach", reach)
            set_field(self, "name", name)
            set_field(self, "words", words)
            set_field(self, "turn", turn)
            set_field(self, "lifted", lifted)


@dataclass(frozen=True)
class TurnPlan:
    """`dbdiag.planner.v1.TurnPlan`."""

    # In the order of the message.
    steps: tuple[PlanStep, ...] = ()
    # The language to answer in.
    language: Language | None = None
    source: PlanSource | None = None
    # The message has pasted output in it, which is for the matcher alone.
    pasted: bool = False
    # The database that the person says theirs is, where they name one: postgresql, mysql, oracle.
    named_engine: str = ""
    treatments: tuple[Treatment, ...] = ()
    objects: tuple[NamedObject, ...] = ()
    aftermath: Aftermath | None = None
    # Since when the trouble is there, as told: "14:00", "last_night", "last_night 23:10"; empty if not told.
    began: str = ""
    limits: tuple[Limit, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, steps=steps, language=language, source=source, pasted=pasted, named_engine=named_engine, treatments=treatments, objects=objects, aftermath=aftermath, began=began, limits=limits):
            set_field(self, "steps", steps)
            set_field(self, "language", language)
            set_field(self, "source", source)
            set_field(self, "pasted", pasted)
            set_field(self, "named_engine", named_engine)
            set_field(self, "treatments", treatments)
            set_field(self, "objects", objects)
            set_field(self, "aftermath", aftermath)
            set_field(self, "began", began)
            set_field(self, "limits", limits)


@dataclass(frozen=True)
class DecideRequest:
    """`dbdiag.planner.v1.DecideRequest`."""

    view: SessionView = SessionView()
    message: str = ""

    if not TYPE_CHECKING:

        def __init__(self, view=view, message=message):
            set_field(self, "view", view)
            set_field(self, "message", message)


@dataclass(frozen=True)
class DecideResponse:
    """`dbdiag.planner.v1.DecideResponse`."""

    plan: TurnPlan = TurnPlan()
    usage: ModelUsage = ModelUsage()

    if not TYPE_CHECKING:

        def __init__(self, plan=plan, usage=usage):
            set_field(self, "plan", plan)
            set_field(self, "usage", usage)


@dataclass(frozen=True)
class NotedEvidence:
    """`dbdiag.planner.v1.NotedEvidence`."""

    phenomenon_id: str = ""
    name: LocalizedText = LocalizedText()
    verdict: Verdict | None = None
    words: str = ""
    score: float = 0.0
    # It came from free words, so the person may want to object.
    matched_from_words: bool = False
    also_possible: LocalizedText = LocalizedText()
    extracted_value: str = ""
    # The name is that of something the site does without; all that needs it is ruled out with it.
    facility: bool = False

    if not TYPE_CHECKING:

        def __init__(self, phenomenon_id=phenomenon_id, name=name, verdict=verdict, words=words, score=score, matched_from_words=matched_from_words, also_possible=also_possible, extracted_value=extracted_value, facility=facility):
            set_field(self, "phenomenon_id", phenomenon_id)
            set_field(self, "name", name)
            set_field(self, "verdict", verdict)
            set_field(self, "words", words)
            set_field(self, "score", score)
            set_field(self, "matched_from_words", matched_from_words)
            set_field(self, "also_possible", also_possible)
            set_field(self, "extracted_value", extracted_value)
            set_field(self, "facility", facility)


@dataclass(frozen=True)
class AppliedCorrection:
    """`dbdiag.planner.v1.AppliedCorrection`."""

    name: LocalizedText = LocalizedText()
    original: str = ""
    # Empty for a mere retraction.
    corrected: str = ""
    verdict_before: Verdict | None = None
    verdict_after: Verdict | None = None
    changes: tuple[BeliefChange, ...] = ()
    # What was read into the words was never said; with `corrected`, or without a name: an answer did not hold.
    misheard: bool = False

    if not TYPE_CHECKING:

        def __init__(self, name=name, original=original, corrected=corrected, verdict_before=verdict_before, verdict_after=verdict_after, changes=changes, misheard=misheard):
            set_field(self, "name", name)
            set_field(self, "original", original)
            set_field(self, "corrected", corrected)
            set_field(self, "verdict_before", verdict_before)
            set_field(self, "verdict_after", verdict_after)
            set_field(self, "changes", changes)
            set_field(self, "misheard", misheard)


@dataclass(frozen=True)
class MatterView:
    """Something that a question asks about, and what the case knows of it."""

    words: str = ""
    # The phenomenon or the cause that the words name; at most one is set.
    phenomenon_id: str = ""
    root_cause_id: str = ""
    name: LocalizedText = LocalizedText()
    # Of a phenomenon: what is on record of it.
    verdict: Verdict | None = None
    # Of a cause: the belief in it.
    confidence: float = 0.0
    # The leading cause, and how the phenomenon bears on it: bits for it (above 0) or against it, and the library's reason.
    # Of a cause: the most bits that anything on record gives it.
    leader: HypothesisView = HypothesisView()
    bits: float = 0.0
    reason: LocalizedText = LocalizedText()
    # Of a cause: what would tell it from the leader.
    missing: tuple[LocalizedText, ...] = ()
    # Of a phenomenon that says nothing of the leader: the cause that it speaks for most, with the reason above.
    points_to: HypothesisView = HypothesisView()
    # The area of causes that the words name ("network"); the cause is then the likeliest in it, and the belief that in all.
    area: str = ""
    # Of a cause or an area: the belief before anything was told.
    prior: float = 0.0
    # Of a cause or an area: what on record speaks for it, and what speaks against it or rather for the leader.
    speaking: tuple[EvidenceView, ...] = ()
    opposing: tuple[EvidenceView, ...] = ()
    # The change that is asked about, since when the trouble is there, both as the person said it, and how they lie in time.
    change: str = ""
    onset: str = ""
    timing: Timing | None = None

    if not TYPE_CHECKING:

        def __init__(self, words=words, phenomenon_id=phenomenon_id, root_cause_id=root_cause_id, name=name, verdict=verdict, confidence=confidence, leader=leader, bits=bits, reason=reason, missing=missing, points_to=points_to, area=area, prior=prior, speaking=speaking, opposing=opposing, change=change, onset=onset, timing=timing):
            set_field(self, "words", words)
            set_field(self, "phenomenon_id", phenomenon_id)
            set_field(self, "root_cause_id", root_cause_id)
            set_field(self, "name", name)
            set_field(self, "verdict", verdict)
            set_field(self, "confidence", confidence)
            set_field(self, "leader", leader)
            set_field(self, "bits", bits)
            set_field(self, "reason", reason)
            set_field(self, "missing", missing)
            set_field(self, "points_to", points_to)
            set_field(self, "area", area)
            set_field(self, "prior", prior)
            set_field(self, "speaking", speaking)
            set_field(self, "opposing", opposing)
            set_field(self, "change", change)
            set_field(self, "onset", onset)
            set_field(self, "timing", timing)


@dataclass(frozen=True)
class AppliedSuggestion:
    """`dbdiag.planner.v1.AppliedSuggestion`."""

    text: str = ""
    # Empty when nothing in the library is near it.
    root_cause_id: str = ""
    name: LocalizedText = LocalizedText()
    confidence: float = 0.0
    boost: float = 0.0
    effective_confidence: float = 0.0
    # What is suspected, and what the case knows of it.
    matter: MatterView = MatterView()

    if not TYPE_CHECKING:

        def __init__(self, text=text, root_cause_id=root_cause_id, name=name, confidence=confidence, boost=boost, effective_confidence=effective_confidence, matter=matter):
            set_field(self, "text", text)
            set_field(self, "root_cause_id", root_cause_id)
            set_field(self, "name", name)
            set_field(self, "confidence", confidence)
            set_field(self, "boost", boost)
            set_field(self, "effective_confidence", effective_confidence)
            set_field(self, "matter", matter)


@dataclass(frozen=True)
class ClarificationOption:
    """`dbdiag.planner.v1.ClarificationOption`."""

    ordinal: int = 0
    phenomenon_id: str = ""
    name: LocalizedText = LocalizedText()
    present_when: LocalizedText = LocalizedText()
    # Of a proposed reading the kind of statement that it is from, such as done_before; empty otherwise.
    reading: str = ""

    if not TYPE_CHECKING:

        def __init__(self, ordinal=ordinal, phenomenon_id=phenomenon_id, name=name, present_when=present_when, reading=reading):
            set_field(self, "ordinal", ordinal)
            set_field(self, "phenomenon_id", phenomenon_id)
            set_field(self, "name", name)
            set_field(self, "present_when", present_when)
            set_field(self, "reading", reading)


@dataclass(frozen=True)
class Clarification:
    """`dbdiag.planner.v1.Clarification`."""

    kind: ClarifyKind | None = None
    # What the person said.
    words: str = ""
    options: tuple[ClarificationOption, ...] = ()
    # The person's earlier words, when the two contradict each other; the first option represents them.
    earlier_words: str = ""
    # Of two that contradict each other, the option that a check saw, where the other one is what the person says; 0: none.
    seen_ordinal: int = 0
    # What is asked instead of the usual phrase of the kind, and of a missing value what the number is to be compared
    # with; empty: that phrase.
    question: LocalizedText = LocalizedText()
    # The one read-only look whose output answers as well; empty: none.
    overview: str = ""

    if not TYPE_CHECKING:

        def __init__(self, kind=kind, words=words, options=options, earlier_words=earlier_words, seen_ordinal=seen_ordinal, question=question, overview=overview):
            set_field(self, "kind", kind)
            set_field(self, "words", words)
            set_field(self, "options", options)
            set_field(self, "earlier_words", earlier_words)
            set_field(self, "seen_ordinal", seen_ordinal)
            set_field(self, "question", question)
            set_field(self, "overview", overview)


@dataclass(frozen=True)
class OutcomeView:
    """`dbdiag.planner.v1.OutcomeView`."""

    probability: float = 0.0
    beliefs: tuple[HypothesisView, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, probability=probability, beliefs=beliefs):
            set_field(self, "probability", probability)
            set_field(self, "beliefs", beliefs)


@dataclass(frozen=True)
class RankedHypothesis:
    """`dbdiag.planner.v1.RankedHypothesis`."""

    root_cause_id: str = ""
    name: LocalizedText = LocalizedText()
    confidence: float = 0.0
    effective_confidence: float = 0.0
    boost: float = 0.0
    # In the turn before; absent in the first.
    confidence_before: float | None = None

    if not TYPE_CHECKING:

        def __init__(self, root_cause_id=root_cause_id, name=name, confidence=confidence, effective_confidence=effective_confidence, boost=boost, confidence_before=confidence_before):
            set_field(self, "root_cause_id", root_cause_id)
            set_field(self, "name", name)
            set_field(self, "confidence", confidence)
            set_field(self, "effective_confidence", effective_confidence)
            set_field(self, "boost", boost)
            set_field(self, "confidence_before", confidence_before)


@dataclass(frozen=True)
class RankedRecommendation:
    """`dbdiag.planner.v1.RankedRecommendation`."""

    ordinal: int = 0
    phenomenon_id: str = ""
    name: LocalizedText = LocalizedText()
    observe_kind: str = ""
    observation_method: str = ""
    present_when: LocalizedText = LocalizedText()
    information_gain_bits: float = 0.0
    if_yes: OutcomeView = OutcomeView()
    if_no: OutcomeView = OutcomeView()
    related: tuple[HypothesisView, ...] = ()
    cost: int = 0
    # Whatever the answer, the same cause leads, about as likely as now or likely enough to act on.
    idle: bool = False
    # Its command stood in one of the last answers.
    shown: bool = False
    # What it needs of that which the person cannot reach: it is for whoever can.
    beyond: tuple[Reach, ...] = ()
    # The person's words that may be about it and that nothing reads; empty if there are none.
    words: str = ""

    if not TYPE_CHECKING:

        def __init__(self, ordinal=ordinal, phenomenon_id=phenomenon_id, name=name, observe_kind=observe_kind, observation_method=observation_method, present_when=present_when, information_gain_bits=information_gain_bits, if_yes=if_yes, if_no=if_no, related=related, cost=cost, idle=idle, shown=shown, beyond=beyond, words=words):
            set_field(self, "ordinal", ordinal)
            set_field(self, "phenomenon_id", phenomenon_id)
            set_field(self, "name", name)
            set_field(self, "observe_kind", observe_kind)
            set_field(self, "observation_method", observation_method)
            set_field(self, "present_when", present_when)
            set_field(self, "information_gain_bits", information_gain_bits)
            set_field(self, "if_yes", if_yes)
            set_field(self, "if_no", if_no)
            set_field(self, "related", related)
            set_field(self, "cost", cost)
            set_field(self, "idle", idle)
            set_field(self, "shown", shown)
            set_field(self, "beyond", beyond)
            set_field(self, "words", words)


@dataclass(frozen=True)
class Mover:
    """What moved the leader most in this turn: an answer, or, without a name, what all that was told sounds like."""

    name: LocalizedText = LocalizedText()
    bits: float = 0.0
    ticket_hits: int = 0
    ticket_count: int = 0
    verdict: Verdict | None = None
    # The words that sound most like it.
    words: tuple[str, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, name=name, bits=bits, ticket_hits=ticket_hits, ticket_count=ticket_count, verdict=verdict, words=words):
            set_field(self, "name", name)
            set_field(self, "bits", bits)
            set_field(self, "ticket_hits", ticket_hits)
            set_field(self, "ticket_count", ticket_count)
            set_field(self, "verdict", verdict)
            set_field(self, "words", words)


@dataclass(frozen=True)
class OverturnView:
    """`dbdiag.planner.v1.OverturnView`."""

    name: LocalizedText = LocalizedText()
    verdict_then: Verdict | None = None
    leader_then: LocalizedText = LocalizedText()
    confidence_then: float = 0.0
    # The answer as it stands; unspecified when it was not given yet.
    verdict_now: Verdict | None = None

    if not TYPE_CHECKING:

        def __init__(self, name=name, verdict_then=verdict_then, leader_then=leader_then, confidence_then=confidence_then, verdict_now=verdict_now):
            set_field(self, "name", name)
            set_field(self, "verdict_then", verdict_then)
            set_field(self, "leader_then", leader_then)
            set_field(self, "confidence_then", confidence_then)
            set_field(self, "verdict_now", verdict_now)


@dataclass(frozen=True)
class ConclusionView:
    """`dbdiag.planner.v1.ConclusionView`."""

    root_cause_id: str = ""
    name: LocalizedText = LocalizedText()
    confidence: float = 0.0
    mechanism: LocalizedText = LocalizedText()
    supporting: tuple[LocalizedText, ...] = ()
    conflicting: tuple[LocalizedText, ...] = ()
    unchecked: tuple[LocalizedText, ...] = ()
    unexplained: tuple[LocalizedText, ...] = ()
    solution: tuple[SolutionStep, ...] = ()
    verify: LocalizedText = LocalizedText()
    tickets: tuple[TicketReference, ...] = ()
    # It had been concluded in an earlier turn already.
    repeated_conclusion: bool = False
    # The cause that explains the unexplained phenomena best, with the belief in it given those alone.
    second_cause: HypothesisView | None = None
    # The answer that would overturn the conclusion; absent if none would, or when it was not asked for.
    overturn: OverturnView | None = None
    relief: tuple[ReliefStep, ...] = ()
    # One sentence for somebody who knows no databases; empty where the library has none.
    plain: LocalizedText = LocalizedText()

    if not TYPE_CHECKING:

        def __init__(self, root_cause_id=root_cause_id, name=name, confidence=confidence, mechanism=mechanism, supporting=supporting, conflicting=conflicting, unchecked=unchecked, unexplained=unexplained, solution=solution, verify=verify, tickets=tickets, repeated_conclusion=repeated_conclusion, second_cause=second_cause, overturn=overturn, relief=relief, plain=plain):
            set_field(self, "root_cause_id", root_cause_id)
            set_field(self, "name", name)
            set_field(self, "confidence", confidence)
            set_field(self, "mechanism", mechanism)
            set_field(self, "supporting", supporting)
            set_field(self, "conflicting", conflicting)
            set_field(self, "unchecked", unchecked)
            set_field(self, "unexplained", unexplained)
            set_field(self, "solution", solution)
            set_field(self, "verify", verify)
            set_field(self, "tickets", tickets)
            set_field(self, "repeated_conclusion", repeated_conclusion)
            set_field(self, "second_cause", second_cause)
            set_field(self, "overturn", overturn)
            set_field(self, "relief", relief)
            set_field(self, "plain", plain)


@dataclass(frozen=True)
class ContradictionView:
    """Two answers that no cause explains together."""

    first: EvidenceView = EvidenceView()
    second: EvidenceView = EvidenceView()
    # How much even the cause that explains both best falls short of explaining each.
    bits: float = 0.0
    # The one to look at again: the less sure of the two, else the one that is no complaint, else the cheaper to look at.
    recheck: RankedRecommendation = RankedRecommendation()
    # The same two had been named in the turn before.
    repeated: bool = False

    if not TYPE_CHECKING:

        def __init__(self, first=first, second=second, bits=bits, recheck=recheck, repeated=repeated):
            set_field(self, "first", first)
            set_field(self, "second", second)
            set_field(self, "bits", bits)
            set_field(self, "recheck", recheck)
            set_field(self, "repeated", repeated)


@dataclass(frozen=True)
class DiagnosisView:
    """`dbdiag.planner.v1.DiagnosisView`."""

    hypotheses: tuple[RankedHypothesis, ...] = ()
    recommendations: tuple[RankedRecommendation, ...] = ()
    conclusion: ConclusionView | None = None
    other_confidence: float = 0.0
    surprise_bits: float = 0.0
    movers: tuple[Mover, ...] = ()
    root_cause_count: int = 0
    # Turns in a row that moved nothing.
    idle_turns: int = 0
    contradiction: ContradictionView | None = None
    # In the evaluation before; absent in the first.
    surprise_bits_before: float | None = None
    # A statement whose rows tell most causes apart, where none stands out; it is shown once.
    first_look: str = ""
    # The look shown before is still worth its rows: nothing was told since.
    look_waits: bool = False
    # The person's words of this case that nothing reads, the latest first.
    untied: tuple[str, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, hypotheses=hypotheses, recommendations=recommendations, conclusion=conclusion, other_confidence=other_confidence, surprise_bits=surprise_bits, movers=movers, root_cause_count=root_cause_count, idle_turns=idle_turns, contradiction=contradiction, surprise_bits_before=surprise_bits_before, first_look=first_look, look_waits=look_waits, untied=untied):
            set_field(self, "hypotheses", hypotheses)
            set_field(self, "recommendations", recommendations)
            set_field(self, "conclusion", conclusion)
            set_field(self, "other_confidence", other_confidence)
            set_field(self, "surprise_bits", surprise_bits)
            set_field(self, "movers", movers)
            set_field(self, "root_cause_count", root_cause_count)
            set_field(self, "idle_turns", idle_turns)
            set_field(self, "contradiction", contradiction)
            set_field(self, "surprise_bits_before", surprise_bits_before)
            set_field(self, "first_look", first_look)
            set_field(self, "look_waits", look_waits)
            set_field(self, "untied", untied)


@dataclass(frozen=True)
class ProgressAnswer:
    """`dbdiag.planner.v1.ProgressAnswer`."""

    rounds: int = 0
    confirmed: tuple[EvidenceView, ...] = ()
    denied: tuple[EvidenceView, ...] = ()
    unknown: tuple[EvidenceView, ...] = ()
    # The question in the person's words.
    text: str = ""

    if not TYPE_CHECKING:

        def __init__(self, rounds=rounds, confirmed=confirmed, denied=denied, unknown=unknown, text=text):
            set_field(self, "rounds", rounds)
            set_field(self, "confirmed", confirmed)
            set_field(self, "denied", denied)
            set_field(self, "unknown", unknown)
            set_field(self, "text", text)


@dataclass(frozen=True)
class HypothesisDetail:
    """`dbdiag.planner.v1.HypothesisDetail`."""

    rank: int = 0
    root_cause_id: str = ""
    name: LocalizedText = LocalizedText()
    confidence: float = 0.0
    supporting: tuple[LocalizedText, ...] = ()
    missing: tuple[LocalizedText, ...] = ()
    ticket_ids: tuple[str, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, rank=rank, root_cause_id=root_cause_id, name=name, confidence=confidence, supporting=supporting, missing=missing, ticket_ids=ticket_ids):
            set_field(self, "rank", rank)
            set_field(self, "root_cause_id", root_cause_id)
            set_field(self, "name", name)
            set_field(self, "confidence", confidence)
            set_field(self, "supporting", supporting)
            set_field(self, "missing", missing)
            set_field(self, "ticket_ids", ticket_ids)


@dataclass(frozen=True)
class HypothesesAnswer:
    """`dbdiag.planner.v1.HypothesesAnswer`."""

    hypotheses: tuple[HypothesisDetail, ...] = ()
    total_count: int = 0

    if not TYPE_CHECKING:

        def __init__(self, hypotheses=hypotheses, total_count=total_count):
            set_field(self, "hypotheses", hypotheses)
            set_field(self, "total_count", total_count)


@dataclass(frozen=True)
class RelationView:
    """`dbdiag.planner.v1.RelationView`."""

    entity_id: str = ""
    name: LocalizedText = LocalizedText()
    likelihood: float = 0.0
    ticket_hits: int = 0
    ticket_count: int = 0
    reason: LocalizedText = LocalizedText()

    if not TYPE_CHECKING:

        def __init__(self, entity_id=entity_id, name=name, likelihood=likelihood, ticket_hits=ticket_hits, ticket_count=ticket_count, reason=reason):
            set_field(self, "entity_id", entity_id)
            set_field(self, "name", name)
            set_field(self, "likelihood", likelihood)
            set_field(self, "ticket_hits", ticket_hits)
            set_field(self, "ticket_count", ticket_count)
            set_field(self, "reason", reason)


@dataclass(frozen=True)
class RelationsAnswer:
    """`dbdiag.planner.v1.RelationsAnswer`."""

    subject_id: str = ""
    subject: LocalizedText = LocalizedText()
    subject_is_root_cause: bool = False
    relations: tuple[RelationView, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, subject_id=subject_id, subject=subject, subject_is_root_cause=subject_is_root_cause, relations=relations):
            set_field(self, "subject_id", subject_id)
            set_field(self, "subject", subject)
            set_field(self, "subject_is_root_cause", subject_is_root_cause)
            set_field(self, "relations", relations)


@dataclass(frozen=True)
class HistoryEntry:
    """`dbdiag.planner.v1.HistoryEntry`."""

    turn: int = 0
    name: LocalizedText = LocalizedText()
    verdict: Verdict | None = None
    words: str = ""
    retracted: bool = False
    # What it takes to count, where it was read but does not count yet.
    needs: LocalizedText = LocalizedText()

    if not TYPE_CHECKING:

        def __init__(self, turn=turn, name=name, verdict=verdict, words=words, retracted=retracted, needs=needs):
            set_field(self, "turn", turn)
            set_field(self, "name", name)
            set_field(self, "verdict", verdict)
            set_field(self, "words", words)
            set_field(self, "retracted", retracted)
            set_field(self, "needs", needs)


@dataclass(frozen=True)
class HistoryAnswer:
    """`dbdiag.planner.v1.HistoryAnswer`."""

    entries: tuple[HistoryEntry, ...] = ()
    turns: int = 0
    # Whether something that was said is on record is asked: `entries` are those of it, and `left` what it left of the
    # belief in the leading cause. Without entries and with the turn in `turns`, what this turn's message left is.
    heard: bool = False
    left: BeliefChange = BeliefChange()

    if not TYPE_CHECKING:

        def __init__(self, entries=entries, turns=turns, heard=heard, left=left):
            set_field(self, "entries", entries)
            set_field(self, "turns", turns)
            set_field(self, "heard", heard)
            set_field(self, "left", left)


@dataclass(frozen=True)
class ReasonLine:
    """`dbdiag.planner.v1.ReasonLine`."""

    phenomenon_id: str = ""
    name: LocalizedText = LocalizedText()
    verdict: Verdict | None = None
    bits: float = 0.0
    ticket_hits: int = 0
    ticket_count: int = 0
    # Tickets of the cause that recorded it, at most five.
    ticket_ids: tuple[str, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, phenomenon_id=phenomenon_id, name=name, verdict=verdict, bits=bits, ticket_hits=ticket_hits, ticket_count=ticket_count, ticket_ids=ticket_ids):
            set_field(self, "phenomenon_id", phenomenon_id)
            set_field(self, "name", name)
            set_field(self, "verdict", verdict)
            set_field(self, "bits", bits)
            set_field(self, "ticket_hits", ticket_hits)
            set_field(self, "ticket_count", ticket_count)
            set_field(self, "ticket_ids", ticket_ids)


@dataclass(frozen=True)
class ReasoningAnswer:
    """`dbdiag.planner.v1.ReasoningAnswer`."""

    root_cause_id: str = ""
    name: LocalizedText = LocalizedText()
    confidence: float = 0.0
    prior_odds_bits: float = 0.0
    posterior_odds_bits: float = 0.0
    lines: tuple[ReasonLine, ...] = ()
    unchecked: tuple[LocalizedText, ...] = ()
    # The answer that would overturn the leader, or put this cause in front when another leads; absent if none was found.
    overturn: OverturnView | None = None
    # When a question's reason was asked.
    question: RankedRecommendation | None = None
    # This cause has the highest belief.
    leads: bool = False
    # The question's words.
    text: str = ""
    # How much all that was told sounds like this cause, and the words that do most; part of posterior_odds_bits.
    likeness_bits: float = 0.0
    words: tuple[str, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, root_cause_id=root_cause_id, name=name, confidence=confidence, prior_odds_bits=prior_odds_bits, posterior_odds_bits=posterior_odds_bits, lines=lines, unchecked=unchecked, overturn=overturn, question=question, leads=leads, text=text, likeness_bits=likeness_bits, words=words):
            set_field(self, "root_cause_id", root_cause_id)
            set_field(self, "name", name)
            set_field(self, "confidence", confidence)
            set_field(self, "prior_odds_bits", prior_odds_bits)
            set_field(self, "posterior_odds_bits", posterior_odds_bits)
            set_field(self, "lines", lines)
            set_field(self, "unchecked", unchecked)
            set_field(self, "overturn", overturn)
            set_field(self, "question", question)
            set_field(self, "leads", leads)
            set_field(self, "text", text)
            set_field(self, "likeness_bits", likeness_bits)
            set_field(self, "words", words)


@dataclass(frozen=True)
class WhatIfAnswer:
    """`dbdiag.planner.v1.WhatIfAnswer`."""

    assumed: tuple[EvidenceView, ...] = ()
    changes: tuple[BeliefChange, ...] = ()
    leader_before: LocalizedText = LocalizedText()
    leader_confidence_before: float = 0.0
    leader_after: LocalizedText = LocalizedText()
    leader_confidence_after: float = 0.0
    # The words of suppositions that could not be resolved.
    unresolved: tuple[str, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, assumed=assumed, changes=changes, leader_before=leader_before, leader_confidence_before=leader_confidence_before, leader_after=leader_after, leader_confidence_after=leader_confidence_after, unresolved=unresolved):
            set_field(self, "assumed", assumed)
            set_field(self, "changes", changes)
            set_field(self, "leader_before", leader_before)
            set_field(self, "leader_confidence_before", leader_confidence_before)
            set_field(self, "leader_after", leader_after)
            set_field(self, "leader_confidence_after", leader_confidence_after)
            set_field(self, "unresolved", unresolved)


@dataclass(frozen=True)
class HelpAnswer:
    """How to look at an item, or what the assistant can do when it has no item."""

    items: tuple[RankedRecommendation, ...] = ()
    conclusion: ConclusionView | None = None
    # The question's words.
    text: str = ""
    # Set when the question was about the case as a whole.
    topic: QuestionTopic | None = None
    # What is on record, oldest first, when the question was about the case as a whole; what is asked about and what
    # this message took back of it, where the topic is SOURCE.
    evidence: tuple[EvidenceView, ...] = ()
    # Of the leading cause, when nothing is concluded.
    relief: tuple[ReliefStep, ...] = ()
    # The leading cause with its remedy, when nothing is concluded: no claim, but what would be done.
    leading: ConclusionView | None = None
    # What a question of whether something has to do with it is about, where the library knows it; the cause and, as its
    # reason, the answer where the topic is OF_CAUSE.
    matter: MatterView | None = None
    # The action that the question is about, as in Treatment.
    action: str = ""
    # How the summary that was asked for is to be written.
    brief: Brief | None = None
    # The causes behind the leading one with their remedies, when it was about what was done or how it is since.
    rivals: tuple[ConclusionView, ...] = ()
    # The key of the common question that was asked, where the topic is COMMON.
    common_question: str = ""

    if not TYPE_CHECKING:

        def __init__(self, items=items, conclusion=conclusion, text=text, topic=topic, evidence=evidence, relief=relief, leading=leading, matter=matter, action=action, brief=brief, rivals=rivals, common_question=common_question):
            set_field(self, "items", items)
            set_field(self, "conclusion", conclusion)
            set_field(self, "text", text)
            set_field(self, "topic", topic)
            set_field(self, "evidence", evidence)
            set_field(self, "relief", relief)
            set_field(self, "leading", leading)
            set_field(self, "matter", matter)
            set_field(self, "action", action)
            set_field(self, "brief", brief)
            set_field(self, "rivals", rivals)
            set_field(self, "common_question", common_question)


@dataclass(frozen=True)
class DataRow:
    """`dbdiag.planner.v1.DataRow`."""

    cells: tuple[str, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, cells=cells):
            set_field(self, "cells", cells)


@dataclass(frozen=True)
class DataAnswer:
    """A data question, with what the analyst answered; without an `answer` this installation cannot answer it."""

    text: str = ""
    tickets: tuple[TicketReference, ...] = ()
    # One sentence with the figure, a question back, or why there is no answer.
    answer: str = ""
    # How the question was understood, in one line.
    understood: str = ""
    # Of a question back.
    options: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[DataRow, ...] = ()
    sql: str = ""

    if not TYPE_CHECKING:

        def __init__(self, text=text, tickets=tickets, answer=answer, understood=understood, options=options, columns=columns, rows=rows, sql=sql):
            set_field(self, "text", text)
            set_field(self, "tickets", tickets)
            set_field(self, "answer", answer)
            set_field(self, "understood", understood)
            set_field(self, "options", options)
            set_field(self, "columns", columns)
            set_field(self, "rows", rows)
            set_field(self, "sql", sql)


Answer = ProgressAnswer | HypothesesAnswer | RelationsAnswer | HistoryAnswer | ReasoningAnswer | WhatIfAnswer | HelpAnswer | DataAnswer


@dataclass(frozen=True)
class ToolFailure:
    """A tool that did not do its work."""

    tool: Tool | None = None
    # As the service's `error-reason`.
    reason: str = ""
    # One line for a person.
    detail: str = ""

    if not TYPE_CHECKING:

        def __init__(self, tool=tool, reason=reason, detail=detail):
            set_field(self, "tool", tool)
            set_field(self, "reason", reason)
            set_field(self, "detail", detail)


@dataclass(frozen=True)
class SeenView:
    """What a look showed of one phenomenon."""

    phenomenon_id: str = ""
    name: LocalizedText = LocalizedText()
    verdict: Verdict | None = None
    # The value that decided.
    words: str = ""
    check_id: str = ""
    # The stored output.
    evidence_ref: str = ""
    # The person says otherwise, and that counts.
    overruled: bool = False

    if not TYPE_CHECKING:

        def __init__(self, phenomenon_id=phenomenon_id, name=name, verdict=verdict, words=words, check_id=check_id, evidence_ref=evidence_ref, overruled=overruled):
            set_field(self, "phenomenon_id", phenomenon_id)
            set_field(self, "name", name)
            set_field(self, "verdict", verdict)
            set_field(self, "words", words)
            set_field(self, "check_id", check_id)
            set_field(self, "evidence_ref", evidence_ref)
            set_field(self, "overruled", overruled)


@dataclass(frozen=True)
class UnseenView:
    """A check that brought nothing."""

    check_id: str = ""
    name: LocalizedText = LocalizedText()
    reason: str = ""

    if not TYPE_CHECKING:

        def __init__(self, check_id=check_id, name=name, reason=reason):
            set_field(self, "check_id", check_id)
            set_field(self, "name", name)
            set_field(self, "reason", reason)


@dataclass(frozen=True)
class LookView:
    """What the assistant saw on the live system in this turn."""

    target_id: str = ""
    description: str = ""
    # Confirmed phenomena first, then absent ones, then unknown ones.
    seen: tuple[SeenView, ...] = ()
    unseen: tuple[UnseenView, ...] = ()
    # Checks that brought something.
    check_count: int = 0
    seconds: float = 0.0

    if not TYPE_CHECKING:

        def __init__(self, target_id=target_id, description=description, seen=seen, unseen=unseen, check_count=check_count, seconds=seconds):
            set_field(self, "target_id", target_id)
            set_field(self, "description", description)
            set_field(self, "seen", seen)
            set_field(self, "unseen", unseen)
            set_field(self, "check_count", check_count)
            set_field(self, "seconds", seconds)


@dataclass(frozen=True)
class LookOffer:
    """The assistant could see some of what it asks for."""

    target_id: str = ""
    description: str = ""
    # How many of the questions asked now a check can see.
    visible_count: int = 0

    if not TYPE_CHECKING:

        def __init__(self, target_id=target_id, description=description, visible_count=visible_count):
            set_field(self, "target_id", target_id)
            set_field(self, "description", description)
            set_field(self, "visible_count", visible_count)


@dataclass(frozen=True)
class EngineGap:
    """Everything an answer may speak of.
    The person's database is one that the library does not cover."""

    named: str = ""
    covered: tuple[str, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, named=named, covered=covered):
            set_field(self, "named", named)
            set_field(self, "covered", covered)


@dataclass(frozen=True)
class TurnResults:
    """`dbdiag.planner.v1.TurnResults`."""

    status: Status | None = None
    noted: tuple[NotedEvidence, ...] = ()
    corrections: tuple[AppliedCorrection, ...] = ()
    suggestions: tuple[AppliedSuggestion, ...] = ()
    # Words that fit nothing in the library.
    unmatched: tuple[str, ...] = ()
    clarification: Clarification | None = None
    # Present when this turn evaluated the evidence.
    diagnosis: DiagnosisView | None = None
    answers: tuple[Answer, ...] = ()
    failures: tuple[ToolFailure, ...] = ()
    smalltalk: tuple[SmalltalkKind, ...] = ()
    reset: bool = False
    turn: int = 0
    # Words that stay unclear and are not asked back: that was done before, or something else is asked in this turn.
    unclear: tuple[str, ...] = ()
    look: LookView | None = None
    look_offer: LookOffer | None = None
    # The person declines the offered investigation.
    look_declined: bool = False
    engine_gap: EngineGap | None = None
    # What is on record, then what waits for a yes or no (without a verdict), oldest first: it may name objects.
    seen: tuple[EvidenceView, ...] = ()
    # What was done in this case, oldest first, and what its messages name.
    treatments: tuple[Treatment, ...] = ()
    objects: tuple[NamedObject, ...] = ()
    # How things are after what was done, as last told.
    aftermath: Aftermath | None = None
    # Since when the trouble is there, as in TurnPlan.
    began: str = ""
    # What the person cannot reach, as first told.
    limits: tuple[Limit, ...] = ()
    # The database whose library the case went over to in this turn.
    taken_up: str = ""
    # The database that the library's statements are for; empty where they are for several.
    engine: str = ""
    # The person's messages of this case, oldest first, where an answer tells what they said.
    remarks: tuple[Remark, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, status=status, noted=noted, corrections=corrections, suggestions=suggestions, unmatched=unmatched, clarification=clarification, diagnosis=diagnosis, answers=answers, failures=failures, smalltalk=smalltalk, reset=reset, turn=turn, unclear=unclear, look=look, look_offer=look_offer, look_declined=look_declined, engine_gap=engine_gap, seen=seen, treatments=treatments, objects=objects, aftermath=aftermath, began=began, limits=limits, taken_up=taken_up, engine=engine, remarks=remarks):
            set_field(self, "status", status)
            set_field(self, "noted", noted)
            set_field(self, "corrections", corrections)
            set_field(self, "suggestions", suggestions)
            set_field(self, "unmatched", unmatched)
            set_field(self, "clarification", clarification)
            set_field(self, "diagnosis", diagnosis)
            set_field(self, "answers", answers)
            set_field(self, "failures", failures)
            set_field(self, "smalltalk", smalltalk)
            set_field(self, "reset", reset)
            set_field(self, "turn", turn)
            set_field(self, "unclear", unclear)
            set_field(self, "look", look)
            set_field(self, "look_offer", look_offer)
            set_field(self, "look_declined", look_declined)
            set_field(self, "engine_gap", engine_gap)
            set_field(self, "seen", seen)
            set_field(self, "treatments", treatments)
            set_field(self, "objects", objects)
            set_field(self, "aftermath", aftermath)
            set_field(self, "began", began)
            set_field(self, "limits", limits)
            set_field(self, "taken_up", taken_up)
            set_field(self, "engine", engine)
            set_field(self, "remarks", remarks)


@dataclass(frozen=True)
class RespondRequest:
    """`dbdiag.planner.v1.RespondRequest`."""

    language: Language | None = None
    results: TurnResults = TurnResults()
    # What the person wrote, for the model's tone only.
    message: str = ""
    # The assistant's last answer, so that it is not said again word for word.
    previous_text: str = ""
    # The few answers before it, so that whoever asks why once more is told something else.
    earlier_texts: tuple[str, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, language=language, results=results, message=message, previous_text=previous_text, earlier_texts=earlier_texts):
            set_field(self, "language", language)
            set_field(self, "results", results)
            set_field(self, "message", message)
            set_field(self, "previous_text", previous_text)
            set_field(self, "earlier_texts", earlier_texts)


@dataclass(frozen=True)
class Reply:
    """`dbdiag.planner.v1.Reply`."""

    text: str = ""
    source: PlanSource | None = None
    usage: ModelUsage = ModelUsage()

    if not TYPE_CHECKING:

        def __init__(self, text=text, source=source, usage=usage):
            set_field(self, "text", text)
            set_field(self, "source", source)
            set_field(self, "usage", usage)


@dataclass(frozen=True)
class RespondResponse:
    """`dbdiag.planner.v1.RespondResponse`."""

    chunk: str | None = None
    # Last message of the stream; its text is the chunks joined.
    reply: Reply | None = None

    if not TYPE_CHECKING:

        def __init__(self, chunk=chunk, reply=reply):
            set_field(self, "chunk", chunk)
            set_field(self, "reply", reply)


@dataclass(frozen=True)
class CheckView:
    """`dbdiag.planner.v1.CheckView`."""

    check_id: str = ""
    name: LocalizedText = LocalizedText()
    phenomenon_ids: tuple[str, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, check_id=check_id, name=name, phenomenon_ids=phenomenon_ids):
            set_field(self, "check_id", check_id)
            set_field(self, "name", name)
            set_field(self, "phenomenon_ids", phenomenon_ids)


@dataclass(frozen=True)
class SignalView:
    """`dbdiag.planner.v1.SignalView`."""

    check_id: str = ""
    summary: str = ""
    evidence_ref: str = ""

    if not TYPE_CHECKING:

        def __init__(self, check_id=check_id, summary=summary, evidence_ref=evidence_ref):
            set_field(self, "check_id", check_id)
            set_field(self, "summary", summary)
            set_field(self, "evidence_ref", evidence_ref)


@dataclass(frozen=True)
class PlanEvidenceRequest:
    """`dbdiag.planner.v1.PlanEvidenceRequest`."""

    question: str = ""
    hypotheses: tuple[HypothesisView, ...] = ()
    allowed_checks: tuple[CheckView, ...] = ()
    signals: tuple[SignalView, ...] = ()
    round: int = 0
    max_checks: int = 0

    if not TYPE_CHECKING:

        def __init__(self, question=question, hypotheses=hypotheses, allowed_checks=allowed_checks, signals=signals, round=round, max_checks=max_checks):
            set_field(self, "question", question)
            set_field(self, "hypotheses", hypotheses)
            set_field(self, "allowed_checks", allowed_checks)
            set_field(self, "signals", signals)
            set_field(self, "round", round)
            set_field(self, "max_checks", max_checks)


@dataclass(frozen=True)
class PlannedCheck:
    """`dbdiag.planner.v1.PlannedCheck`."""

    check_id: str = ""
    purpose: str = ""
    expected_signal: str = ""
    # 1 first, 5 last.
    priority: int = 0

    if not TYPE_CHECKING:

        def __init__(self, check_id=check_id, purpose=purpose, expected_signal=expected_signal, priority=priority):
            set_field(self, "check_id", check_id)
            set_field(self, "purpose", purpose)
            set_field(self, "expected_signal", expected_signal)
            set_field(self, "priority", priority)


@dataclass(frozen=True)
class PlanEvidenceResponse:
    """`dbdiag.planner.v1.PlanEvidenceResponse`."""

    stop: bool = False
    stop_reason: str = ""
    next_checks: tuple[PlannedCheck, ...] = ()
    missing_info: tuple[str, ...] = ()
    usage: ModelUsage = ModelUsage()

    if not TYPE_CHECKING:

        def __init__(self, stop=stop, stop_reason=stop_reason, next_checks=next_checks, missing_info=missing_info, usage=usage):
            set_field(self, "stop", stop)
            set_field(self, "stop_reason", stop_reason)
            set_field(self, "next_checks", next_checks)
            set_field(self, "missing_info", missing_info)
            set_field(self, "usage", usage)


@dataclass(frozen=True)
class KnownPhenomena:
    """What the library calls its phenomena, and when each is present."""

    # `ordinal` is left out.
    items: tuple[Item, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, items=items):
            set_field(self, "items", items)


@dataclass(frozen=True)
class LabelledCase:
    """`dbdiag.planner.v1.LabelledCase`."""

    message: str = ""
    # A JSON object, as labelled files have it: pending, confirmed, denied, last_clarification, history.
    context: str = ""

    if not TYPE_CHECKING:

        def __init__(self, message=message, context=context):
            set_field(self, "message", message)
            set_field(self, "context", context)


ReadCasesRequest = KnownPhenomena | LabelledCase


@dataclass(frozen=True)
class LabelledCorrection:
    """`dbdiag.planner.v1.LabelledCorrection`."""

    original: str = ""
    corrected: str | None = None

    if not TYPE_CHECKING:

        def __init__(self, original=original, corrected=corrected):
            set_field(self, "original", original)
            set_field(self, "corrected", corrected)


@dataclass(frozen=True)
class ReadCasesResponse:
    """A plan as labelled files state it: ids in place of references."""

    confirmed: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    observations: tuple[str, ...] = ()
    corrections: tuple[LabelledCorrection, ...] = ()
    suggestions: tuple[str, ...] = ()
    # Kinds of questions, as `progress` or `what_if`.
    questions: tuple[str, ...] = ()
    clarify: bool = False
    smalltalk: bool = False
    reset: bool = False

    if not TYPE_CHECKING:

        def __init__(self, confirmed=confirmed, denied=denied, unknown=unknown, observations=observations, corrections=corrections, suggestions=suggestions, questions=questions, clarify=clarify, smalltalk=smalltalk, reset=reset):
            set_field(self, "confirmed", confirmed)
            set_field(self, "denied", denied)
            set_field(self, "unknown", unknown)
            set_field(self, "observations", observations)
            set_field(self, "corrections", corrections)
            set_field(self, "suggestions", suggestions)
            set_field(self, "questions", questions)
            set_field(self, "clarify", clarify)
            set_field(self, "smalltalk", smalltalk)
            set_field(self, "reset", reset)
